/** What the maps show, as positions into the message; and the differences behind them. */

import { bisectCenter } from "../../../solve/bisect";
import type { StressImageViewTraits } from "../../../wire/messages";
import { LEVELS, type Level, levelOf } from "../../../wire/reasons";
import type { Against, StressImage } from "../../../wire/stress/image";
import { reasonWords } from "../../shared/reliability";

export interface State {
  /** Position of τ. */
  readonly tau: number;
  readonly against: Against;
  readonly channel: number;
  /** Row and column that is read. */
  readonly at: readonly [number, number];
}

export function stateFromTraits(
  { message }: StressImage,
  traits: Pick<StressImageViewTraits, "tau" | "against">,
): Pick<State, "tau" | "against"> {
  const tau = Number.isFinite(traits.tau) ? traits.tau : 1;
  return {
    tau: bisectCenter(message.taus, tau),
    against: traits.against === "unstressed" ? "unstressed" : "opposite",
  };
}

/** The τ that a map is compared with. */
export function otherTau(
  { message, zero }: StressImage,
  { tau, against }: Pick<State, "tau" | "against">,
): number {
  return against === "unstressed" ? zero : bisectCenter(message.taus, -(message.taus[tau] as number));
}

export function pixelAt({ message }: StressImage, row: number, column: number, channel: number): number {
  const [, width, channels] = message.shape;
  return (row * width + column) * channels + channel;
}

/** How far each pixel moves a metric between two τ. */
export function changes(data: StressImage, metric: number, from: number, to: number): Float32Array {
  const [before, after] = [data.map(metric, from, "value"), data.map(metric, to, "value")];
  return after.map((value, k) => value - (before[k] as number));
}

/** How reliable a metric is for a pixel, at the worse of two τ; without stress it is no question. */
export function worstLevel(data: StressImage, metric: number, pixel: number, taus: readonly number[]): Level {
  const { message, zero } = data;
  const stressed = taus.filter((tau) => tau !== zero);
  return Math.max(
    0,
    ...stressed.map((tau) => levelOf(message.reliability, data.reason(metric, tau)[pixel] as number)),
  ) as Level;
}

/** Level and reason of a metric for a pixel, at the worse of two τ. */
export function worstWords(
  data: StressImage,
  metric: number,
  pixel: number,
  taus: readonly number[],
): string {
  const { reliability, metrics } = data.message;
  const level = worstLevel(data, metric, pixel, taus);
  if (level === 0) return LEVELS[0];
  const judged = taus
    .filter((tau) => tau !== data.zero)
    .map((tau) => data.judged(metric, tau, pixel))
    .find(({ reason }) => levelOf(reliability, reason) === level);
  const why = judged ? reasonWords(reliability, metrics[metric]?.events ?? [], judged) : "";
  return `${LEVELS[level]}: ${why}`;
}

/** Largest change of any pixel, metric and τ that is not unreliable: one scale for every map and every τ. */
export function largestChange(data: StressImage, against: Against): number {
  let largest = 0;
  data.message.taus.forEach((_, tau) => {
    const other = otherTau(data, { tau, against });
    data.message.metrics.forEach((_, metric) => {
      changes(data, metric, other, tau).forEach((change, k) => {
        if (Math.abs(change) > largest && worstLevel(data, metric, k, [tau, other]) < 2)
          largest = Math.abs(change);
      });
    });
  });
  return largest;
}
