// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { registerStill, VIEW, WIDGET } from "../../src/lab/register";
import { type MimeModel, NOTE, PATIENCE, type Renderer, type RenderMime } from "../../src/lab/still";

const MODEL: MimeModel = {
  data: { [VIEW]: {}, [WIDGET]: { model_id: "m" }, "text/html": "<table>", "text/plain": "t" },
  trusted: true,
};

/** JupyterLab's registry, and a renderer of ipywidgets' that behaves as `render` says. */
function notebook(render: (renderer: Renderer & { widgets: unknown[] }) => Promise<void>) {
  const asked: unknown[] = [];
  const factories = new Map<string, Parameters<RenderMime["addFactory"]>[0]>();
  const make = (text: string): Renderer & { widgets: unknown[] } => ({
    node: document.createElement("div"),
    isDisposed: false,
    widgets: [],
    async renderModel(): Promise<void> {
      if (text === WIDGET) return render(this);
      this.node.textContent = `${text} drawn`;
    },
    dispose: () => undefined,
  });
  const rendermime: RenderMime = {
    addFactory: (factory, rank) => {
      expect(rank).toBeLessThan(-10);
      for (const type of factory.mimeTypes) factories.set(type, factory);
    },
    getFactory: (type) => factories.get(type),
    createRenderer: make,
    preferredMimeType: (data, safe) => {
      asked.push([Object.keys(data), safe]);
      return "text/html" in data ? "text/html" : undefined;
    },
  };
  factories.set(WIDGET, {
    safe: false,
    mimeTypes: [WIDGET],
    createRenderer: ({ mimeType }) => make(mimeType),
  });
  registerStill(rendermime);
  const factory = factories.get(VIEW);
  if (!factory) throw new Error("nothing is registered");
  return { renderer: factory.createRenderer({ mimeType: VIEW }), asked };
}

test("a live widget is shown as ever", async () => {
  const { renderer, asked } = notebook(async (shown) => {
    shown.widgets.push("view");
    shown.node.textContent = "the widget";
  });
  await renderer.renderModel(MODEL);
  expect(renderer.node.textContent).toBe("the widget");
  expect(asked).toEqual([]);
});

test("a widget that is not found leaves its picture and table", async () => {
  const { renderer, asked } = notebook(async (shown) => {
    shown.node.textContent = "Error displaying widget: model not found";
  });
  await renderer.renderModel(MODEL);
  expect(renderer.node.textContent).toBe(`${NOTE}text/html drawn`);
  expect(asked).toEqual([[["text/html", "text/plain"], "any"]]);
});

test("what is not trusted is drawn as such", async () => {
  const { renderer, asked } = notebook(async () => undefined);
  await renderer.renderModel({ ...MODEL, trusted: false });
  expect(asked).toEqual([[["text/html", "text/plain"], "ensure"]]);
});

test("an output of nothing else keeps what ipywidgets says", async () => {
  const { renderer } = notebook(async (shown) => {
    shown.node.textContent = "Error displaying widget: model not found";
  });
  await renderer.renderModel({ data: { [VIEW]: {}, [WIDGET]: {} }, trusted: true });
  expect(renderer.node.textContent).toBe("Error displaying widget: model not found");
});

test("without a kernel the picture is there until the widget is", async () => {
  vi.useFakeTimers();
  let come = () => {};
  const { renderer } = notebook(async (shown) => {
    shown.node.textContent = "Loading widget...";
    await new Promise<void>((resolve) => {
      come = resolve;
    });
    shown.widgets.push("view");
    shown.node.textContent = "the widget";
  });
  const rendering = renderer.renderModel(MODEL);
  await vi.advanceTimersByTimeAsync(PATIENCE - 1);
  expect(renderer.node.textContent).toBe("Loading widget...");
  await vi.advanceTimersByTimeAsync(1);
  expect(renderer.node.textContent).toBe(`${NOTE}text/html drawn`);
  come();
  await rendering;
  expect(renderer.node.textContent).toBe("the widget");
  vi.useRealTimers();
});
