/** The page's own colours as numbers, for canvases, which do not follow a style sheet by themselves. */

import { html } from "./element";

export type Rgb = readonly [number, number, number];

const SOLID = 255;
const GREY: Rgb = [128, 128, 128];

/** A custom colour as it is drawn inside `host` now; grey where the page cannot tell. */
export function pageColor(host: Element, name: string): Rgb {
  const probe = html("span", { style: `color: var(${name})` });
  host.append(probe);
  const found = rgbOf(getComputedStyle(probe).color);
  probe.remove();
  return found;
}

/** A computed colour in 0–255, its transparency left out; grey for a form that is not known. */
export function rgbOf(color: string): Rgb {
  const numbers = color.match(/-?[\d.]+(e-?\d+)?%?/g) ?? [];
  const scale = color.startsWith("color(srgb ") ? SOLID : color.startsWith("rgb") ? 1 : Number.NaN;
  const [red, green, blue] = numbers
    .slice(0, 3)
    .map((part) => (part.endsWith("%") ? (SOLID * Number.parseFloat(part)) / 100 : scale * Number(part)));
  const known = [red, green, blue].every((part) => Number.isFinite(part));
  return known ? ([red, green, blue] as unknown as Rgb) : GREY;
}

/** Call back when the page turns dark or light, until the signal aborts. */
export function followTheme(signal: AbortSignal, changed: () => void): void {
  const dark = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
  dark?.addEventListener("change", changed, { signal });
  const observer = new MutationObserver(changed);
  const attributeFilter = ["data-jp-theme-light", "data-vscode-theme-kind", "class"];
  observer.observe(document.body, { attributes: true, attributeFilter });
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}
