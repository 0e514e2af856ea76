// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import widget from "../../../../src/views/stress/image/index";
import { changes, largestChange, otherTau } from "../../../../src/views/stress/image/state";
import { decodeStressImage } from "../../../../src/wire/stress/image";
import { REASONS, reasonBytes } from "../../../support/example";
import { layoutOf } from "../../../support/layout";
import { leavesNothing, mountView, painted, refuses } from "../../../support/view";

const SHAPE = [2, 3, 1] as const;
const TAUS = [-1, -0.5, 0, 0.5, 1];
const PIXELS = 6;
const METRICS = [
  { name: "portion_0", label: "share predicted 0", kind: "share", events: ["rows", "others"] },
  { name: "error_rate", label: "error rate", kind: "share", events: ["errors", "correct predictions"] },
];

/** Pixel 0 cannot be moved, pixel 5 is unreliable away from 0. */
function valueAt(metric: number, tau: number, pixel: number): number {
  return pixel === 0 ? Number.NaN : 0.5 + 0.05 * (metric + 1) * tau * (pixel - 2);
}

function example(intervals = true, channels = 1) {
  const pixels = PIXELS * channels;
  const each = Array.from({ length: pixels }, (_, k) => Math.floor(k / channels));
  const parts = intervals ? [0, -0.01, 0.01] : [0];
  const answers = METRICS.flatMap((_, i) =>
    TAUS.flatMap((tau) => parts.flatMap((half) => each.map((p) => valueAt(i, tau, p) + half))),
  );
  const population = TAUS.flatMap((tau) => [
    ...each.map((p) => 100 + 50 * tau + p),
    ...each.map((p) => (p === 0 ? Number.NaN : p === 5 && tau !== 0 ? 7 : 400)),
    ...each.map(() => 0.1),
  ]);
  const message = {
    version: 1,
    title: "Stress image of a <b>model</b>",
    n_rows: 1000,
    shape: [SHAPE[0], SHAPE[1], channels],
    taus: TAUS,
    confidence: 0.95,
    metrics: METRICS,
    intervals,
    notes: ["1 of 6 pixels has one value"],
    reliability: REASONS,
    layout: {
      answers: layoutOf(["value", "lower", "upper"].slice(0, parts.length), "metric tau field pixel", [
        METRICS.length,
        TAUS.length,
        parts.length,
        pixels,
      ]),
      population: layoutOf(["target", "ess", "pareto_k"], "tau field pixel", [TAUS.length, 3, pixels]),
      reasons: layoutOf(["reason", "amount"], "metric tau field pixel", [
        METRICS.length,
        TAUS.length,
        2,
        pixels,
      ]),
    },
  };
  const reasons = METRICS.flatMap(() =>
    TAUS.flatMap((tau) => {
      const [codes, amounts] = [0, 1].map((part) =>
        each.map((p) => reasonBytes(p === 5 && tau !== 0 ? "few_rows_beyond" : "none", 7)[part] as number),
      );
      return [...(codes as number[]), ...(amounts as number[])];
    }),
  );
  const floats = (values: number[]) => new DataView(new Float32Array(values).buffer);
  return {
    message,
    answers: floats(answers),
    population: floats(population),
    reasons: Uint8Array.from(reasons),
  };
}

const drawn: ImageData[] = [];
beforeEach(() => {
  drawn.length = 0;
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation((() => ({
    createImageData: (width: number, height: number) => ({
      ...{ width, height },
      data: new Uint8ClampedArray(4 * width * height),
    }),
    putImageData: (picture: ImageData) => drawn.push(picture),
  })) as never);
});

afterEach(() => {
  vi.restoreAllMocks();
});

function mount(traits: Record<string, unknown> = {}) {
  const view = mountView(widget, { tau: 1, against: "opposite", ...example(), ...traits });
  return { ...view, maps: () => view.all("map") };
}

describe("numbers", () => {
  test("are found where the layout says", () => {
    for (const intervals of [true, false]) {
      const data = decodeStressImage(example(intervals));
      expect(data.map(1, 4, "value")[3]).toBeCloseTo(valueAt(1, 1, 3), 6);
      expect(data.map(1, 4, "lower")[3] ?? null).toEqual(
        intervals ? expect.closeTo(valueAt(1, 1, 3) - 0.01, 6) : null,
      );
      expect(data.population(0, "target")[2]).toBe(52);
    }
  });

  test("differences, what they are to, and their scale", () => {
    const data = decodeStressImage(example());
    expect(otherTau(data, { tau: 4, against: "opposite" })).toBe(0);
    expect(otherTau(data, { tau: 3, against: "unstressed" })).toBe(2);
    expect(changes(data, 0, 0, 4)[4]).toBeCloseTo(0.2, 6);
    // pixel 5 would move more, but is not believed
    expect(largestChange(data, "opposite")).toBeCloseTo(0.4, 6);
    expect(largestChange(data, "unstressed")).toBeCloseTo(0.2, 6);
  });
});

