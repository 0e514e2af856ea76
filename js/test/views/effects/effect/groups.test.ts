// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import widget from "../../../../src/views/effects/effect/index";
import { decodeEffect, decodeGroups } from "../../../../src/wire/effects/effect";
import type { FeatureEffectViewTraits } from "../../../../src/wire/messages";
import { effectTraits, groupTraits } from "../../../support/effect_example";
import { mountView, painted, press } from "../../../support/view";

const STRESS = { taus: { age: 0.5 }, hold: "none" };
const UNSTRESSED = { taus: {}, hold: "none" };

interface Given {
  live?: boolean;
  stressed?: boolean;
  [trait: string]: unknown;
}

function mount(which: "age" | "level", { live = true, stressed = false, ...more }: Given = {}) {
  const { traits } = groupTraits(which, stressed);
  const stress = stressed ? STRESS : UNSTRESSED;
  return mountView(widget, { ...effectTraits(which, { live }), ...traits, stress, ...more });
}

const words = (element: Element, selector: string) =>
  [...element.querySelectorAll(selector)].map((one) => one.textContent);

describe("the numbers of groups", () => {
  test.each(["age", "level"] as const)("are Python's: %s", (which) => {
    for (const stressed of [false, true]) {
      const { traits, numbers } = groupTraits(which, stressed);
      const all = { ...effectTraits(which), ...traits } as unknown as FeatureEffectViewTraits;
      const message = decodeEffect(all);
      const groups = decodeGroups(message, message.parts, all);
      const [Q, N, G] = [3, 2, message.parts[0]?.n_points as number];
      expect(groups?.groups.map(({ label }) => label)).toEqual(["<i>west</i>", "east"]);
      // Python's table has group by group, and in each class by class
      for (const [name, field] of Object.entries({ effect: "value", lower: "lower", upper: "upper" })) {
        const ours = Array.from({ length: N }, (_, group) =>
          Array.from({ length: Q }, (_, output) => [
            ...(groups?.curves(output)[group]?.[field as "value"] ?? []),
          ]).flat(),
        ).flat();
        const theirs = numbers.curves[name as "effect"];
        expect(ours).toHaveLength(N * Q * G);
        ours.forEach((value, k) => {
          expect(value).toBeCloseTo(theirs[k] ?? Number.NaN, 5);
        });
      }
      numbers.gaps.gap.forEach((theirs, k) => {
        const gap = groups?.gap(Math.floor(k / G), k % G);
        expect(gap?.value).toBeCloseTo(theirs as number, 5);
        expect(gap?.lower).toBeCloseTo(numbers.gaps.gap_lower[k] as number, 5);
        expect(gap?.upper).toBeCloseTo(numbers.gaps.gap_upper[k] as number, 5);
      });
    }
  });

  test("of another length cannot be shown", () => {
    const view = mount("age", { group_numbers: new Uint8Array(8) });
    expect(view.el.querySelector("[role=alert]")?.textContent).toMatch(
      /"group_numbers" must hold \d+ numbers/,
    );
  });
});

