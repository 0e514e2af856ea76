// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import widget from "../../../../src/views/rules/rules/index";
import type { RulesTraits } from "../../../../src/wire/rules/rules";
import { rulesTraits } from "../../../support/rules_example";
import { mountView, painted, press } from "../../../support/view";

function mount(state: RulesTraits) {
  const view = mountView(widget, state);
  return {
    ...view,
    key: (testid: string, key: string) => press(view.at(testid), key),
    slide: (testid: string, value: number, event: "input" | "change") =>
      view.enter(testid, String(value), event),
  };
}

describe("the strip of sets", () => {
  test("rests on the set shown, its summary beside it", () => {
    const view = mount(rulesTraits());
    expect(view.text("pointed")).toBe("age + slope: 100.0 %, a minimal set");
    expect(view.at("strip").getAttribute("aria-valuetext")).toBe(
      "2 features. age + slope: 100.0 %, a minimal set",
    );
    expect(view.text("tried")).toBe(
      "11 of 15 sets were tried; 2 of them reach π = 0.9. The other 4 hold a set that suffices at π = 0.9, and were " +
        "not searched.",
    );
    expect(view.el.querySelectorAll(".ts-set-dot.ts-has-rule").length).toBe(2);
    expect(view.el.querySelectorAll(".ts-set-dot.ts-is-shown").length).toBe(1);
  });

  test("keys go through it, and Enter shows the rule of a minimal set", async () => {
    const view = mount(rulesTraits());
    view.key("strip", "ArrowLeft");
    expect(view.text("pointed")).toContain("<b>level</b> + slope");
    expect(view.text("headline")).toContain("age from 40");
    view.key("strip", "Enter");
    expect(view.text("headline")).toContain("<b>level</b> is high and slope");
    view.key("strip", "Home");
    view.key("strip", "Enter");
    expect(view.text("headline")).toContain("<b>level</b> is high and slope");
    view.key("strip", "ArrowUp");
    expect(view.at("strip").getAttribute("aria-valuetext")).toMatch(/^1 feature\. /);
    view.key("strip", "End");
    expect(Number(view.at("strip").getAttribute("aria-valuenow"))).toBe(4);
    view.key("strip", "Escape");
    expect(view.text("pointed")).toContain("<b>level</b> + slope");
    await painted();
    expect(view.state.rule).toBe(1);
  });

  test("a click on a set that has a chip chooses it", () => {
    const view = mount(rulesTraits());
    const [track] = view.el.querySelectorAll<HTMLElement>(".ts-set-track:has(.ts-set-dot)");
    if (!track) throw new Error("no track");
    track.getBoundingClientRect = () => ({ left: 0, width: 1000 }) as DOMRect;
    const click = (clientX: number) =>
      track.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX }));
    click(500);
    expect(view.text("headline")).toContain("age from 40");
    click(942);
    expect(view.text("headline")).toContain("<b>level</b> is high and slope");
  });

  test("where none reaches π the nearest is named", () => {
    const view = mount(rulesTraits("none"));
    expect(view.text("pointed")).toBe("age + <b>level</b> + slope + other: 87.5 %");
    expect(view.at("strip").closest("section")?.hidden).toBe(false);
    expect(view.text("classes")).toBe("no87.5 %yes12.5 %");
  });

  test("the best of each size are a table", async () => {
    const view = mount(rulesTraits());
    const details = view.at("strip").closest("section")?.querySelector("details") as HTMLDetailsElement;
    details.open = true;
    await painted();
    const lines = [...details.querySelectorAll("tbody tr")].map((line) =>
      [...line.children].map(({ textContent }) => textContent),
    );
    expect(lines.map(([size, tried]) => [size, tried])).toEqual([
      ["1", "4 of 4"],
      ["2", "6 of 6"],
      ["3", "1 of 4"],
    ]);
    expect(lines[1]?.slice(2)).toEqual(["age + slope", "100.0 %", "2"]);
  });
});

