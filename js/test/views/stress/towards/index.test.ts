// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { readAmount } from "../../../../src/views/shared/amounts";
import widget from "../../../../src/views/stress/towards/index";
import type { ArrayMessage } from "../../../../src/wire/messages";
import { decodeTarget, decodeWay, stressOf } from "../../../../src/wire/stress/towards";
import { bytes } from "../../../support/golden";
import { layoutOf } from "../../../support/layout";
import { goldenWay as golden, wayTraits } from "../../../support/towards_example";
import { isOff, leavesNothing, mountView, painted, press, refuses } from "../../../support/view";

const UNSTRESSED = { taus: {}, hold: "none" };
const HALF = 5;

function mount(traits: Record<string, unknown> = {}, kept = golden.way) {
  const view = mountView(widget, { ...wayTraits(kept), ...traits });
  const metric = (name: string, cell: string) =>
    view.at(`metric-${name}`).querySelector(`[data-testid="${cell}"]`) as HTMLElement;
  const slider = view.at<HTMLInputElement>("amount");
  return { ...view, metric, slider, shown: () => view.at<HTMLInputElement>("typed").value };
}

const left = (element: Element | null | undefined) =>
  Number.parseFloat((element as HTMLElement | null)?.style.left ?? "");

test("numbers and stress of an amount are those of Python", () => {
  const message = decodeTarget(golden.way.traits.message);
  const way = decodeWay(golden.way.traits.path, bytes(golden.way.buffers.numbers), message);
  const step = way.steps[HALF];
  const { half } = golden;
  expect(step?.amount).toBe(0.5);
  for (const [name, found] of [
    ["ess", step?.ess],
    ["tv", step?.tv],
    ["kl", step?.kl],
    ["pareto_k", step?.pareto_k],
  ] as const) {
    expect(found).toBeCloseTo(half[name], 4);
  }
  expect(half.metrics).toHaveLength(message.metrics.length);
  for (const [j, row] of half.metrics.entries()) {
    for (const name of ["value", "lower", "upper"] as const) {
      expect(step?.expected[j]?.[name]).toBeCloseTo(row[name] as number, 6);
    }
  }
  for (const row of half.balance) {
    const k = message.features.findIndex(({ name }) => name === row.feature);
    expect(step?.balance[k]?.mean).toBeCloseTo(row.mean_after as number, 3);
    expect(step?.balance[k]?.smd).toBeCloseTo(row.smd_after as number, 5);
  }
  expect(stressOf(message, 0.5)).toEqual(half.stress);
  expect(stressOf(message, 0)).toEqual(UNSTRESSED);
});

describe("what cannot be read is refused", () => {
  const { message, path } = golden.way.traits;
  refuses(
    (wrong) => mount(wrong),
    [
      [{ message: { ...message, version: 2 } }, "version 2"],
      [{ message: { ...message, before: [0.1] } }, '"before" must have an entry for each metric'],
      [
        {
          message: {
            ...message,
            observed: [{ value: 0, lower: 0, upper: 0, level: "reliable", reason: "" }],
          },
        },
        "message.observed",
      ],
      [{ message: { ...message, taus: { slope: 1.5 } } }, "τ in [-1, 1]"],
      [{ path: { ...path, steps: [] } }, "step"],
      [{ path: { ...path, steps: [{ ...path.steps[0], reasons: [] }] } }, "steps[0].reasons"],
      [{ numbers: bytes(golden.way.buffers.numbers).slice(4) }, "numbers"],
    ],
  );

  test("a message that is not there yet is waited for", async () => {
    const shown = mount({ message: {} });
    expect(shown.el.textContent).toContain("Waiting for the other population");
    shown.receive("message", message);
    await painted();
    expect(shown.at("amount")).not.toBeNull();
  });
});

test("opens at the amount of the traits, every metric before and expected with its reliability", () => {
  const shown = mount({ amount: 0.5, stress: golden.half.stress });
  expect(shown.shown()).toBe("50 %");
  expect(shown.slider.getAttribute("aria-valuetext")).toBe("50 % of the way to 77 new rows");
  expect(shown.text("population")).toBe(
    "50 % of the way to 7 margins of 77 new rows; effective sample 171 of 300",
  );
  expect(shown.text("population-trust")).toMatch(/171 effective rows of 300$/);
  for (const row of golden.half.metrics.slice(0, 2)) {
    const name = row.metric as string;
    expect(shown.metric(name, "before").textContent).toBe(`${(100 * (row.before as number)).toFixed(1)} %`);
    expect(shown.metric(name, "expected").textContent).toContain(
      `${(100 * (row.value as number)).toFixed(1)} %`,
    );
    expect(shown.metric(name, "expected").textContent).toContain((100 * (row.upper as number)).toFixed(1));
    expect(shown.metric(name, "trust").textContent).toBe("reliable");
  }
  expect(shown.text("met")).toBe("Every margin is met.");
  expect(shown.text("headline")).toMatch(
    /^Error rate: 23\.7 % as tested, 16\.6 % expected \(.* – .*\)\. Reliable\.$/,
  );
  expect(shown.el.querySelector("[data-testid='observed']")).toBeNull();
  expect(shown.text("notes")).toContain("Interval: 95 %");
  expect(shown.text("notes")).toContain("33.8 % above the highest");
  expect(shown.el.querySelector("b b")).toBeNull();
});

