/** Milliseconds in which a widget may come before its still picture does; without a kernel it never comes. */
export const PATIENCE = 1000;

export const NOTE =
  "Still picture from when the cell ran; later moves are not in it. Run the cell again to move things.";

export interface MimeModel {
  readonly data: Readonly<Record<string, unknown>>;
  readonly trusted: boolean;
}

export interface Renderer {
  readonly node: HTMLElement;
  readonly isDisposed: boolean;
  /** The views in ipywidgets' renderer, none until the kernel's model was found. */
  readonly widgets?: readonly unknown[];
  renderModel(model: MimeModel): Promise<void>;
  dispose(): void;
}

export interface Factory {
  readonly safe: boolean;
  readonly mimeTypes: readonly string[];
  createRenderer(options: { mimeType: string }): Renderer;
}

/** What is used of JupyterLab's registry of renderers. */
export interface RenderMime {
  addFactory(factory: Factory, rank: number): void;
  getFactory(type: string): Factory | undefined;
  createRenderer(type: string): Renderer;
  preferredMimeType(data: MimeModel["data"], safe: "ensure" | "any"): string | undefined;
}

/**
 * Fill ipywidgets' renderer with what else its output holds as long as it has no widget.
 *
 * The renderer itself is handed back, and no other around it: ipywidgets looks for its own among the outputs, to give
 * them their kernel.
 */
export function showStill(renderer: Renderer, rendermime: RenderMime, live: readonly string[]): Renderer {
  const renderWidget = renderer.renderModel.bind(renderer);
  const isEmpty = () => !renderer.isDisposed && !renderer.widgets?.length;
  let last: object | undefined;

  async function fill(model: MimeModel): Promise<void> {
    const call = {};
    last = call;
    const drawn = await draw(model, rendermime, live);
    if (drawn && isEmpty() && last === call) renderer.node.replaceChildren(note(), drawn.node);
  }

  renderer.renderModel = async (model) => {
    const late = setTimeout(() => isEmpty() && fill(model), PATIENCE);
    await renderWidget(model);
    clearTimeout(late);
    if (isEmpty()) await fill(model);
  };
  return renderer;
}

/** Draw the richest of an output's types but those of the widget; undefined where there is no other. */
async function draw(
  model: MimeModel,
  rendermime: RenderMime,
  live: readonly string[],
): Promise<Renderer | undefined> {
  const others = Object.entries(model.data).filter(([type]) => !live.includes(type));
  const safe = model.trusted ? "any" : "ensure";
  const type = rendermime.preferredMimeType(Object.fromEntries(others), safe);
  if (type === undefined) return undefined;
  const drawn = rendermime.createRenderer(type);
  await drawn.renderModel(model);
  return drawn;
}

function note(): HTMLElement {
  const words = document.createElement("p");
  words.textContent = NOTE;
  words.style.cssText =
    "margin: 0 0 .5em; color: var(--jp-ui-font-color2); font-size: var(--jp-ui-font-size1)";
  return words;
}
