/** A slider with a box for the same number: sliding shows what it would be, and only the end of it asks the kernel. */

import { type Attributes, html, listen } from "../../../marks/element";
import { listenToKeys } from "../../shared/keys";
import { createNumberBox } from "../../shared/number_box";
import { keyTarget } from "../../shared/slider_keys";

/** Where a dial stands. */
export interface Dialled {
  readonly value: number;
  /** Ends of the slider, and what a key moves it by; the box may go beyond. */
  readonly low: number;
  readonly high: number;
  readonly step: number;
  /** Where Escape leads to. */
  readonly rest: number;
  readonly spoken: string;
}

export interface DialOptions {
  readonly name: string;
  readonly testid: string;
  readonly box: Attributes;
  /** Of both: off, and why. */
  readonly attributes: Attributes;
  /** Whether a number typed can be asked for. */
  readonly allows: (value: number) => boolean;
  readonly slide: (value: number, event: Event) => void;
  readonly commit: (value: number, event: Event) => void;
}

export function createDial(signal: AbortSignal, options: DialOptions) {
  const { name, testid, attributes, slide, commit } = options;
  let now: Dialled | null = null;
  const show = () => {
    if (!now) return;
    const text = String(now.value);
    if (box.value !== text) box.value = text;
  };
  const box = createNumberBox(
    { "aria-label": name, "data-testid": testid, ...options.box, ...attributes },
    signal,
    (value, event) => {
      if (value !== null && options.allows(value) && value !== now?.value) commit(value, event);
      else show();
    },
  );
  const slider = html("input", {
    type: "range",
    class: "ts-dial",
    step: "any",
    "aria-label": `${name}, slider`,
    "data-testid": `${testid}-slider`,
    ...attributes,
  });
  const onGrid = ({ low, step }: Dialled, k: number) => Number((low + k * step).toPrecision(12));
  const place = ({ low, high, step }: Dialled, value: number) =>
    Math.round((Math.min(high, Math.max(low, value)) - low) / step);
  const chosen = () => (now ? onGrid(now, place(now, slider.valueAsNumber)) : Number.NaN);
  listen(slider, "input", signal, (event) => slide(chosen(), event));
  listen(slider, "change", signal, (event) => commit(chosen(), event));
  listenToKeys(slider, signal, (event) => {
    if (!now) return false;
    const at = place(now, now.value);
    const next = keyTarget(event.key, at, place(now, now.high), -1);
    if (next === null) return false;
    const value = next < 0 ? now.rest : onGrid(now, next);
    if (next !== at && value !== now.value) commit(value, event);
    return true;
  });
  return {
    slider,
    box,
    update(next: Dialled) {
      now = next;
      const { low, high, value } = next;
      slider.min = String(low);
      slider.max = String(high);
      slider.value = String(value);
      slider.setAttribute("aria-valuetext", next.spoken);
      const share = (Math.min(high, Math.max(low, value)) - low) / (high - low || 1);
      slider.style.setProperty("--ts-zero", "0");
      slider.style.setProperty("--ts-to", String(share));
      show();
    },
  };
}
