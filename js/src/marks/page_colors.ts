/** The page's own colours as numbers, for canvases, which do not follow a style sheet by themselves. */

import { html } from "./element";

export type Rgb = readonly [number, number, number];

/** A custom colour as it is drawn inside `host` now; grey where the page cannot tell. */
export function pageColor(host: Element, name: string): Rgb {
  const probe = html("span", { style: `color: var(${name})` });
  host.append(probe);
  const found =
    getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? [];
  probe.remove();
  return found.length >= 3 ? [found[0] as number, found[1] as number, found[2] as number] : [128, 128, 128];
}

/** Call back when the page turns dark or light, until the signal aborts. */
export function followTheme(changed: () => void, signal: AbortSignal): void {
  const dark = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
  dark?.addEventListener("change", changed, { signal });
  const observer = new MutationObserver(changed);
  const attributeFilter = ["data-jp-theme-light", "data-vscode-theme-kind", "class"];
  observer.observe(document.body, { attributes: true, attributeFilter });
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}
