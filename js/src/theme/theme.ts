/**
 * The look in one place: palette, sizes, number formats.
 *
 * Surfaces and text come from the host's `--jp-*` variables and fall back to a light or a dark value by the
 * page's colour scheme. Blue and orange are Okabe and Ito's, told apart with every common colour vision;
 * the lighter blue is for dark surfaces, and so is Tol's orange, since amber means distrust there.
 */

export const palette = {
  surface: "var(--jp-layout-color0, light-dark(#fff, #111))",
  text: "var(--jp-ui-font-color1, light-dark(rgb(0 0 0 / 87%), rgb(255 255 255 / 87%)))",
  quiet: "color-mix(in srgb, var(--ts-text) 70%, transparent)",
  rule: "var(--jp-border-color2, light-dark(#e0e0e0, #424242))",
  grid: "light-dark(#e8eaed, #2b2e32)",
  line: "light-dark(#868c96, #737a84)",
  bar: "light-dark(#d3d7de, #3a3f46)",
  baseline: "light-dark(#5f6670, #a2a8b1)",
  accent: "light-dark(#0072b2, #56b4e9)",
  "map-low": "light-dark(#0072b2, #56b4e9)",
  "map-middle": "light-dark(#f1f2f4, #24272b)",
  "map-high": "light-dark(#c44e00, #ee7733)",
  warning: "light-dark(#a64b00, #e69f00)",
  error: "var(--jp-error-color1, light-dark(#b3261e, #f2867e))",
} as const;

/** Lengths in CSS pixels. */
export const sizes = {
  text: 12,
  /** `paired`: of each where two stand one over the other. */
  chart: {
    paired: 152,
    lowest: 240,
    tallest: 420,
    effect: 375,
    perWidth: 0.62,
    narrow: 480,
    fallbackWidth: 640,
  },
  margin: { top: 14, bottom: 46, left: 60, label: 8, longestLabel: 160 },
  labelGap: 15,
  /** Farther than this from every line, the pointer is on none. */
  pickDistance: 14,
  sparkline: { width: 58, height: 18 },
  path: { height: 180, left: 46, right: 14, top: 20, bottom: 38, fallbackWidth: 360 },
  projection: { width: 320, height: 190, edge: 8, radius: 2.8 },
  histogram: { height: 92, axis: 18, fallbackWidth: 240 },
} as const;

/** Decimals of quantities whose range does not say how many. */
export const DECIMALS = { count: 0, kl: 3, tv: 3, pareto_k: 2 } as const;

/** The palette as custom properties, for style sheets and SVG alike. */
export function applyTheme(root: HTMLElement): void {
  for (const [name, value] of Object.entries(palette)) root.style.setProperty(`--ts-${name}`, value);
}
