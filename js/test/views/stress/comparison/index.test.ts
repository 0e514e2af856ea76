// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import widget from "../../../../src/views/stress/comparison/index";
import type {
  ComparedMessage,
  ComparedPairMessage,
  ModelComparisonMessage,
} from "../../../../src/wire/messages";
import { readGolden } from "../../../support/golden";
import { leavesNothing, mountView, painted, refuses } from "../../../support/view";

interface Golden {
  readonly message: ModelComparisonMessage;
  readonly offline: string;
  readonly traits: { stress: Record<string, unknown> };
  readonly compared: ComparedMessage;
  readonly refused: ComparedMessage;
}

const golden = readGolden<Golden>("stress_comparison.json");
const UNSTRESSED = { taus: {}, hold: "none" };
const [OLD] = golden.message.names as [string, string];

function mount(traits: Record<string, unknown> = {}) {
  const view = mountView(widget, { stress: UNSTRESSED, message: golden.message, compared: {}, ...traits });
  const at = (testid: string, within: ParentNode = view.el) =>
    within.querySelector(`[data-testid="${testid}"]`) as HTMLElement;
  const pair = (metric: string) => at(`pair-${metric}`);
  const say = (testid: string, metric?: string) =>
    at(testid, metric ? pair(metric) : view.el).textContent ?? "";
  return { ...view, at, pair, say };
}

const left = (element: Element | null) => Number.parseFloat((element as HTMLElement).style.left);

describe("the population of the comparison itself", () => {
  test("is what it opens on, in its own words; a stress moves on from there and back", () => {
    const own = { ...golden.compared, stress: UNSTRESSED, words: "age 45.0 on average (was 38.6)" };
    const shown = mount({ compared: own });
    const [pair] = golden.compared.pairs as readonly ComparedPairMessage[];
    expect(shown.say("population")).toContain("age 45.0 on average");
    expect(shown.say("first", "error_rate")).toBe(
      `${(100 * (pair as ComparedPairMessage).first).toFixed(1)} %`,
    );
    shown.model.set("stress", golden.traits.stress);
    expect(shown.say("population")).toContain("before; the kernel compares anew");
    shown.model.set("compared" as never, golden.compared as never);
    expect(shown.say("population")).not.toContain("age 45.0");
    shown.model.set("stress", UNSTRESSED);
    shown.model.set("compared" as never, own as never);
    expect(shown.say("population")).toContain("age 45.0 on average");
  });
});

describe("as tested", () => {
  test("every metric has both values, the difference with its interval, and a verdict", () => {
    const shown = mount();
    const tested = golden.message.tested[0] as ComparedPairMessage;
    expect(shown.el.querySelectorAll("tbody tr")).toHaveLength(golden.message.metrics.length);
    expect(shown.say("first", "error_rate")).toBe(`${(100 * tested.first).toFixed(1)} %`);
    expect(shown.say("second", "error_rate")).toBe(`${(100 * tested.second).toFixed(1)} %`);
    const [low, high] = [tested.lower, tested.upper].map((end) => `+${(100 * end).toFixed(1)}`);
    expect(shown.say("difference", "error_rate")).toContain(`points (${low} to ${high})`);
    expect(shown.say("verdict", "error_rate")).toBe(`${OLD} is better`);
    expect(shown.say("verdict", "portion_1")).toBe("they differ");
    expect(shown.say("population")).toContain("the data as they are: 300 rows");
    expect(shown.say("at-rest")).toContain("linked view");
    const saved = mount({ message: { ...golden.message, offline: golden.offline } });
    expect([saved.say("at-rest"), saved.at("at-rest").hidden]).toEqual(["", true]);
    expect(shown.el.querySelector("i i, b b")).toBeNull();
  });

  test("marks of both models share a scale: the larger value stands farther right", () => {
    const row = mount().pair("error_rate");
    const dots = row.querySelectorAll(".ts-pair-dot");
    expect(left(dots[0] as Element)).toBeLessThan(left(dots[1] as Element));
    for (const dot of dots) expect(left(dot)).toBeGreaterThan(0);
  });

  test("a metric that is not defined says so and draws nothing", () => {
    const none = { ...golden.message.tested[0], second: null, difference: null, lower: null, upper: null };
    const holes = { ...none, second_lower: null, second_upper: null, better: -1, reliability: "unreliable" };
    const shown = mount({
      message: { ...golden.message, tested: [holes, ...golden.message.tested.slice(1)] },
    });
    expect(shown.say("second", "error_rate")).toBe("n/a");
    expect(shown.say("difference", "error_rate")).toContain("no interval");
    expect(shown.say("verdict", "error_rate")).toBe("not defined");
    const [first, second] = shown.pair("error_rate").querySelectorAll<HTMLElement>(".ts-pair-dot");
    expect([first?.hidden, second?.hidden]).toEqual([false, true]);
    expect(shown.pair("error_rate").querySelector(".ts-is-unreliable")).not.toBeNull();
  });

  test.each([{ reliability: "unreliable" }, { lower: null }, { upper: null }])(
    "without an interval to read there is no verdict: %o",
    (missing) => {
      for (const [better, ends] of [
        [0, { lower: 0.1, upper: 0.2 }],
        [-1, { lower: -0.1, upper: 0.2 }],
        [-1, { lower: 0.1, upper: 0.2 }],
      ] as const) {
        const pair = { ...golden.message.tested[4], better, ...ends, ...missing };
        const tested = [...golden.message.tested.slice(0, 4), pair];
        expect(mount({ message: { ...golden.message, tested } }).say("verdict", "portion_1")).toBe(
          "not judged",
        );
      }
    },
  );

  test("an interval with zero inside tells nothing apart", () => {
    const apart = { ...golden.message.tested[4], better: -1, lower: -0.1, upper: 0.2 };
    const tested = [...golden.message.tested.slice(0, 4), apart];
    expect(mount({ message: { ...golden.message, tested } }).say("verdict", "portion_1")).toBe(
      "not told apart",
    );
  });
});

