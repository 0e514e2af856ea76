/** What the values of the set shown leave open: a distribution function with its span, or a bar for each class. */

import { axis, axisTicks } from "../../../marks/axis";
import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, setAttributes, setText, svg } from "../../../marks/element";
import { count, quantityFormat } from "../../../theme/formats";
import type { DistributionMessage, SameMessage } from "../../../wire/messages";
import type { Answer } from "../../../wire/rules/rules";
import { createBarLine } from "./bar_line";
import type { Context, Part } from "./context";
import { aimed } from "./state";
import { shareWords } from "./words";

interface Span {
  readonly low: number;
  readonly high: number;
}

/** The values that count as the same: those of the answer, or within √t of the prediction. */
export function spanWithin({ decided, low, high, t: answered }: SameMessage, t: number | null): Span {
  if (t === null || t === answered) return { low, high };
  const reach = Math.sqrt(t);
  return { low: decided - reach, high: decided + reach };
}

/** The distribution function of one set as steps, and how much of it lies in a span. */
export function partsOf({ values, shares }: DistributionMessage, { low, high }: Span) {
  let [below, within, above] = [0, 0, 0];
  values.forEach((value, k) => {
    const share = shares[k] as number;
    if (value < low) below += share;
    else if (value > high) above += share;
    else within += share;
  });
  return { below, within: Math.min(1, within), above };
}

/** The least value up to which a share of the rows lies. */
export function quantileOf({ values, shares }: DistributionMessage, level: number): number {
  let reached = 0;
  const at = shares.findIndex((share) => {
    reached += share;
    return reached >= level - 1e-9;
  });
  return values.at(at) ?? Number.NaN;
}

/** Path data of the steps in a square of side 1, its floor at 1; `at` places a value from left to right. */
export function stepPath({ values, shares }: DistributionMessage, at: (value: number) => number): string {
  let reached = 0;
  const steps = values.map((value, k) => {
    reached += shares[k] as number;
    return `H${at(value).toFixed(4)}V${(1 - Math.min(1, reached)).toFixed(4)}`;
  });
  return `M0,1${steps.join("")}H1`;
}

const LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95];

/** All of the forest's rows, so that sets can be compared. */
const scaleOf = ({ lowest, highest, decided }: SameMessage) =>
  axis([Math.min(lowest, decided), Math.max(highest, decided)], [0, 1]);
const formatOf = ({ lowest, highest }: SameMessage) => quantityFormat("value", highest - lowest, 3).value;

/** "81.8 % between 116.6 and 223.5, 5.3 % below and 12.9 % above; predicted 170.1." */
export function spreadWords(shown: DistributionMessage, same: SameMessage, span: Span): string {
  const { below, within, above } = partsOf(shown, span);
  const write = formatOf(same);
  return (
    `${shareWords(within)} between ${write(span.low)} and ${write(span.high)}, ${shareWords(below)} below and ` +
    `${shareWords(above)} above; mean ${write(shown.mean ?? Number.NaN)}, predicted ${write(same.decided)}.`
  );
}

function quantiles(shown: DistributionMessage, same: SameMessage): TableContent {
  const write = formatOf(same);
  return {
    caption: `Given ${shown.name} alone`,
    columns: ["share of rows", "up to"],
    rows: LEVELS.map((level) => [shareWords(level), write(quantileOf(shown, level))]),
  };
}

function drawBars({ classes, shares, own, n_others }: DistributionMessage): HTMLElement[] {
  const left = Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
  const others = n_others > 0 ? [[`${count(n_others)} other${n_others > 1 ? "s" : ""}`, left] as const] : [];
  return [...classes.map((name, k) => [name, shares[k] as number] as const), ...others].map(
    ([name, share], k) => {
      const line = createBarLine(name, share);
      line.classList.toggle("ts-is-own", k === own);
      return line;
    },
  );
}

function createSteps() {
  const band = svg("rect", { class: "ts-cdf-band", y: 0, height: 1 });
  const steps = svg("path", { class: "ts-cdf-line" });
  const own = svg("path", { class: "ts-cdf-own" });
  const picture = svg(
    "svg",
    { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" },
    band,
    steps,
    own,
  );
  const levels = ["100 %", "50 %", "0 %"].map((level) => html("span", {}, level));
  const ticks = html("div", { class: "ts-cdf-ticks ts-quiet" });
  const plot = html("div", { class: "ts-cdf-plot" }, picture, ticks);
  const element = html(
    "div",
    { class: "ts-cdf", role: "img", "data-testid": "cdf" },
    html("div", { class: "ts-cdf-levels ts-quiet" }, ...levels),
    plot,
  );
  return {
    element,
    draw(shown: DistributionMessage, same: SameMessage) {
      const { at } = scaleOf(same);
      steps.setAttribute("d", stepPath(shown, at));
      own.setAttribute("d", `M${at(same.decided).toFixed(4)},0V1`);
      const labels = axisTicks(scaleOf(same), 4, "value").map(({ at: place, label }) => {
        const tick = html("span", {}, label);
        tick.style.setProperty("--ts-at", String(place));
        return tick;
      });
      ticks.replaceChildren(...labels);
    },
    mark(same: SameMessage, { low, high }: Span, words: string) {
      const { at } = scaleOf(same);
      const inside = (value: number) => Math.min(1, Math.max(0, at(value)));
      setAttributes(band, { x: inside(low), width: inside(high) - inside(low) });
      element.setAttribute("aria-label", `Share of rows up to each value. ${words}`);
    },
  };
}

export function createDistribution({ signal }: Context): Part {
  const title = html("h3");
  const bars = html("ul", { class: "ts-bars ts-classes", "data-testid": "classes" });
  const steps = createSteps();
  const words = html("p", { class: "ts-quiet", "data-testid": "spread" });
  let shown: DistributionMessage | null = null;
  let same: SameMessage | null = null;
  const table = createDataTable("As a table", signal, () =>
    quantiles(shown as DistributionMessage, same as SameMessage),
  );
  const element = html(
    "section",
    { class: "ts-spread", "aria-label": "Distribution" },
    title,
    bars,
    steps,
    words,
    table,
  );
  let drawn: Answer["distributions"][number] | null = null;
  return {
    element,
    update({ answer, place, state }) {
      ({ same } = answer);
      shown = answer.distributions[place] ?? null;
      element.hidden = shown === null;
      element.classList.toggle("ts-is-stale", answer.row !== state.row);
      if (!shown) return;
      bars.hidden = same !== null;
      for (const one of [steps.element, table.element]) one.hidden = same === null;
      if (drawn !== shown) {
        drawn = shown;
        const what = same ? "up to each value" : "of each class";
        setText(title, `Given ${shown.name} alone: share of the forest's rows ${what}`);
        if (same) steps.draw(shown, same);
        else bars.replaceChildren(...drawBars(shown));
        table.refresh();
      }
      const worth = `The rows weigh as much as ${count(Math.max(1, Math.round(shown.ess)))} of equal weight.`;
      if (!same) {
        setText(words, worth);
        return;
      }
      const span = spanWithin(same, aimed(state).t);
      const said = `${spreadWords(shown, same, span)} ${worth}`;
      setText(words, said);
      steps.mark(same, span, said);
    },
  };
}
