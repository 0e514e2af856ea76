// @vitest-environment jsdom
import type { AnyModel } from "@anywidget/types";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Actions, alike, startLoop } from "../../../src/views/shared/loop";
import { createView } from "../../../src/views/shared/view";
import { fakeModel } from "../../support/fake_model";
import { stubResizeObserver } from "../../support/resize_observer";

type Traits = { message: unknown; level: number };
type State = { readonly level: number; readonly query: string };

function mount() {
  const { model, receive, listening, state } = fakeModel({ message: { a: 1 }, level: 1 });
  const told = vi.fn();
  let actions: Actions<State> | null = null;
  let repaint = () => {};
  const element = document.createElement("div");
  const view = createView<Traits>({
    root: "ts-example",
    data: ["message"],
    awaited: "numbers",
    shown: "This example",
    isWaiting: () => false,
    mount: (stage) => {
      const loop = startLoop<Traits, State>(stage, {
        choices: ["level"],
        read: (before) => {
          const level = stage.traits.get("level");
          if (level < 0) throw new Error("a level is positive");
          return { query: "", ...before, level };
        },
        write: ({ level }) => {
          if (level !== undefined) stage.traits.set("level", level);
        },
        createPanel: (given) => {
          actions = given;
          return { element, update: told };
        },
      });
      repaint = loop.repaint;
    },
  });
  const el = document.createElement("div");
  const life = new AbortController();
  const props = { model: model as unknown as AnyModel<Traits>, el, signal: life.signal };
  view.render(props as unknown as Parameters<typeof view.render>[0]);
  ended.push(() => life.abort());
  return {
    el,
    element,
    told,
    receive,
    listening,
    state,
    life,
    actions: () => actions as unknown as Actions<State>,
    repaint: () => repaint(),
  };
}

let ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended) end();
  ended = [];
  vi.unstubAllGlobals();
});

describe("the loop", () => {
  test("shows the first state, then each that differs", () => {
    const { told, receive } = mount();
    expect(told.mock.calls).toEqual([[{ level: 1, query: "" }, null]]);
    receive("level", 2);
    expect(told).toHaveBeenLastCalledWith({ level: 2, query: "" }, { level: 1, query: "" });
    receive("level", 2);
    expect(told).toHaveBeenCalledTimes(2);
  });
  test("a person's change is shown at once, and goes to the traits without coming back", () => {
    const { told, state, actions } = mount();
    actions().intend({ level: 3, query: "x" }, null);
    expect(told).toHaveBeenLastCalledWith({ level: 3, query: "x" }, { level: 1, query: "" });
    expect(told).toHaveBeenCalledTimes(2);
    expect(state.level).toBe(3);
  });
  test("what cannot be read is said in words, until it can be", () => {
    const { el, element, receive } = mount();
    receive("level", -1);
    expect(el.textContent).toContain("This example cannot be shown.");
    expect(el.textContent).toContain("a level is positive");
    receive("level", 4);
    expect(el.contains(element)).toBe(true);
  });
  test("tells a hidden panel of nothing, and of the latest state alone once it is shown", () => {
    const { hide, show } = stubResizeObserver();
    const { told, receive, el } = mount();
    hide(el);
    for (const level of [2, 3, 4]) receive("level", level);
    expect(told).toHaveBeenCalledTimes(1);
    show(el);
    expect(told.mock.calls.slice(1)).toEqual([
      [
        { level: 4, query: "" },
        { level: 1, query: "" },
      ],
    ]);
    hide(el);
    show(el);
    expect(told).toHaveBeenCalledTimes(2);
    receive("level", 5);
    expect(told).toHaveBeenCalledTimes(3);
  });
  test("shows what came while it was hidden, the state being the same", () => {
    const { hide, show } = stubResizeObserver();
    const { told, el, repaint } = mount();
    hide(el);
    repaint();
    repaint();
    expect(told).toHaveBeenCalledTimes(1);
    show(el);
    expect(told).toHaveBeenCalledTimes(2);
    repaint();
    expect(told).toHaveBeenCalledTimes(3);
  });
  test("says in words what cannot be read when it is shown again", () => {
    const { hide, show } = stubResizeObserver();
    const { el, receive } = mount();
    hide(el);
    receive("level", -1);
    expect(el.textContent).toBe("");
    show(el);
    expect(el.textContent).toContain("a level is positive");
  });
  test("leaves no listener behind", () => {
    const { watching } = stubResizeObserver();
    const { listening, life } = mount();
    expect(listening()).toBeGreaterThan(0);
    expect(watching()).toBe(1);
    life.abort();
    expect([listening(), watching()]).toEqual([0, 0]);
  });
});

test.each([
  [1, 1, true],
  [Number.NaN, Number.NaN, true],
  [null, {}, false],
  [["a"], ["a"], true],
  [["a"], ["a", "b"], false],
  [{ taus: { a: 1, b: 2 }, hold: "none" }, { hold: "none", taus: { b: 2, a: 1 } }, true],
  [{ taus: { a: 1 } }, { taus: { b: 1 } }, false],
])("alike: %j and %j", (a, b, same) => {
  expect(alike(a, b)).toBe(same);
});
