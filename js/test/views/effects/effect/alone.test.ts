// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import { createViewDeriver } from "../../../../src/views/effects/effect/derive_view";
import widget from "../../../../src/views/effects/effect/index";
import { stateFromTraits } from "../../../../src/views/effects/effect/state";
import { decodeAnswer, decodeEffect } from "../../../../src/wire/effects/effect";
import type { FeatureEffectViewTraits } from "../../../../src/wire/messages";
import { aloneTraits } from "../../../support/effect_example";
import { readGolden } from "../../../support/golden";
import { mountView, press } from "../../../support/view";

type Ends = { lower: (number | null)[]; upper: (number | null)[] };
const kept =
  readGolden<Record<string, { bounds: { class: string; epsilon: number; certified: Ends; paper: Ends }[] }>>(
    "effect_alone.json",
  );

/** A page saved without rows, as it opens from the disk. */
function open(which: "bands" | "windows" | "two") {
  const view = mountView(widget, aloneTraits(which));
  return {
    ...view,
    press: (testid: string, key: string) => press(view.at(testid), key),
    band: () => view.el.querySelector(".ts-band")?.getAttribute("d") ?? "",
    legend: () => view.el.querySelector(".ts-legend")?.textContent ?? "",
  };
}

describe("a saved page without rows", () => {
  test("has the band of the distance that its words claim", () => {
    const page = open("bands");
    const ten = page.band();
    page.press("chart", "Home");
    const read = page.text("reading");
    expect(page.at<HTMLInputElement>("epsilon").disabled).toBe(false);
    page.press("epsilon", "End");
    expect(page.text("epsilon-value")).toBe("100 %");
    expect(page.legend()).toContain("within ε = 100 %");
    expect(page.band()).not.toBe(ten);
    expect(page.text("reading")).not.toBe(read);
  });

  test("has Python's bounds at each distance and for each class", () => {
    const traits = aloneTraits("bands") as unknown as FeatureEffectViewTraits;
    const message = decodeEffect(traits);
    const answer = decodeAnswer(message, message.parts, traits);
    const { derive } = createViewDeriver({
      message,
      columns: null,
      parts: message.parts,
      answer,
      groups: null,
    });
    const { bounds: all } = kept.bands as (typeof kept)[string];
    expect(all).toHaveLength(9);
    for (const { class: name, epsilon, certified, paper } of all) {
      const state = stateFromTraits(message, { ...traits, epsilon, target_class: name });
      const { bounds, distance } = derive({ ...state, point: null, paper: false });
      expect(distance).toBe(epsilon);
      for (const side of ["lower", "upper"] as const) {
        certified[side].forEach((value, g) => {
          expect(bounds?.certified[side][g]).toBeCloseTo(value as number, 5);
        });
        paper[side].forEach((value, g) => {
          expect(bounds?.paper?.[side][g]).toBeCloseTo(value as number, 5);
        });
      }
    }
  });

  test("whose bands are not in it holds the slider at the one it has, and says why", () => {
    const page = open("windows");
    expect(page.at<HTMLInputElement>("epsilon").disabled).toBe(true);
    expect(page.text("epsilon-fixed")).toContain("the band of this share alone is in it");
    expect(page.text("epsilon-value")).toBe("10 %");
    const band = page.band();
    expect(band).not.toBe("");
    page.receive("epsilon", 0.8);
    expect(page.text("epsilon-value")).toBe("10 %");
    expect(page.legend()).toContain("within ε = 10 %");
    expect(page.band()).toBe(band);
    const other = page.at<HTMLSelectElement>("class");
    other.value = "c";
    other.dispatchEvent(new Event("change", { bubbles: true }));
    expect(page.text("epsilon-fixed")).toContain("no band is in it");
    expect(page.text("epsilon-value")).toBe("none");
    expect(page.legend()).not.toContain("within ε");
  });

  test("of two features claims no band", () => {
    const page = open("two");
    expect(page.at("epsilon").closest<HTMLElement>(".ts-epsilon")?.hidden).toBe(true);
    expect(page.text("two-words")).toContain("no band is drawn");
    page.receive("epsilon", 0.8);
    page.press("chart", "Home");
    expect(page.text("reading")).toMatch(/^age 20, slope/);
    expect(page.text("reading")).not.toContain("certified");
    expect(page.at("chart").getAttribute("aria-label")).not.toContain("Band");
    expect(page.legend()).not.toContain("ε");
  });
});
