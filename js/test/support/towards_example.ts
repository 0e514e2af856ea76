/** The way to another population, as Python wrote it: its traits, and what sliders cannot say. */

import type { TargetPopulationMessage } from "../../src/wire/messages";
import { bytes, readGolden } from "./golden";

export interface KeptWay {
  readonly traits: {
    readonly amount: number;
    readonly stress: { taus: Record<string, number>; hold: string };
    readonly message: TargetPopulationMessage;
    readonly path: { readonly steps: readonly Record<string, unknown>[] } & Record<string, unknown>;
  };
  readonly buffers: { readonly numbers: string };
}

export interface GoldenWay {
  readonly way: KeptWay;
  readonly missed: KeptWay;
  readonly labelled: KeptWay;
  readonly labels: readonly Record<string, number | string | boolean>[];
  readonly half: {
    readonly metrics: readonly Record<string, number | string>[];
    readonly balance: readonly Record<string, number | string>[];
    readonly stress: KeptWay["traits"]["stress"];
  } & Readonly<Record<"ess" | "tv" | "kl" | "pareto_k", number>>;
}

export const goldenWay = readGolden<GoldenWay>("stress_towards.json");

export function wayTraits({ traits, buffers }: KeptWay): Record<string, unknown> {
  return { ...traits, numbers: bytes(buffers.numbers) };
}
