import { describe, expect, test } from "vitest";
import { curveScene } from "../../src/marks/curve_scene";
import { rocScene } from "../../src/marks/roc_scene";
import type { Series } from "../../src/marks/scene";
import { BOLD, textWidth } from "../../src/marks/text_width";

const taus = [-1, -0.5, 0, 0.5, 1];
const all = taus.map(() => 0);

function line(name: string, slope: number, levels: number[] = all): Series {
  const y = taus.map((tau) => 0.3 + slope * tau);
  const [lower, upper] = [y.map((v) => v - 0.02), y.map((v) => v + 0.02)];
  return { name, x: taus, y, lower, upper, levels };
}

describe("curveScene", () => {
  const series = [line("up", 0.2), line("down", -0.2), line("flat", 0, [0, 0, 0, 2, 2])];
  const scene = curveScene(series, { width: 640, taus, zero: 2, kind: "share", yTitle: "error rate" });

  test("all curves meet on the baseline at τ = 0", () => {
    const baseline = scene.guides.find(({ kind }) => kind === "baseline");
    for (const feature of [0, 1, 2]) {
      expect(scene.point(feature, 2).y).toBeCloseTo(baseline?.from.y ?? Number.NaN, 6);
    }
  });
  test("points lie inside the frame, larger values higher", () => {
    const { left, right, top, bottom } = scene.frame;
    const point = scene.point(0, 4);
    expect(point.x).toBeCloseTo(right, 6);
    expect(scene.point(0, 0).x).toBeCloseTo(left, 6);
    expect(point.y).toBeGreaterThanOrEqual(top);
    expect(scene.point(1, 4).y).toBeLessThanOrEqual(bottom);
    expect(point.y).toBeLessThan(scene.point(1, 4).y);
  });
  test("a value beyond an axis stands at its edge, and says on which side", () => {
    const { left, right, top, bottom } = scene.frame;
    expect(scene.place(0, 0.3).beyond).toEqual({ x: 0, y: 0 });
    expect(scene.place(1, 99)).toEqual({ x: right, y: top, beyond: { x: 0, y: -1 } });
    expect(scene.place(-9, -99)).toEqual({ x: left, y: bottom, beyond: { x: -1, y: 1 } });
  });
  test("the pointer finds the nearest line, or none", () => {
    const near = scene.point(1, 4);
    expect(scene.pick({ x: near.x - 30, y: near.y - 4 })).toBe(1);
    expect(scene.pick({ x: near.x, y: scene.frame.top })).toBeNull();
  });
  test("a pixel stands for the nearest τ", () => {
    const { x } = scene.point(0, 3);
    expect(scene.tauAt(0, { x: x + 5, y: 0 })).toBe(3);
    expect(scene.tauAt(0, { x: -100, y: 0 })).toBe(0);
  });
  test("what is unreliable is faded and says so", () => {
    const front = scene.front(2);
    expect(front.line.faded).not.toBe("");
    expect(front.band?.faded).not.toBe("");
    expect(front.remarks.map(({ text }) => text)).toEqual(["unreliable"]);
    expect(scene.front(0).line.faded).toBe("");
    expect(scene.front(0).remarks).toEqual([]);
  });
  test("unreliable intervals do not stretch the axis", () => {
    const wild = { ...line("wild", 0.1, [0, 0, 0, 0, 2]) };
    const upper = [...(wild.upper as number[])];
    upper[4] = 1;
    const tame = curveScene([wild], { width: 640, taus, zero: 2, kind: "share", yTitle: "" });
    const with_ = curveScene([{ ...wild, upper }], { width: 640, taus, zero: 2, kind: "share", yTitle: "" });
    expect(with_.yTicks).toEqual(tame.yTicks);
  });
  test("a grid of one side has ticks of that side only", () => {
    const half = { width: 640, taus: [0, 0.5, 1], zero: 0, kind: "share", yTitle: "" } as const;
    const right = { name: "right", x: half.taus, y: [0.3, 0.4, 0.5], levels: [0, 0, 0] };
    expect(curveScene([right], half).xTicks.map(({ label }) => label)).toEqual(["0", "+0.5", "+1"]);
  });

  test.each([640, 320, 204])("labels of ticks do not touch, %d pixels wide", (width) => {
    const options = { width, taus, zero: 2, kind: "share", yTitle: "" } as const;
    const score = { ...options, taus: [0, 0.25, 0.5, 0.75, 1], xTitle: "score" };
    const roc = { ...options, start: "", xTitle: "" };
    for (const { xTicks } of [
      curveScene(series, options),
      curveScene(series, score),
      rocScene(series, roc),
    ]) {
      expect(xTicks.length).toBeGreaterThan(1);
      xTicks.slice(1).forEach(({ at, label }, k) => {
        const before = xTicks[k] as (typeof xTicks)[number];
        expect(at - before.at).toBeGreaterThan((textWidth(label, 12) + textWidth(before.label, 12)) / 2);
      });
    }
    expect(curveScene(series, options).xTicks.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["−1", "0", "+1"]),
    );
  });
  test("of another quantity than τ has its own ticks, and a line where it stands now if anywhere", () => {
    const at = [0.1, 0.2, 0.5, 0.8, 0.9];
    const options = { width: 640, taus: at, kind: "share", yTitle: "", xTitle: "score" } as const;
    const here = curveScene(series, { ...options, zero: 2 });
    expect(here.xTitle).toBe("score");
    expect(here.xTicks.map(({ label }) => label)).toEqual(["0.2", "0.4", "0.6", "0.8"]);
    expect(here.guides).toHaveLength(1);
    expect(here.guides[0]?.from.x).toBe(here.point(0, 2).x);
    expect(curveScene(series, { ...options, zero: -1 }).guides).toEqual([]);
  });
  test("each end is named, the names apart", () => {
    const labels = scene.front(0).labels;
    expect(labels.map(({ text }) => text).sort()).toEqual(["down", "flat", "up"]);
    const heights = labels.map(({ y }) => y).sort((a, b) => a - b);
    expect((heights[1] as number) - (heights[0] as number)).toBeGreaterThanOrEqual(15);
  });
  test("a metric that is not defined somewhere leaves a gap", () => {
    const gap = { ...line("gap", 0.1), y: [0.2, Number.NaN, 0.3, 0.35, Number.NaN] };
    const broken = curveScene([gap], { width: 640, taus, zero: 2, kind: "share", yTitle: "" });
    expect(broken.line(0).solid.match(/M/g)?.length).toBe(2);
    expect(broken.front(0).labels).toHaveLength(1);
    expect(Number.isNaN(broken.point(0, 1).y)).toBe(true);
  });
});

