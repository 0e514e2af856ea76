import { describe, expect, test } from "vitest";
import { createEstimator, type MetricEstimate, withOwnTails } from "../../../src/solve/stress/metrics";
import { feasibleRange } from "../../../src/solve/stress/ranges";
import { REASONS } from "../../../src/solve/stress/reliability";
import { solveStress } from "../../../src/solve/stress/solver";
import { decodeColumns } from "../../../src/wire/columns";
import { outcomesMessage } from "../../../src/wire/messages";
import { type Hold, readStress, UNSTRESSED } from "../../../src/wire/shared_stress";
import type { TauEnds } from "../../../src/wire/stress/joint";
import { decodeOutcomes } from "../../../src/wire/stress/joint";
import { bytes, readGolden } from "../../support/golden";

/** Answers of the Python engine to stresses on columns that are shipped beside them. */
interface Case {
  readonly stress: { readonly taus: Record<string, number>; readonly hold: Hold };
  readonly status: "solved" | "limit" | "infeasible";
  readonly ess?: number;
  readonly kl?: number;
  readonly tv?: number;
  readonly pareto_k?: number | null;
  readonly carriers?: { readonly n: number; readonly share: number };
  readonly achieved?: readonly number[];
  readonly weights?: string;
  readonly estimates?: readonly EstimateCase[];
  readonly ranges: Readonly<Record<string, readonly [number, number] | null>>;
}

interface EstimateCase {
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly reason: number;
  readonly amount: number | null;
}

interface Study {
  readonly message: {
    readonly confidence: number;
    readonly outcomes: unknown;
    readonly ends: TauEnds;
    readonly unstressed: readonly EstimateCase[];
  };
  readonly answers: string;
  readonly columns_message: { readonly features: readonly { readonly sd: number }[] };
  readonly columns: string;
  readonly row_weights: string;
  readonly cases: readonly Case[];
}

const studies = readGolden<readonly Study[]>("joint_solver.json");

function near(found: number, wanted: number, relative: number, where: string) {
  const off = Math.abs(found - wanted);
  expect(off, `${where}: ${found} against ${wanted}`).toBeLessThanOrEqual(
    relative * Math.max(1, Math.abs(wanted)),
  );
}

/** How much an end on a log scale makes of an error in its logarithm. */
const stretch = (value: number, end: number) => Math.max(1, Math.log(Math.abs(end / value)) || 0);

function same(found: MetricEstimate, wanted: EstimateCase, where: string) {
  for (const end of ["value", "lower", "upper"] as const) {
    if (wanted[end] === null) expect(found[end], `${end} of ${where}`).toBeNaN();
    else near(found[end], wanted[end], 3e-6 * stretch(found.value, found[end]), `${end} of ${where}`);
  }
  expect(REASONS[found.reason], where).toBe(REASONS[wanted.reason]);
  if (wanted.amount === null) expect(found.amount, `amount of ${where}`).toBe(Infinity);
  else near(found.amount, wanted.amount, 1e-5, `amount of ${where}`);
}

