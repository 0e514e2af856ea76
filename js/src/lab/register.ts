import { type RenderMime, showStill } from "./still";

export const WIDGET = "application/vnd.jupyter.widget-view+json";
/** A type that only widgets of this package put out: those of others are shown as ever. */
export const VIEW = "application/vnd.tauscope.view+json";
/** Before ipywidgets, which is at -10. */
const RANK = -100;

/** Let a notebook show our widgets as ipywidgets does, and their still picture where there is no widget. */
export function registerStill(rendermime: RenderMime): void {
  rendermime.addFactory(
    {
      safe: false,
      mimeTypes: [VIEW],
      createRenderer: (options) => {
        const widgets = rendermime.getFactory(WIDGET);
        if (!widgets) throw new Error("ipywidgets is not installed in this JupyterLab");
        const renderer = widgets.createRenderer({ ...options, mimeType: WIDGET });
        return showStill(renderer, rendermime, [VIEW, WIDGET]);
      },
    },
    RANK,
  );
}
