/** The messages of an effect view: the same words as in Python, checked once, then only read. */

import type { Groups } from "../../solve/effects/groups";
import type { Bounds } from "../../solve/effects/numbers";
import type { Quantiles } from "../../solve/student_t";
import { type Bytes, float32, uint32 } from "../buffers";
import type { ColumnsTraits } from "../columns";
import { reasonMessages } from "../reasons";
import {
  flag,
  type Infer,
  list,
  notEmpty,
  nullable,
  number,
  numbers,
  numbersOrNull,
  object,
  oneOf,
  refined,
  text,
  texts,
  unlessEmpty,
  version,
  WireError,
} from "../schema";

/** value, lower, upper, lowest, highest */
const KNOWN = 5;
/** certified lower and upper, paper's lower and upper */
const SIDES = 4;

export const KINDS = ["pd", "cd", "ale", "dale"] as const;
export type Kind = (typeof KINDS)[number];
export const effectKind = oneOf(...KINDS);

/** Whether effects of this kind have a mean of 0 over the rows, and bounds for reweightings inside their bins. */
export const isAccumulated = (kind: Kind): boolean => kind === "ale" || kind === "dale";

const axisMessage = refined(
  object({
    name: text,
    kind: oneOf("numeric", "date", "levels"),
    integer: flag,
    unit: text,
    /** Numbers; dates as decimal years, levels as positions; null for missing. */
    points: numbersOrNull,
    labels: texts,
    /** Edges of the histogram; empty for levels, whose `shares` are one per point. */
    edges: numbers,
    shares: numbers,
    mass: numbers,
  }),
  ({ points, labels, edges, shares, mass }, where) => {
    const n = points.length;
    const bars = edges.length > 0 ? edges.length - 1 : n;
    if (labels.length === n && shares.length === bars && mass.length === n) return;
    throw new WireError(`"${where}" must have a label and a mass for each of its ${n} points`);
  },
);
export type AxisMessage = Infer<typeof axisMessage>;

const breakdownMessage = object({
  low: number,
  high: number,
  /** Null where no reweighting turns the direction. */
  epsilon: nullable(number),
  sentence: text,
});
export type Breakdown = Infer<typeof breakdownMessage>;

const partMessage = object({
  features: texts,
  kind: effectKind,
  title: text,
  method: text,
  /** What the interval is. */
  interval: text,
  /** Which reweightings the certified band covers. */
  covers: text,
  notes: texts,
  axes: list(axisMessage),
  /** Points of two features in whose cells no row lies. */
  empty: numbers,
  breakdowns: list(nullable(breakdownMessage)),
  lipschitz: nullable(numbers),
  /** Student t at 1/df = 0 … 1; empty where intervals are drawn. */
  quantiles: numbers,
  confidence: number,
  /** Where intervals are symmetric. */
  scale: oneOf("identity", "logit"),
  /** What stands behind it; "none" where the rows were too many to ship. */
  rows: oneOf("curves", "windows", "bins", "none"),
  /** Whether the bounds at every step of ε went along instead. */
  bands: flag,
  n_sample: number,
  starts: numbers,
  /** Start and size of its numbers in the buffers. */
  floats: numbers,
  integers: numbers,
});
type PartMessage = Infer<typeof partMessage>;

const effectMessage = object({
  version: version(1),
  model: text,
  n_rows: number,
  response: text,
  /** What is followed for each class: "probability of b". */
  responses: texts,
  response_kind: oneOf("share", "value"),
  /** The classes to choose from; one entry where there is nothing to choose. */
  classes: notEmpty(texts, "have at least one entry"),
  /** Every kind, with its words inside a sentence and its letters beside a curve. */
  kinds: list(object({ name: effectKind, label: text, short: text })),
  /** Features that can be asked for. */
  features: texts,
  /** Whether a kernel can be asked. */
  live: flag,
  /** Why no stress can be shown; "" where one can. */
  unstressable: text,
  /** Whether the columns are of every feature that can be moved. */
  columns_complete: flag,
  /** What rows can be told apart by. */
  by: texts,
  reliability: reasonMessages,
  /** Steps of the slider, from 0 to 1. */
  epsilons: numbers,
  /** Whether the floats end with one weight per row. */
  weighted: flag,
  parts: notEmpty(list(partMessage), "hold at least one effect"),
});