describe("groups along numbers", () => {
  test("have a line and an interval each, named at its end, never as markup", () => {
    const view = mount("age");
    expect(view.el.querySelectorAll(".ts-overlay.ts-of-group")).toHaveLength(2);
    expect(view.el.querySelectorAll(".ts-group-interval")).toHaveLength(2);
    expect(words(view.el, ".ts-name")).toEqual(["<i>west</i>", "east"]);
    expect(view.el.querySelector(".ts-name i")).toBeNull();
    expect(view.text("group-rows")).toBe("Effective rows: <i>west</i> 40 of 40, east 20 of 20.");
    expect(view.text("group-gap")).toMatch(/^Farthest apart at age .*: .* − .* points \(.* – .*\)\.$/);
    expect(words(view.el, ".ts-by-group li").join()).toContain("Intervals of gaps");
    expect(view.find(".ts-legend").textContent).toContain("groups by site");
    expect(view.text("group-note")).toBe("");
  });

  test("are read off at a point with their gap, and stand in the table", () => {
    const view = mount("age", { stressed: true });
    press(view.at("chart"), "Home");
    expect(view.text("reading")).toMatch(
      /; <i>west<\/i> .* % \(.*\); east .* % \(.*unreliable\); gap .* − .* points \(/,
    );
    const table = view.find<HTMLDetailsElement>(".ts-chart details");
    table.open = true;
    table.dispatchEvent(new Event("toggle"));
    expect(words(table, "th")).toEqual(
      expect.arrayContaining(["<i>west</i>", "<i>west</i>, lower", "east, upper", "gap", "gap, lower"]),
    );
  });

  test("an unreliable group is faint", () => {
    const faint = (stressed: boolean) => mount("age", { stressed }).el.querySelectorAll(".ts-faded").length;
    expect([faint(false), faint(true)]).toEqual([0, 1]);
  });
});

test("groups of levels have numbers below each level, which the words explain", () => {
  const view = mount("level");
  const rows = () => Number(view.at("chart").getAttribute("height"));
  expect(words(view.el, ".ts-group-number")).toEqual(["1", "2", "1", "2", "1", "2"]);
  expect(view.el.querySelectorAll("rect.ts-group-interval")).toHaveLength(6);
  expect(view.text("group-rows")).toContain("1 <i>west</i> 38 of 40, 2 east 19 of 20");
  expect(view.find(".ts-legend").textContent).toContain("groups by site, by their numbers");
  const before = rows();
  view.enter("by", "");
  expect(rows()).toBeLessThan(before);
  expect(view.el.querySelectorAll(".ts-group-number")).toHaveLength(0);
});

describe("what is picked", () => {
  test("is said to the kernel, and waited for", async () => {
    const view = mount("age", { by: "", groups: {}, group_numbers: new Uint8Array() });
    expect(view.find(".ts-by-group").hidden).toBe(true);
    view.enter("by", "site");
    expect(view.state.by).toBe("site");
    expect(view.text("group-note")).toBe("The kernel computes the curves of groups by site…");
    for (const [name, value] of Object.entries(groupTraits("age").traits)) view.receive(name, value);
    await painted();
    expect(view.text("group-note")).toBe("");
    expect(view.el.querySelectorAll(".ts-of-group.ts-overlay")).toHaveLength(2);
    view.enter("by", "");
    expect(view.state.by).toBe("");
    expect(view.el.querySelectorAll(".ts-of-group.ts-overlay")).toHaveLength(0);
    expect(view.find(".ts-by-group").hidden).toBe(true);
  });

  test("is dimmed while it is of another population", async () => {
    const view = mount("age", { stress: STRESS });
    expect(view.find(".ts-chart").className).toContain("ts-is-stale");
    expect(view.text("group-note")).toContain("The kernel computes");
    for (const [name, value] of Object.entries(groupTraits("age", true).traits)) view.receive(name, value);
    await painted();
    expect(view.find(".ts-chart").className).not.toContain("ts-is-stale");
  });

  test("cannot be had: why", () => {
    const { by, groups } = groupTraits("age").traits;
    const view = mount("age", {
      by,
      groups: { ...groups, groups: [], error: "Curves are drawn of 2 to 12 groups." },
    });
    expect(view.text("group-note")).toBe("Curves are drawn of 2 to 12 groups.");
    expect(view.el.querySelectorAll(".ts-overlay")).toHaveLength(0);
    expect(view.find(".ts-legend").textContent).not.toContain("groups by site");
  });

  test("is not offered for two features, or where there is nothing to pick", () => {
    const label = (view: ReturnType<typeof mount>) => view.at("by").closest("label") as HTMLElement;
    const view = mount("age");
    expect(label(view).hidden).toBe(false);
    view.enter("second-feature", "slope");
    expect(label(view).hidden).toBe(true);
    expect(label(mountView(widget, effectTraits("age", { by: [] })) as never).hidden).toBe(true);
  });
});

describe("a saved page", () => {
  test("keeps its groups, and says of which population they are", () => {
    const view = mount("age", { live: false });
    expect(view.text("group-note")).toBe("");
    view.receive("stress", STRESS);
    expect(view.text("group-note")).toBe(
      "The groups are of the data as they are: this copy has no kernel to move them.",
    );
    const stressed = mount("age", { live: false, stressed: true, stress: UNSTRESSED });
    expect(stressed.text("group-note")).toMatch(/^The groups are of age .* on average \(was .*\): this copy/);
  });

  test("says that groups of another effect are not in it", () => {
    const view = mount("age", { live: false, kind: "ale" });
    expect(view.text("group-note")).toBe(
      "Groups by site of this effect are not in this copy, which has no kernel.",
    );
  });
});
