/** Sentences of the surface's panel. */

import { count } from "../../../theme/formats";
import type { Level } from "../../../wire/reasons";
import { reliabilityWords } from "../../shared/reliability";
import { capitalize, type Sentence } from "../../shared/words";
import type { Context } from "./context";

/** The two means in words: "age 45.0, hours 50.1". */
export function meansWords({ data, target }: Context, at: readonly [number, number]): string {
  return data.message.sides
    .map(({ name, kind, targets }, side) => {
      const mean = target(side).value(targets[at[side] as number] as number);
      return kind === "share" ? `${name} for ${mean} of rows` : `${name} ${mean}`;
    })
    .join(", ");
}

/** Which population a cell stands for. */
export function populationWords(
  context: Context,
  at: readonly [number, number],
): { strong: string; rest: string } {
  const { message, zero } = context.data;
  if (at[0] === zero && at[1] === zero) {
    return { strong: "the data as they are:", rest: ` ${count(message.n_rows)} rows` };
  }
  const before = meansWords(context, [zero, zero]);
  return {
    strong: `${meansWords(context, at)} on average`,
    rest: ` instead of ${before}; both means are held`,
  };
}

/** The metric at a cell with its interval, or why there is none. */
export function readingWords(context: Context, metric: number, at: readonly [number, number]): string {
  const { data } = context;
  const place = at[0] * data.message.taus.length + at[1];
  const label = capitalize(data.message.metrics[metric]?.label ?? "");
  const status = data.status[place];
  if (status === "infeasible") return `${label}: no weights on these rows give both means.`;
  if (status === "unconverged") return `${label}: the means could not be met.`;
  const { value, lower, upper } = data.metric(metric);
  const { value: write, bare } = context.metric(metric);
  const [low, high] = [lower[place] as number, upper[place] as number];
  const interval =
    Number.isFinite(low) && Number.isFinite(high) ? `${bare(low)} – ${bare(high)}` : "no interval";
  return `${label} ${write(value[place] as number)} (${interval})`;
}

/** Level and reason of a metric at a cell. */
export function cellReliability(
  context: Context,
  metric: number,
  at: readonly [number, number],
): Sentence & { readonly level: Level } {
  const { data } = context;
  const { message, zero } = data;
  const place = at[0] * message.taus.length + at[1];
  const stressed = at[0] !== zero || at[1] !== zero;
  const status = data.status[place];
  if (status === "infeasible" || status === "unconverged")
    return { strong: "Out of reach:", rest: " no numbers here.", level: 2 };
  const events = message.metrics[metric]?.events ?? [];
  const said = reliabilityWords(
    message.reliability,
    events,
    data.judged(metric, place),
    stressed,
    message.n_rows,
  );
  const rest = status === "limit" ? `${said.rest} Only some rows keep weight.` : said.rest;
  return { strong: said.strong, rest, level: stressed ? context.level(metric, place) : 0 };
}
