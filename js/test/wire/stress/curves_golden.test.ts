// @vitest-environment jsdom

import { expect, test } from "vitest";
import widget from "../../../src/views/stress/curves/index";
import type { StressCurvesMessage } from "../../../src/wire/messages";
import { decodeStressCurves } from "../../../src/wire/stress/curves";
import { fakeModel } from "../../support/fake_model";
import { bytes, readGolden } from "../../support/golden";

/** How far a packed number that is drawn may be off, as a share of it. */
const DRAWN = 2 ** -15;

/** A message written by Python, with some of its numbers named one by one. */
interface Golden {
  readonly message: StressCurvesMessage;
  readonly traits: { tau: number; feature: string; metric: string; rank_by: string };
  readonly buffers: Record<"curves" | "population" | "histograms" | "reasons", string>;
  readonly expected: readonly Expected[];
}

type Quantity =
  | "value"
  | "lower"
  | "upper"
  | "target"
  | "ess"
  | "pareto_k"
  | "kl"
  | "tv"
  | "n_carriers"
  | "carried";
type Expected = { feature: string; tau: number; metric: string; reliability: string } & Record<
  Quantity,
  number | null
>;

const golden = readGolden<Golden>("stress_curves.json");
const buffers = {
  curves: bytes(golden.buffers.curves),
  population: bytes(golden.buffers.population),
  histograms: bytes(golden.buffers.histograms),
  reasons: bytes(golden.buffers.reasons),
};

test("every number Python names is found where it says", () => {
  const data = decodeStressCurves({ message: golden.message, ...buffers });
  const { features, metrics, taus } = data.message;
  expect(golden.expected.length).toBeGreaterThan(0);
  for (const one of golden.expected) {
    const feature = features.findIndex(({ name }) => name === one.feature);
    const metric = metrics.findIndex(({ name }) => name === one.metric);
    const t = taus.indexOf(one.tau);
    const { reason, ...curve } = data.curve(feature, metric);
    expect(data.message.reliability[reason[t] as number]?.level).toBe(one.reliability);
    const found = { ...curve, ...data.population(feature) };
    for (const [quantity, row] of Object.entries(found)) {
      const wanted = one[quantity as Quantity];
      const value = row[t] as number;
      if (wanted === null) expect(Number.isFinite(value)).toBe(false);
      else expect(Math.abs(value - wanted)).toBeLessThanOrEqual(DRAWN * Math.max(1, Math.abs(wanted)));
    }
  }
});

test("each histogram is a share of the rows, at every τ", () => {
  const data = decodeStressCurves({ message: golden.message, ...buffers });
  data.message.features.forEach(({ edges }, feature) => {
    data.message.taus.forEach((_, t) => {
      const shares = data.histogram(feature, t);
      expect(shares).toHaveLength(Math.max(0, edges.length - 1));
      if (shares.length > 0) expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 3);
    });
  });
});

test("the widget opens on what the traits say, and shows Python's numbers", () => {
  const el = document.createElement("div");
  const life = new AbortController();
  const { model } = fakeModel({ ...golden.traits, message: golden.message, ...buffers });
  widget.render({ model, el, signal: life.signal } as unknown as Parameters<typeof widget.render>[0]);
  const { tau, feature, metric } = golden.traits;
  const wanted = golden.expected.find(
    (one) => one.tau === tau && one.feature === feature && one.metric === metric,
  );
  const text = (testid: string) => el.querySelector(`[data-testid="${testid}"]`)?.textContent ?? "";
  const number = (testid: string) => Number.parseFloat(text(testid).replace("−", "-"));
  expect(number("value")).toBeCloseTo(100 * (wanted?.value ?? Number.NaN), 0);
  expect(number("ess")).toBe(Math.round(wanted?.ess ?? Number.NaN));
  expect(text("kl")).toBe(`${wanted?.kl?.toFixed(3)} nats`);
  expect(text("tv")).toBe(wanted?.tv?.toFixed(3));
  expect(text("trust").toLowerCase()).toMatch(new RegExp(`^${wanted?.reliability}:`));
  expect(number("pareto-k")).toBeCloseTo(wanted?.pareto_k ?? Number.NaN, 2);
  expect(text("population")).toContain(`${feature} ${wanted?.target?.toFixed(2)} on average`);
  expect(el.querySelector("b b")).toBeNull();
  life.abort();
});
