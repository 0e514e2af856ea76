/** The shared stress: which features are moved, by how much, and what stays meanwhile. One word in every view. */

import { oneOf, record, type Schema, WireError } from "./schema";

export const HOLDS = ["none", "means", "uncorrelated"] as const;
export type Hold = (typeof HOLDS)[number];
export const hold: Schema<Hold> = oneOf(...HOLDS);

export interface Stress {
  /** τ in [-1, 1] by feature; only those that are not 0. */
  readonly taus: Readonly<Record<string, number>>;
  readonly hold: Hold;
}

export const UNSTRESSED: Stress = { taus: {}, hold: "none" };

function checkTau(name: string, tau: unknown): number {
  if (typeof tau !== "number" || !(Math.abs(tau) <= 1)) {
    throw new WireError(`"stress" needs τ in [-1, 1] for "${name}", received ${JSON.stringify(tau)}`);
  }
  return tau;
}

/** A stress as any view may have sent it, zeros left out; features are not looked up here. */
export function readStress(value: unknown): Stress {
  const given = record(value, "stress");
  if (Object.keys(given).length === 0) return UNSTRESSED;
  const taus = Object.entries(record(given.taus, "stress.taus"))
    .map(([name, tau]) => [name, checkTau(name, tau)] as const)
    .filter(([, tau]) => tau !== 0);
  return { taus: Object.fromEntries(taus), hold: hold(given.hold, "stress.hold") };
}

/** The place of the unstressed population among `taus`. */
export function zeroOf(taus: readonly number[]): number {
  const zero = taus.indexOf(0);
  if (zero < 0) throw new WireError('"taus" must include 0, the unstressed population');
  return zero;
}

/** The stress that a trait holds; one that nobody has set moves nothing. */
export function stressTrait(value: unknown): Stress {
  return readStress(value ?? {});
}

/** The same, of a view whose numbers were made beforehand: one that cannot be read moves nothing either. */
export function readStressOrNone(value: unknown): Stress {
  try {
    return stressTrait(value);
  } catch (error) {
    if (error instanceof WireError) return UNSTRESSED;
    throw error;
  }
}

export function tauOf(stress: Stress, name: string): number {
  return Object.hasOwn(stress.taus, name) ? (stress.taus[name] as number) : 0;
}

export function withTau(stress: Stress, name: string, tau: number): Stress {
  const others = Object.entries(stress.taus).filter(([other]) => other !== name);
  return {
    taus: Object.fromEntries(tau === 0 ? others : [...others, [name, tau] as const]),
    hold: stress.hold,
  };
}

export function isStressed(stress: Stress): boolean {
  return Object.keys(stress.taus).length > 0;
}

/** Whether two stresses ask for the same population; what is held says nothing while no feature is moved. */
export function sameStress(a: Stress, b: Stress): boolean {
  const names = Object.keys(a.taus);
  if (a.hold !== b.hold || names.length !== Object.keys(b.taus).length) return false;
  return names.every((name) => Object.hasOwn(b.taus, name) && a.taus[name] === b.taus[name]);
}
