/** What is on screen to the clipboard: a number, a sentence, a table, or Python. */

import { copyText } from "./clipboard";
import type { Ask } from "./kernel_requests";
import { createMenu, type Menu } from "./menu";

export interface Copied {
  /** The metric chosen, as it reads on screen, and its name; null where none can be read now. */
  number(): { label: string; text: string } | null;
  /** The view shown in words, "" where it has none yet. */
  sentence(): string;
  /** Its table between tabs, "" where it has none. */
  table(): string;
  /** How many of the rows listed the table has, where these are not all; "" where they are. */
  tableWords?(): string;
}

export interface Telling {
  say(words: string, failed?: boolean): void;
  /** Show the text to be copied by hand. */
  offer(words: string): void;
}

export function createCopyMenu(
  shown: Copied,
  ask: Ask,
  {
    say,
    offer,
    refused,
  }: Telling & { /** Why the kernel cannot be asked; "" where it can. */ refused: string },
  signal: AbortSignal,
): Menu {
  const copy = async (what: string, words: string, said = `Copied the ${what}.`) => {
    if (!words) return say(`This view has no ${what} to copy yet.`, true);
    if (await copyText(words, menu.element)) say(said);
    else offer(words);
  };
  const number = () => {
    const shownNow = shown.number();
    return copy("number", shownNow?.text ?? "", `Copied the number: ${shownNow?.label} ${shownNow?.text}.`);
  };
  const python = async () => {
    say("Writing Python…");
    try {
      await copy("code", (await ask("code")).text);
    } catch (error) {
      say((error as Error).message, true);
    }
  };
  const menu = createMenu("Copy", "copy", signal, () => [
    { label: "Number", id: "copy-number", act: () => void number() },
    { label: "Sentence", id: "copy-sentence", act: () => void copy("sentence", shown.sentence()) },
    {
      label: "Table",
      id: "copy-table",
      act: () => void copy("table", shown.table(), shown.tableWords?.() || undefined),
    },
    { label: "Python", id: "copy-python", refused, act: () => void python() },
  ]);
  return menu;
}
