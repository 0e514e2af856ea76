// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { createButton, switchOff } from "../../src/marks/button";

test("a button switched off keeps the focus, says so and does nothing until it is on again", () => {
  const act = vi.fn();
  const button = createButton({ "data-testid": "go" }, "Go", null, act);
  document.body.replaceChildren(button);
  button.focus();
  button.click();
  switchOff(button, true);
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute("aria-disabled")).toBe("true");
  button.click();
  expect(act).toHaveBeenCalledTimes(1);
  switchOff(button, false);
  button.click();
  expect(act).toHaveBeenCalledTimes(2);
});

test("attributes come before what every button has, and a signal ends it", () => {
  const [act, life] = [vi.fn(), new AbortController()];
  const button = createButton({ type: "submit", class: "ts-more" }, ["a", "b"], life.signal, act);
  expect([button.type, button.className, button.textContent]).toEqual(["submit", "ts-more", "ab"]);
  life.abort();
  button.click();
  expect(act).not.toHaveBeenCalled();
});
