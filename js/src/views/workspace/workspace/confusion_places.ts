/** The places of the confusion matrix: summed over the rows in the page, or as the kernel says where they are there. */

import type { MetricEstimate } from "../../../solve/stress/metrics";
import type { ConfusionMessage, OutcomeMetricMessage } from "../../../wire/messages";
import type { Outcomes } from "../../../wire/stress/joint";
import type { Answer } from "../../stress/joint/answers";

export interface Places {
  /** Rows in each. */
  readonly counts: readonly number[];
  /** Share of all weight as tested, which no stress changes. */
  before(answer: Answer, place: number): number;
  /** The same in the population shown; undefined before it is known. */
  now(answer: Answer, place: number): MetricEstimate | undefined;
  /** Select the rows in a place; rejects with the words why not. */
  select(place: number): Promise<unknown>;
  /** Why rows can not be selected; "" where they can. */
  readonly refused: string;
}

/** What is counted in a place, and what is not. */
export const EVENTS = ["rows there", "other rows"];
const GONE = "The kernel that has the rows has ended.";

/** Rows of each place, in the order of the study. */
export function rowsByPlace({ rows, columns, place }: ConfusionMessage, { cell }: Outcomes): number[][] {
  const found: number[][] = Array.from({ length: rows.length * columns.length }, () => []);
  cell.forEach((code, row) => {
    found[place[code] as number]?.push(row);
  });
  return found;
}

/** The share of the rows in a place as a metric of the cells. */
function metricOf({ place }: ConfusionMessage, which: number): OutcomeMetricMessage {
  return {
    name: `place ${which}`,
    label: "",
    kind: "share",
    form: "ratio",
    top: place.map((one) => Number(one === which)),
    bottom: place.map(() => 1),
    power: -1,
    centre: 0,
    unit: 1,
    scale: "logit",
    tail: 0,
    counted: [],
    events: EVENTS,
  };
}

/** @param select rows, in the order of the study */
export function placesHere(
  message: ConfusionMessage,
  outcomes: Outcomes,
  select: (rows: readonly number[]) => void,
): Places {
  const inPlace = rowsByPlace(message, outcomes);
  const metrics = inPlace.map((_, place) => metricOf(message, place));
  const within = inPlace.map((members) => {
    const one = new Uint8Array(outcomes.cell.length);
    for (const row of members) one[row] = 1;
    return one;
  });
  const tested: number[] = [];
  return {
    counts: inPlace.map(({ length }) => length),
    before({ shareOf }, place) {
      if (shareOf) tested[place] ??= shareOf(within[place] as Uint8Array).before;
      return tested[place] ?? Number.NaN;
    },
    now: ({ ofMetric }, place) => ofMetric?.(metrics[place] as OutcomeMetricMessage),
    select: async (place) => select(inPlace[place] as number[]),
    refused: "",
  };
}

/** @param ask the kernel to select the rows of a place */
export function placesInKernel(
  { n_rows, unstressed }: NonNullable<ConfusionMessage["in_kernel"]>,
  ask: (place: number) => Promise<unknown>,
  gone: boolean,
): Places {
  return {
    counts: n_rows,
    before: (_, place) => unstressed[place]?.value ?? Number.NaN,
    now: ({ confusion }, place) => confusion?.[place],
    select: ask,
    refused: gone ? GONE : "",
  };
}
