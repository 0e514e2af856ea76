/** The answer to a stress that the curves do not show, such as one of several features, marked among them. */

import { html, setText } from "../../../marks/element";
import type { Point } from "../../../marks/scene";
import type { Level } from "../../../wire/reasons";
import type { Stress } from "../../../wire/shared_stress";
import { markLevel } from "../../shared/reliability";
import { capitalize, intervalWords } from "../../shared/words";
import type { Context, Part } from "./context";
import type { State } from "./state";

export interface JointEstimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly level: Level;
}

/** Where the answers come from. */
export interface JointSource {
  /** The stress answered; null where there is none, or no answer to it. */
  stress(): Stress | null;
  /** Of a metric by its name; null where it has none. */
  of(metric: string): JointEstimate | null;
  onChange(call: () => void, signal: AbortSignal): void;
}

/** What is marked, for one metric, or for both of the ROC plane. */
export interface JointMark {
  /** τ of the feature chosen, 0 where it stays. */
  readonly tau: number;
  readonly estimates: readonly JointEstimate[];
}

/** The answers to the stress shared, for one metric or both of the ROC plane; null where there is none. */
function jointEstimates(
  { data, measures }: Context,
  state: State,
  source: JointSource,
): JointEstimate[] | null {
  const { metrics } = data.message;
  const estimates = measures(state.metric).map((k) => source.of(metrics[k]?.name ?? ""));
  return estimates.some((one) => !one || !Number.isFinite(one.value)) ? null : (estimates as JointEstimate[]);
}

/** The answers at τ between two steps; null where a step is shown, or there is no answer to that τ. */
export function betweenSteps(
  context: Context,
  state: State,
  source: JointSource | undefined,
): readonly JointEstimate[] | null {
  const name = context.data.message.features[state.feature]?.name ?? "";
  if (!source || state.between === null || source.stress()?.taus[name] !== state.between) return null;
  return jointEstimates(context, state, source);
}

/** The mark for what is shown; null where the curves show the stress themselves, or there is no answer. */
export function jointMark(context: Context, state: State, source: JointSource | undefined): JointMark | null {
  const { data } = context;
  const stress = source?.stress();
  const shown = state.elsewhere === "" || state.between !== null || state.tau !== data.zero;
  if (!source || !stress || shown) return null;
  const estimates = jointEstimates(context, state, source);
  if (!estimates) return null;
  const tau = stress.taus[data.message.features[state.feature]?.name ?? ""] ?? 0;
  return { tau, estimates };
}

export const WITHIN = "◆";
const MEANING = `${WITHIN} is the population shown; the curves move one feature at a time.`;

/** How the mark looks in words: an arrow where its value lies beyond an axis. */
export function signOf(beyond: Point = { x: 0, y: 0 }): string {
  if (beyond.y !== 0) return beyond.y < 0 ? "▴" : "▾";
  if (beyond.x !== 0) return beyond.x < 0 ? "◂" : "▸";
  return WITHIN;
}

/** What the mark is: "In the population shown: error rate 36.0 % (30.1 – 42.2)". */
export function markTitle(context: Context, state: State, { estimates }: JointMark): string {
  const { metrics } = context.data.message;
  const said = context.measures(state.metric).map((k, place) => {
    const { value, lower, upper } = estimates[place] as JointEstimate;
    const { value: write, bare } = context.metric(k);
    return `${metrics[k]?.label} ${write(value)} (${intervalWords(bare(lower), bare(upper))})`;
  });
  return `In the population shown: ${said.join(", ")}`;
}

/**
 * The numbers of the mark in words.
 *
 * @param signNow how it looks in the chart, which is up to date before
 */
export function createJointLine(context: Context, source: JointSource, signNow: () => string): Part {
  const { metrics } = context.data.message;
  const sign = html("span", { class: "ts-accent", "aria-hidden": "true" });
  const away = html("span", { class: "ts-quiet", "data-testid": "beyond-axis" });
  const lines = [0, 1].map(() => {
    const label = html("span");
    const value = html("b", { class: "ts-accent" });
    const interval = html("span", { class: "ts-quiet ts-number" });
    return {
      label,
      value,
      interval,
      element: html("span", { class: "ts-joint-number" }, label, value, interval),
    };
  });
  const numbers = html("p", { class: "ts-joint-now", "data-testid": "joint-now" }, sign, ...lines, away);
  return {
    element: numbers,
    update(state) {
      const mark = jointMark(context, state, source);
      numbers.hidden = mark === null;
      numbers.parentElement?.classList.toggle("ts-is-marked", mark !== null);
      if (!mark) return;
      const now = signNow();
      setText(sign, `${now} `);
      setText(away, now === WITHIN ? "" : ", beyond the axis");
      lines.forEach(({ label, value, interval, element }, place) => {
        const [estimate, k] = [mark.estimates[place], context.measures(state.metric)[place]];
        element.hidden = !estimate || k === undefined;
        if (!estimate || k === undefined) return;
        const format = context.metric(k);
        const several = mark.estimates.length > 1;
        setText(label, several ? `${capitalize(metrics[k]?.label ?? "")} ` : "in the population shown ");
        setText(value, format.value(estimate.value));
        setText(interval, ` ${intervalWords(format.bare(estimate.lower), format.bare(estimate.upper))}`);
        markLevel(element, estimate.level);
      });
    },
  };
}

/** The words for a stress that is marked; "" where it is not. */
export function markedWords(context: Context, state: State, source: JointSource | undefined): string {
  return jointMark(context, state, source) ? MEANING : "";
}
