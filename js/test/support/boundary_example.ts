/** A boundary written by hand: two numbers that move, a level, a column that stays; a path that crosses at 0.6. */

import type { BoundaryTraits } from "../../src/wire/boundary/boundary";
import { layoutOf } from "./layout";

const floats = (values: readonly number[]) => new DataView(new Float32Array(values).buffer);
const STEPS = 11;
const steps = Array.from({ length: STEPS }, (_, k) => k);

const stays = {
  direction: 0,
  effect: 0,
  leads_to: null,
  held: "",
  levels: [],
  integer: false,
  changed: false,
} as const;
const FEATURES = [
  {
    ...stays,
    name: "mean radius",
    kind: "number",
    scale: 3.5,
    start: 12.5,
    point: 14.25,
    rival: 18,
    changed: true,
    direction: 0.9,
    effect: 3.15,
  },
  {
    ...stays,
    name: "<b>size</b>",
    kind: "levels",
    scale: 1,
    levels: ["small", "large"],
    start: 0,
    point: 1,
    rival: 1,
    changed: true,
    direction: 0.3,
    effect: 0,
    leads_to: 1,
  },
  { ...stays, name: "age", kind: "number", integer: true, scale: 9, start: 40, point: 40, rival: 61 },
  { ...stays, name: "site", kind: "number", held: "constant", scale: 1, start: 3, point: 3, rival: 3 },
  { ...stays, name: "grade", kind: "number", scale: 1, start: null, point: null, rival: 2 },
] as const;

export function boundaryAnswer(change: Record<string, unknown> = {}) {
  return {
    row: 17,
    target: "",
    name: "nearest",
    found: true,
    headline: "Row 17 is predicted benign; it becomes malignant 0.62 standard deviations away.",
    certificate: "No lower distance: nothing is proved of nearer points for this model.",
    status: "",
    reliability: {
      level: "wide",
      words: "The explanation is rough.",
      reasons: ["farther along the direction the first decision comes back"],
    },
    notes: ["A note."],
    labels: { start: "benign", point: "malignant", rival: "malignant" },
    rival_row: 3,
    unit: "sd",
    response: "probability of benign",
    response_kind: "share",
    threshold: 0.5,
    features: FEATURES,
    effect_words: "what changes from the row to its first crossing",
    n_more: 0,
    n_more_changed: 0,
    n_more_zero: 0,
    mostly_zero: false,
    path: {
      length: steps.map((k) => k / 10),
      answer: steps.map((k) => (k < 9 ? 0.9 - 0.07 * k : 0.6)),
      label: steps.map((k) => (k >= 6 && k < 9 ? 1 : 0)),
      labels: ["benign", "malignant"],
      flipped: steps.map((k) => (k >= 6 && k < 9 ? 1 : 0)),
      crossing: 0.58,
      returns: true,
      moving: [0, 1],
      layout: layoutOf(["values"], "moving step", [2, STEPS]),
    },
    diagnostics: [{ label: "balance", value: "0.52", words: "share of the sample decided as the row" }],
    projection: null as unknown,
    pictures: null as unknown,
    words: null as unknown,
    n_model_rows: 1340,
    fixed: [] as string[],
    bounds: {},
    ...change,
  };
}

export function boundaryMessage(change: Record<string, unknown> = {}) {
  return {
    version: 1,
    title: "Boundary of one row",
    model: "A forest, 40 rows",
    n_rows: 40,
    targets: [] as string[],
    labels: ["benign", "malignant"],
    response: "probability of malignant",
    response_kind: "share",
    labelled: true,
    live: true,
    offline: "",
    rows_shipped: true,
    image: null as unknown,
    layout: layoutOf(["predicted", "truth", "answer"], "field row", [3, 40]),
    ...change,
  };
}

/** Rows predicted malignant every fifth, all of them benign in truth but row 5. */
export const ROWS = floats([
  ...Array.from({ length: 40 }, (_, row) => (row % 5 === 0 ? 1 : 0)),
  ...Array.from({ length: 40 }, (_, row) => (row === 5 ? 1 : 0)),
  ...Array.from({ length: 40 }, (_, row) => row / 40),
]);

/** The traits of a view, fresh to be changed. */
export function boundaryTraits(
  change: Record<string, unknown> = {},
): Record<string, unknown> & BoundaryTraits {
  return {
    row: 17,
    target: "",
    fixed: [],
    bounds: {},
    edits: {},
    inspect: 0,
    search: 0,
    stop: 0,
    query: {},
    message: boundaryMessage(),
    rows: ROWS,
    answer: { answers: [boundaryAnswer()] },
    path_values: floats([...steps.map((k) => 12.5 + 0.315 * k), ...steps.map((k) => (k < 8 ? 0 : 1))]),
    pictures: new DataView(new ArrayBuffer(0)),
    decision: {},
    listed: {},
    progress: {},
    ...change,
  };
}
