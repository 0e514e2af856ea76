/** The messages of an effect view: the same words as in Python, checked once, then only read. */

import type { Groups } from "../../solve/effects/groups";
import type { Band, Bounds, Moved } from "../../solve/effects/numbers";
import type { Quantiles } from "../../solve/student_t";
import { arraysOf, float32, type Interval, mapValues, rowsOf, uint32, VALUES } from "../buffers";
import {
  type EffectAnswerMessage,
  type EffectGroupsMessage,
  type EffectPartMessage,
  effectAnswerMessage,
  effectGroupsMessage,
  effectMessage,
  type FeatureEffectViewTraits,
  type EffectMessage as Message,
  morePartsMessage,
} from "../messages";
import { type Gap, gapAt, type Level, OF_GAP } from "../reasons";
import { unlessEmpty, WireError } from "../schema";

interface KernelEffect {
  readonly moved: Moved;
  readonly certified: Band;
  readonly paper: Band;
}

export interface Answer extends Omit<EffectAnswerMessage, "weights" | "moves" | "kinds" | "layout"> {
  /** The stressed rows, mean 1, where the page asked for them. */
  readonly weights: Float64Array | null;
  readonly effects: ReadonlyMap<Kind, KernelEffect>;
}

/** The kernel's last answer; null before the first, or where it speaks of effects that are not there. */
export function decodeAnswer(
  { n_rows }: EffectMessage,
  parts: readonly Part[],
  traits: Pick<FeatureEffectViewTraits, "answer" | "answer_floats">,
): Answer | null {
  const answer = unlessEmpty(effectAnswerMessage)(traits.answer, "answer");
  if (!answer) return null;
  const floats = float32("answer_floats", traits.answer_floats);
  const { weights: weighted, moves, layout, ...rest } = answer;
  const find = <N extends string>(of: typeof layout, names: readonly N[], sizes: Record<string, number>) =>
    mapValues(arraysOf("answer_floats", floats, of, names, sizes), (read) => Float64Array.from(read()));
  const { weights = null } = weighted ? find(layout, ["weights"], { row: n_rows }) : {};
  const effects = new Map<Kind, KernelEffect>();
  for (const { kind, layout: own, ...numbers } of moves) {
    const part = parts.find((one) => samePart(one, rest.features, kind));
    if (!part) return null;
    const sizes = { point: part.n_points };
    const curve: Moved["curve"] = find(own, VALUES, sizes);
    const bounds = boundsFrom(find(own, SIDES, sizes));
    const moved = { curve, ...bounds, ...numbers };
    const at = find(own, AT_EPSILON, sizes);
    effects.set(kind, {
      moved,
      certified: { lower: at.epsilon_certified_lower, upper: at.epsilon_certified_upper },
      paper: { lower: at.epsilon_paper_lower, upper: at.epsilon_paper_upper },
    });
  }
  return { ...rest, weights, effects };
}

/** A group over the points of the effect. */
export interface GroupCurve extends Interval<Float32Array> {
  level(point: number): Level;
}

export interface EffectGroups extends EffectGroupsMessage {
  curves(output: number): readonly GroupCurve[];
  /** Null where fewer than two groups have a value. */
  gap(output: number, point: number): Gap | null;
}

const OF_GROUP = [...VALUES, "level"] as const;

/** Message and numbers together; null where nothing was asked for, or of an effect that is not there. */
export function decodeGroups(
  { classes }: EffectMessage,
  parts: readonly Part[],
  traits: Pick<FeatureEffectViewTraits, "groups" | "group_numbers">,
): EffectGroups | null {
  const message = unlessEmpty(effectGroupsMessage)(traits.groups, "groups");
  const part = message && parts.find((one) => samePart(one, message.features, message.kind));
  if (!part) return null;
  const { layout, error, groups } = message;
  const floats = float32("group_numbers", traits.group_numbers ?? new Uint8Array());
  const sizes = { class: classes.length, point: part.n_points, group: groups.length };
  const values = arraysOf("group_numbers", floats, layout, error ? [] : OF_GROUP, sizes);
  const gaps = arraysOf("group_numbers", floats, layout, error ? [] : OF_GAP, sizes);
  return {
    ...message,
    curves: (output) =>
      groups.map((_, group) => {
        const { level, ...curve } = mapValues(values, (read) => read({ class: output, group }));
        return { ...curve, level: (point) => level[point] as Level };
      }),
    gap: (output, point) => gapAt(gaps, { class: output, point }),
  };
}

const KNOWN = [...VALUES, "lowest", "highest"] as const;
export const SIDES = ["certified_lower", "certified_upper", "paper_lower", "paper_upper"] as const;

const AT_EPSILON = SIDES.map((side) => `epsilon_${side}` as const);

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
export type KnownCurve = Readonly<Record<(typeof KNOWN)[number], Float32Array>>;

/** The rows behind one class of an effect. */
export type RowsBehind =
  | { readonly kind: "curves"; readonly values: Float32Array }
  | { readonly kind: "windows"; readonly groups: Groups }
  | { readonly kind: "bins"; readonly groups: Groups; readonly position: Float32Array };

