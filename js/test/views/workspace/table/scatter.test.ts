// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import widget from "../../../../src/views/workspace/table/index";
import { blend } from "../../../../src/views/workspace/table/scatter_canvas";
import { radiusOf } from "../../../../src/views/workspace/table/scatter_marks";
import {
  hashOf,
  nearestRow,
  rectangleOf,
  rowsWithin,
  type Side,
  sampleOf,
  stepped,
} from "../../../../src/views/workspace/table/scatter_points";
import { stressedTable, tableSamples, tableTraits, unshippedTable } from "../../../support/table_example";
import { mountView, painted, press } from "../../../support/view";

const HIGH = 400;

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, "getBoundingClientRect").mockReturnValue({
    ...{ left: 0, top: 0, right: 480, bottom: HIGH, width: 480, height: HIGH, x: 0, y: 0 },
    toJSON: () => ({}),
  });
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function mount(more: Record<string, unknown> = {}) {
  const view = mountView(widget, {
    ...tableTraits("plain"),
    display: "scatter",
    x: "",
    y: "",
    feature: "",
    ...more,
  });
  const plot = () => view.at("scatter");
  const pointer = (type: string, x: number, y: number, options: MouseEventInit = {}) =>
    plot().dispatchEvent(
      new MouseEvent(type, { clientX: x, clientY: y, bubbles: true, button: 0, ...options }),
    );
  const selection = () => view.state.selection as number[];
  return {
    ...view,
    pointer,
    selection,
    keys: (...keys: string[]) => keys.map((key) => press(plot(), key)),
    drag: (from: [number, number], to: [number, number], options: MouseEventInit = {}) => {
      pointer("pointerdown", ...from, options);
      pointer("pointermove", ...to, options);
      pointer("pointerup", ...to, options);
    },
  };
}

/** All that the plot has. */
const ALL: readonly [[number, number], [number, number]] = [
  [-50, -50],
  [2000, 2000],
];

describe("table or scatter", () => {
  test("one is shown, by a trait that is kept", async () => {
    const view = mount({ display: "table" });
    expect(view.at("scatter").closest("[hidden]")).not.toBeNull();
    view.at("display-scatter").click();
    expect(view.state.display).toBe("scatter");
    expect(view.at("display-scatter").getAttribute("aria-pressed")).toBe("true");
    expect(view.at("grid").hidden).toBe(true);
    expect(view.at("scatter").closest("[hidden]")).toBeNull();
    await painted();
    expect(view.saves).toHaveBeenCalled();
  });

  test("the usual columns are the feature chosen and the score; others are picked", () => {
    const view = mount({ feature: "slope" });
    expect(view.at<HTMLSelectElement>("scatter-x").value).toBe("slope");
    expect(view.at<HTMLSelectElement>("scatter-y").selectedOptions[0]?.textContent).toBe(
      "probability of yes",
    );
    view.enter("scatter-x", "age");
    expect(view.state.x).toBe("age");
    expect(view.at("scatter").getAttribute("aria-label")).toContain("age across");
    expect(view.text("scatter-legend")).toMatch(/right.*wrong/);
  });

  test("a row without a value has no place, and that is said", () => {
    expect(mount({ x: "slope" }).text("scatter-said")).toMatch(/without a value of these two/);
  });
});

describe("a rectangle", () => {
  test("selects the rows in it among those listed", () => {
    const view = mount({ x: "age", filter: "errors" });
    view.drag(...ALL);
    expect(view.selection()).toHaveLength(30);
    expect(view.text("scatter-rectangle")).toMatch(/^Within age .* to .*, probability of yes .*: 30 rows$/);
    expect(view.text("selected")).toMatch(/^30 rows selected/);
  });

  test("with Shift adds, without it begins anew", () => {
    const view = mount({ x: "age" });
    view.drag([-50, -50], [250, 2000]);
    const left = view.selection();
    view.drag([250, -50], [2000, 2000], { shiftKey: true });
    const both = view.selection();
    expect(both.length).toBeGreaterThan(left.length);
    expect(left.every((row) => both.includes(row))).toBe(true);
    view.drag([250, -50], [2000, 2000]);
    expect(view.selection()).toEqual(both.filter((row) => !left.includes(row)));
  });

  test("by keys: arrows make, move and stretch it, Space keeps, Escape clears", () => {
    const view = mount({ x: "age" });
    view.keys("ArrowRight");
    const first = view.text("scatter-rectangle");
    view.keys("ArrowRight", "ArrowUp");
    expect(view.text("scatter-rectangle")).not.toBe(first);
    for (let k = 0; k < 60; k++) press(view.at("scatter"), "ArrowUp", { shiftKey: true });
    for (let k = 0; k < 60; k++) press(view.at("scatter"), "ArrowRight", { shiftKey: true });
    const kept = view.selection();
    expect(kept.length).toBeGreaterThan(0);
    view.keys(" ");
    expect(view.text("scatter-rectangle")).toContain("kept");
    view.keys("ArrowLeft", ...Array(30).fill("ArrowLeft"), ...Array(30).fill("ArrowDown"));
    expect(kept.every((row) => view.selection().includes(row))).toBe(true);
    view.keys("Escape");
    expect(view.selection()).toEqual([]);
    expect(view.text("scatter-rectangle")).toBe("");
  });

  test("after Escape a first rectangle keeps nothing of before", () => {
    const view = mount({ x: "age", selection: [1, 2, 3] });
    view.keys("Escape", "ArrowUp");
    expect(view.selection()).not.toEqual(expect.arrayContaining([1, 2, 3]));
  });

  test("goes when another view selects", () => {
    const view = mount({ x: "age" });
    view.drag(...ALL);
    view.receive("selection", [4]);
    expect(view.text("scatter-rectangle")).toBe("");
    expect(view.text("selected")).toMatch(/^1 row selected/);
  });

  test("is announced in words", async () => {
    vi.useFakeTimers();
    const view = mount({ x: "age" });
    view.keys("ArrowUp");
    vi.advanceTimersByTime(600);
    expect(view.find("[aria-live]").textContent).toMatch(/^Rectangle: age .*selected/);
  });
});

