/** The message of a joint stress view and the kernel's answers to it, checked once, then only read. */

import { type Bytes, float32 } from "../buffers";
import { type Columns, type ColumnsTraits, decodeColumns } from "../columns";
import { ascending, list, number, oneOf, record, text, versionOf } from "../fields";
import { readStress, type Stress } from "../shared_stress";
import { WireError } from "../wire_error";
import { checkOutcomesMessage, decodeOutcomes, type Outcomes, type OutcomesMessage } from "./outcomes";

const VERSION = 1;

export interface EstimateMessage {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

export interface JointStressMessage {
  readonly version: typeof VERSION;
  readonly title: string;
  readonly task: string;
  readonly confidence: number;
  /** What the intervals are, in words. */
  readonly interval: string;
  readonly ess: number;
  readonly pareto_k: number;
  /** Each metric of the rows as they are. */
  readonly unstressed: readonly EstimateMessage[];
  /** Edges of each feature's histogram, empty for a share. */
  readonly edges: readonly (readonly number[])[];
  /** Shares of the rows as they are per bin. */
  readonly histograms: readonly (readonly number[])[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly outcomes: OutcomesMessage;
}

export type JointStressTraits = ColumnsTraits & {
  stress: unknown;
  metric: string;
  message: unknown;
  answers: Bytes;
  answer: unknown;
  reaches: unknown;
};

export interface JointStress {
  readonly message: JointStressMessage;
  readonly columns: Columns;
  /** Null where the rows are not here and the kernel answers. */
  readonly outcomes: Outcomes | null;
}

/** The kernel's answer to one stress; arrays go by feature or metric. */
export interface AnswerMessage {
  readonly stress: Stress;
  readonly status: "solved" | "limit" | "infeasible" | "unsolved";
  readonly reason: string;
  readonly ess: number;
  readonly kl: number;
  readonly tv: number;
  readonly paretoK: number;
  readonly achieved: readonly number[];
  readonly estimates: readonly EstimateMessage[];
  readonly histograms: readonly (readonly number[])[];
}

function numberOr(missing: number, value: unknown, where: string): number {
  return value === null ? missing : number(value, where);
}

function numbers(value: unknown, where: string): number[] {
  return list(value, where).map((one) => number(one, where));
}

function checkEstimate(value: unknown, where: string): EstimateMessage {
  const estimate = record(value, where);
  const end = (name: string) => numberOr(Number.NaN, estimate[name], `${where}.${name}`);
  return { value: end("value"), lower: end("lower"), upper: end("upper") };
}

function checkMessage(value: unknown): JointStressMessage {
  const message = record(value, "message");
  const version = versionOf(message.version, VERSION);
  return {
    version,
    title: text(message.title, "title"),
    task: text(message.task, "task"),
    confidence: number(message.confidence, "confidence"),
    interval: text(message.interval, "interval"),
    ess: number(message.ess, "ess"),
    pareto_k: numberOr(Infinity, message.pareto_k, "pareto_k"),
    unstressed: list(message.unstressed, "unstressed").map((one, k) =>
      checkEstimate(one, `unstressed[${k}]`),
    ),
    edges: list(message.edges, "edges").map((one, k) =>
      ascending(numbers(one, `edges[${k}]`), `edges[${k}]`),
    ),
    histograms: list(message.histograms, "histograms").map((one, k) => numbers(one, `histograms[${k}]`)),
    skipped: list(message.skipped, "skipped").map((entry, k) => {
      const { name, reason } = record(entry, `skipped[${k}]`);
      return { name: text(name, `skipped[${k}].name`), reason: text(reason, `skipped[${k}].reason`) };
    }),
    outcomes: checkOutcomesMessage(message.outcomes),
  };
}

function checkLengths({ message, columns }: Omit<JointStress, "outcomes">): void {
  const features = columns.message.features.length;
  const { edges, histograms, unstressed, outcomes } = message;
  const bins = (k: number) => Math.max(0, (edges[k]?.length ?? 0) - 1);
  if (edges.length !== features || histograms.length !== features) {
    throw new WireError(
      `"edges" and "histograms" must have one entry for each of ${features} features, received ${edges.length} and ${histograms.length}`,
    );
  }
  if (histograms.some((bars, k) => bars.length !== bins(k))) {
    throw new WireError('each of "histograms" must have one share per bin of "edges"');
  }
  if (unstressed.length !== outcomes.metrics.length) {
    throw new WireError(
      `"unstressed" must have one entry for each of ${outcomes.metrics.length} metrics, received ${unstressed.length}`,
    );
  }
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeJointStress(
  traits: ColumnsTraits & Pick<JointStressTraits, "message" | "answers">,
): JointStress {
  const message = checkMessage(traits.message);
  const columns = decodeColumns(traits);
  checkLengths({ message, columns });
  const { shipped, n_rows } = columns.message;
  if (!shipped) float32("answers", traits.answers, 0);
  const outcomes = shipped ? decodeOutcomes(message.outcomes, traits.answers, n_rows) : null;
  return { message, columns, outcomes };
}

/** The kernel's answer, or null while there is none. */
export function decodeAnswer(value: unknown): AnswerMessage | null {
  const answer = record(value, "answer");
  if (Object.keys(answer).length === 0) return null;
  const status = oneOf(answer.status, "answer.status", ["solved", "limit", "infeasible", "unsolved"]);
  const found = status === "solved" || status === "limit";
  const at = (name: string) => (found ? number(answer[name], `answer.${name}`) : Number.NaN);
  const of = <T>(name: string, check: (one: unknown, where: string) => T) =>
    found ? list(answer[name], `answer.${name}`).map((one, k) => check(one, `answer.${name}[${k}]`)) : [];
  return {
    stress: readStress(answer.stress),
    status,
    reason: text(answer.reason, "answer.reason"),
    ess: at("ess"),
    kl: at("kl"),
    tv: at("tv"),
    paretoK: found ? numberOr(Infinity, answer.pareto_k, "answer.pareto_k") : Number.NaN,
    achieved: of("achieved", (one, where) => numberOr(Number.NaN, one, where)),
    estimates: of("estimates", checkEstimate),
    histograms: of("histograms", numbers),
  };
}

export interface ReachesMessage {
  readonly stress: Stress;
  /** Lowest and highest τ by feature; null where there is none or it cannot be told. */
  readonly reaches: Readonly<Record<string, readonly [number, number] | null>>;
}

/** The kernel's ranges, or null while there are none. */
export function decodeReaches(value: unknown): ReachesMessage | null {
  const given = record(value, "reaches");
  if (Object.keys(given).length === 0) return null;
  const reaches = Object.entries(record(given.reaches, "reaches.reaches")).map(([name, ends]) => {
    const range = ends === null ? null : numbers(ends, `reaches.${name}`);
    return [name, range && ([range[0] ?? -1, range[1] ?? 1] as const)] as const;
  });
  return { stress: readStress(given.stress), reaches: Object.fromEntries(reaches) };
}
