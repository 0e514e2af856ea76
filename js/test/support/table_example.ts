/** The golden states of the table of rows, as a kernel would have sent them. */

import { bytes as decode, readGolden } from "./golden";

interface GoldenState {
  readonly json: { readonly message: Record<string, unknown>; readonly weighed: Record<string, unknown> };
  readonly buffers: Record<string, string>;
  readonly selection: readonly number[];
  readonly answers: readonly {
    readonly listed: Record<string, unknown>;
    readonly window: string;
    readonly rows: readonly number[];
  }[];
  readonly samples: readonly {
    readonly sampled: Record<string, unknown>;
    readonly sample: string;
    readonly sample_weights: string;
  }[];
}

const golden = readGolden<Record<string, GoldenState>>("table.json");
export const CASES = ["plain", "weighted"] as const;
export type Case = (typeof CASES)[number];

/** What the kernel finds for some queries, with four rows selected and under a stress. */
export function tableAnswers(which: Case) {
  return structuredClone((golden[which] as GoldenState).answers).map(({ listed, window, rows }) => ({
    listed,
    window: decode(window),
    rows,
  }));
}

/** What the kernel draws for a scatter under the stress: 40 of all rows; and the rows misclassified. */
export function tableSamples(which: Case) {
  const state = structuredClone(golden[which] as GoldenState);
  return state.samples.map(({ sampled, sample, sample_weights }) => ({
    sampled,
    sample: decode(sample),
    sample_weights: decode(sample_weights),
  }));
}

/** The rows selected, the stress and its weights. */
export function stressedTable(which: Case) {
  const { json, buffers, selection } = structuredClone(golden[which] as GoldenState);
  return {
    selection,
    stress: json.weighed.stress as Record<string, unknown>,
    weighed: json.weighed,
    weighed_weights: decode(buffers.weighed_weights as string),
  };
}

const NOTHING = new Uint8Array(0);

/** The traits of one view, fresh to be changed; `message` overrides fields of its message. */
export function tableTraits(which: Case, message: Record<string, unknown> = {}): Record<string, unknown> {
  const { json, buffers } = structuredClone(golden[which] as GoldenState);
  return {
    message: { ...json.message, ...message },
    entries: decode(buffers.entries as string),
    row_weights: decode(buffers.row_weights as string),
    weighed: {},
    weighed_weights: NOTHING,
    listed: {},
    window: NOTHING,
    sampled: {},
    sample: NOTHING,
    sample_weights: NOTHING,
    stress: { taus: {}, hold: "none" },
    row: -1,
    selection: [],
    search: "",
    filter: "all",
    sort: "",
    descending: false,
    start: 0,
    choose: 0,
  };
}

/** The same for rows past the page's budget. */
export function unshippedTable(message: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...tableTraits("plain", { shipped: false, ...message }), entries: NOTHING, row_weights: NOTHING };
}
