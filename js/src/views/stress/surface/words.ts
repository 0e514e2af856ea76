/** Sentences of the surface's panel. */

import type { Level } from "../../../wire/reasons";
import { moveWords } from "../../shared/population_words";
import { reliabilityWords } from "../../shared/reliability";
import { capitalize, intervalWords, quotedName, rowsOf, type Sentence } from "../../shared/words";
import type { Context } from "./context";

/** The two means in words: "age 45.0, hours 50.1". */
export function meansWords({ data, target }: Context, at: readonly [number, number]): string {
  return data.message.sides
    .map(({ name, kind, targets }, side) => {
      const mean = target(side).value(targets[at[side] as number] as number);
      return kind === "share" ? `${quotedName(name)} for ${mean} of rows` : `${quotedName(name)} ${mean}`;
    })
    .join(", ");
}

/** Which population a cell stands for. */
export function populationWords(context: Context, at: readonly [number, number], near = false): Sentence {
  const { message, zero } = context.data;
  const nearest = near ? "nearest cell: " : "";
  if (at[0] === zero && at[1] === zero) {
    return { strong: `${nearest}the data as they are:`, rest: ` ${rowsOf(message.n_rows)}` };
  }
  const moves = message.sides.map((about, side) => {
    const [before, now] = [zero, at[side]].map((t) =>
      context.target(side).value(about.targets[t as number] as number),
    );
    return moveWords(about, before as string, now as string);
  });
  return { strong: `${nearest}${moves.join(", ")}`, rest: "" };
}

/** The metric at a cell, with its interval apart, or why there is none. */
export function figureWords(
  context: Context,
  metric: number,
  at: readonly [number, number],
): { readonly value: string; readonly interval: string } {
  const { data } = context;
  const place = at[0] * data.message.taus.length + at[1];
  const label = capitalize(data.message.metrics[metric]?.label ?? "");
  const status = data.status[place];
  if (status === "infeasible")
    return { value: `${label}: these rows cannot be weighted that far.`, interval: "" };
  if (status === "unconverged") return { value: `${label}: the means could not be met.`, interval: "" };
  const { value, lower, upper } = data.metric(metric);
  const { value: write, bare } = context.metric(metric);
  const [low, high] = [lower[place] as number, upper[place] as number];
  return {
    value: `${label} ${write(value[place] as number).replace(" ", "\u00a0")}`,
    interval: intervalWords(bare(low), bare(high)),
  };
}

/** The same in one line. */
export function readingWords(context: Context, metric: number, at: readonly [number, number]): string {
  const { value, interval } = figureWords(context, metric, at);
  return interval ? `${value} (${interval})` : value;
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
