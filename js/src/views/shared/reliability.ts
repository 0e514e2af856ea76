/** How far a number under stress can be relied on, in the words that came with it. */

import { setAttributes } from "../../marks/element";
import { type Carriers, MIN_CARRIERS_WIDE } from "../../solve/stress/carriers";
import { MANY_DF, MAX_PARETO_K, MIN_DF, MIN_DF_WIDE } from "../../solve/stress/reliability";
import { count } from "../../theme/formats";
import { type Judged, LEVELS, type Level, levelOf, type Reasons } from "../../wire/reasons";
import { capitalize, rowsOf, type Sentence } from "./words";

/** What a metric calls the rows it counts, and those it does not. */
export type Events = readonly string[];

export const RELIABLE: Judged = { reason: 0, amount: 0 };

/** Of weights alone, as of an effect, which has no metric's own rule. */
export function judgeWeights(reasons: Reasons, df: number, pareto_k: number, carriers: Carriers): Judged {
  const code = codeIn(reasons);
  if (!(df >= MIN_DF_WIDE)) return { reason: code("few_rows_carry_all"), amount: df };
  if (df < MANY_DF && !(pareto_k <= MAX_PARETO_K)) return { reason: code("heavy_weights"), amount: pareto_k };
  const few = judgeCarriers(reasons, carriers);
  const graver = levelOf(reasons, few.reason) === 2;
  return df < MIN_DF && !graver ? { reason: code("some_rows_carry_all"), amount: df } : few;
}

/** Of the few rows that carry the weight moved. */
export function judgeCarriers(reasons: Reasons, { n, share }: Carriers): Judged {
  if (n === 0) return RELIABLE;
  const name = n < MIN_CARRIERS_WIDE ? "few_carriers" : "some_carriers";
  return { reason: codeIn(reasons)(name), amount: n, share };
}

/** What speaks against any number of a population. */
export interface Caveat {
  readonly level: (typeof LEVELS)[number];
  /** "" where nothing does. */
  readonly words: string;
}

export const NO_CAVEAT: Caveat = { level: "reliable", words: "" };

/**
 * Of a population before any metric of it, each of which has a rule of its own.
 *
 * @param ess the most that the degrees of freedom can be
 */
export function judgePopulation(reasons: Reasons, ess: number, carriers: Carriers): Caveat {
  if (Number.isNaN(ess)) return NO_CAVEAT;
  const judged = judgeWeights(reasons, ess, 0, carriers);
  const words = reasonWords(reasons, [], judged);
  return { level: LEVELS[levelOf(reasons, judged.reason)], words };
}

function codeIn(reasons: Reasons): (name: string) => number {
  return (name) => reasons.findIndex((reason) => reason.name === name);
}

/** What rounding may leave a whole number of rows below itself. */
const HAIR = 1e-9;

function written(amount: number, decimals: number): string {
  if (!Number.isFinite(amount)) return "∞";
  return decimals > 0 ? amount.toFixed(decimals) : count(Math.floor(amount * (1 + HAIR)));
}

/** Why a number is not reliable; "" where it is. */
export function reasonWords(reasons: Reasons, events: Events, { reason, amount, share = 0 }: Judged): string {
  const about = reasons[reason];
  if (!about) return "";
  const values: Readonly<Record<string, string>> = {
    amount: written(amount, about.decimals),
    events: events[0] ?? "",
    non_events: events[1] ?? "",
    share: (100 * share).toFixed(0),
  };
  const template = Math.floor(amount * (1 + HAIR)) < 2 ? about.few : about.words;
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Level and reason of the number shown; without stress no level, only what it counts too few of. */
export function reliabilityWords(
  reasons: Reasons,
  events: Events,
  judged: Judged,
  stressed: boolean,
  nRows: number,
): Sentence {
  const why = reasonWords(reasons, events, judged);
  if (!stressed) {
    return { strong: "As tested:", rest: ` all ${rowsOf(nRows)} count the same${why && `; ${why}`}.` };
  }
  const level = levelOf(reasons, judged.reason);
  const rest = ` ${why || "the number and its interval can be read"}.`;
  return { strong: `${capitalize(LEVELS[level])}:`, rest };
}

/** The longest that can be said, to make room for it. */
export function longestWords(reasons: Reasons, metrics: readonly { readonly events: Events }[]): string {
  const all = reasons.flatMap(({ level }, reason) =>
    metrics.map(({ events }) => `${level}: ${reasonWords(reasons, events, { reason, amount: 99.99 })}.`),
  );
  return all.reduce((a, b) => (b.length > a.length ? b : a), "");
}

/** Set a number by its level: bold where reliable, plain where wide, pale where unreliable. */
export function markTrust(element: HTMLElement, level: Level): void {
  element.classList.toggle("ts-is-wide", level === 1);
  element.classList.toggle("ts-is-unreliable", level === 2);
}

/** The same, and why, on hovering. */
export function markNumber(cell: HTMLElement, reasons: Reasons, events: Events, judged: Judged): void {
  const level = levelOf(reasons, judged.reason);
  markTrust(cell, level);
  const why = reasonWords(reasons, events, judged);
  setAttributes(cell, { title: why !== "" && `${LEVELS[level]}: ${why}` });
}

/** Colour words by level: quiet, plain, amber, which means distrust and nothing else. */
export function markLevel(element: HTMLElement, level: Level): void {
  element.classList.toggle("ts-reliable", level === 0);
  element.classList.toggle("ts-wide", level === 1);
  element.classList.toggle("ts-doubtful", level === 2);
}
