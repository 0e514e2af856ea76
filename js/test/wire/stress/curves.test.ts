import { describe, expect, test } from "vitest";
import { isWaiting } from "../../../src/wire/schema";
import { decodeStressCurves } from "../../../src/wire/stress/curves";
import { example, METRICS, targetAt, valueAt } from "../../support/example";

function traits(change: Record<string, unknown> = {}) {
  const { message, buffers } = example();
  return { ...buffers, message: { ...message, ...change } };
}

describe("decodeStressCurves", () => {
  const data = decodeStressCurves(traits());
  const { taus, features } = data.message;

  test("finds every number where the contract puts it", () => {
    expect(data.zero).toBe(4);
    features.forEach((_f, f) => {
      METRICS.forEach((_i, i) => {
        const { value, lower, upper } = data.curve(f, i);
        taus.forEach((tau, t) => {
          expect(value[t]).toBeCloseTo(valueAt(f, i, tau), 6);
          expect(lower[t]).toBeCloseTo(valueAt(f, i, tau) - 0.01, 6);
          expect(upper[t]).toBeCloseTo(valueAt(f, i, tau) + 0.01, 6);
        });
      });
    });
  });

  test("reads the population's seven fields", () => {
    const { target, ess, pareto_k, kl, tv, n_carriers, carried } = data.population(2);
    expect(n_carriers[8]).toBe(0);
    expect(carried[8]).toBe(0);
    expect(target[8]).toBeCloseTo(targetAt(40.4, 1), 4);
    expect(ess[8]).toBe(3200);
    expect(pareto_k[0]).toBeCloseTo(0.1, 6);
    expect(kl[0]).toBeCloseTo(0.05, 6);
    expect(tv[6]).toBeCloseTo(0.1, 6);
  });

  test("reads ragged histograms, none for a share", () => {
    for (const share of data.histogram(0, 4)) expect(share).toBeCloseTo(0.25, 4);
    expect(data.histogram(0, 4)).toHaveLength(4);
    expect(data.histogram(1, 4)).toHaveLength(0);
    expect(data.histogram(2, 8)[0]).toBeCloseTo(0, 4);
    expect(data.histogram(2, 8)[2]).toBeCloseTo(2 / 3, 4);
  });
});

describe("a message that does not keep to the contract", () => {
  test.each([
    [{ version: 2 }, /version 1 of the message, received version 2.*Restart the kernel/],
    [{ taus: [-1, 1] }, /"taus" must include 0/],
    [{ taus: [0, -1] }, /"taus" must be in ascending order/],
    [{ taus: [-1, "0", 1] }, /"taus" must be a finite number, received "0"/],
    [{ n_rows: null }, /"n_rows" must be a finite number, received null/],
    [{ title: undefined }, /"title" must be text, received nothing/],
    [{ metrics: [] }, /"metrics" must name at least one metric/],
    [{ metrics: [{ name: "mean", label: "mean", kind: "rate" }] }, /"metrics\[0\]\.kind" must be "share" or/],
    [{ features: {} }, /"features" must be a list/],
    [{ features: [{ name: 3 }] }, /"features\[0\]/],
    [{ features: ["age"] }, /"features\[0\]" must be an object, received "age"/],
    [{ skipped: [{ name: "x" }] }, /"skipped\[0\]\.reason" must be text/],
  ])("%o", (change, reason) => {
    expect(() => decodeStressCurves(traits(change))).toThrow(reason);
  });

  test("buffers shorter than the message says", () => {
    const { message, buffers } = example();
    const short = new DataView(buffers.population.buffer, 0, 40);
    expect(() => decodeStressCurves({ message, ...buffers, population: short })).toThrow(
      /"population" must hold/,
    );
  });
});

test.each([
  [undefined, true],
  [null, true],
  [{}, true],
  [{ version: 1 }, false],
])("isWaiting(%o)", (message, waiting) => {
  expect(isWaiting(message)).toBe(waiting);
});
