// @vitest-environment jsdom
import { expect, test } from "vitest";
import widget from "../../../../src/views/stress/curves/index";
import { example, valueAt } from "../../../support/example";
import { mountView } from "../../../support/view";

const MORE = 0.05;
/** Another model's curves: each number .05 higher. */
function withBeside() {
  const given = example();
  const { curves } = given.buffers;
  const higher = new Float32Array(curves.buffer.slice(0)).map((value) => value + MORE);
  return {
    ...given,
    message: { ...given.message, beside: "<b>other</b>" },
    beside: new DataView(higher.buffer),
  };
}

function mount(traits: Record<string, unknown>, message: unknown, buffers: Record<string, unknown>) {
  return mountView(widget, { ...example().traits, message, ...buffers, ...traits });
}

test("another model's curve of the chosen feature stands in the same axes, with its number", () => {
  const { message, buffers, beside } = withBeside();
  const shown = mount({ feature: "hours", tau: 0.5 }, message, { ...buffers, beside });
  const line = shown.el.querySelector(".ts-other-model");
  expect(line?.getAttribute("d")).toMatch(/^M[\d.]+,[\d.]+L/);
  expect(shown.at("beside")?.textContent).toBe(`${(100 * (valueAt(2, 0, 0.5) + MORE)).toFixed(1)} %`);
  expect(shown.el.querySelector(".ts-lines")?.textContent).toContain("Dashed: <b>other</b>");
  expect(shown.el.querySelector("b b")).toBeNull();
  const first = line?.getAttribute("d");
  shown.receive("feature", "age");
  expect(shown.el.querySelector(".ts-other-model")?.getAttribute("d")).not.toBe(first);
});

test("without one there is neither line nor number", () => {
  const { message, buffers } = example();
  const shown = mount({ feature: "hours", tau: 0.5 }, message, { ...buffers });
  expect(shown.el.querySelector(".ts-other-model")).toBeNull();
  expect(shown.at("beside")?.closest("[hidden]")).not.toBeNull();
});

test("a state saved before there were two models is read", () => {
  const { message, buffers } = example();
  const { beside: _, ...before } = message;
  const shown = mount({ feature: "hours" }, before, { ...buffers });
  expect(shown.el.querySelector("[role=alert]")).toBeNull();
});
