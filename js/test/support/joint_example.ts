/** A joint stress message with rows made by formula: two correlated numbers, a share, a column with gaps. */

import type { ColumnMessage } from "../../src/wire/messages";
import { REASONS } from "./example";

export const N_ROWS = 400;

export interface JointOptions {
  readonly names?: readonly [age: string, hours: string, sex: string, gain: string];
  readonly shipped?: boolean;
  /** Also two columns of levels: job with Clerk, Cook and Nurse, land with one common and two rare levels. */
  readonly levels?: boolean;
}

const LEVELS: readonly (readonly [column: string, level: string, of: (row: number) => boolean])[] = [
  ["job", "Nurse", (i) => i % 10 < 2],
  ["job", "Cook", (i) => i % 10 > 6],
  ["job", "Clerk", (i) => i % 10 > 1 && i % 10 < 7],
  ["land", "Laos", (i) => i < 2],
  ["land", "Peru", (i) => i > 2 && i < 6],
  ["land", "US", (i) => i > 5 || i === 2],
];

function standardised(values: readonly number[]) {
  const seen = values.filter((value) => !Number.isNaN(value));
  const mean = seen.reduce((a, b) => a + b, 0) / seen.length;
  const sd = Math.sqrt(seen.reduce((sum, value) => sum + (value - mean) ** 2, 0) / seen.length);
  const ascending = [...seen].sort((a, b) => a - b);
  const at = (level: number) => ascending[Math.floor(level * (seen.length - 1))] as number;
  return { mean, sd, low: at(0.05), high: at(0.95), z: values.map((value) => (value - mean) / sd) };
}

function histogram(values: readonly number[], edges: readonly number[]): number[] {
  const counts = edges.slice(1).map(() => 0);
  const seen = values.filter((value) => !Number.isNaN(value));
  for (const value of seen) {
    const bin = edges.filter((edge) => edge <= value).length - 1;
    const within = Math.min(counts.length - 1, Math.max(0, bin));
    counts[within] = (counts[within] as number) + 1 / seen.length;
  }
  return counts;
}

const floats = (values: readonly number[]) => new DataView(new Float32Array(values).buffer);

export function jointExample({
  names = ["age", "hours", "sex = Female", "gain"],
  shipped = true,
  levels = false,
}: JointOptions = {}) {
  const rows = Array.from({ length: N_ROWS }, (_, i) => i);
  const age = rows.map((i) => 20 + ((7 * i) % 41));
  const hours = rows.map((i) => 40 + 8 * Math.sin(i) + 0.3 * ((age[i] as number) - 40));
  const sex = rows.map((i) => ((3 * i) % 7 < 3 ? 1 : 0));
  const gain = rows.map((i) => (i % 50 === 7 ? Number.NaN : i % 10));
  const added = levels ? LEVELS : [];
  const columns = [age, hours, sex, gain, ...added.map(([, , of]) => rows.map((i) => (of(i) ? 1 : 0)))];
  const shapes = columns.map(standardised);
  const predicted = rows.map((i) => ((age[i] as number) + 10 * Math.cos(i) > 42 ? 1 : 0));
  const truth = rows.map((i) => ((age[i] as number) + 14 * Math.cos(3 * i) > 42 ? 1 : 0));
  const all = [...names, ...added.map(([column, level]) => `${column} = ${level}`)];
  const features: ColumnMessage[] = all.map((name, k) => {
    const [column, level] = k === 2 ? ["sex", "Female"] : (added[k - names.length] ?? [name, null]);
    const { mean, sd, low, high } = shapes[k] as ReturnType<typeof standardised>;
    const share = level !== null;
    return {
      name,
      column,
      level,
      kind: share ? "share" : "numeric",
      integer: k === 0,
      unit: "",
      mean,
      sd,
      low: share ? 0 : low,
      high: share ? 1 : high,
      n_missing: (columns[k] as number[]).filter(Number.isNaN).length,
      missing: null,
      n_values: 0,
      held: true,
      note_low: "",
      note_high: k === 3 ? "τ = +1 is the maximum" : "",
    };
  });
  const edges = [[20, 30, 40, 50, 61], [20, 40, 60], [], [0, 3, 6, 10], ...added.map(() => [])];
  const portion = predicted.reduce<number>((a, b) => a + b, 0) / N_ROWS;
  const shape = {
    kind: "share",
    form: "ratio",
    power: -1,
    centre: 0,
    unit: 1,
    scale: "logit",
    tail: 0,
    counted: [],
  } as const;
  const metric = { ...shape, events: ["rows counted", "rows not counted"] };
  const end = (slope: number) => ({ slope, follows: 0, doubt_from: 2, with_heap: false });
  const reliable = { reason: 0, amount: 0 };
  const message = {
    version: 1,
    title: "Joint stress of a forest",
    task: "binary",
    confidence: 0.95,
    interval: "95 %, for the chance in drawing these rows",
    ess: N_ROWS,
    pareto_k: 0,
    unstressed: [
      { value: portion, lower: portion - 0.05, upper: portion + 0.05, ...reliable },
      { value: 0.2, lower: 0.16, upper: 0.24, ...reliable },
    ],
    ends: features.map(({ kind }) => ({
      low: end(kind === "share" ? 0 : 20),
      high: end(kind === "share" ? 0 : 20),
    })),
    edges,
    open_ends: edges.map((_, k) => [false, k === 3]),
    histograms: edges.map((cuts, k) => (cuts.length > 0 ? histogram(columns[k] as number[], cuts) : [])),
    reliability: REASONS,
    skipped: [{ name: "country", reason: "every observed value is 1" }],
    outcomes: {
      n_cells: 4,
      n_powers: 0,
      metrics: [
        {
          ...metric,
          name: "portion_1",
          label: "share predicted 1",
          top: [0, 1, 0, 1],
          bottom: [1, 1, 1, 1],
        },
        { ...metric, name: "error_rate", label: "error rate", top: [0, 1, 1, 0], bottom: [1, 1, 1, 1] },
      ],
    },
  };
  const cells = rows.map((i) => 2 * (truth[i] as number) + (predicted[i] as number));
  const none = new DataView(new ArrayBuffer(0));
  return {
    message,
    columns_message: { version: 1, n_rows: N_ROWS, features, weighted: false, shipped },
    columns: shipped ? floats(shapes.flatMap(({ z }) => z)) : none,
    row_weights: none,
    answers: shipped ? floats(cells) : none,
    stress: { taus: {}, hold: "none" },
    metric: "portion_1",
    answer: {},
    ranges: {},
  };
}
