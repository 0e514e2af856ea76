/** The surface's panel: population, metric, map with its legend, readout, two sliders, notes. */

import { createDataTable } from "../../../marks/data_table";
import { divergingColor, largestDistance, leanOf } from "../../../marks/diverging";
import { html, listen, setText, showText } from "../../../marks/element";
import { tauFormat } from "../../../theme/formats";
import { mapValues } from "../../../wire/buffers";
import type { StressSurface } from "../../../wire/stress/surface";
import { createAnnouncer } from "../../shared/announcer";
import { createMetricPicker } from "../../shared/metric_picker";
import type { Part } from "../../shared/part";
import { AT_REST, createPopulationHeader } from "../../shared/population";
import { judgePopulation, markLevel } from "../../shared/reliability";
import { createTitledPanel } from "../../shared/title";
import { capitalize, rowsOf } from "../../shared/words";
import { type Context, createContext } from "./context";
import { createHeatMap } from "./map";
import { betweenWords, beyondTheMap, type State } from "./state";
import { cellReliability, figureWords, meansWords, populationWords, readingWords } from "./words";

/** The colours of the map in words and numbers. */
function createLegend(context: Context) {
  const { data } = context;
  const n = data.message.taus.length;
  const ends = [html("span"), html("span"), html("span")];
  const bar = html("div", { class: "ts-ramp", "aria-hidden": "true" });
  const key = html(
    "p",
    { class: "ts-quiet ts-key" },
    html("span", {}, html("i", { class: "ts-swatch ts-swatch-cross" }), "means as tested"),
  );
  const unreliable = html("span", {}, html("i", { class: "ts-swatch ts-swatch-doubt" }), "unreliable");
  key.append(unreliable);
  if (data.status.includes("infeasible") || data.status.includes("unconverged")) {
    key.append(
      html(
        "span",
        {},
        html("i", { class: "ts-swatch ts-swatch-beyond" }),
        "these rows cannot be weighted that far",
      ),
    );
  }
  return {
    element: html(
      "div",
      { class: "ts-legend" },
      html("div", { class: "ts-ramp-box" }, bar, html("div", { class: "ts-ramp-ends ts-quiet" }, ...ends)),
      key,
    ),
    update(metric: number) {
      const { value } = data.metric(metric);
      unreliable.hidden = !value.some((each, at) => Number.isFinite(each) && context.level(metric, at) === 2);
      const middle = value[data.zero * n + data.zero] as number;
      const span = largestDistance(value, middle);
      const write = context.metric(metric).value;
      const kind = data.message.metrics[metric]?.kind;
      const bounded = kind !== "value";
      const low = bounded ? Math.max(0, middle - span) : middle - span;
      const high = bounded ? Math.min(1, middle + span) : middle + span;
      const at = high > low ? (100 * (middle - low)) / (high - low) : 50;
      const [start, end] = [low, high].map((each) => divergingColor(leanOf(each, middle, span)));
      bar.style.background = `linear-gradient(to right in oklab, ${start}, var(--ts-map-middle) ${at}%, ${end})`;
      const [from, center, to] = ends as [HTMLElement, HTMLElement, HTMLElement];
      setText(from, write(low));
      setText(center, `${write(middle)} as tested`);
      setText(to, write(high));
    },
  };
}

/** Two sliders, one for each feature's mean, for those who do not use the map. */
function createSides(context: Context) {
  const { data, intend, signal, target } = context;
  const { message, zero } = data;
  const tau = tauFormat(message.taus);
  let shown: readonly [number, number] = [zero, zero];
  const rows = message.sides.map(({ name, kind, targets }, side) => {
    const input = html("input", {
      type: "range",
      min: 0,
      max: message.taus.length - 1,
      step: 1,
      "data-testid": `slider-${side}`,
      "aria-label": kind === "share" ? `share of ${name}` : `mean of ${name}`,
      style: `--ts-zero: ${zero / (message.taus.length - 1)}`,
    });
    const mean = html("b", { class: "ts-number" });
    const at = html("span", { class: "ts-quiet ts-number" });
    listen(input, "input", signal, (event) => {
      const moved: [number, number] = [shown[0], shown[1]];
      moved[side] = Number(input.value);
      intend({ at: moved }, event);
    });
    const label = html("label", {}, html("span", { class: "ts-side-name" }, name), mean, at, input);
    return {
      label,
      show(t: number) {
        const words = target(side).value(targets[t] as number);
        input.value = String(t);
        input.style.setProperty("--ts-to", String(t / (message.taus.length - 1)));
        input.setAttribute("aria-valuetext", `τ ${tau(message.taus[t] as number)}, ${words}`);
        setText(mean, words);
        setText(at, `τ = ${tau(message.taus[t] as number)}`);
      },
    };
  });
  return {
    element: html("div", { class: "ts-sides" }, ...rows.map(({ label }) => label)),
    update(at: readonly [number, number]) {
      shown = at;
      for (const [side, { show }] of rows.entries()) show(at[side] as number);
    },
  };
}

const TABLE_STEPS = 11;
const HINT = "Point at the map to read it; click it, or use its arrow keys, to move both means.";

