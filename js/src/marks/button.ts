/** A button, and how it is off while the keyboard stays on it. */

import { type Attributes, type Child, html, listen, setAttribute } from "./element";

/**
 * @param press what it does, but not while it is off; by default what holds it listens
 * @param signal until when
 */
export function createButton(
  attributes: Attributes,
  content: Child | readonly Child[] = [],
  signal: AbortSignal | null = null,
  press?: (event: Event) => void,
): HTMLButtonElement {
  const all = { type: "button", class: "ts-button", ...attributes };
  const button = html("button", all, ...[content].flat());
  const pressed = (event: Event) => {
    if (button.getAttribute("aria-disabled") !== "true") press?.(event);
  };
  if (press) listen(button, "click", signal, pressed);
  return button;
}

/** Switch a button off or on: `disabled` would drop the focus from one that is off as soon as it is pressed. */
export function switchOff(button: HTMLElement, off: boolean): void {
  setAttribute(button, "aria-disabled", String(off));
}
