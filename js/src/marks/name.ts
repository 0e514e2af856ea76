/** A name whose middle gives way where it has not the room. */

import { html } from "./element";

/** Letters at the end of a name that stay: they tell levels of a column apart. */
const KEPT = 12;

/**
 * @param part class of the element
 * @param name in full, for those who point at it
 * @param shown what is written of it
 */
export function createName(part: string, name: string, shown = name, kept = KEPT): HTMLElement {
  const letters = [...shown];
  const end = letters.length > 2 * kept ? letters.splice(-kept).join("") : "";
  const parts = [html("span", { class: "ts-name-start" }, letters.join(""))];
  if (end) parts.push(html("span", { class: "ts-name-end" }, end));
  return html("span", { class: `ts-name ${part}`, title: name }, ...parts);
}
