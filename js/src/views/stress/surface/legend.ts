/** The colours of the map in words and numbers. */

import { divergingColor, largestDistance, leanOf } from "../../../marks/diverging";
import { html, setText } from "../../../marks/element";
import type { Context } from "./context";

export function createLegend(context: Context) {
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