describe("what cannot be read is refused", () => {
  const { message } = example();
  refuses(
    (change) => mount(change),
    [
      [{ message: { ...message, version: 3 } }, "version 3"],
      [{ message: { ...message, shape: [2, 3] } }, '"shape" must be a list of 3'],
      [{ message: { ...message, shape: [2, 3, 0] } }, "height, width and channels"],
      [{ message: { ...message, taus: [0.5, 1] } }, "must include 0"],
      [{ message: { ...message, metrics: [] } }, "at least one metric"],
      [{ answers: new Uint8Array(4) }, "answers"],
    ],
  );

  test("a message that is not there yet is waited for", async () => {
    const shown = mount({ message: {} });
    expect(shown.el.textContent).toContain("Waiting for the maps");
    shown.receive("message", message);
    await painted();
    expect(shown.maps()).toHaveLength(2);
  });
});

test("a map for each metric, drawn once, and redrawn when τ moves", () => {
  vi.spyOn(globalThis, "getComputedStyle").mockImplementation((element) => {
    const point = element.getAttribute("style")?.includes("--ts-baseline");
    const middle = element.getAttribute("style")?.includes("--ts-map-middle");
    const color = point ? "rgb(1, 2, 3)" : middle ? "rgb(0, 0, 0)" : "rgb(200, 100, 50)";
    return { color } as CSSStyleDeclaration;
  });
  const shown = mount();
  expect(drawn).toHaveLength(2);
  const picture = drawn[0] as ImageData;
  const [rows, columns] = SHAPE;
  expect([picture.width, picture.height]).toEqual([3 * columns, 3 * rows]);
  const point = (cell: number, i: number, j: number) => {
    const [row, column] = [3 * Math.floor(cell / columns) + i, 3 * (cell % columns) + j];
    const at = 4 * (row * picture.width + column);
    return [...picture.data.slice(at, at + 4)];
  };
  const cells = Array.from({ length: PIXELS }, (_, cell) => cell);
  expect(cells.map((cell) => point(cell, 0, 0)[3])).toEqual([90, 255, 255, 255, 255, 255]);
  const reds = cells.slice(1).map((cell) => point(cell, 0, 0)[0] as number);
  // changes go by pixel − 2: the last one's three halves of the one before, were it not pale
  expect(reds.slice(-2)).toEqual([100, Math.round(0.45 * 150)]);
  // the unreliable one is pale and has a point of another colour in its middle
  expect(cells.filter((cell) => String(point(cell, 1, 1)) !== String(point(cell, 2, 1)))).toEqual([5]);
  expect(shown.el.querySelector("b b")).toBeNull();
  const slider = shown.at("tau") as HTMLInputElement;
  slider.value = "3";
  slider.dispatchEvent(new Event("input"));
  expect(drawn).toHaveLength(4);
  expect(shown.state.tau).toBe(0.5);
  expect(shown.text("tau-words")).toBe("τ = 0.50 against τ = −0.50");
});

test("hovering and arrow keys read a pixel, without drawing again", () => {
  const shown = mount();
  const [map] = shown.maps() as [HTMLElement];
  const key = (name: string) => {
    const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true });
    map.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(shown.text("pixel")).toContain("row 1, column 1");
  expect(key("ArrowRight")).toBe(true);
  expect(shown.text("pixel")).toContain("row 1, column 2");
  expect(shown.text("readings")).toContain("unreliable: only 7 rows lie at or beyond the target");
  key("ArrowLeft");
  expect(shown.text("readings")).toContain("+20.0 points");
  map.getBoundingClientRect = () => ({ left: 0, top: 0, width: 30, height: 20 }) as DOMRect;
  map.dispatchEvent(new MouseEvent("pointermove", { clientX: 4, clientY: 4 }));
  expect(shown.text("pixel")).toContain("row 0, column 0");
  expect(shown.text("about")).toContain("cannot be moved");
  expect(shown.text("readings")).toContain("n/a");
  expect(key("Tab")).toBe(false);
  expect(drawn).toHaveLength(2);
  expect(map.getAttribute("aria-label")).toContain("cannot be moved");
});

test("compared with the unstressed metric", () => {
  const shown = mount();
  const picker = shown.at("against") as HTMLSelectElement;
  picker.value = "unstressed";
  picker.dispatchEvent(new Event("change"));
  expect(shown.state.against).toBe("unstressed");
  expect(shown.text("tau-words")).toBe("τ = 1.00 against as tested");
  shown.receive("tau", -1);
  expect((shown.at("tau") as HTMLInputElement).value).toBe("0");
});

test("channels are shown one at a time, and missing intervals said", () => {
  const shown = mount(example(false, 3));
  const picker = shown.at("channel") as HTMLSelectElement;
  expect(picker.hidden).toBe(false);
  picker.value = "2";
  picker.dispatchEvent(new Event("change"));
  expect(shown.text("pixel")).toContain("channel 2");
  expect(shown.el.textContent).toContain("Intervals are in the result's frame");
});

test("draws again when the page changes its theme", async () => {
  mount();
  document.body.setAttribute("data-jp-theme-light", "false");
  await new Promise((done) => setTimeout(done));
  expect(drawn).toHaveLength(4);
  document.body.removeAttribute("data-jp-theme-light");
});

leavesNothing(mount);
