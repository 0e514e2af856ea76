/** What a person asks of one feature: the row's value as a button, and below it another value, a lock and two ends. */

import { createButton } from "../../../marks/button";
import { html, listen, setText, showText } from "../../../marks/element";
import { createPicker } from "../../../marks/picker";
import type { Bound, Edit } from "../../../wire/boundary/boundary";
import type { BoundaryFeatureMessage } from "../../../wire/messages";
import { createNumberBox } from "../../shared/number_box";
import type { Context } from "./context";
import { type State, withBound, withEdit, withLock } from "./state";
import { constraintWords, valueWords } from "./values";

type Box = HTMLInputElement | HTMLSelectElement;

/** A value as a person reads it. */
function editWords(feature: BoundaryFeatureMessage, edit: Edit): string {
  return typeof edit === "number" ? valueWords({ ...feature, changed: false }, edit) : edit;
}

function createBox(
  { message, signal }: Context,
  feature: BoundaryFeatureMessage,
  commit: (value: Edit | null, event: Event) => void,
): Box {
  const { name, kind, levels, start, integer } = feature;
  const own = valueWords({ ...feature, changed: false }, start);
  const off = !message.live;
  const attributes = { disabled: off, title: off && message.offline, "data-testid": "edit" };
  if (kind === "levels") {
    const others = levels.filter((_, code) => code !== start);
    return createPicker(
      { class: "ts-box-level", "aria-label": `another level of ${name}`, ...attributes },
      [["", own], ...others.map((level) => [level, level] as const)],
      signal,
      (level, event) => commit(level || null, event),
    );
  }
  const label = { "aria-label": `another value of ${name}, in place of ${own}` };
  if (kind === "date") {
    const box = html("input", { type: "date", class: "ts-box-number", ...label, ...attributes });
    listen(box, "change", signal, (event) => commit(box.value || null, event));
    return box;
  }
  return createNumberBox(
    { step: integer ? 1 : "any", placeholder: own, ...label, ...attributes },
    signal,
    (value, event) => commit(value === start ? null : value, event),
  );
}

/** Another value than the row's own for one feature: a box for what it holds, and the words that say so. */
function createEdit(context: Context, feature: BoundaryFeatureMessage) {
  const { intend, message } = context;
  const { name } = feature;
  let state: State | null = null;
  const box = createBox(context, feature, (value, event) => {
    if (state) intend({ edits: withEdit(state.edits, name, value) }, event);
  });
  const words = html("small", { class: "ts-tried", "data-testid": "tried" });
  const show = (edit: Edit | undefined) => {
    const text = edit === undefined ? "" : String(edit);
    if (box.value !== text && box.ownerDocument.activeElement !== box) box.value = text;
    showText(words, edit === undefined ? "" : `tried ${editWords(feature, edit)}`);
  };
  return {
    element: html("label", {}, "try ", box),
    /** "tried 14" where another value stands; empty else. */
    words,
    focus: () => box.focus(),
    update(now: State) {
      if (state?.edits !== now.edits) show(Object.hasOwn(now.edits, name) ? now.edits[name] : undefined);
      if (state?.fixed !== now.fixed) box.disabled = !message.live || now.fixed.includes(name);
      state = now;
    },
  };
}

/** Why a column cannot change, whatever is asked. */
const HELD: Readonly<Record<string, string>> = {
  constant: "constant",
  type: "cannot be moved",
  bounds: "bounded to one value",
};

export function createConstraint(context: Context, feature: BoundaryFeatureMessage) {
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
      signal,
      (_, event) =>
        state && intend({ bounds: withBound(state.bounds, name, [read(low), read(high)]) }, event),
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
    signal,
    () => {
      isOpen = element.hidden;
      element.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
    },
  );
  let state: State | null = null;
  let said = "";
  let isOpen = false;

  listen(lock, "change", signal, (event) => {
    if (!state) return;
    const fixed = withLock(state.fixed, name, lock.checked);
    intend(
      lock.checked && name in state.edits ? { fixed, edits: withEdit(state.edits, name, null) } : { fixed },
      event,
    );
  });
  const read = ({ value }: HTMLInputElement) => (value === "" ? null : Number(value));

  const show = (box: HTMLInputElement, end: number | null) => {
    const text = end === null ? "" : String(end);
    if (box.value !== text && box.ownerDocument.activeElement !== box) box.value = text;
  };
  return {
    /** The row's value; opens the line below. */
    button,
    /** The value that stands in its place, if one does. */
    edited: edit.words,
    element,
    words: () => said,
    /** Open the line and wait for another value. */
    open() {
      if (element.hidden) button.click();
      edit.focus();
    },
    update(now: State) {
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
