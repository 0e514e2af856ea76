/** The message of a stress surface view: the same words as in Python, checked once, then only read. */

import { type Bytes, float32, planes, uint8 } from "../buffers";
import { type StressSurfaceMessage, stressSurfaceMessage } from "../messages";
import { type Judged, judgedFrom } from "../reasons";
import { WireError } from "../schema";

export type { StressSurfaceMessage, SurfaceSideMessage as SideMessage } from "../messages";

const OTHERS = [
  "limit",
  "infeasible",
  "unconverged",
] as const satisfies readonly (keyof StressSurfaceMessage["status"])[];

export type Status = "solved" | (typeof OTHERS)[number];

function checkSides({ sides, taus }: StressSurfaceMessage): void {
  for (const [k, { targets }] of sides.entries()) {
    if (targets.length === taus.length) continue;
    const rule = `must have one mean per τ, ${taus.length}, received ${targets.length}`;
    throw new WireError(`"sides[${k}].targets" ${rule}`);
  }
}

export type StressSurfaceTraits = {
  stress: unknown;
  metric: string;
  message: unknown;
  answers: Bytes;
  population: Bytes;
  reasons: Bytes;
};

/** Arrays over the cells, place = first τ × number of τ + second τ. */
export interface StressSurface {
  readonly message: StressSurfaceMessage;
  /** Position of τ = 0. */
  readonly zero: number;
  readonly metric: (metric: number) => Record<"value" | "lower" | "upper", Float32Array>;
  /** Codes among the message's reasons. */
  readonly reason: (metric: number) => Uint8Array;
  readonly judged: (metric: number, place: number) => Judged;
  readonly population: Record<"ess" | "pareto_k" | "kl" | "tv" | "n_carriers" | "carried", Float32Array>;
  readonly status: readonly Status[];
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeStressSurface(
  traits: Pick<StressSurfaceTraits, "message" | "answers" | "population" | "reasons">,
): StressSurface {
  const message = stressSurfaceMessage(traits.message, "message");
  checkSides(message);
  const zero = message.taus.indexOf(0);
  if (zero < 0) throw new WireError('"taus" must include 0, the unstressed mean');
  const cells = message.taus.length ** 2;
  const answers = planes(float32("answers", traits.answers, message.metrics.length * cells * 3), cells, 3);
  const population = planes(float32("population", traits.population, cells * 6), cells, 6);
  const reasons = planes(uint8("reasons", traits.reasons, message.metrics.length * cells * 2), cells, 2);
  const row = <A extends Float32Array | Uint8Array>(values: A, k: number) =>
    values.subarray(k * cells, (k + 1) * cells) as A;
  const status = Array.from({ length: cells }, (): Status => "solved");
  for (const word of OTHERS) for (const place of message.status[word]) status[place] = word;
  return {
    message,
    zero,
    metric: (k) => ({
      value: row(answers, 3 * k),
      lower: row(answers, 3 * k + 1),
      upper: row(answers, 3 * k + 2),
    }),
    reason: (k) => row(reasons, 2 * k),
    judged: (k, place) =>
      judgedFrom(
        message.reliability,
        row(reasons, 2 * k)[place] as number,
        row(reasons, 2 * k + 1)[place] as number,
      ),
    population: {
      ess: row(population, 0),
      pareto_k: row(population, 1),
      kl: row(population, 2),
      tv: row(population, 3),
      n_carriers: row(population, 4),
      carried: row(population, 5),
    },
    status,
  };
}
