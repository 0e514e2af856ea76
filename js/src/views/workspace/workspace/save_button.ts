/** A button that has the kernel make a page of what is on screen, and hands it over as a download. */

import { html, listen, setText } from "../../../marks/element";
import { download } from "./clipboard";
import type { Telling } from "./copy_menu";
import type { Ask } from "./kernel_requests";

/** @param refused why the kernel cannot be asked; "" where it can */
export function createSaveButton(
  ask: Ask,
  { say, refused }: Pick<Telling, "say"> & { refused: string },
  signal: AbortSignal,
): HTMLButtonElement {
  const button = html(
    "button",
    { type: "button", class: "ts-button", "data-testid": "save-page" },
    "Save page",
  );
  button.title = refused || "A page of what is on screen, which needs no kernel";
  if (refused) button.setAttribute("aria-disabled", "true");
  const save = async () => {
    if (refused) return say(refused, true);
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    setText(button, "Saving…");
    say("Making the page…");
    try {
      const { name, content } = await ask("page");
      if (content === undefined) throw new Error("The page came without its content. Try again.");
      download(name, content, "text/html");
      say(`Saved ${name}.`);
    } catch (error) {
      say((error as Error).message, true);
    } finally {
      button.removeAttribute("aria-busy");
      setText(button, "Save page");
    }
  };
  listen(button, "click", () => void save(), signal);
  return button;
}
