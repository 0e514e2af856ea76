/** A small message with its buffers, every number of which can be written down again. */

import type { CurvesFeatureMessage, MetricMessage, StressCurvesMessage } from "../../src/wire/messages";
import { readGolden } from "./golden";
import { layoutOf } from "./layout";

export interface ExampleOptions {
  readonly features?: readonly Partial<CurvesFeatureMessage>[];
  readonly metrics?: readonly MetricMessage[];
  readonly steps?: number;
  readonly taus?: readonly number[];
  readonly nRows?: number;
  /** Reason, by its name, and amount of every metric at (feature, τ). */
  readonly judged?: (feature: number, tau: number) => readonly [reason: string, amount: number];
}

/** Those of Python. */
export const REASONS = readGolden<{ message: StressCurvesMessage }>("stress_curves.json").message.reliability;

/** A code and an amount as two bytes. */
export function reasonBytes(name: string, amount: number): [number, number] {
  const code = REASONS.findIndex((reason) => reason.name === name);
  return [code, REASONS[code]?.decimals === 2 ? Math.round(100 * amount) : Math.floor(amount)];
}

export const METRICS: readonly MetricMessage[] = [
  { name: "portion_1", label: "share predicted 1", kind: "share", events: ["rows predicted 1", "others"] },
  { name: "error_rate", label: "error rate", kind: "share", events: ["errors", "correct predictions"] },
  {
    name: "true_positive_rate",
    label: "true positive rate",
    kind: "share",
    events: ["true positives", "false negatives"],
  },
  {
    name: "false_positive_rate",
    label: "false positive rate",
    kind: "share",
    events: ["false positives", "true negatives"],
  },
  { name: "mean_score", label: "mean score", kind: "value", events: ["", ""] },
];

const FEATURES: readonly Partial<CurvesFeatureMessage>[] = [
  { name: "age", mean: 38.6, edges: [20, 30, 40, 50, 60] },
  { name: "sex = Female", column: "sex", level: "Female", kind: "share", mean: 0.33, edges: [] },
  { name: "hours", mean: 40.4, edges: [0, 25, 50, 75] },
];

function feature(given: Partial<CurvesFeatureMessage>, k: number): CurvesFeatureMessage {
  const name = given.name ?? `feature ${k}`;
  const defaults = {
    name,
    column: name,
    level: null,
    kind: "numeric",
    integer: false,
    unit: "",
    mean: 10,
  } as const;
  return {
    ...defaults,
    n_missing: 0,
    note_low: "",
    note_high: "",
    first: [],
    edges: [0, 1, 2],
    open_ends: [false, false],
    ...given,
  };
}

/** Slopes 0.02, -0.04, 0.06, … of the features, halved from one metric to the next. */
export function valueAt(f: number, i: number, tau: number): number {
  const slope = (f % 2 === 0 ? 1 : -1) * 0.02 * (f + 1);
  return 0.2 + 0.1 * i + (slope * tau) / (i + 1);
}

/** The mean of a feature: 20 % lower at τ = -1, 20 % higher at τ = 1. */
export function targetAt(mean: number, tau: number): number {
  return mean * (1 + 0.2 * tau);
}

function floats(values: readonly number[]): DataView {
  return new DataView(new Float32Array(values).buffer);
}

const CELLS = "feature metric tau";

export function example(options: ExampleOptions = {}) {
  const { steps = 9, nRows = 6400, judged = () => ["none", 0] } = options;
  const taus = options.taus ?? Array.from({ length: steps }, (_, t) => -1 + (2 * t) / (steps - 1));
  const metrics = options.metrics ?? METRICS;
  const first = metrics.map(() => taus.indexOf(0.5));
  const features = (options.features ?? FEATURES).map((given, k) => feature({ first, ...given }, k));
  const cells = [features.length, metrics.length, taus.length];
  let start = 0;
  const histograms = features.flatMap(({ name, edges }) => {
    const shape = [taus.length, Math.max(0, edges.length - 1)] as const;
    const layout = layoutOf([name], "tau bin", shape, start);
    start += shape[0] * shape[1];
    return shape[1] > 0 ? layout : [];
  });
  const message: StressCurvesMessage = {
    version: 1,
    title: "A forest",
    task: "binary",
    n_rows: nRows,
    taus,
    confidence: 0.95,
    interval: "95 % interval: chance in drawing these rows",
    hold: "none",
    features,
    skipped: [{ name: "country", reason: "is constant" }],
    metrics,
    reliability: REASONS,
    beside: "",
    by: [],
    live: false,
    offline: "",
    layout: {
      curves: layoutOf(["value", "lower", "upper"], `${CELLS} field`, [...cells, 3]),
      population: layoutOf(
        ["target", "ess", "pareto_k", "kl", "tv", "n_carriers", "carried"],
        "feature tau field",
        [features.length, taus.length, 7],
      ),
      histograms,
      reasons: layoutOf(["reason", "amount"], `${CELLS} field`, [...cells, 2]),
    },
  };
  const curves = features.flatMap((_f, f) =>
    metrics.flatMap((_i, i) =>
      taus.flatMap((tau) => [0, -0.01, 0.01].map((half) => valueAt(f, i, tau) + half)),
    ),
  );
  const population = features.flatMap(({ mean }) =>
    taus.flatMap((tau) => [
      targetAt(mean, tau),
      nRows * (1 - 0.5 * Math.abs(tau)),
      0.1,
      0.05 * tau * tau,
      0.2 * Math.abs(tau),
      0,
      0,
    ]),
  );
  const shares = features.flatMap(({ edges }) =>
    taus.flatMap((tau) => edges.slice(1).map((_, b, bins) => (1 + tau * (b - 1)) / bins.length)),
  );
  const reasons = features.flatMap((_f, f) =>
    metrics.flatMap(() => taus.flatMap((tau) => reasonBytes(...judged(f, tau)))),
  );
  return {
    message,
    buffers: {
      curves: floats(curves),
      population: floats(population),
      histograms: new Uint8Array(Uint16Array.from(shares, (share) => Math.round(65535 * share)).buffer),
      reasons: Uint8Array.from(reasons),
    },
    traits: {
      tau: 0,
      feature: features[0]?.name ?? "",
      metric: metrics[0]?.name ?? "",
      rank_by: "difference",
    },
  };
}
