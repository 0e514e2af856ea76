// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import widget, { decodeShown } from "../../../../src/views/stress/calibration/index";
import type { CalibrationMessage, CalibrationShownMessage } from "../../../../src/wire/messages";
import { readGolden } from "../../../support/golden";
import { mountView, painted, refuses } from "../../../support/view";

interface Kept {
  readonly group: string;
  readonly stress: { taus: Record<string, number>; hold: string };
  readonly message: CalibrationMessage;
  readonly shown: CalibrationShownMessage;
}
type Row = Readonly<Record<string, number | string | null>>;
interface Golden {
  readonly tested: Kept;
  readonly groups: Kept;
  readonly stressed: Kept;
  readonly refused: CalibrationShownMessage;
  readonly expected: Record<"tested" | "groups", { readonly summary: Row[]; readonly changes: Row[] }>;
}

const golden = readGolden<Golden>("stress_calibration.json");
const UNSTRESSED = { taus: {}, hold: "none" };
const LIVE = { ...golden.tested.message, offline: "" };
const SLOPE = "calibration_slope";
const ECE = "expected_calibration_error";

const mount = (kept: Kept, traits: Record<string, unknown> = {}) => mountView(widget, { ...kept, ...traits });
const two = (value: unknown) => (value as number).toFixed(2).replace("-", "−");
const percent = (value: unknown) => (100 * (value as number)).toFixed(1);

test.each(["tested", "groups"] as const)("numbers are those of Python: %s", (which) => {
  const { message, shown } = golden[which];
  const { groups } = decodeShown(shown, message);
  const { summary, changes } = golden.expected[which];
  expect(changes).toHaveLength(which === "tested" ? 0 : 6);
  for (const [g, name] of message.groups.entries()) {
    for (const [j, { name: measure }] of message.measures.entries()) {
      const own = (row: Row) => row.measure === measure && (row.group ?? "") === name;
      const rows = summary.filter(own);
      const told = groups[g]?.measures[j];
      expect(told?.before).toBe(rows[0]?.value);
      expect([told?.value, told?.lower, told?.upper, told?.why]).toEqual(
        [rows.at(-1)].flatMap((row) => [row?.value, row?.lower, row?.upper, row?.note]),
      );
      const change = changes.find(own);
      expect(told?.change).toEqual(change ? change.change : Number.NaN);
    }
  }
});

describe("what cannot be read is refused", () => {
  const { message, shown } = golden.groups;
  refuses(
    (wrong) => mount(golden.groups, wrong),
    [
      [{ message: { ...message, version: 2 } }, "version 2"],
      [{ message: { ...message, groups: [] } }, "group"],
      [{ shown: { ...shown, groups: [] } }, "2 groups"],
      [{ shown: { ...shown, groups: [{ ...shown.groups[0], measures: [] }] } }, "measures"],
    ],
  );

  test("a message that is not there yet is waited for", async () => {
    const shown = mount(golden.tested, { message: {} });
    expect(shown.el.textContent).toContain("Waiting for the calibration");
    shown.receive("message", golden.tested.message);
    await painted();
    expect(shown.at("headline").textContent).toContain("lope");
  });
});

describe("all rows", () => {
  test("as tested: each measure with its interval, its word, and no column of a stress", () => {
    const shown = mount(golden.tested);
    const slope = golden.expected.tested.summary.find(({ measure }) => measure === SLOPE) as Row;
    expect(shown.text(SLOPE)).toContain(two(slope.value));
    expect(shown.text(SLOPE)).toContain(`${two(slope.lower)} to ${two(slope.upper)}`);
    expect(shown.text("headline")).toContain(`slope: ${two(slope.value)}`);
    expect(shown.find(".ts-measures").classList.contains("ts-unmoved")).toBe(true);
    expect(shown.text("measures")).toContain("1 if calibrated");
    expect(shown.text("measures")).toContain("reliable");
    expect(shown.text("population")).toBe("the data as they are");
    expect(shown.text("notes")).toContain("“if calibrated” on average");
    expect(shown.at("group").hidden).toBe(true);
    expect(shown.el.querySelectorAll(".ts-reliability .ts-dot")).toHaveLength(5);
    expect(shown.el.querySelector(".ts-other-model")).toBeNull();
    expect(shown.find(".ts-reliability").getAttribute("aria-label")).toContain("% predicted,");
  });

  test("under a stress: before, now and the change, and both curves", () => {
    const shown = mount(golden.stressed);
    const row = golden.stressed.shown.groups[0]?.measures[2];
    expect(shown.text(SLOPE)).toContain(two(row?.value));
    expect(shown.text("headline")).toContain(`as tested ${two(row?.before)}`);
    expect(shown.text(`${SLOPE}-change`)).toContain(two(row?.change));
    // how much chance makes of it has no interval, so that no change is told
    expect(shown.text(`${ECE}-change`).trim()).toBe("n/a");
    expect(shown.el.querySelector(".ts-other-model")).not.toBeNull();
    expect(shown.text("legend")).toContain("Dashed, and outlined below: as tested.");
    expect(shown.text("ess")).toBe(golden.stressed.shown.ess.toFixed(0));
    expect(shown.text("population")).toContain("slope");
  });

  test("every bin is a row of the table, of both populations", () => {
    const shown = mount(golden.stressed);
    const details = shown.all("legend")[0]?.parentElement?.querySelector("details") as HTMLDetailsElement;
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    const rows = details.querySelectorAll("tbody tr");
    const { tested, bins } = golden.stressed.shown.groups[0] as CalibrationShownMessage["groups"][number];
    expect(rows).toHaveLength(tested.length + bins.length);
    expect(rows[0]?.textContent).toContain(`${percent(tested[0]?.observed)} %`);
    expect(rows[tested.length]?.textContent).toContain("under the stress");
  });

  test("a measure that is not defined says why", () => {
    const { shown } = golden.tested;
    const [first, ...rest] = shown.groups[0]?.measures ?? [];
    const why = "unreliable: no positives";
    const hole = { ...first, value: null, lower: null, upper: null, level: "unreliable", why };
    const groups = [{ ...shown.groups[0], measures: [hole, ...rest] }];
    const now = mount(golden.tested, { shown: { ...shown, groups } });
    expect(now.text("calibration_in_the_large").trim()).toBe("n/a");
    expect(now.text("measures")).toContain(why);
  });
});

