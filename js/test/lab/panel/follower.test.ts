// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import type { Area, Future, Kernel, Modules, Notebook, Panel, Reply, Signal } from "../../../src/lab/host";
import { follow } from "../../../src/lab/panel/follower";
import { words } from "../../../src/lab/panel/state";

const STUDY = { name: "study", key: "1", model: "M", n_rows: 4, n_columns: 2 };
const HELD = { module: "ts", free: "study_2", studies: [STUDY], models: [], frames: [], columns: [] };

/** A signal that can be sent, and says how many listen. */
function signal<Args>() {
  const slots = new Set<(sender: never, args: Args) => void>();
  return {
    connect: (slot: (sender: never, args: Args) => void) => !!slots.add(slot),
    disconnect: (slot: (sender: never, args: Args) => void) => slots.delete(slot),
    send: (args: Args) => {
      for (const slot of slots) slot(undefined as never, args);
    },
    count: () => slots.size,
  };
}

function future(content: Reply["content"]): Future {
  return { done: Promise.resolve({ content }), isDisposed: false, dispose: () => undefined };
}

function setUp() {
  const signals = {
    status: signal<string>(),
    kernel: signal<{ newValue: Kernel | null }>(),
    path: signal<string>(),
    executed: signal<{ notebook: unknown }>(),
  };
  const areas: { disposed: boolean; hidden: boolean }[] = [];
  const asked: string[] = [];
  const shown = { display: { status: "ok" } as Reply["content"], lookedAt: true };
  const kernel: Kernel = {
    info: Promise.resolve({ language_info: { name: "python" } }),
    requestExecute: ({ code, user_expressions }) => {
      asked.push(user_expressions ? "names" : code);
      if (!user_expressions) return future(shown.display);
      const answer = { status: "ok", data: { "application/json": HELD } };
      return future({ status: "ok", user_expressions: { tauscope: answer } });
    },
  };
  const session: { kernel: Kernel | null } = { kernel };
  const content = {};
  const notebook = {
    content,
    context: { path: "a.ipynb", pathChanged: signals.path },
    sessionContext: {
      ready: Promise.resolve(),
      session,
      statusChanged: signals.status,
      kernelChanged: signals.kernel,
    },
  } as unknown as Notebook;
  class OutputArea {
    disposed = false;
    hidden = false;
    future: unknown;
    constructor() {
      areas.push(this);
    }
    dispose() {
      this.disposed = true;
    }
    setHidden(hidden: boolean) {
      this.hidden = hidden;
    }
  }
  const modules = {
    notebook: { NotebookActions: { executed: signals.executed as unknown as Signal<unknown, never> } },
    outputs: {
      OutputAreaModel: class {},
      SimplifiedOutputArea: OutputArea as unknown as new () => Area,
    },
  } as unknown as Pick<Modules, "notebook" | "outputs">;
  const changed = vi.fn();
  const place = { addWidget: () => undefined } as unknown as Panel;
  const follower = follow(notebook, { modules, place, isLookedAt: () => shown.lookedAt, changed });
  const count = () => Object.values(signals).reduce((sum, { count }) => sum + count(), 0);
  return { follower, signals, areas, asked, shown, session, content, count, changed };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test("names are all that is asked unasked, after a cell of this notebook was run too", async () => {
  const { follower, signals, asked, content } = setUp();
  await settle();
  expect(follower.state().listing).toEqual(HELD);
  signals.executed.send({ notebook: {} });
  await settle();
  expect(asked).toEqual(["names"]);
  signals.executed.send({ notebook: content });
  await settle();
  expect(asked).toEqual(["names", "names"]);
});

test("a panel that nobody looks at asks nothing until it is looked at", async () => {
  const { follower, shown, asked, content, signals } = setUp();
  shown.lookedAt = false;
  await settle();
  signals.executed.send({ notebook: content });
  signals.status.send("idle");
  await settle();
  expect(asked).toEqual([]);
  shown.lookedAt = true;
  follower.ask();
  await settle();
  expect(asked).toEqual(["names"]);
});

test("opening again leaves one area, and a restart none", async () => {
  const { follower, signals, areas, asked } = setUp();
  await settle();
  await follower.open("study");
  await follower.open("study");
  expect(areas.map(({ disposed }) => disposed)).toEqual([true, false]);
  signals.status.send("restarting");
  expect(areas.map(({ disposed }) => disposed)).toEqual([true, true]);
  expect(words(follower.state())).toContain("which was restarted");
  const before = asked.length;
  signals.status.send("idle");
  await settle();
  signals.status.send("idle");
  await settle();
  expect(asked.slice(before)).toEqual(["names"]);
});

test("a kernel that is shut down is said", async () => {
  const { follower, signals, session } = setUp();
  await settle();
  await follower.open("study");
  session.kernel = null;
  signals.kernel.send({ newValue: null });
  expect(words(follower.state())).toContain("which stopped");
  await follower.open("study");
  expect(follower.state().kernel).toBe("none");
});

test("a name that is gone leaves no area, and is said", async () => {
  const { follower, areas, shown } = setUp();
  await settle();
  shown.display = { status: "error", ename: "NameError", evalue: "name 'study' is not defined" };
  await follower.open("study");
  expect(areas.map(({ disposed }) => disposed)).toEqual([true]);
  expect(words(follower.state())).toBe("There is no study in this kernel.");
  shown.display = { status: "error", ename: "InputError", evalue: "no" };
  await follower.open("study");
  expect(words(follower.state())).toBe("InputError: no");
});

test("what another notebook covers is hidden and not closed", async () => {
  const { follower, areas } = setUp();
  await settle();
  await follower.open("study");
  follower.setHidden(true);
  expect(areas[0]).toMatchObject({ hidden: true, disposed: false });
  follower.setHidden(false);
  expect(areas[0]).toMatchObject({ hidden: false, disposed: false });
});

test("nothing listens once the notebook is closed", async () => {
  const { follower, areas, count, changed, signals, content } = setUp();
  await settle();
  await follower.open("study");
  expect(count()).toBe(4);
  follower.dispose();
  expect(count()).toBe(0);
  expect(areas[0]?.disposed).toBe(true);
  changed.mockClear();
  signals.executed.send({ notebook: content });
  follower.ask();
  await settle();
  expect(changed).not.toHaveBeenCalled();
});