function createPopulation(context: Context) {
  const { data, intend, signal } = context;
  const { message, zero, population } = data;
  const header = createPopulationHeader(message.n_rows, signal, (event) =>
    intend({ at: [zero, zero] }, event),
  );
  const last = message.taus.length - 1;
  header.reserve(populationWords(context, [last, last]));
  const elsewhere = ["beyond", "between"].map((testid) =>
    html("p", { class: "ts-elsewhere ts-notice", "data-testid": testid }),
  );
  header.element.append(...elsewhere);
  return {
    element: header.element,
    update({ at, stress }: State) {
      const said = [beyondTheMap(message, stress), betweenWords(message, { at, stress })];
      elsewhere.forEach((line, k) => {
        showText(line, said[k] as string);
      });
      const place = at[0] * message.taus.length + at[1];
      const stressed = at[0] !== zero || at[1] !== zero;
      header.element.classList.toggle("ts-is-stressed", stressed);
      header.say(populationWords(context, at, said[1] !== ""));
      const here = mapValues(population, (values) => values[place] as number);
      header.measure(here, stressed ? null : AT_REST);
      const carriers = { n: here.n_carriers, share: here.carried };
      header.judge(judgePopulation(message.reliability, here.ess, carriers));
    },
  };
}

export function createPanel(data: StressSurface, actions: Pick<Context, "signal" | "intend">): Part<State> {
  const context = createContext(data, actions);
  const { intend, signal } = context;
  const { message, zero } = data;
  const population = createPopulation(context);
  const picker = createMetricPicker(message.metrics, signal, (metric, event) => intend({ metric }, event));
  const now = html("b", { class: "ts-reading", "data-testid": "value" });
  const baseline = html("span", { class: "ts-quiet", "data-testid": "baseline" });
  const strong = html("b");
  const rest = html("span");
  const trust = html("p", { class: "ts-trust", "data-testid": "trust" }, strong, rest);
  const pointed = html("p", { class: "ts-quiet ts-pointed-at", "data-testid": "pointed" });
  const interval = html("span", { class: "ts-quiet ts-number", "data-testid": "interval" });
  const announcer = createAnnouncer(signal, ({ at, stress }: State) =>
    [
      meansWords(context, at),
      now.textContent,
      interval.textContent,
      trust.textContent,
      beyondTheMap(message, stress),
    ]
      .filter(Boolean)
      .join(". "),
  );
  const legend = createLegend(context);
  const sides = createSides(context);
  let state: State | null = null;

  const map = createHeatMap(context, {
    choose: (at, event) => intend({ at }, event),
    point(at) {
      setText(
        pointed,
        at && state
          ? `Pointed at ${meansWords(context, at)}: ${readingWords(context, state.metric, at)}`
          : HINT,
      );
    },
  });
  setText(pointed, HINT);
  const tau = tauFormat(message.taus);
  const table = createDataTable("The numbers as a table", signal, () => {
    const metric = state?.metric ?? 0;
    const every = Math.max(1, Math.round((message.taus.length - 1) / (TABLE_STEPS - 1)));
    const kept = message.taus.map((_, t) => t).filter((t) => (t - zero) % every === 0);
    const { value } = data.metric(metric);
    return {
      caption: `${capitalize(message.metrics[metric]?.label ?? "")}: ${message.sides[0].name} down, ${message.sides[1].name} across`,
      columns: ["τ", ...kept.map((t) => tau(message.taus[t] as number))],
      rows: kept.map((i) => [
        tau(message.taus[i] as number),
        ...kept.map((j) => context.metric(metric).value(value[i * message.taus.length + j] as number)),
      ]),
    };
  });
  const notes = message.sides.flatMap(({ name, note_low, note_high }) =>
    [note_low, note_high].filter(Boolean).map((note) => html("li", {}, `${name}: ${note}`)),
  );
  const element = createTitledPanel(
    "ts-surface-panel",
    message.title,
    `${rowsOf(message.n_rows)}`,
    population,
    html("div", { class: "ts-surface-map" }, picker, map, legend),
    html(
      "div",
      { class: "ts-surface-side" },
      html("div", { class: "ts-surface-reading" }, now, interval, baseline, trust, pointed),
      sides,
      html("p", { class: "ts-quiet" }, `Interval: ${message.interval}.`),
      notes.length > 0 && html("ul", { class: "ts-quiet" }, ...notes),
      table,
    ),
    announcer,
  );
  return {
    element,
    update(next, before) {
      state = next;
      const { at, metric } = next;
      population.update(next);
      picker.selectedIndex = metric;
      map.update(next, before);
      map.element.setAttribute(
        "aria-label",
        `Map of ${message.metrics[metric]?.label} over the means of ${message.sides[0].name} and ${message.sides[1].name}. ` +
          `At ${meansWords(context, at)}: ${readingWords(context, metric, at)}. Arrow keys move, Home returns to the means as tested.`,
      );
      if (metric !== before?.metric) legend.update(metric);
      sides.update(at);
      const figure = figureWords(context, metric, at);
      setText(now, figure.value);
      setText(interval, figure.interval);
      const middle = data.metric(metric).value[zero * message.taus.length + zero] as number;
      setText(baseline, `as tested ${context.metric(metric).value(middle)}`);
      const said = cellReliability(context, metric, at);
      setText(strong, said.strong);
      setText(rest, said.rest);
      markLevel(trust, said.level);
      table.refresh();
      announcer.update(next, before);
    },
  };
}