describe("groups", () => {
  test("each has its numbers, the gap its interval, and the one chosen is in front", async () => {
    const shown = mount(golden.groups);
    expect(shown.state.group).toBe("high");
    const gap = golden.groups.shown.gaps.find(({ measure }) => measure === 2);
    expect(shown.all("gap")[2]?.textContent).toContain(`+${two(gap?.gap)}`);
    expect(shown.all("gap")[2]?.textContent).toContain(`to +${two(gap?.upper)}`);
    expect(shown.text("group-rows")).toMatch(/^Effective rows: high \d+ of 200, low \d+ of 100\.$/);
    const before = shown.find(".ts-chosen").getAttribute("points");
    shown.enter("group", "low");
    expect(shown.state.group).toBe("low");
    await painted();
    expect(shown.find(".ts-chosen").getAttribute("points")).not.toBe(before);
    expect(shown.text("headline")).toMatch(/^low: /);
    expect(shown.saves).toHaveBeenCalledTimes(1);
    shown.receive("group", "high");
    await painted();
    expect(shown.find(".ts-chosen").getAttribute("points")).toBe(before);
    expect(shown.el.querySelector("b b")).toBeNull();
  });
});

describe("a stress set elsewhere", () => {
  test("leaves the last numbers pale until the kernel has answered", async () => {
    const shown = mount(golden.tested, { message: LIVE });
    const was = shown.text(SLOPE);
    shown.receive("stress", golden.stressed.stress);
    await painted();
    expect(shown.text("population")).toContain("before; the kernel compares anew");
    expect(shown.find(".ts-measures").classList.contains("ts-is-stale")).toBe(true);
    expect(shown.text(SLOPE)).toBe(was);
    shown.receive("shown", golden.stressed.shown);
    await painted();
    expect(shown.find(".ts-measures").classList.contains("ts-is-stale")).toBe(false);
    expect(shown.text(SLOPE)).not.toBe(was);
  });

  test("that cannot be met is said, and the last population stays", async () => {
    const shown = mount(golden.tested, { message: LIVE });
    shown.receive("stress", golden.refused.stress);
    shown.receive("shown", golden.refused);
    await painted();
    expect(shown.text("population")).toContain("There is no feature 'missing'");
    expect(shown.text("population")).toContain("Shown for the data as they are");
    expect(shown.at("population").classList.contains("ts-notice")).toBe(true);
  });

  test("that could not be met from the start leaves no number, and says so", () => {
    const shown = mount(golden.tested, {
      message: LIVE,
      stress: golden.refused.stress,
      shown: golden.refused,
    });
    expect(shown.text("population")).toContain("There is no feature 'missing'");
    expect(shown.text("headline")).toBe("Nothing could be computed.");
    expect(shown.el.querySelector("[role=alert]")).toBeNull();
  });

  test("a page without a kernel says that it has none", () => {
    const shown = mount(golden.tested, { stress: { taus: { slope: 0.1 }, hold: "none" } });
    expect(shown.text("population")).toContain("no kernel");
    expect(shown.text("at-rest")).toBe("");
    expect(mount(golden.tested, { stress: UNSTRESSED, message: LIVE }).text("at-rest")).toContain(
      "linked view",
    );
  });
});
