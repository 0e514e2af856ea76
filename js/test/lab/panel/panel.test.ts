// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import type { Modules, Notebook, Tracker } from "../../../src/lab/host";
import { makePanel } from "../../../src/lab/panel/panel";

function slots<Args>() {
  const all = new Set<(sender: never, args: Args) => void>();
  return {
    connect: (slot: (sender: never, args: Args) => void) => !!all.add(slot),
    disconnect: (slot: (sender: never, args: Args) => void) => all.delete(slot),
    send: (sender: unknown, args: Args) => {
      for (const slot of [...all]) slot(sender as never, args);
    },
    count: () => all.size,
  };
}

function notebook(path: string) {
  const disposed = slots<undefined>();
  const signals = [slots<string>(), slots<never>(), slots<string>()] as const;
  const made = {
    content: { activeCell: { model: { sharedModel: { setSource: vi.fn() } } } },
    context: { path, pathChanged: signals[0] },
    sessionContext: {
      ready: Promise.resolve(),
      session: null,
      kernelChanged: signals[1],
      statusChanged: signals[2],
    },
    isDisposed: false,
    disposed,
  };
  const count = () => signals.reduce((sum, signal) => sum + signal.count(), 0);
  return { made: made as unknown as Notebook, disposed, count };
}

function setUp() {
  const executed = slots<never>();
  const changed = slots<Notebook | null>();
  const nodes: HTMLElement[] = [];
  class Widget {
    node: HTMLElement;
    title = {};
    isVisible = true;
    constructor(options?: { node: HTMLElement }) {
      this.node = options?.node ?? document.createElement("div");
      nodes.push(this.node);
    }
    addClass() {}
    addWidget() {}
  }
  const modules = {
    notebook: { NotebookActions: { executed } },
    outputs: {},
    components: { LabIcon: class {} },
    widgets: { Panel: Widget, Widget },
  } as unknown as Modules;
  const tracker = { currentWidget: null as Notebook | null, currentChanged: changed };
  const panel = makePanel(modules, tracker as unknown as Tracker, () => undefined);
  const path = () => nodes.at(-1)?.querySelector("[data-testid='lab-path']")?.textContent;
  const go = (to: Notebook | null) => {
    tracker.currentWidget = to;
    changed.send(tracker, to);
  };
  return { panel, path, go, executed };
}

test("it follows the active notebook, or stays with one until that is closed", () => {
  const { panel, path, go } = setUp();
  const [a, b] = [notebook("a.ipynb"), notebook("b.ipynb")];
  go(a.made);
  expect(path()).toBe("a.ipynb");
  go(b.made);
  expect(path()).toBe("b.ipynb");
  panel.setFollowing(false);
  go(a.made);
  expect(path()).toBe("b.ipynb");
  panel.turnTo(a.made);
  expect(path()).toBe("a.ipynb");
  go(b.made);
  a.disposed.send(a.made, undefined);
  expect(path()).toBe("b.ipynb");
  go(a.made);
  panel.setFollowing(true);
  expect(path()).toBe("a.ipynb");
});

test("a notebook that is closed leaves no listener", () => {
  const { go, path, executed } = setUp();
  const opened = notebook("a.ipynb");
  for (let i = 0; i < 3; i++) go(opened.made);
  expect([opened.count(), executed.count()]).toEqual([3, 1]);
  go(null);
  opened.disposed.send(opened.made, undefined);
  expect([opened.count(), executed.count()]).toEqual([0, 0]);
  expect(path()).toBe("");
});
