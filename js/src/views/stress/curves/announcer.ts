/** Says the numbers to a screen reader once they have come to rest. */

import { html, setText } from "../../../marks/element";
import type { MetricMessage } from "../../../wire/metric";
import { intervalWords } from "../../shared/words";
import type { Context, Part } from "./context";

/** Milliseconds without a change before the numbers are said. */
const REST = 500;

export function createAnnouncer(context: Context): Part {
  const { data, metric, measures, signal, trust } = context;
  const element = html("p", { class: "ts-hidden", role: "status", "aria-live": "polite" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });

  return {
    element,
    update(next, before) {
      if (!before) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const said = measures(next.metric).map((k) => {
          const curve = data.curve(next.feature, k);
          const { value, bare } = metric(k);
          const now = value(curve.value[next.tau] as number);
          const bounds = intervalWords(
            bare(curve.lower[next.tau] as number),
            bare(curve.upper[next.tau] as number),
          );
          const unstressed = value(curve.value[data.zero] as number);
          return `${(data.message.metrics[k] as MetricMessage).label} ${now}, interval ${bounds}, unstressed ${unstressed}.`;
        });
        if ((trust(next.feature)[next.tau] ?? 0) > 0) said.push("Not to be trusted.");
        if (next.elsewhere) said.push(next.elsewhere);
        setText(element, said.join(" "));
      }, REST);
    },
  };
}