/** One class of an effect over the grid's points, as the kernel computed it. */
export interface KnownCurve {
  readonly value: Float32Array;
  readonly lower: Float32Array;
  readonly upper: Float32Array;
  readonly lowest: Float32Array;
  readonly highest: Float32Array;
}

/** The rows behind one class of an effect. */
export type RowsBehind =
  | { readonly kind: "curves"; readonly values: Float32Array }
  | { readonly kind: "windows"; readonly groups: Groups }
  | { readonly kind: "bins"; readonly groups: Groups; readonly position: Float32Array };

/** One effect, of a feature or of two, with its numbers found in the buffers. */
export interface Part
  extends Omit<PartMessage, "rows" | "bands" | "n_sample" | "starts" | "floats" | "integers"> {
  readonly quantiles: Quantiles;
  readonly n_points: number;
  readonly known: (output: number) => KnownCurve;
  /** Some rows' own curves, from the lowest to the highest. */
  readonly sample: (output: number) => readonly Float32Array[];
  /** Null where they were too many to ship. */
  readonly rows: ((output: number) => RowsBehind) | null;
  /** Bounds at a step of ε, as the kernel computed them; null where they did not go along. */
  readonly bands: ((output: number, step: number) => Bounds) | null;
}

export interface EffectMessage extends Omit<Infer<typeof effectMessage>, "weighted" | "parts"> {
  /** Weights the effects were computed with; null where all rows count alike. */
  readonly base: Float64Array | null;
  readonly parts: readonly Part[];
}

/** The synced traits, as the model holds them. */
export type EffectTraits = ColumnsTraits & {
  features: string[];
  kind: string;
  compared: string[];
  target_class: string;
  epsilon: number;
  follow: boolean;
  stress: unknown;
  message: unknown;
  floats: Bytes;
  integers: Bytes;
  more: unknown;
  more_floats: Bytes;
  more_integers: Bytes;
  answer: unknown;
  answer_floats: Bytes;
  by: string;
  groups: unknown;
  group_numbers: Bytes;
  progress: unknown;
  attack: unknown;
  attacked: unknown;
  stop: number;
};

/** A stretch of a buffer, as a message announces it. */
function stretch<T extends Float32Array | Uint32Array>(
  all: T,
  [start = 0, size = 0]: readonly number[],
  where: string,
): T {
  if (start < 0 || size < 0 || start + size > all.length) {
    throw new WireError(`"${where}" must lie within the buffer of ${all.length} numbers`);
  }
  return all.subarray(start, start + size) as T;
}

type Buffers = { floats: Float32Array; integers: Uint32Array };

/** How often every part has its numbers: for each class, row and step of ε. */
interface Counts {
  readonly outputs: number;
  readonly nRows: number;
  readonly nEpsilons: number;
}

/** The bounds of one class at one step, from [class][step][side][point]. */
function boundsAt(
  bands: Float32Array,
  { nEpsilons }: Counts,
  nPoints: number,
): (output: number, step: number) => Bounds {
  return (output, step) => {
    const side = (k: number) => {
      const start = ((output * nEpsilons + step) * SIDES + k) * nPoints;
      return Float64Array.from(bands.subarray(start, start + nPoints));
    };
    const paper = { lower: side(2), upper: side(3) };
    return {
      certified: { lower: side(0), upper: side(1) },
      paper: paper.lower.some(Number.isFinite) ? paper : null,
    };
  };
}

/** Each row's curve, from the different ones and the place of each row's among them. */
function spread(curves: Float32Array, places: Uint32Array, nPoints: number): Float32Array {
  const all = new Float32Array(places.length * nPoints);
  places.forEach((place, row) => {
    all.set(curves.subarray(place * nPoints, (place + 1) * nPoints), row * nPoints);
  });
  return all;
}

