/** Keys that a control takes for itself. */

import { listen } from "../../marks/element";

/**
 * Act on keys that are pressed without Control, Alt or Meta.
 *
 * @param act returns whether the key was the control's: then nothing else hears of it
 */
export function listenToKeys(
  element: Element,
  signal: AbortSignal,
  act: (event: KeyboardEvent) => boolean,
): void {
  const hear = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  listen(element, "keydown", signal, hear);
}
