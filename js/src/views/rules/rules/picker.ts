/** Which row is explained, and how probable its decision has to stay; both are asked of the kernel. */

import { html, OWN_KEYS } from "../../../marks/element";
import { count } from "../../../theme/formats";
import { createNumberBox } from "../../shared/number_box";
import type { Context, Part } from "./context";

export function createPicker({ message, intend, signal }: Context): Part {
  const last = message.n_rows - 1;
  let [row, pi] = [-1, 0.95];
  const attributes = { disabled: !message.live, title: message.live ? undefined : message.offline };
  const go = (to: number | null, event: Event) => {
    if (to !== null && Number.isInteger(to) && to >= 0 && to <= last && to !== row) {
      intend({ row: to, rule: 0, moved: null }, event);
    } else rowBox.value = row < 0 ? "" : String(row);
  };
  const rowBox = createNumberBox(
    {
      min: 0,
      max: last,
      step: 1,
      "aria-label": `Row, 0 to ${count(last)}`,
      "data-testid": "row",
      ...attributes,
    },
    go,
    signal,
  );
  const piBox = createNumberBox(
    {
      min: 0.01,
      max: 1,
      step: 0.01,
      "aria-label": "π, least same-decision probability",
      "data-testid": "pi",
      ...attributes,
    },
    (value, event) => {
      if (value !== null && value > 0 && value <= 1 && value !== pi) {
        intend({ pi: value, rule: 0, moved: null }, event);
      } else piBox.value = String(pi);
    },
    signal,
  );
  const step = (words: string, name: string, testid: string, by: number) => {
    const button = html(
      "button",
      {
        type: "button",
        class: "ts-button ts-step",
        "aria-label": name,
        "data-testid": testid,
        ...attributes,
        ...OWN_KEYS,
      },
      words,
    );
    button.addEventListener("click", (event) => go(row + by, event), { signal });
    return button;
  };
  const before = step("◂", "Row before", "previous", -1);
  const after = step("▸", "Next row", "next", 1);
  const why = html("span", { class: "ts-quiet", "data-testid": "offline" }, message.offline);
  why.hidden = message.live;
  const line = html(
    "div",
    { class: "ts-row-line" },
    html("label", {}, "row ", rowBox),
    before,
    after,
    html("label", { class: "ts-pi" }, "π ", piBox),
    why,
  );
  return {
    element: line,
    update({ state }) {
      ({ row, pi } = state);
      const show = (box: HTMLInputElement, text: string) => {
        if (box.value !== text) box.value = text;
      };
      show(rowBox, row < 0 ? "" : String(row));
      show(piBox, String(pi));
      before.disabled = !message.live || row <= 0;
      after.disabled = !message.live || row >= last;
    },
  };
}
