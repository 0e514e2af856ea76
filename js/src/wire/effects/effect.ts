/** The messages of an effect view: the same words as in Python, checked once, then only read. */

import type { Groups } from "../../solve/effects/groups";
import type { Quantiles } from "../../solve/effects/student";
import { type Bytes, float32, uint32 } from "../buffers";
import type { ColumnsTraits } from "../columns";
import { flag, list, number, oneOf, record, text, versionOf } from "../fields";
import { WireError } from "../wire_error";

const VERSION = 1;
/** value, lower, upper, lowest, highest */
const KNOWN = 5;

export const KINDS = ["pd", "cd", "ale", "dale"] as const;
export type Kind = (typeof KINDS)[number];

/** Whether effects of this kind have a mean of 0 over the rows, and bounds for reweightings inside their bins. */
export const isAccumulated = (kind: Kind): boolean => kind === "ale" || kind === "dale";

export interface AxisMessage {
  readonly name: string;
  readonly kind: "numeric" | "date" | "levels";
  readonly integer: boolean;
  readonly unit: string;
  /** Numbers; dates as decimal years, levels as positions; null for missing. */
  readonly points: readonly (number | null)[];
  readonly labels: readonly string[];
  /** Edges of the histogram; empty for levels, whose `shares` are one per point. */
  readonly edges: readonly number[];
  readonly shares: readonly number[];
  readonly mass: readonly number[];
}

