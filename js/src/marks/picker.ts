/** A list to choose one of. */

import { type Attributes, html, listen } from "./element";

/** A value, and how it is called. */
export type Option<V extends string> = readonly [value: V, words: string];

export const createOption = (value: string, words = value) => html("option", { value }, words);

/** @param choose called with the value chosen */
export function createPicker<V extends string>(
  attributes: Attributes,
  options: readonly Option<V>[],
  signal: AbortSignal | null,
  choose: (value: V, event: Event) => void,
): HTMLSelectElement {
  const picker = html("select", attributes, ...options.map((option) => createOption(...option)));
  listen(picker, "change", signal, (event) => choose(picker.value as V, event));
  return picker;
}