/** Find the numbers of a part in the buffers. */
function decodePart(part: PartMessage, where: string, counts: Counts, buffers: Buffers): Part {
  const { outputs, nRows, nEpsilons } = counts;
  const { axes, n_sample: m, starts, rows: kind } = part;
  const G = axes.reduce((product, { points }) => product * points.length, 1);
  const floats = stretch(buffers.floats, part.floats, `${where}.floats`);
  const integers = stretch(buffers.integers, part.integers, `${where}.integers`);
  const V = starts.at(-1) ?? 0;
  const sampled = outputs * KNOWN * G;
  const behind = sampled + outputs * m * G;
  const shared = kind === "curves" && integers.length > 0;
  const nCurves = shared ? integers.reduce((most, place) => Math.max(most, place + 1), 0) : nRows;
  const perRow = { curves: outputs * nCurves * G, windows: outputs * V, bins: outputs * V + nRows, none: 0 }[
    kind
  ];
  const banded = part.bands ? outputs * nEpsilons * SIDES * G : 0;
  const size = behind + perRow + banded;
  if (floats.length !== size || integers.length !== (shared ? nRows : V)) {
    throw new WireError(
      `"${where}" must have ${size} floats and ${shared ? nRows : V} integers as it says, ` +
        `received ${floats.length} and ${integers.length}`,
    );
  }
  const group = (output: number): Groups => ({
    starts,
    rows: integers,
    values: floats.subarray(behind + output * V, behind + (output + 1) * V),
  });
  const rows = (output: number): RowsBehind => {
    if (kind === "curves") {
      const size = nCurves * G;
      const curves = floats.subarray(behind + output * size, behind + (output + 1) * size);
      return { kind, values: shared ? spread(curves, integers, G) : curves };
    }
    if (kind === "windows") return { kind, groups: group(output) };
    return { kind: "bins", groups: group(output), position: floats.subarray(behind + outputs * V) };
  };
  return {
    ...part,
    n_points: G,
    known: (output) => {
      const at = (field: number) => {
        const start = (output * KNOWN + field) * G;
        return floats.subarray(start, start + G);
      };
      return { value: at(0), lower: at(1), upper: at(2), lowest: at(3), highest: at(4) };
    },
    sample: (output) =>
      Array.from({ length: m }, (_, k) => {
        const start = sampled + (output * m + k) * G;
        return floats.subarray(start, start + G);
      }),
    rows: kind === "none" ? null : rows,
    bands: part.bands ? boundsAt(floats.subarray(behind + perRow), counts, G) : null,
  };
}

function decodeParts(parts: readonly PartMessage[], where: string, counts: Counts, buffers: Buffers): Part[] {
  return parts.map((part, k) => decodePart(part, `${where}[${k}]`, counts, buffers));
}

function countsOf({
  classes,
  n_rows,
  epsilons,
}: Pick<EffectMessage, "classes" | "n_rows" | "epsilons">): Counts {
  return { outputs: classes.length, nRows: n_rows, nEpsilons: epsilons.length };
}

/** The message with what was shipped from the start; the rows' weights stand at the end of its floats. */
export function decodeEffect(traits: Pick<EffectTraits, "message" | "floats" | "integers">): EffectMessage {
  const { weighted, parts, ...message } = effectMessage(traits.message, "message");
  const nRows = message.n_rows;
  const floats = float32("floats", traits.floats);
  const buffers = { floats, integers: uint32("integers", traits.integers) };
  return {
    ...message,
    base: weighted ? Float64Array.from(floats.subarray(floats.length - nRows)) : null,
    parts: decodeParts(parts, "parts", countsOf(message), buffers),
  };
}

const moreMessage = unlessEmpty(object({ parts: list(partMessage) }));

/** Effects that were asked for later. */
export function decodeMore(
  message: EffectMessage,
  traits: Pick<EffectTraits, "more" | "more_floats" | "more_integers">,
): Part[] {
  const more = moreMessage(traits.more, "more");
  if (!more) return [];
  return decodeParts(more.parts, "more.parts", countsOf(message), {
    floats: float32("more_floats", traits.more_floats),
    integers: uint32("more_integers", traits.more_integers),
  });
}

/** What a kind is called inside a sentence. */
export function kindLabel({ kinds }: Pick<EffectMessage, "kinds">, kind: Kind): string {
  return kinds.find(({ name }) => name === kind)?.label ?? kind;
}

export function samePart(
  part: Pick<Part, "features" | "kind">,
  features: readonly string[],
  kind: Kind,
): boolean {
  return (
    part.kind === kind &&
    part.features.length === features.length &&
    part.features.every((name, k) => name === features[k])
  );
}