describe("rows that the kernel has", () => {
  type Sample = ReturnType<typeof tableSamples>[number];
  const placesOf = ({ sampled, sample }: Sample) =>
    Array.from(new Uint32Array(Uint8Array.from(sample as Uint8Array).buffer, 0, sampled.n_sent as number));
  const { stress } = stressedTable("weighted");
  const open = (more: Record<string, unknown> = {}) =>
    mount({ ...unshippedTable(), x: "age", stress, ...more });
  const [all, errors] = tableSamples("plain") as [Sample, Sample];

  test("are waited for, then drawn as a sample, and that is said", async () => {
    const view = open();
    expect(view.text("scatter-waiting")).toContain("The kernel draws a sample");
    expect(view.at("scatter").hidden).toBe(true);
    for (const [name, value] of Object.entries(all)) view.receive(name, value);
    await painted();
    expect(view.at("scatter-waiting").hidden).toBe(true);
    expect(view.at("scatter").hidden).toBe(false);
    expect(view.text("scatter-said")).toContain(
      "40 of 60 rows, drawn at random, seed 0; a rectangle selects among those drawn.",
    );
    expect(view.text("scatter-legend")).toMatch(/right.*wrong/);
    expect(view.at("scatter").classList.contains("ts-is-stale")).toBe(true); // the rows are weighed elsewhere yet
  });

  test("a rectangle selects the rows drawn, a click looks at one", () => {
    const view = open({ ...all, ...stressedTable("plain"), selection: [], y: "age" });
    view.drag(...ALL);
    expect(view.selection()).toEqual(placesOf(all));
    expect(view.text("scatter-rectangle")).toMatch(/: 40 rows$/);
    view.drag([-50, 200], [2000, 2000]);
    const below = view.selection();
    expect(below.length).toBeGreaterThan(0);
    expect(placesOf(all)).toEqual(expect.arrayContaining(below));
    for (let at = 0; at < 400 && view.state.row === -1; at += 6) {
      view.pointer("pointerdown", 52 + at, HIGH - 40 - at * (334 / 414));
      view.pointer("pointerup", 52 + at, HIGH - 40 - at * (334 / 414));
    }
    expect(placesOf(all)).toContain(view.state.row);
  });

  test("the rows of before are greyed until those asked for are there", async () => {
    const view = open({ ...all, ...stressedTable("plain") });
    const isStale = () => view.at("scatter").classList.contains("ts-is-stale");
    expect(isStale()).toBe(false);
    view.enter("filter", "errors");
    expect(isStale()).toBe(true);
    for (const [name, value] of Object.entries(errors)) view.receive(name, value);
    await painted();
    expect(isStale()).toBe(false);
    expect(view.text("scatter-said")).not.toContain("drawn at random");
    view.drag(...ALL);
    expect(view.selection()).toEqual(placesOf(errors));
  });

  test("a rectangle keeps its rows while another sample comes, and goes with another stress", async () => {
    const view = open({ ...all, ...stressedTable("plain"), selection: [] });
    view.drag([-50, 200], [2000, 2000]);
    const [first, said] = [view.selection(), view.text("scatter-rectangle")];
    for (const [name, value] of Object.entries(errors)) view.receive(name, value);
    await painted();
    expect([view.selection(), view.text("scatter-rectangle")]).toEqual([first, said]);
    view.receive("sampled", { ...errors.sampled, stress: { taus: { age: 0.1 }, hold: "none" } });
    await painted();
    expect(view.text("scatter-rectangle")).toBe("");
  });

  test("have the weights under the stress that came along", () => {
    const view = open({ ...all, ...stressedTable("plain"), selection: [], y: "weight under the stress" });
    view.drag([-50, -50], [2000, 180]);
    const heavy = view.selection();
    expect(heavy.length).toBeGreaterThan(0);
    expect(heavy.length).toBeLessThan(40);
    const weights = new Float32Array(Uint8Array.from(all.sample_weights as Uint8Array).buffer);
    const places = placesOf(all);
    const least = Math.min(...heavy.map((row) => weights[places.indexOf(row)] as number));
    const others = places.filter((row) => !heavy.includes(row));
    expect(Math.max(...others.map((row) => weights[places.indexOf(row)] as number))).toBeLessThanOrEqual(
      least,
    );
  });
});

