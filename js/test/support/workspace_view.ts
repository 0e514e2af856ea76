/** A workspace on a page, with a model that counts what is asked of it. */

import widget from "../../src/views/workspace/workspace/index";
import { example } from "./example";
import { fakeModel } from "./fake_model";
import { jointExample } from "./joint_example";

const VIEWS = {
  curves: "Curves",
  metrics: "Metrics",
  effect: "Effect",
  boundary: "Row",
  rules: "Rules",
  table: "Rows",
};

export const FILE = {
  schema: "tauscope.scenarios",
  version: 1,
  data: { hash: "ab".repeat(32), n_rows: 400, columns: ["age", "hours", "sex"] },
  seed: null,
  packages: { tauscope: "0.1" },
  quantile: 0.05,
};

function prefixed(name: string, traits: Record<string, unknown>, shared: readonly string[]) {
  const own = Object.entries(traits).filter(([trait]) => !shared.includes(trait));
  return Object.fromEntries(own.map(([trait, value]) => [`${name}__${trait}`, value]));
}

function curvesExample(): Record<string, unknown> {
  const { message, buffers, traits } = example();
  return { message, ...buffers, ...traits };
}

export function openWorkspace(state: Record<string, unknown> = {}, offline = "") {
  const el = document.createElement("div");
  document.body.append(el);
  const life = new AbortController();
  const fake = fakeModel({
    ...prefixed("joint", jointExample() as Record<string, unknown>, ["stress"]),
    ...prefixed("curves", curvesExample(), ["stress", "feature"]),
    stress: { taus: {}, hold: "none" },
    view: "metrics",
    feature: "age",
    row: 0,
    selection: [],
    second_metric: "error_rate",
    opened: {},
    message: {
      version: 1,
      title: "Predicted <b>yes</b>",
      model: "Forest",
      n_rows: 400,
      n_columns: 3,
      live: true,
      offline: "",
      file: FILE,
      views: Object.entries(VIEWS).map(([name, label]) => ({ name, label, refused: "" })),
    },
    ...state,
  });
  const message = fake.state.message as Record<string, unknown>;
  if (offline) fake.state.message = { ...message, live: false, offline };
  const props = { model: fake.model, el, signal: life.signal } as unknown;
  widget.render(props as Parameters<typeof widget.render>[0]);
  const all = (testid: string) => [...el.querySelectorAll<HTMLElement>(`[data-testid="${testid}"]`)];
  const only = (testid: string) => all(testid)[0] as HTMLElement;
  const slider = (name: string) =>
    el.querySelector(`.ts-cell-sliders input[data-feature="${name}"]`) as HTMLInputElement;
  const press = (name: string, key: string) =>
    slider(name).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const key = (name: string) =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }),
    );
  return { ...fake, el, life, all, only, slider, press, key };
}
