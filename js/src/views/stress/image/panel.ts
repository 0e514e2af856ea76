/** The panel of maps: τ, what it is compared with, the maps, their scale, and the pixel that is read. */

import { type Child, html, listen, setText } from "../../../marks/element";
import { createPicker } from "../../../marks/picker";
import { rowHead, tableHead } from "../../../marks/table";
import { count, decimals, paretoK, quantityFormat, span, tauFormat } from "../../../theme/formats";
import type { Against, StressImage } from "../../../wire/stress/image";
import { amountWords } from "../../shared/amounts";
import { createAnnouncer } from "../../shared/announcer";
import type { Actions } from "../../shared/loop";
import { memoize } from "../../shared/memoize";
import type { Part } from "../../shared/part";
import { markLevel } from "../../shared/reliability";
import { createTitledPanel } from "../../shared/title";
import { capitalize } from "../../shared/words";
import { createMaps } from "./maps";
import { changes, largestChange, otherTau, pixelAt, type State, worstLevel, worstWords } from "./state";

export interface PanelActions extends Actions<State> {
  readonly host: HTMLElement;
}

export function createPanel(data: StressImage, { signal, host, intend }: PanelActions): Part<State> {
  const { message, zero } = data;
  const [, , channels] = message.shape;
  const tau = tauFormat(message.taus);
  const largestOf = memoize((against: State["against"]) => largestChange(data, against));
  const share = quantityFormat("share", 0.5, 3);
  const brightness = Math.min(
    2,
    decimals(span(...message.taus.map((_, t) => data.population(t, "target"))), 2),
  );
  const target = (value: number) => (Number.isFinite(value) ? value.toFixed(brightness) : "n/a");

  const slider = html("input", {
    type: "range",
    min: 0,
    max: message.taus.length - 1,
    step: 1,
    "aria-label": "τ of every pixel, one at a time",
    "data-testid": "tau",
    style: `--ts-zero: ${zero / (message.taus.length - 1)}`,
  });
  listen(slider, "input", signal, (event) => intend({ tau: Number(slider.value) }, event));
  const tauWords = html("b", { class: "ts-number", "data-testid": "tau-words" });
  const against = createPicker<Against>(
    { "aria-label": "Compared with", "data-testid": "against" },
    [
      ["opposite", "against −τ"],
      ["unstressed", "against as tested"],
    ],
    signal,
    (other, event) => intend({ against: other }, event),
  );
  const channel = createPicker(
    { "aria-label": "Channel shown", "data-testid": "channel", hidden: channels === 1 },
    Array.from({ length: channels }, (_, k) => [String(k), `channel ${k}`] as const),
    signal,
    (value, event) => intend({ channel: Number(value) }, event),
  );

  const maps = createMaps(
    data,
    ({ against: to }) => largestOf(to),
    { read: (at, event) => intend({ at }, event) },
    host,
    signal,
  );
  const where = html("b", { "data-testid": "pixel" });
  const about = html("span", { class: "ts-quiet", "data-testid": "about" });
  const body = html("tbody");
  const table = html(
    "table",
    { class: "ts-readings", "data-testid": "readings" },
    tableHead("metric", "from", "to", "change", ""),
    body,
  );
  const rows = message.metrics.map(({ label }) => {
    const cells = [html("td"), html("td"), html("td"), html("td", { class: "ts-trust" })];
    body.append(html("tr", {}, rowHead(capitalize(label)), ...cells));
    return cells;
  });
  const ends = [html("span"), html("span"), html("span")];
  const announcer = createAnnouncer(
    signal,
    () => `${tauWords.textContent}. ${where.textContent}${about.textContent}`,
  );

  const swatch = (kind: string, words: string): Child =>
    html("span", {}, html("i", { class: `ts-swatch ts-swatch-${kind}` }), words);
  const legend = html(
    "div",
    { class: "ts-image-legend" },
    html("div", { class: "ts-ramp ts-ramp-plain", "aria-hidden": "true" }),
    html("div", { class: "ts-ramp-ends ts-quiet" }, ...ends),
    html(
      "p",
      { class: "ts-quiet ts-key" },
      swatch("still", "one value in every image"),
      swatch("doubt", "unreliable"),
    ),
  );
  const percent = amountWords(message.confidence);
  const interval = (metric: number, t: number, pixel: number) => {
    const [lower, upper] = (["lower", "upper"] as const).map((part) => data.map(metric, t, part)[pixel]);
    return lower === undefined || upper === undefined || !Number.isFinite(lower) || !Number.isFinite(upper)
      ? ""
      : ` (${share.bare(lower)} – ${share.bare(upper)})`;
  };
  const element = createTitledPanel(
    "ts-image-panel",
    message.title,
    `${count(message.n_rows)} images`,
    html("div", { class: "ts-image-controls" }, html("label", {}, tauWords, slider), against, channel),
    html(
      "p",
      { class: "ts-quiet" },
      "Each cell: how far a metric moves when the mean of that pixel alone is moved, with weights changed as little as possible.",
    ),
    maps,
    legend,
    html(
      "div",
      { class: "ts-image-reading" },
      html("p", {}, where, about),
      table,
      html(
        "p",
        { class: "ts-quiet" },
        message.intervals
          ? `In brackets: ${percent} intervals for the chance in drawing these images.`
          : "Intervals are in the result's frame.",
      ),
    ),
    message.notes.length > 0 &&
      html("ul", { class: "ts-quiet" }, ...message.notes.map((note) => html("li", {}, note))),
    announcer,
  );

  return {
    element,
    update(next, before) {
      const other = otherTau(data, next);
      const [row, column] = next.at;
      const pixel = pixelAt(data, row, column, next.channel);
      const still = !Number.isFinite(data.population(next.tau, "ess")[pixel] as number);
      slider.value = String(next.tau);
      slider.style.setProperty("--ts-to", String(next.tau / (message.taus.length - 1)));
      const [to, from] = [next.tau, other].map((t) => tau(message.taus[t] as number)) as [string, string];
      const words = other === zero ? `τ = ${to} against as tested` : `τ = ${to} against τ = ${from}`;
      setText(tauWords, words);
      slider.setAttribute("aria-valuetext", words);
      against.value = next.against;
      channel.value = String(next.channel);
      const end = largestOf(next.against);
      [-end, 0, end].forEach((value, k) => {
        setText(ends[k] as HTMLElement, k === 1 ? "no change" : share.change(value));
      });
      const place =
        channels > 1
          ? `row ${row}, column ${column}, channel ${next.channel}`
          : `row ${row}, column ${column}`;
      setText(where, `Pixel at ${place}: `);
      const [before_, now] = [other, next.tau].map((t) =>
        target(data.population(t, "target")[pixel] as number),
      );
      const ess = data.population(next.tau, "ess")[pixel] as number;
      const k = data.population(next.tau, "pareto_k")[pixel] as number;
      setText(
        about,
        still
          ? "it has one value in every image and cannot be moved."
          : `mean brightness ${before_} to ${now}, ${count(ess)} effective images, Pareto k̂ ${paretoK(k)}`,
      );
      rows.forEach(([fromCell, toCell, changeCell, trustCell], metric) => {
        const value = (t: number) => data.map(metric, t, "value")[pixel] as number;
        setText(fromCell as Element, share.value(value(other)) + interval(metric, other, pixel));
        setText(toCell as Element, share.value(value(next.tau)) + interval(metric, next.tau, pixel));
        setText(changeCell as Element, share.change(value(next.tau) - value(other)));
        setText(trustCell as Element, still ? "" : worstWords(data, metric, pixel, [next.tau, other]));
        markLevel(trustCell as HTMLElement, still ? 0 : worstLevel(data, metric, pixel, [next.tau, other]));
      });
      maps.update(next, before, (metric) => {
        const change = changes(data, metric, other, next.tau)[pixel] as number;
        const label = capitalize(message.metrics[metric]?.label ?? "");
        return `Map of ${label}, ${words}. ${place}: ${still ? "cannot be moved" : share.change(change)}.`;
      });
      announcer.update(next, before);
    },
  };
}
