// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import widget from "../../../../src/views/stress/surface/index";
import { beyondTheMap, cellAfterKey } from "../../../../src/views/stress/surface/state";
import type { StressSurfaceMessage } from "../../../../src/wire/messages";
import { decodeStressSurface } from "../../../../src/wire/stress/surface";
import { bytes, readGolden } from "../../../support/golden";
import { leavesNothing, mountView, painted, press, refuses } from "../../../support/view";

/** How far a packed number that is drawn may be off, as a share of it. */
const DRAWN = 2 ** -15;

type Expected = {
  tau_1: number;
  tau_2: number;
  metric: string;
  status: string;
  reliability: string;
} & Record<
  "value" | "lower" | "upper" | "ess" | "pareto_k" | "kl" | "tv" | "n_carriers" | "carried",
  number | null
>;

interface Golden {
  readonly message: StressSurfaceMessage;
  readonly traits: { stress: { taus: Record<string, number>; hold: string }; metric: string };
  readonly buffers: Record<"answers" | "population" | "reasons", string>;
  readonly expected: readonly Expected[];
}

const golden = readGolden<Golden>("stress_surface.json");
const buffers = {
  answers: bytes(golden.buffers.answers),
  population: bytes(golden.buffers.population),
  reasons: bytes(golden.buffers.reasons),
};
const { taus, sides } = golden.message;
const zero = taus.indexOf(0);

function mount(traits: Record<string, unknown> = {}) {
  const first = { stress: { taus: {}, hold: "none" }, metric: "portion_1", message: golden.message };
  return mountView(widget, { ...first, ...buffers, ...traits });
}

test("every number Python names is found where it says", () => {
  const data = decodeStressSurface({ message: golden.message, ...buffers });
  expect(golden.expected.length).toBeGreaterThan(0);
  for (const one of golden.expected) {
    const place = taus.indexOf(one.tau_1) * taus.length + taus.indexOf(one.tau_2);
    const metric = data.message.metrics.findIndex(({ name }) => name === one.metric);
    expect(data.status[place]).toBe(one.status);
    const level = data.message.reliability[data.judged(metric, place).reason]?.level;
    expect(level).toBe(one.reliability);
    const found = { ...data.metric(metric), ...data.population };
    for (const [quantity, row] of Object.entries(found)) {
      const wanted = one[quantity as keyof typeof found];
      if (wanted === null) expect(Number.isFinite(row[place])).toBe(false);
      else
        expect(Math.abs((row[place] as number) - wanted)).toBeLessThan(DRAWN * Math.max(1, Math.abs(wanted)));
    }
  }
});

describe("what cannot be read is refused", () => {
  const message = golden.message;
  refuses(
    (change) => mount(change),
    [
      [{ message: { ...message, version: 2 } }, "version 2"],
      [{ message: { ...message, taus: taus.map((tau) => tau + 0.1) } }, "must include 0"],
      [{ message: { ...message, sides: [sides[0]] } }, '"sides" must be a list of 2'],
      [{ message: { ...message, metrics: [] } }, "at least one metric"],
      [{ answers: new Uint8Array(8) }, "answers"],
      [{ population: "no bytes" }, "population"],
    ],
  );

  test("a message that is not there yet is waited for", async () => {
    const shown = mount({ message: {} });
    expect(shown.el.textContent).toContain("Waiting for the surface");
    shown.receive("message", golden.message);
    await painted();
    expect(shown.text("population")).toContain("the data as they are");
  });
});

