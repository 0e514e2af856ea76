/** The states of views of rules that Python wrote. */

import type { RulesTraits } from "../../src/wire/rules/rules";
import { bytes, readGolden } from "./golden";

interface Moved {
  readonly sides: { inside: boolean[]; missing: boolean }[];
  readonly sdp_min: number;
  readonly training: Record<string, number>;
  readonly held_out: Record<string, number>;
}

const BUFFERS = [
  "cells",
  "sdp",
  "agrees",
  "weights",
  "places",
  "decided",
  "scores",
  "entries",
  "stressed_weights",
] as const;
/** Traits of an answer, which come together. */
export const ANSWER = ["answer", "listed", "stressed", ...BUFFERS] as const;

interface Case {
  readonly traits: Pick<RulesTraits, "row" | "pi" | "t" | "rule" | "selection" | "stress">;
  readonly json: Pick<RulesTraits, "message" | "answer" | "progress" | "listed" | "stressed">;
  readonly buffers: Record<(typeof BUFFERS)[number], string>;
  readonly moved: readonly Moved[];
}

export const CASES = [
  "levels",
  "weighted",
  "missing",
  "none",
  "value",
  "rounded",
  "interval",
  "stressed",
] as const;
export type CaseName = (typeof CASES)[number];

export const rulesGolden = readGolden<Record<CaseName, Case>>("rules.json");

/** @param change of the traits */
export function rulesTraits(name: CaseName = "levels", change: Partial<RulesTraits> = {}): RulesTraits {
  const { traits, json, buffers } = rulesGolden[name];
  return {
    ...traits,
    ...json,
    ...(Object.fromEntries(BUFFERS.map((one) => [one, bytes(buffers[one])])) as Pick<
      RulesTraits,
      (typeof BUFFERS)[number]
    >),
    ...change,
  };
}
