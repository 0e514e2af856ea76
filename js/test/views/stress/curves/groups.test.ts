// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import widget from "../../../../src/views/stress/curves/index";
import type { StressCurvesMessage } from "../../../../src/wire/messages";
import { bytes, readGolden } from "../../../support/golden";
import { mountView } from "../../../support/view";

type Row = Readonly<Record<string, number | string>>;
const golden = readGolden<{
  message: StressCurvesMessage;
  traits: object;
  buffers: Record<string, string>;
  groups: {
    message: { metrics: string[]; labels: string[]; group_rows: number[] };
    numbers: string;
    cells: Row[];
    gaps: Row[];
  };
}>("stress_curves.json");
const BY = "<b>level</b>";
const { groups } = golden;
const whole = Object.fromEntries(Object.entries(golden.buffers).map(([name, text]) => [name, bytes(text)]));

function mount(traits: object = {}, message: object = {}) {
  const view = mountView(widget, {
    ...golden.traits,
    ...whole,
    ...{
      message: { ...golden.message, ...message },
      groups: groups.message,
      group_numbers: bytes(groups.numbers),
    },
    ...traits,
  });
  const picker = (testid: string) => view.at<HTMLSelectElement>(testid);
  return {
    ...view,
    pick(testid: string, value: string) {
      picker(testid).value = value;
      picker(testid).dispatchEvent(new Event("change", { bubbles: true }));
    },
    lines: () =>
      [...view.at("groups").querySelectorAll("tbody tr")].map(({ textContent }) => textContent ?? ""),
    labels: () => [...view.el.querySelectorAll(".ts-plane .ts-name")].map(({ textContent }) => textContent),
  };
}

const cell = (group: string, shift: string, tau = 0.25) =>
  groups.cells.find(
    (one) =>
      one.shift === shift &&
      one.group === group &&
      one.tau === tau &&
      one.feature === "slope" &&
      one.metric === "error_rate",
  ) as Row;
const percent = (value: unknown) => `${(100 * Number(value)).toFixed(1)} %`;

describe("all rows together", () => {
  test("show no groups, and nothing is computed for them", () => {
    const view = mount({ by: "" });
    expect(view.at("groups").closest("[hidden]")).not.toBeNull();
    expect(view.at("groups").textContent).toBe("");
    expect(view.at("shift").hidden).toBe(true);
  });

  test("have no picker where rows cannot be told apart", () => {
    expect(mount({}, { by: [] }).at("by").closest("[hidden]")).not.toBeNull();
  });
});

describe("groups picked", () => {
  test("are a line each in chart and table, as Python counts them", () => {
    const view = mount();
    view.pick("by", BY);
    expect(view.model.get("by")).toBe(BY);
    for (const [k, label] of groups.message.labels.entries()) expect(view.labels()[k]).toContain(label);
    for (const [k, group] of groups.message.labels.entries()) {
      const one = cell(group, "marginal");
      expect(view.lines()[k]).toContain(percent(one.value));
      expect(view.lines()[k]).toContain(`→ ${percent(one.share)} of rows`);
      expect(view.lines()[k]).toContain(
        `${Math.round(Number(one.ess))} of ${groups.message.group_rows[k]} effective`,
      );
    }
  });

  test("are told apart by gap, ratio and the worst", () => {
    const view = mount({ by: BY });
    const [one] = groups.gaps.filter(
      ({ shift, tau, feature, metric }) =>
        shift === "marginal" && tau === 0.25 && feature === "slope" && metric === "error_rate",
    );
    expect(view.text("gap")).toContain(`Gap ${one?.largest} − ${one?.smallest}: `);
    expect(view.text("gap")).toContain(`${(100 * Number(one?.gap)).toFixed(1)} points`);
    expect(view.text("gap")).toContain(`worst: ${one?.worst}`);
    expect(view.text("gap")).toContain(`smallest to largest ${Number(one?.ratio).toFixed(2)}`);
  });

  test("move by themselves where asked to, and each kind of shift has its name", () => {
    const view = mount({ by: BY });
    expect(view.text("group-note")).toMatch(/a marginal shift/);
    view.pick("shift", "within");
    expect(view.model.get("within")).toBe(true);
    expect(view.text("group-note")).toMatch(/Each group moves by itself \(a shift within groups\)/);
    const [first = ""] = groups.message.labels;
    expect(view.lines()[0]).toContain(percent(cell(first, "within").value));
    expect(view.text("legend")).toMatch(/of each group by itself/);
  });

  test("leave the number above to all rows, which it says", () => {
    const view = mount({ by: "" });
    const heading = () => view.at("value").closest(".ts-figures > div")?.textContent;
    expect(heading()).toMatch(/^at τ = 0\.25/);
    view.pick("by", BY);
    expect(heading()).toMatch(/^all rows, at τ = 0\.25/);
  });

  test("follow the slider, and at rest have one number each", () => {
    const view = mount({ by: BY, tau: 0 });
    const [first = ""] = groups.message.labels;
    expect(view.lines()[0]).not.toContain("→");
    expect(view.lines()[0]).toContain(percent(cell(first, "marginal", 0).value));
  });

  test("of a metric without them say so", () => {
    const without = { ...groups.message, metrics: ["other", ...groups.message.metrics.slice(1)] };
    const view = mount({ by: BY, groups: without, metric: "portion_1" });
    expect(view.text("group-note")).toMatch(/takes all rows at once/);
    expect(view.lines()).toEqual([]);
  });

  test("that are not here are waited for, or said to be missing", () => {
    expect(mount({ by: BY, groups: {} }).text("group-note")).toMatch(/^The kernel follows groups by/);
    expect(mount({ by: BY, groups: {} }, { live: false }).text("group-note")).toMatch(/not in this copy/);
  });

  test("that cannot be are refused in the kernel's words", () => {
    const error = "Curves are drawn of 2 to 12 groups; 'country' makes 41.";
    expect(
      mount({ by: BY, groups: { by: BY, error }, group_numbers: new Uint8Array() }).text("group-note"),
    ).toBe(error);
  });
});
