/** τ, as the other icons of the sidebar: in the theme's own colour. */
export const TAU = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="16">
  <path class="jp-icon3 jp-icon-selectable" fill="#616161"
    d="M3.5 9.2C4.6 6.3 6 5 8.7 5H20v2.9h-6.2v6.9c0 1.7.5 2.4 1.7 2.4.8 0 1.5-.2 2.2-.7l.5 2c-1 .8-2.3 1.3-3.8 1.3-2.6 0-3.7-1.5-3.7-4.5V7.9H8.6c-1.5 0-2.2.5-2.9 2z"/>
</svg>`;
