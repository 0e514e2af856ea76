/** The message of a stress surface view: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, mapValues, VALUES } from "../buffers";
import { type StressSurfaceMessage, type StressSurfaceViewTraits, stressSurfaceMessage } from "../messages";
import { reasonsOf } from "../reasons";
import { WireError } from "../schema";
import { zeroOf } from "../shared_stress";

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

const POPULATION = ["ess", "pareto_k", "kl", "tv", "n_carriers", "carried"] as const;

/** Arrays over the cells, place = first τ × number of τ + second τ. */
export type StressSurface = ReturnType<typeof decodeStressSurface>;

/** Message and buffers together, their lengths checked against each other. */
export function decodeStressSurface(
  traits: Pick<StressSurfaceViewTraits, "message" | "answers" | "population" | "reasons">,
) {
  const message = stressSurfaceMessage(traits.message, "message");
  checkSides(message);
  const { layout, taus, metrics } = message;
  const zero = zeroOf(taus);
  const sizes = { first: taus.length, second: taus.length, metric: metrics.length };
  const answers = arraysOf("answers", float32("answers", traits.answers), layout.answers, VALUES, sizes);
  const moved = float32("population", traits.population);
  const population = arraysOf("population", moved, layout.population, POPULATION, sizes);
  const reasons = reasonsOf(message, traits.reasons, sizes);
  const status = Array.from({ length: taus.length ** 2 }, (): Status => "solved");
  for (const word of OTHERS) for (const place of message.status[word]) status[place] = word;
  return {
    message,
    /** Position of τ = 0. */
    zero,
    metric: (metric: number) => mapValues(answers, (read) => read({ metric })),
    /** Codes among the message's reasons. */
    reason: (metric: number) => reasons.reason({ metric }),
    judged: (metric: number, place: number) => reasons.judged({ metric }, place),
    population: mapValues(population, (read) => read()),
    status,
  };
}
