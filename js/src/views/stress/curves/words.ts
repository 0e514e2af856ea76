/** Sentences of the panel. */

import type { CurvesFeatureMessage } from "../../../wire/messages";
import type { Hold } from "../../../wire/shared_stress";
import { heldWords, moveWords } from "../../shared/population_words";
import { capitalize, type Sentence } from "../../shared/words";
import type { State } from "./state";

/** The population in words, before any chart. */
export function populationWords(
  feature: CurvesFeatureMessage,
  before: string,
  now: string,
  stressed: boolean,
  rows: string,
  hold: Hold,
): Sentence {
  if (!stressed) {
    const rest = ` ${rows} rows`;
    return hold === "uncorrelated"
      ? { strong: "τ = 0:", rest: rest + heldWords(hold) }
      : { strong: "the data as they are:", rest };
  }
  return { strong: moveWords(feature, before, now), rest: heldWords(hold) };
}

/** What τ = 0 is: the rows as tested, unless features are made uncorrelated there too. */
export const atZero = (hold: Hold) => (hold === "uncorrelated" ? "at τ = 0" : "as tested");

export interface CurveEnds {
  readonly metric: string;
  readonly low: string;
  readonly unstressed: string;
  readonly high: string;
}

/** What the lines are, where not every feature has its own. */
export function legendWords(drawn: number, features: number, enveloped: boolean): string {
  if (drawn === features) return "";
  const lines = `Lines: ${drawn} of ${features}.`;
  const others = "Grey band: from the lowest to the highest of the others, without what is unreliable.";
  return enveloped ? `${lines} ${others}` : lines;
}

/** A chart for those who do not see it: what is drawn, and where the chosen curve starts, crosses and ends. */
export function chartWords(
  feature: string,
  [drawnLines, features]: readonly [drawn: number, all: number],
  curves: readonly CurveEnds[],
  [first, last]: readonly [string, string],
  zero: string,
): string {
  const drawn =
    curves.length > 1
      ? curves.map(({ metric }) => metric).join(" against ")
      : `${curves[0]?.metric} against τ`;
  const each = features === 1 ? "one feature" : `each of ${features} features`;
  const lines = drawnLines < features ? `each of ${drawnLines} of ${features} features` : each;
  const ends = curves.map(
    ({ metric, low, unstressed, high }) =>
      `${capitalize(metric)} under stress of ${feature}: ${low} at τ ${first}, ${unstressed} ${zero}, ${high} at τ ${last}.`,
  );
  return [`${capitalize(drawn)}, one line for ${lines}.`, ...ends].join(" ");
}

const SHIFTS = { marginal: "the population", within: "each group by itself" } as const;

/** What the lines are, where they are of groups. */
export function groupLegend(
  { by, metric, shift }: Pick<State, "by" | "metric" | "shift">,
  feature: string,
): string {
  const dashed = metric === "roc" ? "no better than chance" : "all rows as tested";
  return `Lines: groups by ${by}; τ moves ${feature} of ${SHIFTS[shift]}. Dashed: ${dashed}.`;
}

/** A chart of groups for those who do not see it. */
export function groupChartWords(
  metric: string,
  { by, shift }: Pick<State, "by" | "shift">,
  feature: string,
  groups: readonly CurveEnds[],
  [first, last]: readonly [string, string],
): string {
  const ends = groups.map(
    ({ metric: name, low, unstressed, high }) =>
      `${name}: ${low} at τ ${first}, ${unstressed} as tested, ${high} at τ ${last}.`,
  );
  const drawn = `${capitalize(metric)}, one line for each of ${groups.length} groups by ${by}`;
  return [`${drawn}; τ moves ${feature} of ${SHIFTS[shift]}.`, ...ends].join(" ");
}
