/** A view in a page of jsdom, on a model that counts what is asked of it; it goes when the test ends. */

import { expect, test } from "vitest";
import { fakeModel } from "./fake_model";

/** Any view, whatever its traits. */
interface View {
  // biome-ignore lint/suspicious/noExplicitAny: each view renders a model of its own traits
  render(props: any): () => void;
}

/** Two frames and a task: a change is painted, a save is sent. */
export async function painted(): Promise<void> {
  for (let k = 0; k < 2; k++) await new Promise((done) => requestAnimationFrame(done));
  await new Promise((done) => setTimeout(done));
}

let mounted: { readonly el: HTMLElement; readonly life: AbortController }[] = [];

/** After each test, by the set-up of every file: this module is loaded once for many of them. */
export function endViews(): void {
  for (const { el, life } of mounted) {
    life.abort();
    el.remove();
  }
  mounted = [];
}

/** @param widget_manager the host's, which has its kernel */
export function mountView(view: View, state: object, widget_manager?: unknown) {
  const fake = fakeModel(state as Record<string, unknown>);
  const el = document.createElement("div");
  document.body.append(el);
  const life = new AbortController();
  mounted.push({ el, life });
  const end = view.render({ model: { ...fake.model, widget_manager }, el, signal: life.signal });
  const find = <T extends HTMLElement>(selector: string) => el.querySelector(selector) as T;
  const all = (testid: string) => [...el.querySelectorAll<HTMLElement>(`[data-testid="${testid}"]`)];
  const at = <T extends HTMLElement>(testid: string, which = 0) => (all(testid)[which] ?? null) as T;
  return {
    ...fake,
    el,
    life,
    end,
    find,
    all,
    at,
    root: find(".tauscope"),
    text: (testid: string) => at(testid).textContent ?? "",
    /** Give an input or a select another value, as a person who is done with it. */
    enter(testid: string, value: string, kind: "input" | "change" = "change") {
      at<HTMLInputElement>(testid).value = value;
      at(testid).dispatchEvent(new Event(kind, { bubbles: true }));
    },
  };
}

/** Whether a control is off, and keeps or drops the focus by it. */
export function isOff(control: HTMLElement): boolean {
  return control.matches(":disabled, [aria-disabled='true']");
}

export function press(element: HTMLElement, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  element.dispatchEvent(event);
  return event;
}

type Shown = Pick<ReturnType<typeof mountView>, "el" | "life" | "end" | "listening">;

/** A test for each state that is refused in words: what is wrong with it, and some of the words. */
export function refuses<W>(mount: (wrong: W) => Shown, wrongs: readonly (readonly [W, string])[]): void {
  test.each(wrongs)("%#", (wrong, words) => {
    expect(mount(wrong).el.querySelector("[role=alert]")?.textContent).toContain(words);
  });
}

/** Tests that a view takes its listeners and its elements with it, whichever way it ends. */
export function leavesNothing(mount: () => Shown): void {
  test.each(["signal", "host"])("leaves nothing behind, ended by its %s", async (way) => {
    const shown = mount();
    await painted();
    expect(shown.listening()).toBeGreaterThan(0);
    if (way === "signal") shown.life.abort();
    else shown.end();
    expect(shown.listening()).toBe(0);
    expect(shown.el.childElementCount).toBe(0);
  });
}