test("unreliable cells are marked and keep their colour", () => {
  const { reliability, metrics } = golden.message;
  const codes = ["none", "few_events", "few_rows_beyond"].map((name) =>
    reliability.findIndex((reason) => reason.name === name),
  );
  const cells = taus.length ** 2;
  const made = Array.from({ length: metrics.length * cells }, (_, k) => [codes[k % 3] as number, 7]).flat();
  const data = decodeStressSurface({ message: golden.message, ...buffers });
  const portion = metrics.findIndex(({ name }) => name === "portion_1");
  const { value } = data.metric(portion);
  const unreliable = Array.from(value.keys()).filter(
    (place) => Number.isFinite(value[place]) && (portion * cells + place) % 3 === 2,
  );
  const shown = mount({ reasons: Uint8Array.from(made) });
  expect(unreliable.length).toBeGreaterThan(0);
  expect(shown.el.querySelectorAll(".ts-doubt")).toHaveLength(unreliable.length);
  expect(shown.el.querySelector<HTMLElement>(".ts-swatch-doubt")?.parentElement?.hidden).toBe(false);
  const calm = mount({ reasons: new Uint8Array(2 * metrics.length * cells) });
  expect(calm.el.querySelector(".ts-doubt")).toBeNull();
  expect(calm.el.querySelector<HTMLElement>(".ts-swatch-doubt")?.parentElement?.hidden).toBe(true);
});

test("opens at the stress of the traits", () => {
  const shown = mount(golden.traits);
  expect((shown.at("slider-0") as HTMLInputElement).value).toBe(String(taus.indexOf(0.25)));
  expect((shown.at("slider-1") as HTMLInputElement).value).toBe(String(zero));
  expect((shown.at("metric") as HTMLSelectElement).selectedOptions[0]?.textContent).toBe("Error rate");
  expect(shown.el.querySelector("b b")).toBeNull();
});

test("arrow keys move both features, Home returns, and the stress is saved once a frame", async () => {
  const shown = mount();
  const map = shown.at("map");
  expect(press(map, "ArrowRight").defaultPrevented).toBe(true);
  press(map, "ArrowUp");
  press(map, "ArrowUp");
  const [a, b] = sides.map(({ name }) => name) as [string, string];
  expect(shown.state.stress).toEqual({
    taus: { [a]: taus[zero + 1], [b]: taus[zero + 2] },
    hold: "none",
  });
  await painted();
  expect(shown.saves).toHaveBeenCalledTimes(1);
  press(map, "Home");
  expect(shown.state.stress).toEqual({ taus: {}, hold: "none" });
  expect(press(map, "x").defaultPrevented).toBe(false);
  press(map, "ArrowLeft", { shiftKey: true });
  expect((shown.at("slider-0") as HTMLInputElement).value).toBe(String(Math.max(0, zero - 5)));
});

test("a click chooses a cell, hovering reads one", () => {
  const shown = mount();
  const drawing = shown.el.querySelector(".ts-map svg") as SVGElement;
  const cell = drawing.querySelectorAll(".ts-cells rect")[0] as Element;
  const at = (name: string) => Number(cell.getAttribute(name));
  const point = { clientX: at("x") + 2, clientY: at("y") + 2, bubbles: true, button: 0 };
  drawing.dispatchEvent(new MouseEvent("pointermove", point));
  expect(shown.text("pointed")).toContain("Pointed at");
  drawing.dispatchEvent(new MouseEvent("pointerdown", point));
  drawing.dispatchEvent(new MouseEvent("pointerup", point));
  const [a, b] = sides.map(({ name }) => name) as [string, string];
  expect(shown.state.stress).toEqual({ taus: { [a]: -1, [b]: -1 }, hold: "none" });
  drawing.dispatchEvent(new MouseEvent("pointerleave"));
  expect(shown.text("pointed")).toContain("Point at the map");
});

test("cells out of reach say so", () => {
  const place = golden.message.status.infeasible[0] as number;
  const shown = mount({
    stress: {
      taus: {
        [sides[0].name]: taus[Math.floor(place / taus.length)],
        [sides[1].name]: taus[place % taus.length],
      },
      hold: "none",
    },
  });
  expect(shown.text("value")).toContain("these rows cannot be weighted that far");
  expect(shown.text("interval")).toBe("");
  expect(shown.text("trust")).toContain("Out of reach");
  expect(shown.at("population-trust").hidden).toBe(true);
  expect(shown.el.querySelectorAll(".ts-beyond")).toHaveLength(golden.message.status.infeasible.length);
});

