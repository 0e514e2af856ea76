/** Which row is explained, how probable its decision has to stay, and what counts as it; asked of the kernel. */

import { html, OWN_KEYS } from "../../../marks/element";
import { count } from "../../../theme/formats";
import { createNumberBox } from "../../shared/number_box";
import type { Context, Part } from "./context";
import { createDial } from "./dial";
import { aimed } from "./state";
import { createTolerance } from "./tolerance";

export function createPicker(context: Context): Part {
  const { message, intend, signal } = context;
  const last = message.n_rows - 1;
  let [row, chosen] = [-1, 0.95];
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
  const pi = createDial(
    {
      name: "π, least same-decision probability",
      testid: "pi",
      box: { min: 0.01, max: 1, step: 0.01 },
      attributes,
      allows: (value) => value > 0 && value <= 1,
      slide: (value, event) => intend({ sliding: { pi: value } }, event),
      commit: (value, event) =>
        intend(
          value === chosen ? { sliding: null } : { pi: value, sliding: null, rule: 0, moved: null },
          event,
        ),
    },
    signal,
  );
  const tolerance = createTolerance(context, attributes);
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
    html("span", { class: "ts-dialled" }, html("label", {}, "π ", pi.box), pi.slider),
    tolerance.element,
    why,
  );
  return {
    element: line,
    update(view, previous) {
      ({ row, pi: chosen } = view.state);
      const text = row < 0 ? "" : String(row);
      if (rowBox.value !== text) rowBox.value = text;
      const { pi: value } = aimed(view.state);
      const spoken = `π = ${value}`;
      pi.update({ value, low: 0.5, high: 1, step: 0.01, rest: view.answer.pi, spoken });
      tolerance.update(view, previous);
      before.disabled = !message.live || row <= 0;
      after.disabled = !message.live || row >= last;
    },
  };
}
