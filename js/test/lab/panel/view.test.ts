// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import type { Listing } from "../../../src/lab/panel/listing";
import { makeView } from "../../../src/lab/panel/panel";
import { begin, listed, lose, opened, opening } from "../../../src/lab/panel/state";

const STUDY = { name: "study", key: "1", model: "Pipe", n_rows: 4000, n_columns: 2 };
const HELD: Listing = {
  module: "ts",
  free: "study_2",
  studies: [STUDY, { ...STUDY, name: "other", key: "2" }],
  models: [{ name: "model", kind: "Pipe", n_columns: 2 }],
  frames: [
    { name: "X_test", n_rows: 4, n_columns: 2 },
    { name: "X", n_rows: 8, n_columns: 2 },
  ],
  columns: [
    { name: "y_test", n_rows: 4 },
    { name: "y", n_rows: 8 },
  ],
};

function setUp() {
  const actions = { open: vi.fn(), close: vi.fn(), ask: vi.fn(), insert: vi.fn() };
  const view = makeView(actions);
  document.body.replaceChildren(view.node);
  const at = (name: string) => view.node.querySelector<HTMLElement>(`[data-testid='lab-${name}']`);
  const choose = (name: string, value: string) => {
    const select = at(name) as HTMLSelectElement;
    select.value = value;
    select.dispatchEvent(new Event("change"));
  };
  return { actions, view, at, choose };
}

test("the form writes a cell of what was chosen, which stays while it is there", () => {
  const { actions, view, at, choose } = setUp();
  view.show(listed(begin("folder/a.ipynb"), HELD));
  expect(at("path")?.textContent).toBe("a.ipynb");
  expect(at("code")?.textContent).toBe("study_2 = ts.Study(model, X_test, y_test)");
  choose("data", "X");
  expect(at("code")?.textContent).toBe("study_2 = ts.Study(model, X, y)");
  choose("target", "");
  view.show(listed(begin("folder/a.ipynb"), { ...HELD, free: "study_3" }));
  at("insert")?.click();
  at("run")?.click();
  expect(actions.insert.mock.calls).toEqual([
    ["study_3 = ts.Study(model, X)", false],
    ["study_3 = ts.Study(model, X)", true],
  ]);
});

test("what a study cannot be made of yet is said", () => {
  const { view } = setUp();
  view.show(listed(begin("a"), { ...HELD, models: [], frames: [] }));
  expect(view.node.textContent).toContain(
    "There is no fitted model and no data among this notebook's variables",
  );
});

test("where the package is not imported a press imports it", () => {
  const { actions, view, at } = setUp();
  view.show(listed(begin("a"), null));
  expect(at("form")?.hidden).toBe(true);
  at("import")?.click();
  expect(actions.insert).toHaveBeenCalledWith("import tauscope as ts", true);
});

test("studies are listed but the one shown; the focus stays on one while the list is redrawn", () => {
  const { actions, view, at } = setUp();
  const state = listed(begin("a"), HELD);
  view.show(state);
  expect([...view.node.querySelectorAll("li")].map((row) => row.textContent)).toEqual([
    "Open studyPipe, 4,000 × 2",
    "Open otherPipe, 4,000 × 2",
  ]);
  at("open")?.focus();
  view.show(state);
  expect((document.activeElement as HTMLElement).textContent).toBe("Open study");
  at("open")?.click();
  expect(actions.open).toHaveBeenCalledWith("study");
  view.show(opened(opening(state, STUDY)));
  expect(at("open")?.textContent).toBe("Open other");
  at("close")?.click();
  expect(actions.close).toHaveBeenCalled();
});

test("what went with the kernel is opened again by one press", () => {
  const { actions, view, at } = setUp();
  const lost = lose(opened(opening(listed(begin("a"), HELD), STUDY)), "restarted");
  view.show(lost);
  expect(at("again")?.hidden).toBe(true);
  view.show(listed(lost, HELD));
  at("again")?.click();
  expect(actions.open).toHaveBeenCalledWith("study");
});

test("the form makes room for a study that is opened, and stays as a person wants it from then on", () => {
  const { view, at } = setUp();
  const form = at("form") as HTMLDetailsElement;
  const state = listed(begin("a"), HELD);
  view.show(state);
  form.open = true;
  view.show(state);
  expect(form.open).toBe(true);
  const shown = opened(opening(state, STUDY));
  view.show(shown);
  expect(form.open).toBe(false);
  form.open = true;
  view.show(shown);
  expect(form.open).toBe(true);
});
