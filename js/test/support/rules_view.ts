/** The view of rules in a page of jsdom, with a model that is not there; it goes when the test ends. */

import { afterEach } from "vitest";
import widget from "../../src/views/rules/rules/index";
import type { RulesTraits } from "../../src/wire/rules/rules";
import { fakeModel } from "./fake_model";
import { rulesTraits } from "./rules_example";

/** Two frames and a task: a change is painted, a save is sent. */
export async function painted(): Promise<void> {
  for (let k = 0; k < 2; k++) await new Promise((done) => requestAnimationFrame(done));
  await new Promise((done) => setTimeout(done));
}

let ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended) end();
  ended = [];
  document.body.replaceChildren();
});

export function mount(state: RulesTraits = rulesTraits(), widget_manager?: unknown) {
  const fake = fakeModel(state);
  const el = document.createElement("div");
  document.body.append(el);
  const life = new AbortController();
  ended.push(() => life.abort());
  const props = { model: { ...fake.model, widget_manager }, el, signal: life.signal };
  widget.render(props as unknown as Parameters<typeof widget.render>[0]);
  const all = (testid: string) => [...el.querySelectorAll<HTMLElement>(`[data-testid="${testid}"]`)];
  const at = <T extends HTMLElement>(testid: string, which = 0) => all(testid)[which] as T;
  return {
    ...fake,
    el,
    at,
    all,
    text: (testid: string) => at(testid).textContent ?? "",
    key: (element: HTMLElement, key: string) =>
      element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })),
    enter(testid: string, value: string) {
      at<HTMLInputElement>(testid).value = value;
      at(testid).dispatchEvent(new Event("change", { bubbles: true }));
    },
  };
}