describe.each(studies.map((study, k) => ({ study, k })))("study $k", ({ study }) => {
  const columns = decodeColumns({
    columns_message: study.columns_message,
    columns: bytes(study.columns),
    row_weights: bytes(study.row_weights),
  });

  const outcomes = decodeOutcomes(
    outcomesMessage(study.message.outcomes, "outcomes"),
    bytes(study.answers),
    columns.message.n_rows,
  );

  const sample = { columns, outcomes, ends: study.message.ends, confidence: study.message.confidence };

  test("unstressed metrics", () => {
    const estimate = createEstimator(sample, solveStress(columns, UNSTRESSED));
    study.message.unstressed.forEach((metric, k) => {
      same(estimate(k), metric, `metric ${k}`);
    });
  });

  test.each(["none", "means", "uncorrelated"] as const)("a neighbour is where to start from: %s", (hold) => {
    const [first] = columns.message.features;
    const at = (tau: number) => ({ taus: { [first?.name ?? ""]: tau }, hold });
    let warm = solveStress(columns, at(0.04));
    for (const tau of [0.05, 0.06, 0.07, 0.06, 0.3, 0.31, -0.2]) {
      warm = solveStress(columns, at(tau), warm);
      const cold = solveStress(columns, at(tau));
      expect(warm.status).toBe(cold.status);
      expect(warm.evaluations).toBeLessThanOrEqual(cold.evaluations);
      if (cold.weights.length === 0) continue;
      cold.weights.forEach((weight, i) => {
        near(warm.weights[i] as number, weight, 1e-5, `weight of row ${i} at ${tau}`);
      });
      const [here, there] = [warm, cold].map((one) => createEstimator(sample, one)(0));
      near(here?.upper as number, there?.upper as number, 3e-6, `upper end at ${tau}`);
    }
  });

  test.each(study.cases.map((one) => ({ ...one, words: JSON.stringify(one.stress) })))(
    "ranges under $words",
    ({ stress, ranges }) => {
      for (const [name, wanted] of Object.entries(ranges)) {
        const found = feasibleRange(columns, readStress(stress), columns.place.get(name) as number);
        if (wanted === null) expect(found.kind, name).not.toBe("range");
        else {
          expect(found.kind, name).toBe("range");
          if (found.kind !== "range") continue;
          near(found.low, wanted[0], 1e-4, `lowest τ of ${name}`);
          near(found.high, wanted[1], 1e-4, `highest τ of ${name}`);
        }
      }
    },
  );

  test.each(study.cases.map((one) => ({ ...one, words: JSON.stringify(one.stress) })))("$words", (wanted) => {
    const found = solveStress(columns, readStress(wanted.stress));
    expect(found.status, found.reason).toBe(wanted.status);
    if (wanted.status === "infeasible") {
      expect(found.weights).toHaveLength(0);
      expect(found.reason).not.toBe("");
      expect(found.ess).toBeNaN();
      return;
    }
    near(found.ess, wanted.ess as number, 1e-6, "ess");
    near(found.kl, wanted.kl as number, 1e-6, "kl");
    near(found.tv, wanted.tv as number, 1e-6, "tv");
    near(found.pareto_k, wanted.pareto_k ?? Infinity, 1e-5, "pareto k");
    expect(found.carriers.n).toBe(wanted.carriers?.n);
    near(found.carriers.share, wanted.carriers?.share as number, 1e-6, "carried");
    wanted.achieved?.forEach((mean, f) => {
      const sd = study.columns_message.features[f]?.sd ?? 1;
      near(found.achieved(f) / sd, mean / sd, 1e-6, `mean of feature ${f}`);
    });
    const weights = new Float32Array(bytes(wanted.weights as string).buffer);
    let worst = 0;
    weights.forEach((weight, i) => {
      worst = Math.max(worst, Math.abs((found.weights[i] as number) - weight) / Math.max(1, weight));
    });
    expect(worst).toBeLessThanOrEqual(5e-6);
    const estimate = createEstimator(sample, found);
    wanted.estimates?.forEach((metric, k) => {
      same(estimate(k), metric, outcomes.metrics[k]?.name ?? "");
    });
  });
});

interface GroupCase {
  readonly stress: Case["stress"];
  readonly group: string;
  /** Pareto k̂ of the squares behind each metric, of the group's own rows; 0 for metrics that are no spread. */
  readonly tails: readonly (number | null)[];
  readonly estimates: readonly EstimateCase[];
}

describe("groups of rows under a stress of all rows", () => {
  const groups = readGolden<readonly (readonly GroupCase[])[]>("joint_groups.json");
  test.each(groups.map((_, which) => which))("study %i", (which) => {
    const { message, columns_message, columns, row_weights, answers } = studies[which] as Study;
    const decoded = decodeColumns({
      columns_message,
      columns: bytes(columns),
      row_weights: bytes(row_weights),
    });
    const outcomes = decodeOutcomes(
      outcomesMessage(message.outcomes, "outcomes"),
      bytes(answers),
      decoded.message.n_rows,
    );
    const sample = { columns: decoded, outcomes, ends: message.ends, confidence: message.confidence };
    for (const { stress, group, tails, estimates } of groups[which] ?? []) {
      const place = decoded.place.get(group);
      if (place === undefined) throw new Error(`there is no ${group}`);
      const within = Uint8Array.from(decoded.column(place), (z) => (z > 0 ? 1 : 0));
      withOwnTails(outcomes, within).metrics.forEach(({ tail }, k) => {
        near(tail, tails[k] ?? Infinity, 2e-5, `tail of metric ${k} of ${group}`);
      });
      const estimate = createEstimator(sample, solveStress(decoded, readStress(stress)), within);
      estimates.forEach((wanted, k) => {
        same(estimate(k), wanted, `metric ${k} of ${group} under ${JSON.stringify(stress)}`);
      });
    }
  });

  test("a group of all rows has the numbers of all rows, and one of none has none", () => {
    const { message, columns_message, columns, row_weights, answers } = studies[0] as Study;
    const decoded = decodeColumns({
      columns_message,
      columns: bytes(columns),
      row_weights: bytes(row_weights),
    });
    const n = decoded.message.n_rows;
    const outcomes = decodeOutcomes(outcomesMessage(message.outcomes, "outcomes"), bytes(answers), n);
    const sample = { columns: decoded, outcomes, ends: message.ends, confidence: message.confidence };
    for (const stress of [UNSTRESSED, readStress({ taus: { age: 0.4 }, hold: "none" })]) {
      const solved = solveStress(decoded, stress);
      const [all, every] = [
        createEstimator(sample, solved),
        createEstimator(sample, solved, new Uint8Array(n).fill(1)),
      ];
      outcomes.metrics.forEach((_, k) => {
        same(every(k), all(k), `metric ${k}`);
      });
      expect(createEstimator(sample, solved, new Uint8Array(n))(0).value).toBeNaN();
    }
  });
});
