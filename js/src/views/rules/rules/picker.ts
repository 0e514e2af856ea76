/** Which row is explained, how probable its decision has to stay, and what counts as it; asked of the kernel. */

import { html } from "../../../marks/element";
import { createRowStepper } from "../../shared/row_stepper";
import type { Context, Part } from "./context";
import { createDial } from "./dial";
import { aimed } from "./state";
import { createTolerance } from "./tolerance";

export function createPicker(context: Context): Part {
  const { message, intend, signal } = context;
  let chosen = 0.95;
  const attributes = { disabled: !message.live, title: message.live ? undefined : message.offline };
  const stepper = createRowStepper(
    message,
    (row, event) => intend({ row, rule: 0, moved: null }, event),
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
  const why = html("span", { class: "ts-quiet", "data-testid": "offline" }, message.offline);
  why.hidden = message.live;
  const line = html(
    "div",
    { class: "ts-row-line" },
    ...stepper.elements,
    html("span", { class: "ts-dialled" }, html("label", {}, "π ", pi.box), pi.slider),
    tolerance.element,
    why,
  );
  return {
    element: line,
    update(view, previous) {
      chosen = view.state.pi;
      stepper.update(view.state.row);
      const { pi: value } = aimed(view.state);
      const spoken = `π = ${value}`;
      pi.update({ value, low: 0.5, high: 1, step: 0.01, rest: view.answer.pi, spoken });
      tolerance.update(view, previous);
    },
  };
}
