/** Another value than the row's own for one feature: a box for what it holds, and the words that say so. */

import { html, listen, showText } from "../../../marks/element";
import { createPicker } from "../../../marks/picker";
import type { Edit } from "../../../wire/boundary/boundary";
import type { BoundaryFeatureMessage } from "../../../wire/messages";
import { createNumberBox } from "../../shared/number_box";
import type { Context } from "./context";
import { type State, withEdit } from "./state";
import { valueWords } from "./values";

interface EditControl {
  readonly element: HTMLElement;
  /** "tried 14" where another value stands; empty else. */
  readonly words: HTMLElement;
  focus(): void;
  update(state: State): void;
}

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
      (level, event) => commit(level || null, event),
      signal,
    );
  }
  const label = { "aria-label": `another value of ${name}, in place of ${own}` };
  if (kind === "date") {
    const box = html("input", { type: "date", class: "ts-box-number", ...label, ...attributes });
    listen(box, "change", (event) => commit(box.value || null, event), signal);
    return box;
  }
  return createNumberBox(
    { step: integer ? 1 : "any", placeholder: own, ...label, ...attributes },
    (value, event) => commit(value === start ? null : value, event),
    signal,
  );
}

export function createEdit(context: Context, feature: BoundaryFeatureMessage): EditControl {
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
    words,
    focus: () => box.focus(),
    update(now) {
      if (state?.edits !== now.edits) show(Object.hasOwn(now.edits, name) ? now.edits[name] : undefined);
      if (state?.fixed !== now.fixed) box.disabled = !message.live || now.fixed.includes(name);
      state = now;
    },
  };
}