test("a difference that is not judged says so and never stays silent", () => {
  const { path } = golden.labelled.traits;
  const beyond = golden.labels.map(() => null);
  const steps = path.steps.map((step) => ({ ...step, beyond }));
  const shown = mount({ path: { ...path, steps } }, golden.labelled);
  for (const { metric } of golden.labels) {
    const words = shown.metric(String(metric), "difference").lastElementChild as HTMLElement;
    expect([words.textContent, words.hidden]).toEqual(["not judged", false]);
  }
});

test("what was observed stands beside, on the same scale, and the difference with its own interval", () => {
  const shown = mount({}, golden.labelled);
  const said = Object.fromEntries(golden.labels.map((row) => [row.metric, row]));
  const percent = (name: string, column: string) => (100 * Number(said[name]?.[column])).toFixed(1);
  expect(shown.metric("error_rate", "observed").textContent).toBe(
    `${percent("error_rate", "observed")} % ${["lower", "upper"].map((end) => percent("error_rate", `observed_${end}`)).join(" – ")}`,
  );
  expect(shown.metric("error_rate", "difference").textContent).toBe(
    "−35.4 points −46.7 to −25.1 beyond chance",
  );
  expect(shown.metric("portion_1", "difference").textContent).toMatch(/^−1.0 points −5.8 to 3.5/);
  const beyond = ["error_rate", "portion_1"].map((name) => shown.metric(name, "difference").lastElementChild);
  expect(beyond.map((element) => (element as HTMLElement).hidden)).toEqual([false, true]);
  expect(shown.metric("recall", "trust").textContent).toMatch(/^wide: 7 .*; observed: wide: fewer than 2 /);
  expect(shown.metric("portion_1", "observed").classList).toContain("ts-is-wide");
  expect(shown.metric("portion_1", "expected").classList).not.toContain("ts-is-wide");
  expect(shown.text("headline")).toContain("37.7 % observed (26.9 – 49.4)");
  expect(shown.text("compared")).toMatch(/^Chance does not explain: error rate, /);
  expect(shown.text("notes")).toContain("Difference: expected less observed");
  const row = shown.at("metric-error_rate");
  const [expected, observed] = row.querySelectorAll(".ts-pair-dot");
  const ring = row.querySelector(".ts-way-ring");
  expect(left(expected)).toBeLessThan(left(ring));
  expect(left(ring)).toBeLessThan(left(observed));
});

test("what the labels say is said at the end of the way, and at rest", async () => {
  const shown = mount({ amount: 0, stress: UNSTRESSED }, golden.labelled);
  expect(shown.text("compared")).toMatch(/^Chance does not explain/);
  press(shown.slider, "ArrowRight");
  await painted();
  expect(shown.at("compared").hidden).toBe(true);
  expect(mount().at("compared").hidden).toBe(true);
});

test("keys move the slider, and amount and stress with it", async () => {
  const shown = mount();
  expect(shown.shown()).toBe("100 %");
  expect(press(shown.slider, "ArrowLeft").defaultPrevented).toBe(true);
  expect(shown.shown()).toBe("90 %");
  expect(shown.state.amount).toBe(0.9);
  expect(shown.state.stress).toEqual(stressOf(decodeTarget(golden.way.traits.message), 0.9));
  press(shown.slider, "PageDown");
  expect(shown.state.amount).toBe(0.7);
  expect(shown.text("population-trust")).toMatch(
    /^◐ wide: 17 rows carry 30 % of the weight; \d+ effective rows/,
  );
  await painted();
  expect(shown.saves).toHaveBeenCalledTimes(1);
  press(shown.slider, "Home");
  expect(shown.state.stress).toEqual(UNSTRESSED);
  expect(shown.text("at-rest")).toContain("Move the slider");
  expect(isOff(shown.at("reset"))).toBe(true);
  press(shown.slider, "End");
  expect(shown.state.amount).toBe(1);
  expect(press(shown.slider, "x").defaultPrevented).toBe(false);
  expect(press(shown.slider, "ArrowLeft", { ctrlKey: true }).defaultPrevented).toBe(false);
  shown.slider.value = "3";
  shown.slider.dispatchEvent(new Event("input", { bubbles: true }));
  expect(shown.state.amount).toBe(0.3);
  shown.at("reset").click();
  expect(shown.state.amount).toBe(0);
});

