/** The states of views of rules that Python wrote. */

import type { RulesTraits } from "../../src/wire/rules/rules";
import { bytes, readGolden } from "./golden";

interface Moved {
  readonly sides: { inside: boolean[]; missing: boolean }[];
  readonly sdp_min: number;
  readonly training: Record<string, number>;
  readonly held_out: Record<string, number>;
}

interface Case {
  readonly traits: Pick<RulesTraits, "row" | "pi" | "t" | "rule">;
  readonly json: Pick<RulesTraits, "message" | "answer" | "progress">;
  readonly buffers: Record<"cells" | "sdp" | "agrees" | "weights", string>;
  readonly moved: readonly Moved[];
}

export const CASES = ["levels", "weighted", "missing", "none", "value", "interval"] as const;
export type CaseName = (typeof CASES)[number];

export const rulesGolden = readGolden<Record<CaseName, Case>>("rules.json");

/** @param change of the traits */
export function rulesTraits(name: CaseName = "levels", change: Partial<RulesTraits> = {}): RulesTraits {
  const { traits, json, buffers } = rulesGolden[name];
  return {
    ...traits,
    ...json,
    cells: bytes(buffers.cells),
    sdp: bytes(buffers.sdp),
    agrees: bytes(buffers.agrees),
    weights: bytes(buffers.weights),
    ...change,
  };
}