describe("what a set leaves open", () => {
  test("of classes a bar for each, the row's own marked", () => {
    const view = mount(rulesTraits("levels", { rule: 1 }));
    expect(view.text("classes")).toBe("no94.2 %yes5.8 %");
    expect(view.at("classes").querySelector(".ts-is-own")?.textContent).toContain("no");
    expect(view.at("cdf").hidden).toBe(true);
    expect(view.text("spread")).toMatch(/^The rows weigh as much as \d+ of equal weight\.$/);
  });

  test("of values the share in the span, which is the same-decision probability", () => {
    const view = mount(rulesTraits("value"));
    expect(view.text("spread")).toMatch(
      /^75\.3 % between 47\.07 and 74\.11, .* above; mean [\d.]+, predicted 60\.59\. The rows weigh as much as \d+ of equal weight\.$/,
    );
    expect(view.text("sdp")).toBe("75.3 %");
    expect(view.at("cdf").getAttribute("aria-label")).toContain("75.3 % between");
    expect(view.at("classes").hidden).toBe(true);
  });
});

describe("sliders", () => {
  test("π is shown while it slides, and asked for at the end", async () => {
    const view = mount(rulesTraits());
    view.slide("pi-slider", 0.6, "input");
    expect(view.at<HTMLInputElement>("pi").value).toBe("0.6");
    expect(view.text("tried")).toContain("reach π = 0.6.");
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
    view.slide("pi-slider", 0.6, "change");
    await painted();
    expect(view.state.pi).toBe(0.6);
    expect(view.text("late")).toBe("The kernel is asked for row 3 at π = 0.6…");
  });

  test("back where it was, nothing is asked for", async () => {
    const view = mount(rulesTraits("levels", { rule: 1 }));
    view.slide("pi-slider", 0.6, "input");
    view.slide("pi-slider", 0.9, "change");
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
    expect(view.text("tried")).toContain("π = 0.9.");
  });

  test.each([
    ["ArrowRight", 0.91],
    ["PageDown", 0.8],
    ["Home", 0.5],
    ["End", 1],
  ])("%s leads to %s", async (key, pi) => {
    const view = mount(rulesTraits());
    view.key("pi-slider", key);
    await painted();
    expect(view.state.pi).toBe(pi);
  });

  test("Escape leads back to the answer shown", async () => {
    const view = mount(rulesTraits());
    view.key("pi-slider", "Home");
    view.key("pi-slider", "Escape");
    await painted();
    expect(view.state.pi).toBe(0.9);
    expect(view.at("late").hidden).toBe(true);
  });

  test("the span follows t, and its square is asked for", async () => {
    const view = mount(rulesTraits("value"));
    expect(view.at<HTMLInputElement>("t").value).toBe("13.521");
    view.slide("t-slider", 5, "input");
    expect(view.text("spread")).toContain("between 55.59 and 65.59");
    view.slide("t-slider", 5, "change");
    await painted();
    expect(view.state.t).toBe(25);
    expect(view.text("late")).toBe("The kernel is asked for row 3 at π = 0.7 within ± 5…");
    view.key("t-slider", "PageUp");
    expect(view.at<HTMLInputElement>("t").value).toBe("10");
    view.key("t-slider", "Escape");
    expect(view.at<HTMLInputElement>("t").value).toBe("13.521");
  });

  test.each(["0", "-2", ""])("a span of %j is not asked for", async (typed) => {
    const view = mount(rulesTraits("value"));
    view.slide("t", typed as unknown as number, "change");
    await painted();
    expect(view.at<HTMLInputElement>("t").value).toBe("13.521");
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("a number typed is squared", async () => {
    const view = mount(rulesTraits("value"));
    view.slide("t", 12.5, "change");
    await painted();
    expect(view.state.t).toBe(156.25);
  });

  test("classes have none, and an interval is said", () => {
    const hidden = (view: ReturnType<typeof mount>, testid: string) =>
      view.at(testid).closest("[hidden]") !== null;
    const classes = mount(rulesTraits());
    expect([hidden(classes, "t"), hidden(classes, "interval")]).toEqual([true, true]);
    const given = mount(rulesTraits("interval"));
    expect([hidden(given, "t"), hidden(given, "interval")]).toEqual([true, false]);
    expect(given.text("interval")).toBe("counts as the same: from 30.00 to 70.00, as given");
  });

  test("without a kernel they are off", () => {
    const message = { ...(rulesTraits("value").message as object), live: false, offline: "No kernel here." };
    const view = mount(rulesTraits("value", { message }));
    const controls = ["pi", "pi-slider", "t", "t-slider"].map((one) => view.at<HTMLInputElement>(one));
    expect(controls.map(({ disabled, title }) => [disabled, title])).toEqual(
      controls.map(() => [true, "No kernel here."]),
    );
  });
});
