/** What the effect panel shows, and the way there from the traits. */

import { type EffectMessage, KINDS, type Kind } from "../../../wire/effects/effect";
import type { FeatureEffectViewTraits } from "../../../wire/messages";
import { type Stress, stressTrait } from "../../../wire/shared_stress";

export interface State {
  readonly features: readonly string[];
  readonly kind: Kind;
  /** Kinds drawn over it, never the chosen one. */
  readonly compared: readonly Kind[];
  /** Position in `message.classes`. */
  readonly output: number;
  /** Position in `message.epsilons`. */
  readonly epsilon: number;
  /** Whether the band is that of the stress's own distance while there is a stress. */
  readonly follow: boolean;
  readonly stress: Stress;
  /** What rows are told apart by; "" for all together. */
  readonly by: string;
  /** Position on the grid that is read off; null for none. */
  readonly point: number | null;
  /** Whether the paper's bound is shown beside the certified band. */
  readonly paper: boolean;
}

/** Where the trait holds no number. */
export const EPSILON = 0.1;

type Chosen = Omit<State, "point" | "paper">;

export function nearestStep(steps: readonly number[], value: number): number {
  let best = 0;
  steps.forEach((step, k) => {
    if (Math.abs(step - value) < Math.abs((steps[best] as number) - value)) best = k;
  });
  return best;
}

/** The kinds drawn, the chosen one first. */
export function kindsOf({ kind, compared }: Pick<State, "kind" | "compared">): Kind[] {
  return [kind, ...compared.filter((other) => other !== kind)];
}

function isKind(value: unknown): value is Kind {
  return (KINDS as readonly unknown[]).includes(value);
}

/** The part of the state that the traits decide. */
export function stateFromTraits(
  message: EffectMessage,
  traits: Pick<
    FeatureEffectViewTraits,
    "features" | "kind" | "compared" | "target_class" | "epsilon" | "follow" | "stress" | "by"
  >,
): Chosen {
  const first = message.parts[0];
  const asked = isKind(traits.kind) ? traits.kind : (first?.kind ?? "pd");
  const named = Array.isArray(traits.features) && traits.features.length > 0;
  // what nobody can be asked for is not waited for
  const known =
    named && (message.live || message.parts.some((part) => sameNames(part.features, traits.features)));
  const features = known ? [...traits.features] : (first?.features ?? []);
  const there = message.parts.filter((part) => sameNames(part.features, features)).map((part) => part.kind);
  const kind = message.live || there.includes(asked) ? asked : (there[0] ?? asked);
  return {
    features,
    kind,
    compared: KINDS.filter((one) => one !== kind && (traits.compared ?? []).includes(one)),
    output: Math.max(0, message.classes.indexOf(traits.target_class)),
    epsilon: nearestStep(message.epsilons, Number.isFinite(traits.epsilon) ? traits.epsilon : EPSILON),
    follow: traits.follow !== false,
    stress: stressTrait(traits.stress),
    by: traits.by ?? "",
  };
}

export function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, k) => name === b[k]);
}
