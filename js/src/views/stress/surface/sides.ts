/** Two sliders, one for each feature's mean, for those who do not use the map. */

import { html, listen, setText } from "../../../marks/element";
import { tauFormat } from "../../../theme/formats";
import type { Context } from "./context";

export function createSides(context: Context) {
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
    listen(
      input,
      "input",
      (event) => {
        const moved: [number, number] = [shown[0], shown[1]];
        moved[side] = Number(input.value);
        intend({ at: moved }, event);
      },
      signal,
    );
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
