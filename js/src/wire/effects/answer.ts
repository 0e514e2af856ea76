/** What the kernel answers an effect view: numbers of too many rows, the state of its work, an attack. */

import type { Band, Moved } from "../../solve/effects/numbers";
import { float32 } from "../buffers";
import { flag, list, number, oneOf, record, text } from "../fields";
import { readStress, type Stress } from "../shared_stress";
import { WireError } from "../wire_error";
import { type EffectMessage, type EffectTraits, KINDS, type Kind, type Part, samePart } from "./effect";

/** moved, lower, upper, and certified and paper at the distance moved; certified and paper at epsilon */
const BLOCK = 11;

export interface KernelEffect {
  readonly moved: Moved;
  readonly certified: Band;
  readonly paper: Band;
}

export interface Answer {
  readonly stress: Stress;
  readonly epsilon: number;
  readonly target_class: string;
  readonly features: readonly string[];
  /** Why there are no numbers; "" where there are. */
  readonly error: string;
  /** Empty without stress. */
  readonly population: string;
  readonly ess: number;
  readonly kl: number;
  readonly tv: number;
  readonly paretoK: number;
  /** The stressed rows, mean 1, where the page asked for them. */
  readonly weights: Float64Array | null;
  readonly effects: ReadonlyMap<Kind, KernelEffect>;
}

function orNaN(value: unknown, where: string): number {
  return value === undefined ? Number.NaN : number(value, where);
}

/** The kernel's last answer; null before the first, or where it speaks of effects that are not there. */
export function decodeAnswer(
  { n_rows }: EffectMessage,
  parts: readonly Part[],
  traits: Pick<EffectTraits, "answer" | "answer_floats">,
): Answer | null {
  const answer = record(traits.answer ?? {}, "answer");
  if (Object.keys(answer).length === 0) return null;
  const features = list(answer.features, "answer.features").map((name) => text(name, "answer.features"));
  const floats = float32("answer_floats", traits.answer_floats);
  let at = 0;
  const take = (size: number) => {
    if (at + size > floats.length) throw new WireError('"answer_floats" must hold what the answer announces');
    const taken = Float64Array.from(floats.subarray(at, at + size));
    at += size;
    return taken;
  };
  const weights = flag(answer.weights, "answer.weights") ? take(n_rows) : null;
  const effects = new Map<Kind, KernelEffect>();
  for (const [k, entry] of list(answer.moves, "answer.moves").entries()) {
    const where = `answer.moves[${k}]`;
    const move = record(entry, where);
    const kind = oneOf(move.kind, `${where}.kind`, KINDS);
    const part = parts.find((one) => samePart(one, features, kind));
    if (!part) return null;
    const [value, lower, upper, ...sides] = Array.from({ length: BLOCK }, () => take(part.n_points));
    const band = (first: number): Band => ({
      lower: sides[first] as Float64Array,
      upper: sides[first + 1] as Float64Array,
    });
    const curve = { value, lower, upper } as Moved["curve"];
    const numbers = {
      change: number(move.change, `${where}.change`),
      possible: number(move.possible, `${where}.possible`),
    };
    const moved = { curve, certified: band(0), paper: band(2), ...numbers };
    effects.set(kind, { moved, certified: band(4), paper: band(6) });
  }
  return {
    stress: readStress(answer.stress),
    epsilon: number(answer.epsilon, "answer.epsilon"),
    target_class: text(answer.target_class, "answer.target_class"),
    features,
    error: text(answer.error, "answer.error"),
    population: answer.population === undefined ? "" : text(answer.population, "answer.population"),
    ess: orNaN(answer.ess, "answer.ess"),
    kl: orNaN(answer.kl, "answer.kl"),
    tv: orNaN(answer.tv, "answer.tv"),
    paretoK: answer.pareto_k === null ? Infinity : orNaN(answer.pareto_k, "answer.pareto_k"),
    weights,
    effects,
  };
}

/** What the kernel is at; nothing where `doing` and `error` are empty. */
export interface Working {
  readonly doing: string;
  readonly done: number;
  readonly total: number;
  readonly error: string;
}

export function decodeWorking(value: unknown): Working {
  const working = record(value ?? {}, "working");
  return {
    doing: working.doing === undefined ? "" : text(working.doing, "working.doing"),
    done: working.done === undefined ? 0 : number(working.done, "working.done"),
    total: working.total === undefined ? 0 : number(working.total, "working.total"),
    error: working.error === undefined ? "" : text(working.error, "working.error"),
  };
}

export interface Verdict {
  readonly bound: string;
  readonly status: "certified" | "estimated";
  /** Null where it cannot be known. */
  readonly half_width: number | null;
  readonly holds: boolean;
}

/** A curve before and after an attack, on points of its own; null where there is no number. */
export interface Attacked {
  readonly feature: string;
  readonly kind: Kind;
  readonly target_class: string;
  readonly sentence: string;
  readonly change: number;
  readonly points: readonly (number | null)[];
  readonly labels: readonly string[];
  readonly before: readonly (number | null)[];
  readonly after: readonly (number | null)[];
  readonly place: number;
  readonly verdicts: readonly Verdict[];
}

export function decodeAttacked(value: unknown): Attacked | null {
  const attacked = record(value ?? {}, "attacked");
  if (Object.keys(attacked).length === 0) return null;
  const maybe = (name: string) =>
    list(attacked[name], `attacked.${name}`).map((one) =>
      one === null ? null : number(one, `attacked.${name}`),
    );
  return {
    feature: text(attacked.feature, "attacked.feature"),
    kind: oneOf(attacked.kind, "attacked.kind", KINDS),
    target_class: text(attacked.target_class, "attacked.target_class"),
    sentence: text(attacked.sentence, "attacked.sentence"),
    change: number(attacked.change, "attacked.change"),
    points: maybe("points"),
    labels: list(attacked.labels, "attacked.labels").map((label) => text(label, "attacked.labels")),
    before: maybe("before"),
    after: maybe("after"),
    place: number(attacked.place, "attacked.place"),
    verdicts: list(attacked.verdicts, "attacked.verdicts").map((entry, k) => {
      const where = `attacked.verdicts[${k}]`;
      const verdict = record(entry, where);
      const half = verdict.half_width;
      return {
        bound: text(verdict.bound, `${where}.bound`),
        status: oneOf(verdict.status, `${where}.status`, ["certified", "estimated"]),
        half_width: half === null ? null : number(half, `${where}.half_width`),
        holds: flag(verdict.holds, `${where}.holds`),
      };
    }),
  };
}