test("follows a linked view, and says what the map does not show", () => {
  const shown = mount();
  shown.receive("stress", { taus: { [sides[0].name]: 1, slope: 0.5 }, hold: "means" });
  expect((shown.at("slider-0") as HTMLInputElement).value).toBe(String(taus.length - 1));
  expect(shown.text("beyond")).toBe(
    "The stress set elsewhere also moves slope (τ 0.50) and holds the other means, and is not what is shown: " +
      "this map moves its own two features alone.",
  );
  expect(shown.at("beyond").closest(".ts-population")).not.toBeNull();
  press(shown.at("map"), "ArrowLeft");
  expect(shown.state.stress).toMatchObject({ taus: { slope: 0.5 }, hold: "means" });
  shown.receive("stress", { taus: { [sides[0].name]: "far" } });
  expect((shown.at("slider-0") as HTMLInputElement).value).toBe(String(zero));
});

test("a stress between cells is marked where it is, and not shown as the data as they are", () => {
  const shown = mount();
  expect(shown.at("between").hidden).toBe(true);
  expect(shown.at("between-cells").getAttribute("visibility")).toBe("hidden");
  const [step, { name }] = [taus[zero + 1] as number, sides[1]];
  shown.receive("stress", { taus: { [name]: 0.1 * step }, hold: "none" });
  expect(shown.text("population")).toMatch(/^nearest cell: the data as they are/);
  expect(shown.text("between")).toContain(`${name} τ ${(0.1 * step).toFixed(2)}) lies between cells`);
  const ring = shown.at("between-cells");
  const cell = shown.at("chosen-cell");
  const at = (element: Element, key: string) => Number(element.getAttribute(key));
  const middle = at(cell, "y") + at(cell, "height") / 2;
  expect(ring.getAttribute("visibility")).toBe("visible");
  expect(at(ring, "cy")).toBeCloseTo(middle - 0.1 * at(cell, "height"), 6);
  expect(at(ring, "cx")).toBeCloseTo(at(cell, "x") + at(cell, "width") / 2, 6);
  shown.receive("stress", { taus: { [name]: step }, hold: "none" });
  expect(ring.getAttribute("visibility")).toBe("hidden");
  expect(shown.text("population")).not.toContain("nearest");
});

test("ticks are round numbers where these are, as elsewhere", () => {
  const shown = mount();
  const ticks = [...shown.el.querySelectorAll(".ts-map .ts-tick")].map((tick) => tick.textContent ?? "");
  expect(ticks.length).toBeGreaterThan(4);
  for (const tick of ticks) expect(tick).toMatch(/^[-−]?\d[\d,]*(\.\d)?( %)?$/);
});

test("sliders, metric and reset", async () => {
  const shown = mount();
  const slider = shown.at("slider-1") as HTMLInputElement;
  slider.value = "0";
  slider.dispatchEvent(new Event("input"));
  expect(shown.state.stress).toEqual({ taus: { [sides[1].name]: -1 }, hold: "none" });
  const picker = shown.at("metric") as HTMLSelectElement;
  picker.value = golden.message.metrics[1]?.name ?? "";
  picker.dispatchEvent(new Event("change"));
  expect(shown.state.metric).toBe(golden.message.metrics[1]?.name);
  shown.at("reset").click();
  expect(shown.state.stress).toEqual({ taus: {}, hold: "none" });
  const details = shown.el.querySelector("details:has(.ts-table-holder)") as HTMLDetailsElement;
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  expect(details.querySelectorAll("tbody tr").length).toBe(taus.length);
});

leavesNothing(mount);

test("keys stop at the edges", () => {
  expect(cellAfterKey([0, 0], "ArrowLeft", false, 2, 5)).toEqual([0, 0]);
  expect(cellAfterKey([3, 3], "ArrowUp", true, 2, 5)).toEqual([3, 4]);
  expect(cellAfterKey([3, 3], "Tab", false, 2, 5)).toBeNull();
});

test("nothing is said of a stress that the map shows whole", () => {
  expect(beyondTheMap(golden.message, { taus: { [sides[0].name]: 1 }, hold: "none" })).toBe("");
});