export interface Breakdown {
  readonly low: number;
  readonly high: number;
  /** Null where no reweighting turns the direction. */
  readonly epsilon: number | null;
  readonly sentence: string;
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

/** One effect: of a feature, or of two. */
export interface Part {
  readonly features: readonly string[];
  readonly kind: Kind;
  readonly title: string;
  readonly method: string;
  /** What the interval is. */
  readonly interval: string;
  /** Which reweightings the certified band covers. */
  readonly covers: string;
  readonly notes: readonly string[];
  readonly axes: readonly AxisMessage[];
  readonly breakdowns: readonly (Breakdown | null)[];
  readonly lipschitz: readonly number[] | null;
  readonly quantiles: Quantiles;
  readonly n_points: number;
  readonly known: (output: number) => KnownCurve;
  /** Some rows' own curves, from the lowest to the highest. */
  readonly sample: (output: number) => readonly Float32Array[];
  /** Null where they were too many to ship. */
  readonly rows: ((output: number) => RowsBehind) | null;
}

export interface EffectMessage {
  readonly version: typeof VERSION;
  readonly model: string;
  readonly n_rows: number;
  readonly response: string;
  /** What is followed for each class: "probability of b". */
  readonly responses: readonly string[];
  readonly response_kind: "share" | "value";
  /** The classes to choose from; one entry where there is nothing to choose. */
  readonly classes: readonly string[];
  /** Features that can be asked for. */
  readonly features: readonly string[];
  /** Whether a kernel can be asked. */
  readonly live: boolean;
  /** Why no stress can be shown; "" where one can. */
  readonly unstressable: string;
  /** Whether the columns are of every feature that can be moved. */
  readonly columns_complete: boolean;
  /** Steps of the slider, from 0 to 1. */
  readonly epsilons: readonly number[];
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
  working: unknown;
  attack: unknown;
  attacked: unknown;
  stop: number;
};

function numbers(value: unknown, where: string): number[] {
  return list(value, where).map((one) => number(one, where));
}

function texts(value: unknown, where: string): string[] {
  return list(value, where).map((one) => text(one, where));
}

function checkAxis(value: unknown, where: string): AxisMessage {
  const axis = record(value, where);
  const points = list(axis.points, `${where}.points`).map((p) =>
    p === null ? null : number(p, `${where}.points`),
  );
  const found: AxisMessage = {
    name: text(axis.name, `${where}.name`),
    kind: oneOf(axis.kind, `${where}.kind`, ["numeric", "date", "levels"]),
    integer: flag(axis.integer, `${where}.integer`),
    unit: text(axis.unit, `${where}.unit`),
    points,
    labels: texts(axis.labels, `${where}.labels`),
    edges: numbers(axis.edges, `${where}.edges`),
    shares: numbers(axis.shares, `${where}.shares`),
    mass: numbers(axis.mass, `${where}.mass`),
  };
  const { labels, edges, shares, mass } = found;
  const bars = edges.length > 0 ? edges.length - 1 : points.length;
  if (labels.length !== points.length || shares.length !== bars || mass.length !== points.length) {
    throw new WireError(`"${where}" must have a label and a mass for each of its ${points.length} points`);
  }
  return found;
}

function checkBreakdown(value: unknown, where: string): Breakdown | null {
  if (value === null) return null;
  const found = record(value, where);
  return {
    low: number(found.low, `${where}.low`),
    high: number(found.high, `${where}.high`),
    epsilon: found.epsilon === null ? null : number(found.epsilon, `${where}.epsilon`),
    sentence: text(found.sentence, `${where}.sentence`),
  };
}

/** A stretch of a buffer, as a message announces it. */
function stretch<T extends Float32Array | Uint32Array>(all: T, value: unknown, where: string): T {
  const [start = 0, size = 0] = numbers(value, where);
  if (start < 0 || size < 0 || start + size > all.length) {
    throw new WireError(`"${where}" must lie within the buffer of ${all.length} numbers`);
  }
  return all.subarray(start, start + size) as T;
}

const ROWS = ["curves", "windows", "bins", "none"] as const;

function checkPart(value: unknown, where: string, outputs: number, nRows: number, buffers: Buffers): Part {
  const part = record(value, where);
  const axes = list(part.axes, `${where}.axes`).map((axis, k) => checkAxis(axis, `${where}.axes[${k}]`));
  const G = axes.reduce((product, { points }) => product * points.length, 1);
  const m = number(part.n_sample, `${where}.n_sample`);
  const starts = numbers(part.starts, `${where}.starts`);
  const kind = oneOf(part.rows, `${where}.rows`, ROWS);
  const floats = stretch(buffers.floats, part.floats, `${where}.floats`);
  const integers = stretch(buffers.integers, part.integers, `${where}.integers`);
  const V = starts.at(-1) ?? 0;
  const sampled = outputs * KNOWN * G;
  const behind = sampled + outputs * m * G;
  const perRow = { curves: outputs * nRows * G, windows: outputs * V, bins: outputs * V + nRows, none: 0 }[
    kind
  ];
  if (floats.length !== behind + perRow || integers.length !== (kind === "curves" ? 0 : V)) {
    throw new WireError(
      `"${where}" must have ${behind + perRow} floats and ${V} integers as it says, ` +
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
      const size = nRows * G;
      return { kind, values: floats.subarray(behind + output * size, behind + (output + 1) * size) };
    }
    if (kind === "windows") return { kind, groups: group(output) };
    return { kind: "bins", groups: group(output), position: floats.subarray(behind + outputs * V) };
  };
  return {
    features: texts(part.features, `${where}.features`),
    kind: oneOf(part.kind, `${where}.kind`, KINDS),
    title: text(part.title, `${where}.title`),
    method: text(part.method, `${where}.method`),
    interval: text(part.interval, `${where}.interval`),
    covers: text(part.covers, `${where}.covers`),
    notes: texts(part.notes, `${where}.notes`),
    axes,
    breakdowns: list(part.breakdowns, `${where}.breakdowns`).map((one, k) =>
      checkBreakdown(one, `${where}.breakdowns[${k}]`),
    ),
    lipschitz: part.lipschitz === null ? null : numbers(part.lipschitz, `${where}.lipschitz`),
    quantiles: numbers(part.quantiles, `${where}.quantiles`),
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
  };
}

type Buffers = { floats: Float32Array; integers: Uint32Array };

function decodeParts(
  value: unknown,
  where: string,
  outputs: number,
  nRows: number,
  buffers: Buffers,
): Part[] {
  return list(value, where).map((part, k) => checkPart(part, `${where}[${k}]`, outputs, nRows, buffers));
}

/** The message with what was shipped from the start; the rows' weights stand at the end of its floats. */
export function decodeEffect(traits: Pick<EffectTraits, "message" | "floats" | "integers">): EffectMessage {
  const message = record(traits.message, "message");
  const version = versionOf(message.version, VERSION);
  const nRows = number(message.n_rows, "n_rows");
  const classes = texts(message.classes, "classes");
  if (classes.length === 0) throw new WireError('"classes" must have at least one entry, received none');
  const all = float32("floats", traits.floats);
  const buffers = { floats: all, integers: uint32("integers", traits.integers) };
  const parts = decodeParts(message.parts, "parts", classes.length, nRows, buffers);
  if (parts.length === 0) throw new WireError('"parts" must hold at least one effect, received none');
  return {
    version,
    model: text(message.model, "model"),
    n_rows: nRows,
    response: text(message.response, "response"),
    responses: texts(message.responses, "responses"),
    response_kind: oneOf(message.response_kind, "response_kind", ["share", "value"]),
    classes,
    features: texts(message.features, "features"),
    live: flag(message.live, "live"),
    unstressable: text(message.unstressable, "unstressable"),
    columns_complete: flag(message.columns_complete, "columns_complete"),
    epsilons: numbers(message.epsilons, "epsilons"),
    base: message.weighted === true ? Float64Array.from(all.subarray(all.length - nRows)) : null,
    parts,
  };
}

/** Effects that were asked for later. */
export function decodeMore(
  { classes, n_rows }: EffectMessage,
  traits: Pick<EffectTraits, "more" | "more_floats" | "more_integers">,
): Part[] {
  const more = record(traits.more ?? {}, "more");
  if (Object.keys(more).length === 0) return [];
  return decodeParts(more.parts, "more.parts", classes.length, n_rows, {
    floats: float32("more_floats", traits.more_floats),
    integers: uint32("more_integers", traits.more_integers),
  });
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
