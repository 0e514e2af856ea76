/** What the maps show, as positions into the message; and the differences behind them. */

import { bisectCenter } from "d3-array";
import type { Against, StressImage, StressImageTraits } from "../../../wire/stress/image";
import { reliabilityOf } from "../../shared/reliability";

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
  traits: Pick<StressImageTraits, "tau" | "against">,
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

/** Whether a pixel can be believed at both τ. */
export function isReliableAt(data: StressImage, pixel: number, taus: readonly number[]): boolean {
  return taus.every((tau) => {
    const [ess, k] = (["ess", "pareto_k"] as const).map(
      (name) => data.population(tau, name)[pixel] as number,
    );
    return tau === data.zero || reliabilityOf(ess as number, k as number) === 0;
  });
}

/** Largest believable change of any pixel, metric and τ: one scale for every map and every τ. */
export function largestChange(data: StressImage, against: Against): number {
  let largest = 0;
  data.message.taus.forEach((_, tau) => {
    const other = otherTau(data, { tau, against });
    const believed = Array.from({ length: data.pixels }, (_, k) => isReliableAt(data, k, [tau, other]));
    data.message.metrics.forEach((_, metric) => {
      changes(data, metric, other, tau).forEach((change, k) => {
        if (believed[k] && Math.abs(change) > largest) largest = Math.abs(change);
      });
    });
  });
  return largest;
}
