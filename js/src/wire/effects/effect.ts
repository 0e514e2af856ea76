/** The messages of an effect view: the same words as in Python, checked once, then only read. */

import type { Groups } from "../../solve/effects/groups";
import type { Bounds } from "../../solve/effects/numbers";
import type { Quantiles } from "../../solve/student_t";
import { type Bytes, float32, uint32 } from "../buffers";
import type { ColumnsTraits } from "../columns";
import {
  type EffectPartMessage,
  effectMessage,
  type EffectMessage as Message,
  morePartsMessage,
} from "../messages";
import { unlessEmpty, WireError } from "../schema";

export type { BreakdownMessage as Breakdown, EffectAxisMessage as AxisMessage } from "../messages";

/** value, lower, upper, lowest, highest */
const KNOWN = 5;
/** certified lower and upper, paper's lower and upper */
const SIDES = 4;

export const KINDS = ["pd", "cd", "ale", "dale"] as const satisfies readonly EffectPartMessage["kind"][];
export type Kind = (typeof KINDS)[number];

/** Whether effects of this kind have a mean of 0 over the rows, and bounds for reweightings inside their bins. */
export const isAccumulated = (kind: Kind): boolean => kind === "ale" || kind === "dale";

/** A histogram's bars stand between edges; levels have none, and a bar for each point. */
function checkBars(part: EffectPartMessage, where: string): void {
  for (const [k, { points, edges, shares }] of part.axes.entries()) {
    const bars = edges.length > 0 ? edges.length - 1 : points.length;
    if (shares.length !== bars) throw new WireError(`"${where}.axes[${k}].shares" must have ${bars} entries`);
  }
}

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
  extends Omit<EffectPartMessage, "rows" | "bands" | "n_sample" | "starts" | "floats" | "integers"> {
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

export interface EffectMessage extends Omit<Message, "weighted" | "parts"> {
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
function decodePart(part: EffectPartMessage, where: string, counts: Counts, buffers: Buffers): Part {
  checkBars(part, where);
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

function decodeParts(
  parts: readonly EffectPartMessage[],
  where: string,
  counts: Counts,
  buffers: Buffers,
): Part[] {
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

const moreMessage = unlessEmpty(morePartsMessage);

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