/** One effect, of a feature or of two, with its numbers found in the buffers. */
export interface Part extends Omit<EffectPartMessage, "rows" | "bands" | "n_sample" | "starts" | "layout"> {
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

/** What every part has its numbers for: each class, row and step of ε. */
type Counted = Pick<Message, "classes" | "n_rows" | "epsilons">;
type Buffers = { floats: Float32Array; integers: Uint32Array };

/** Bounds from what they are sent as; those of the paper are none where they are not numbers. */
export function boundsFrom(sent: Readonly<Record<(typeof SIDES)[number], Float64Array>>) {
  return {
    certified: { lower: sent.certified_lower, upper: sent.certified_upper },
    paper: { lower: sent.paper_lower, upper: sent.paper_upper },
  };
}

/** Each row's curve, from the different ones and the place of each row's among them. */
function spread(curves: Float32Array, places: Uint32Array, nPoints: number): Float32Array {
  const all = new Float32Array(places.length * nPoints);
  const curveOf = rowsOf(curves, nPoints);
  places.forEach((place, row) => {
    rowsOf(all, nPoints)(row).set(curveOf(place));
  });
  return all;
}

/** Find the numbers of a part in the buffers. */
function decodePart(part: EffectPartMessage, where: string, counted: Counted, buffers: Buffers): Part {
  checkBars(part, where);
  const { axes, starts, rows: kind, layout } = part;
  const G = axes.reduce((product, { points }) => product * points.length, 1);
  const { classes, n_rows, epsilons } = counted;
  const sizes = { class: classes.length, row: n_rows, step: epsilons.length, point: G };
  const find = <N extends string>(names: readonly N[], more = {}) =>
    arraysOf(`${where}.floats`, buffers.floats, layout.floats, names, { ...sizes, ...more });
  const known = find(KNOWN);
  const { sample } = find(["sample"], { curve: part.n_sample });
  const integers = <N extends string>(name: N, more = {}) =>
    arraysOf(`${where}.integers`, buffers.integers, layout.integers, [name], more)[name]();
  const entry = starts.at(-1) ?? 0;
  let rows: Part["rows"] = null;
  if (kind === "curves") {
    const places = integers("place");
    const shared = places.length > 0;
    const nCurves = places.reduce((most, place) => Math.max(most, place + 1), 0);
    const { curve } = find(["curve"], { curve: shared ? nCurves : n_rows });
    if (shared && places.length !== n_rows) {
      throw new WireError(`"${where}.integers" must have ${n_rows} places, received ${places.length}`);
    }
    rows = (output) => ({
      kind,
      values: shared ? spread(curve({ class: output }), places, G) : curve({ class: output }),
    });
  } else if (kind === "windows" || kind === "bins") {
    const { values } = find(["values"], { entry });
    const groups = (output: number): Groups => ({
      ...{ starts, rows: integers("row", { entry }) },
      values: values({ class: output }),
    });
    const position = kind === "bins" ? find(["position"]).position() : new Float32Array(0);
    rows = (output) =>
      kind === "bins" ? { kind, groups: groups(output), position } : { kind, groups: groups(output) };
    groups(0);
  }
  const bands = part.bands ? find(SIDES) : null;
  return {
    ...part,
    n_points: G,
    known: (output) => mapValues(known, (read) => read({ class: output })),
    sample: (output) => Array.from({ length: part.n_sample }, (_, curve) => sample({ class: output, curve })),
    rows,
    bands:
      bands &&
      ((output, step) => {
        const { certified, paper } = boundsFrom(
          mapValues(bands, (read) => Float64Array.from(read({ class: output, step }))),
        );
        return { certified, paper: paper.lower.some(Number.isFinite) ? paper : null };
      }),
  };
}

/** The message with what was shipped from the start; the rows' weights stand at the end of its floats. */
export function decodeEffect(
  traits: Pick<FeatureEffectViewTraits, "message" | "floats" | "integers">,
): EffectMessage {
  const { weighted, parts, ...message } = effectMessage(traits.message, "message");
  const nRows = message.n_rows;
  const floats = float32("floats", traits.floats);
  const buffers = { floats, integers: uint32("integers", traits.integers) };
  return {
    ...message,
    base: weighted ? Float64Array.from(floats.subarray(floats.length - nRows)) : null,
    parts: parts.map((part, k) => decodePart(part, `parts[${k}]`, message, buffers)),
  };
}

/** Effects that were asked for later. */
export function decodeMore(
  message: EffectMessage,
  traits: Pick<FeatureEffectViewTraits, "more" | "more_floats" | "more_integers">,
): Part[] {
  const more = unlessEmpty(morePartsMessage)(traits.more, "more");
  if (!more) return [];
  const buffers = {
    floats: float32("more_floats", traits.more_floats),
    integers: uint32("more_integers", traits.more_integers),
  };
  return more.parts.map((part, k) => decodePart(part, `more.parts[${k}]`, message, buffers));
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
