/** The golden states of the pooled view, as a kernel would have sent them. */

import { bytes as decode, readGolden } from "./golden";

interface GoldenState {
  readonly json: Record<string, unknown>;
  readonly buffers: Record<string, string>;
  readonly answers: readonly { readonly message: Record<string, unknown>; readonly pooled: string }[];
}

const golden = readGolden<Record<string, GoldenState>>("pooled.json");
export const CASES = ["plain", "weighted"] as const;
export type Case = (typeof CASES)[number];

/** The kernel's answers to some stresses. */
export function pooledAnswers(which: Case) {
  return structuredClone((golden[which] as GoldenState).answers).map(({ message, pooled }) => ({
    answer: message,
    answer_pooled: decode(pooled),
  }));
}

/** The traits of one view, fresh to be changed; `message` overrides fields of its message. */
export function pooledTraits(which: Case, message: Record<string, unknown> = {}): Record<string, unknown> {
  const { json, buffers } = structuredClone(golden[which] as GoldenState);
  const bytes = Object.fromEntries(Object.entries(buffers).map(([name, text]) => [name, decode(text)]));
  return {
    ...json,
    ...bytes,
    message: { ...(json.message as object), ...message },
    stress: { taus: {}, hold: "none" },
    order: "before",
    n_features: 20,
    row: -1,
    selection: [],
    compute: 0,
    stop: 0,
    progress: {},
    answer: {},
    answer_pooled: new Uint8Array(0),
  };
}

/** The same for rows past the page's budget. */
export function unshippedTraits(message: Record<string, unknown> = {}): Record<string, unknown> {
  const traits = pooledTraits("plain", { shipped: false, listed: false, ...message });
  const nothing = new Uint8Array(0);
  const columns_message = { ...(traits.columns_message as object), shipped: false };
  return {
    ...traits,
    places: nothing,
    directions: nothing,
    presence: nothing,
    distances: nothing,
    decisions: nothing,
    columns: nothing,
    columns_message,
  };
}