describe("lines drawn, and the others", () => {
  const series = [
    { ...line("job = Sales", 0.2), label: "Sales" },
    line("low", -0.1),
    line("high", 0.1),
    line("wild", 0.6, [0, 0, 0, 2, 2]),
  ];
  const options = { width: 640, taus, zero: 2, kind: "share", yTitle: "" } as const;
  const scene = curveScene(series, { ...options, drawn: [0] });
  const height = (feature: number, t: number) => Math.round(10 * scene.point(feature, t).y) / 10;

  test("the others are an area between the lowest and the highest that is not unreliable", () => {
    const heights = scene.envelope.match(/(?<=,)[\d.]+/g)?.map(Number);
    expect(heights?.slice(0, 5)).toEqual([1, 1, 2, 2, 2].map((feature, t) => height(feature, t)));
    expect(heights?.slice(5)).toEqual([1, 1, 2, 3, 3].map((feature, t) => height(feature, 4 - t)));
    expect(curveScene(series, options).envelope).toBe("");
  });
  test("an unreliable line that is not drawn stretches no axis", () => {
    expect(scene.yTicks.at(-1)?.label).toBe("60 %");
  });
  test("drawn ones alone are found and named, by their labels", () => {
    expect(scene.context).toHaveLength(1);
    expect(scene.front(0).labels.map(({ text }) => text)).toEqual(["Sales"]);
    expect(scene.pick(scene.point(1, 4))).toBeNull();
    expect(
      scene
        .front(2)
        .labels.map(({ text }) => text)
        .sort(),
    ).toEqual(["Sales", "high"]);
  });
});

describe("rocScene", () => {
  const series: Series[] = [
    { name: "a", x: [0.01, 0.03, 0.05, 0.1, 0.2], y: [0.3, 0.5, 0.6, 0.8, 0.9], levels: all },
    { name: "b", x: [0.1, 0.07, 0.05, 0.04, 0.03], y: [0.7, 0.65, 0.6, 0.5, 0.4], levels: all },
  ];
  const scene = rocScene(series, { width: 640, zero: 2, start: "τ = −1", xTitle: "FPR", yTitle: "TPR" });

  test("all paths cross at the unstressed point", () => {
    expect(scene.point(0, 2)).toEqual(scene.point(1, 2));
    expect(scene.front(0).origin).toEqual(scene.point(0, 2));
  });
  test("a false positive rate goes right, a true positive rate up", () => {
    expect(scene.point(0, 4).x).toBeGreaterThan(scene.point(0, 2).x);
    expect(scene.point(0, 4).y).toBeLessThan(scene.point(0, 2).y);
  });
  test("the pointer finds a path and its τ", () => {
    const at = scene.point(1, 0);
    expect(scene.pick({ x: at.x + 2, y: at.y - 2 })).toBe(1);
    expect(scene.tauAt(1, at)).toBe(0);
    expect(scene.tauAt(0, scene.point(0, 4))).toBe(4);
  });
  test.each([1600, 640, 320, 204])(
    "the chosen name, bold, stays inside and leaves its end, %d pixels wide",
    (width) => {
      const names = [
        "COMMERCE AND WHOLESALE MARKETS",
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
        "doctorate in any science",
      ];
      for (const name of names) {
        const long = series.map((one) => ({ ...one, name }));
        const narrow = rocScene(long, { width, zero: 2, start: "", xTitle: "", yTitle: "" });
        for (const feature of [0, 1]) {
          const label = narrow.front(feature).labels.find((one) => one.feature === feature);
          const [at, text] = [label?.x ?? Number.NaN, label?.text ?? ""];
          expect(text.length).toBeGreaterThan(2);
          // the widest common face, bold
          const wide = BOLD * textWidth(text, 12);
          expect(label?.anchor === "start" ? at + wide : at).toBeLessThanOrEqual(width);
          expect(label?.anchor === "start" ? at : at - wide).toBeGreaterThanOrEqual(narrow.frame.left - 2);
        }
      }
    },
  );
  test("says which end is which", () => {
    expect(scene.front(0).remarks.map(({ text }) => text)).toEqual(["as tested", "τ = −1"]);
    expect(scene.front(0).labels.map(({ text }) => text)).toContain("a");
    expect(scene.cursor).toBe(false);
  });
});
