/** A workspace on a page, with a model that counts what is asked of it. */

import widget from "../../src/views/workspace/workspace/index";
import { effectTraits } from "./effect_example";
import { example } from "./example";
import { jointExample } from "./joint_example";
import { pooledTraits } from "./pooled_example";
import { type KeptWay, wayTraits } from "./towards_example";
import { mountView, press } from "./view";

const VIEWS = {
  curves: "Curves",
  metrics: "Metrics",
  effect: "Effect",
  boundary: "Row",
  pooled: "Pooled flips",
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

export const MESSAGE = {
  version: 1,
  title: "Predicted <b>yes</b>",
  model: "Forest",
  notes: [],
  n_rows: 400,
  n_columns: 3,
  live: true,
  offline: "",
  file: FILE,
  views: Object.entries(VIEWS).map(([name, label]) => ({ name, label, refused: "" })),
};

function prefixed(name: string, traits: Record<string, unknown>, shared: readonly string[]) {
  const own = Object.entries(traits).filter(([trait]) => !shared.includes(trait));
  return Object.fromEntries(own.map(([trait, value]) => [`${name}__${trait}`, value]));
}

function curvesExample(): Record<string, unknown> {
  const { message, buffers, traits } = example();
  return { message, ...buffers, ...traits };
}

/** State of a workspace whose effect is open, on the rows of the sliders. */
export function withEffect(): Record<string, unknown> {
  const effect = effectTraits("age", { live: true });
  const { features, n_rows } = effect.columns_message as { features: unknown[]; n_rows: number };
  const { message, ...joint } = jointExample();
  const each = <T>(value: T) => features.map(() => value);
  const end = { slope: 20, follows: 0, doubt_from: 2, with_heap: false };
  const told = { ends: each({ low: end, high: end }), edges: each([]), histograms: each([]) };
  const cells = new Float32Array(Array.from({ length: n_rows }, (_, row) => (7 * row) % 4));
  const rows = {
    columns_message: effect.columns_message,
    columns: effect.columns,
    row_weights: effect.row_weights,
    answers: new DataView(cells.buffer),
  };
  const own = { ...joint, ...rows, message: { ...message, ...told, open_ends: each([false, false]) } };
  return {
    ...prefixed("joint", own, ["stress"]),
    ...prefixed("effect", effect, ["stress"]),
    view: "effect",
    opened: { effect: { state: "open", words: "", done: 0, total: 0, unit: "", again: false } },
  };
}

/** State of a workspace in which one more view is open. */
export function withView(
  name: string,
  label: string,
  traits: Record<string, unknown>,
): Record<string, unknown> {
  const views = Object.entries({ ...VIEWS, [name]: label });
  return {
    ...prefixed(name, traits, ["stress"]),
    view: name,
    message: { ...MESSAGE, views: views.map(([view, words]) => ({ name: view, label: words, refused: "" })) },
    opened: { [name]: { state: "open", words: "", done: 0, total: 0, unit: "", again: false } },
  };
}

/** State of a workspace whose way to another population is open. */
export const withWay = (kept: KeptWay) => withView("towards", "New data", wayTraits(kept));

/** Traits of a workspace whose pooled boundary is there, of the first 60 of its rows. */
export function withPooled(message: Record<string, unknown> = {}): Record<string, unknown> {
  const shared = ["stress", "row", "selection", "columns_message", "columns", "row_weights"];
  return {
    ...prefixed("pooled", pooledTraits("plain", message), shared),
    view: "pooled",
    opened: { pooled: { state: "open", words: "", done: 0, total: 0, unit: "model rows", again: false } },
  };
}

export function openWorkspace(state: Record<string, unknown> = {}, offline = "", manager?: unknown) {
  const first: Record<string, unknown> = {
    ...prefixed("joint", jointExample() as Record<string, unknown>, ["stress"]),
    ...prefixed("curves", curvesExample(), ["stress", "feature"]),
    stress: { taus: {}, hold: "none" },
    view: "metrics",
    feature: "age",
    row: 0,
    selection: [],
    second_metric: "error_rate",
    opened: {},
    message: MESSAGE,
    ...state,
  };
  if (offline) first.message = { ...(first.message as object), live: false, offline };
  const view = mountView(widget, first, manager);
  const slider = (name: string) =>
    view.find<HTMLInputElement>(`.ts-cell-sliders input[data-feature="${name}"]`);
  return {
    ...view,
    only: view.at,
    slider,
    press: (name: string, key: string) => press(slider(name), key),
    key: (name: string) => press(document.activeElement as HTMLElement, name),
  };
}
