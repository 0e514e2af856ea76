// @vitest-environment jsdom
import { afterEach, expect, test } from "vitest";
import widget from "../../../../src/views/stress/curves/index";
import { example, valueAt } from "../../../support/example";
import { fakeModel } from "../../../support/fake_model";

const MORE = 0.05;
let ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended) end();
  ended = [];
  document.body.replaceChildren();
});

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
  const given = example();
  const fake = fakeModel({
    ...given.traits,
    message,
    ...buffers,
    ...traits,
  });
  const el = document.createElement("div");
  document.body.append(el);
  const life = new AbortController();
  ended.push(() => life.abort());
  const props = { model: fake.model, el, signal: life.signal };
  widget.render(props as unknown as Parameters<typeof widget.render>[0]);
  return { ...fake, el, at: (id: string) => el.querySelector<HTMLElement>(`[data-testid="${id}"]`) };
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
