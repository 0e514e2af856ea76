/** Text to the clipboard, by whatever way the browser leaves. */

import { createButton } from "../../../marks/button";
import { html } from "../../../marks/element";

function bySelection(words: string, near: HTMLElement): boolean {
  const area = html("textarea", { class: "ts-hidden", "aria-hidden": "true", tabindex: -1 });
  area.value = words;
  near.append(area);
  area.select();
  try {
    return document.execCommand?.("copy") ?? false;
  } catch {
    return false;
  } finally {
    area.remove();
  }
}

/** Whether it was copied. */
export async function copyText(words: string, near: HTMLElement): Promise<boolean> {
  const before = document.activeElement;
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    const copied = bySelection(words, near); // a page that is not secure, or a frame without the right to it
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}

/** The text selected in a box, to be copied by hand. */
export function createCopyBox(words: string, close: () => void): HTMLElement {
  const area = html("textarea", {
    class: "ts-copy-box",
    readonly: true,
    rows: Math.min(10, words.split("\n").length + 1),
    "aria-label": "Text to copy",
    "data-testid": "copy-box",
  });
  area.value = words;
  const button = createButton({ "data-testid": "copy-close" }, "Close", null, close);
  const hint = "The browser did not let this page copy. The text is selected: press Ctrl+C, or ⌘C on a Mac.";
  requestAnimationFrame(() => area.select());
  return html("div", { class: "ts-box ts-head-panel" }, html("p", {}, hint), area, button);
}

/** Hand a file to the person, as any download. */
export function download(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = html("a", { href: url, download: name });
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
