// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createTerm } from "../../src/marks/term";
import { TERMS } from "../../src/views/shared/terms";

function toggled(newState: "open" | "closed"): Event {
  return Object.assign(new Event("beforetoggle"), { newState });
}

test("a term is a button whose box has its words only while it is open", () => {
  const element = createTerm("ε", "A <b>share</b>.", new AbortController().signal);
  const [word, note] = element.children as unknown as [HTMLButtonElement, HTMLElement];
  expect([word.type, element.textContent]).toEqual(["button", "ε"]);
  note.dispatchEvent(toggled("open"));
  expect([note.textContent, note.children.length]).toEqual(["A <b>share</b>.", 0]);
  expect(note.style.left).toBe("8px");
  note.dispatchEvent(toggled("closed"));
  expect(note.textContent).toBe("");
});

test("nothing is listened to any more when the view is gone", () => {
  const life = new AbortController();
  const note = createTerm("ε", "A share.", life.signal).lastElementChild as HTMLElement;
  life.abort();
  note.dispatchEvent(toggled("open"));
  expect(note.textContent).toBe("");
});

test("a term has the words of saved pages", () => {
  const page = readFileSync("../src/tauscope/sharing/reading.py", "utf8");
  for (const words of Object.values(TERMS)) expect(page).toContain(words.slice(1));
});