test("an amount can be typed", () => {
  const shown = mount();
  const type = (text: string) => {
    const box = shown.at<HTMLInputElement>("typed");
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    box.dispatchEvent(new Event("change", { bubbles: true }));
  };
  type("70 %");
  expect(shown.state.amount).toBe(0.7);
  type("0.24");
  expect(shown.state.amount).toBe(0.2);
  expect(shown.el.querySelector(".ts-problem")?.textContent).toBe("20 % is the nearest that was computed.");
  type("far");
  expect(shown.state.amount).toBe(0.2);
  expect(shown.el.querySelector(".ts-problem")?.textContent).toContain("such as 70 %");
});

test("what is typed is read as a part of the way", () => {
  const steps = decodeWay(
    golden.way.traits.path,
    bytes(golden.way.buffers.numbers),
    decodeTarget(golden.way.traits.message),
  ).steps;
  expect(readAmount("70", steps)).toEqual({ at: 7, words: "" });
  expect(readAmount("0,5", steps)).toEqual({ at: 5, words: "" });
  expect(readAmount("1", steps)).toEqual({ at: 10, words: "" });
  expect(readAmount("1 %", steps)).toEqual({ at: 0, words: "0 % is the nearest that was computed." });
  expect(readAmount("120", steps)).toEqual({ problem: "The way goes from 0 to 100 %." });
});

test("follows a linked view that is on the way, and says where one is not", () => {
  const shown = mount();
  shown.receive("stress", golden.half.stress);
  expect(shown.shown()).toBe("50 %");
  expect(shown.at("elsewhere").hidden).toBe(true);
  const foreign = { taus: { slope: 0.123 }, hold: "none" };
  shown.receive("stress", foreign);
  expect(shown.text("elsewhere")).toContain("is not on this way");
  expect(shown.state.stress).toBe(foreign);
  shown.receive("stress", UNSTRESSED);
  expect(shown.shown()).toBe("0 %");
  press(shown.slider, "ArrowRight");
  expect(shown.at("elsewhere").hidden).toBe(true);
  shown.receive("stress", { taus: { slope: "far" } });
  expect(shown.shown()).toBe("0 %");
});

test("where sliders cannot say it, the reason is given and the stress left alone", () => {
  const elsewhere = { taus: { slope: 0.2 }, hold: "none" };
  const shown = mount({ stress: elsewhere }, golden.missed);
  expect(shown.shown()).toBe("100 %");
  expect(shown.text("elsewhere")).toBe(
    "Other views cannot follow: not every margin is met, and sliders meet theirs.",
  );
  press(shown.slider, "ArrowLeft");
  expect(shown.state.amount).toBe(0.9);
  expect(shown.state.stress).toBe(elsewhere);
});

test("margins that are not met are listed, and numbers not to rely on marked", () => {
  const shown = mount({ amount: 1 }, golden.missed);
  expect(shown.at("missed").children).toHaveLength(3);
  expect(shown.text("missed")).toContain(
    "Mean of wave, 0.995 where 5 is asked, 5.66 standard deviations off",
  );
  expect(shown.el.querySelector(".ts-missed h3")?.textContent).toBe(
    "3 of 3 margins are not met at a price of 10 nats",
  );
  expect(shown.at("met").hidden).toBe(true);
  expect(shown.metric("error_rate", "trust").textContent).toMatch(/^unreliable: /);
  expect(shown.metric("error_rate", "trust").classList.contains("ts-doubtful")).toBe(true);
  expect(shown.metric("error_rate", "expected").classList.contains("ts-is-unreliable")).toBe(true);
  press(shown.slider, "Home");
  expect(shown.find(".ts-missed").hidden).toBe(true);
  expect(shown.at("met").hidden).toBe(false);
  const { path } = golden.missed.traits;
  const steps = path.steps.map((step) => ({ ...step, n_missed: 40 }));
  const many = mount({ path: { ...path, steps }, amount: 1 }, golden.missed);
  expect(many.at("missed").lastElementChild?.textContent).toBe("And 37 more, in .margins");
});

