/** What a person asks of one feature: the row's value as a button, and below it another value, a lock and two ends. */

import { createButton } from "../../../marks/button";
import { html, listen, setText } from "../../../marks/element";
import type { Bound } from "../../../wire/boundary/boundary";
import type { BoundaryFeatureMessage } from "../../../wire/messages";
import { createNumberBox } from "../../shared/number_box";
import type { Context } from "./context";
import { createEdit } from "./edit";
import { type State, withBound, withEdit, withLock } from "./state";
import { constraintWords, valueWords } from "./values";

export interface Constraint {
  /** The row's value; opens the line below. */
  readonly button: HTMLButtonElement;
  /** The value that stands in its place, if one does. */
  readonly edited: HTMLElement;
  readonly element: HTMLTableRowElement;
  words(): string;
  /** Open the line and wait for another value. */
  open(): void;
  update(state: State): void;
}

/** Why a column cannot change, whatever is asked. */
const HELD: Readonly<Record<string, string>> = {
  constant: "constant",
  type: "cannot be moved",
  bounds: "bounded to one value",
};

export function createConstraint(context: Context, feature: BoundaryFeatureMessage): Constraint {
  const { message, intend, signal } = context;
  const { name, kind, start } = feature;
  const own = valueWords(feature, start);
  const numeric = (kind === "number" || kind === "duration") && start !== null;
  const off = !message.live;
  const attributes = { disabled: off, title: off && message.offline };
  const lock = html("input", { type: "checkbox", "data-testid": "lock", ...attributes });
  const endBox = (label: string, testid: string) =>
    createNumberBox(
      { step: "any", "aria-label": `${label} value of ${name}`, "data-testid": testid, ...attributes },
      (_, event) =>
        state && intend({ bounds: withBound(state.bounds, name, [read(low), read(high)]) }, event),
      signal,
    );
  const low = endBox("least", "low");
  const high = endBox("greatest", "high");
  const ends = html("span", { class: "ts-ends" }, "between ", low, " and ", high);
  ends.hidden = !numeric;
  const edit = createEdit(context, feature);
  const cell = html("td", { colspan: 5 }, edit, html("label", {}, lock, " locked"), ends);
  const element = html("tr", { class: "ts-constraint", hidden: true }, cell);
  const button = createButton(
    {
      class: "ts-value",
      "aria-expanded": "false",
      "aria-label": `${name} ${own}: change, lock or bound`,
      "data-testid": "value",
      "data-feature": name,
    },
    own,
    () => {
      isOpen = element.hidden;
      element.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
    },
    signal,
  );
  let state: State | null = null;
  let said = "";
  let isOpen = false;

  listen(
    lock,
    "change",
    (event) => {
      if (!state) return;
      const fixed = withLock(state.fixed, name, lock.checked);
      intend(
        lock.checked && name in state.edits ? { fixed, edits: withEdit(state.edits, name, null) } : { fixed },
        event,
      );
    },
    signal,
  );
  const read = ({ value }: HTMLInputElement) => (value === "" ? null : Number(value));

  const show = (box: HTMLInputElement, end: number | null) => {
    const text = end === null ? "" : String(end);
    if (box.value !== text && box.ownerDocument.activeElement !== box) box.value = text;
  };
  return {
    button,
    edited: edit.words,
    element,
    words: () => said,
    open() {
      if (element.hidden) button.click();
      edit.focus();
    },
    update(now) {
      edit.update(now);
      if (state?.fixed === now.fixed && state.bounds === now.bounds) {
        state = now;
        return;
      }
      state = now;
      const locked = now.fixed.includes(name);
      const bound: Bound | undefined = Object.hasOwn(now.bounds, name) ? now.bounds[name] : undefined;
      lock.checked = locked;
      show(low, bound?.[0] ?? null);
      show(high, bound?.[1] ?? null);
      low.disabled = high.disabled = locked || off;
      said = constraintWords(locked, bound) || (HELD[feature.held] ?? "");
      button.classList.toggle("ts-is-held", locked || bound !== undefined);
      setText(button, own);
    },
  };
}