test("a click on a point looks at its row", () => {
  const view = mount({ x: "age", y: "age", search: "#7" });
  for (let at = 0; at < 400 && view.state.row !== 7; at += 6) {
    view.pointer("pointerdown", 52 + at, HIGH - 40 - at * (334 / 414));
    view.pointer("pointerup", 52 + at, HIGH - 40 - at * (334 / 414));
  }
  expect(view.state.row).toBe(7);
  expect(view.selection()).toEqual([]);
});

test("weights under the stress can stand along a side", () => {
  const view = mount({ ...stressedTable("plain"), selection: [], y: "weight under the stress" });
  expect(view.at<HTMLSelectElement>("scatter-y").value).toBe("weight under the stress");
});

describe("points", () => {
  const side = (at: number[]): Side => ({
    ...{ name: "", label: "", levels: [], ticks: [] },
    at: Float32Array.from(at),
    between: () => "",
  });
  const pair: readonly [Side, Side] = [side([0.1, 0.5, 0.9, Number.NaN]), side([0.1, 0.5, 0.9, 0.5])];

  test("a sample is as large as it may be, the same again, and of the rows listed", () => {
    const rows = Uint32Array.from({ length: 20000 }, (_, k) => 2 * k);
    const drawn = sampleOf(rows, 5000);
    expect(drawn).toHaveLength(5000);
    expect(sampleOf(rows, 5000)).toEqual(drawn);
    expect(drawn.every((row) => row % 2 === 0)).toBe(true);
    const mean = drawn.reduce((sum, row) => sum + row, 0) / drawn.length;
    expect(Math.abs(mean / 19999 - 1)).toBeLessThan(0.05);
    expect(sampleOf(rows.subarray(0, 10), 5000)).toHaveLength(10);
  });

  test("the hash is spread evenly", () => {
    const below = Array.from({ length: 10000 }, (_, row) => hashOf(row, 1)).filter(
      (one) => one < 2 ** 31,
    ).length;
    expect(Math.abs(below - 5000)).toBeLessThan(200);
  });

  test("rows without a place are in no rectangle, and near no point", () => {
    expect(rowsWithin([3, 2, 1, 0], pair, rectangleOf([1, 1], [0.4, 0]))).toEqual([1, 2]);
    expect(nearestRow([0, 1, 2, 3], pair, [0.52, 0.5], [100, 100], 5)).toBe(1);
    expect(nearestRow([0, 1, 2, 3], pair, [0.3, 0.3], [100, 100], 5)).toBe(-1);
  });

  test("a rectangle stays within the plot", () => {
    let one = stepped(null, "ArrowUp", false, 0.3);
    for (let k = 0; k < 9; k++) one = stepped(one, "ArrowUp", false, 0.3);
    expect(one?.y[1]).toBeCloseTo(1);
    expect((one?.y[1] ?? 0) - (one?.y[0] ?? 0)).toBeCloseTo(0.2);
    for (let k = 0; k < 9; k++) one = stepped(one, "ArrowDown", true, 0.3);
    expect((one?.y[1] ?? 0) - (one?.y[0] ?? 0)).toBeCloseTo(0.02);
    expect(stepped(one, "x", false, 0.1)).toBeNull();
  });

  test("the area goes with the weight", () => {
    expect(radiusOf(2) ** 2 / radiusOf(1) ** 2).toBeCloseTo(2);
    expect(radiusOf(0)).toBe(0);
    expect(radiusOf(1e6)).toBe(8);
  });

  test("are blended as a browser blends", () => {
    const image = (width: number, data: number[]) =>
      ({ width, height: data.length / 4 / width, data: Uint8ClampedArray.from(data) }) as ImageData;
    const onto = image(2, [0, 0, 0, 0, 200, 0, 0, 255]);
    blend(onto, image(2, [0, 100, 0, 128, 0, 100, 0, 128]), 0, 0);
    expect([...onto.data]).toEqual([0, 100, 0, 128, 100, 50, 0, 255]);
    blend(onto, image(2, [9, 9, 9, 255, 7, 7, 7, 255]), -1, 0);
    expect([...onto.data.subarray(0, 4)]).toEqual([7, 7, 7, 255]);
  });
});