/** Numbers of steps without labels of the new rows. */
function stepsOf(n: number, metrics: number, features: number): readonly ArrayMessage[] {
  const blocks = [
    layoutOf(["ess", "tv", "kl", "pareto_k"], "field", [4]),
    layoutOf(["value", "lower", "upper"], "metric field", [metrics, 3], 4),
    layoutOf(
      ["difference", "difference_lower", "difference_upper"],
      "observed field",
      [0, 3],
      4 + 3 * metrics,
    ),
    layoutOf(["mean", "smd"], "feature field", [features, 2], 4 + 3 * metrics),
  ];
  const width = 4 + 3 * metrics + 2 * features;
  return blocks.flat().map(({ dims, shape, strides, ...one }) => ({
    ...one,
    dims: ["step", ...dims],
    shape: [n, ...shape],
    strides: [width, ...strides],
  }));
}

test("a ring before and a dot now for each feature, names whole for who asks, more on demand", async () => {
  const shown = mount();
  const rows = () => [...shown.at("love").children];
  expect(rows()).toHaveLength(golden.way.traits.message.features.length);
  const slope = rows()[0];
  expect(slope?.querySelector(".ts-name")?.getAttribute("title")).toBe("slope");
  expect(slope?.textContent).toContain("−1.60 → 0.00");
  expect(left(slope?.querySelector(".ts-pair-dot"))).toBeCloseTo(50);
  expect(left(slope?.querySelector(".ts-way-ring"))).toBeLessThan(10);
  press(shown.slider, "Home");
  expect(left(slope?.querySelector(".ts-pair-dot"))).toBeCloseTo(
    left(slope?.querySelector(".ts-way-ring")),
    1,
  );
  expect(shown.at("more").hidden).toBe(true);

  const { message, path } = golden.way.traits;
  const features = Array.from({ length: 30 }, (_, k) => ({
    ...message.features[0],
    name: `x${k}`,
    smd: 0.2,
  }));
  const step = new Float32Array(4 + 3 * message.metrics.length + 60).fill(0.05);
  const long = mount({
    message: { ...message, features },
    path: { ...path, steps: path.steps.slice(0, 1), layout: stepsOf(1, message.metrics.length, 30) },
    numbers: step,
  });
  expect(long.at("love").children).toHaveLength(20);
  expect(long.text("more")).toBe("+ 10 more");
  long.at("more").click();
  expect(long.at("love").children).toHaveLength(30);
  expect(long.at("love").lastElementChild?.textContent).toContain("+0.20 → +0.05");
  expect(long.at("more").hidden).toBe(true);
});

test("the table has every feature, dates as dates", () => {
  const shown = mount();
  const details = shown.el.querySelector(".ts-love-plot details") as HTMLDetailsElement;
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  const row = [...details.querySelectorAll("tbody tr")].find((one) => one.textContent?.startsWith("signed"));
  expect(row?.textContent).toMatch(/2020-07-\d\d/);
  expect(details.querySelectorAll("tbody tr")).toHaveLength(golden.way.traits.message.features.length);
});

test("until all of the way is there, the slider waits and says so; then it moves", async () => {
  const { path, message } = golden.way.traits;
  const all = bytes(golden.way.buffers.numbers);
  const width = all.length / path.steps.length;
  const layout = stepsOf(1, message.metrics.length, message.features.length);
  const last = { layout, steps: path.steps.slice(-1), done: 3, total: 11, problem: "" };
  const shown = mount({ path: last, numbers: all.slice(-width), amount: 1 });
  expect(shown.slider.disabled).toBe(true);
  expect(shown.text("progress")).toBe("Computing the way: 3 of 11 amounts…");
  expect(shown.shown()).toBe("100 %");
  shown.receive("path", { ...last, problem: "these rows are gone" });
  expect(shown.text("progress")).toBe("these rows are gone");
  shown.receive("numbers", all);
  shown.receive("path", path);
  await painted();
  expect(shown.slider.disabled).toBe(false);
  expect(shown.at("progress").hidden).toBe(true);
  press(shown.slider, "ArrowLeft");
  expect(shown.shown()).toBe("90 %");
  expect(message.amounts).toHaveLength(11);
});

test("a population without a known mean says so", () => {
  const { message, path } = golden.way.traits;
  const numbers = new Float32Array(4 + 3 * message.metrics.length).fill(0.5);
  const shown = mount({
    message: { ...message, features: [] },
    path: { ...path, steps: path.steps.slice(0, 1), layout: stepsOf(1, message.metrics.length, 0) },
    numbers,
  });
  expect(shown.find(".ts-love-plot").textContent).toContain("No mean of the other population is known.");
});

leavesNothing(mount);