describe("under a stress", () => {
  test("the kernel is waited for, then its numbers stand with the population's", async () => {
    const shown = mount();
    shown.receive("stress", golden.traits.stress);
    await painted();
    expect(shown.say("population")).toContain("on its way");
    expect(shown.at("pairs").classList.contains("ts-is-stale")).toBe(true);
    shown.receive("compared", golden.compared);
    await painted();
    expect(shown.at("pairs").classList.contains("ts-is-stale")).toBe(false);
    expect(shown.say("population")).toContain(golden.compared.words);
    expect(shown.say("ess")).toContain(golden.compared.ess.toFixed(0));
    const now = golden.compared.pairs[0] as ComparedPairMessage;
    expect(shown.say("first", "error_rate")).toBe(`${(100 * now.first).toFixed(1)} %`);
    shown.receive("stress", { taus: { slope: 0.1 }, hold: "none" });
    await painted();
    expect(shown.say("population")).toContain("the kernel compares anew");
    shown.receive("stress", UNSTRESSED);
    await painted();
    expect(shown.say("population")).toContain("the data as they are");
  });

  test("what the kernel refuses is said, and the models shown as tested", () => {
    const shown = mount({ stress: golden.refused.stress, compared: golden.refused });
    expect(shown.say("population")).toContain("There is no feature 'missing'");
    expect(shown.say("population")).toContain("as tested");
  });

  test("a page without a kernel says that it has none", () => {
    const shown = mount({
      stress: golden.traits.stress,
      message: { ...golden.message, offline: golden.offline },
    });
    expect(shown.say("population")).toContain("This page has no kernel");
  });

  test("doubt of the weights is said", () => {
    const compared = { ...golden.compared, level: "unreliable", doubt: "a handful of rows" };
    const shown = mount({ stress: golden.traits.stress, compared });
    expect(shown.say("population-trust")).toMatch(
      /^○ unreliable: a handful of rows; [\d,]+ effective rows of/,
    );
  });
});

describe("what cannot be read is refused", () => {
  const { message } = golden;
  refuses(
    (wrong) => mount(wrong),
    [
      [{ message: { ...message, version: 2 } }, "version 2"],
      [
        { message: { ...message, tested: message.tested.slice(1) } },
        '"tested" must have an entry for each metric',
      ],
      [{ message: { ...message, names: ["one"] } }, '"names" must be a list of 2'],
      [{ compared: { ...golden.compared, pairs: [] } }, "compared.pairs"],
    ],
  );
});

leavesNothing(mount);
