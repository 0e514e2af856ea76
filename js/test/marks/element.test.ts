// @vitest-environment jsdom
import { describe, expect, test, vi } from "vitest";
import { html, listen, reconcile, setAttributes, showText, svg } from "../../src/marks/element";

test("children that are text stay text", () => {
  const element = html("p", {}, "<b>bold</b>");
  expect(element.children).toHaveLength(0);
  expect(element.textContent).toBe("<b>bold</b>");
  expect(svg("text", {}, "<a>").namespaceURI).toBe("http://www.w3.org/2000/svg");
});

test("attributes: true is bare, false and undefined are off", () => {
  const element = html("p", { hidden: true, title: "x" });
  expect(element.getAttribute("hidden")).toBe("");
  setAttributes(element, { hidden: false, title: undefined });
  expect(element.getAttributeNames()).toEqual([]);
});

test("what takes the focus keeps its keys to itself, and nothing else does", () => {
  const keeps = (element: Element) => element.hasAttribute("data-lm-suppress-shortcuts");
  for (const tag of ["a", "button", "input", "select", "summary", "textarea"] as const)
    expect(keeps(html(tag)), tag).toBe(true);
  expect(keeps(html("div", { tabindex: 0 }))).toBe(true);
  expect(keeps(svg("svg", { tabindex: 0 }))).toBe(true);
  expect(keeps(html("div"))).toBe(false);
  expect(keeps(svg("svg"))).toBe(false);
});

test("what listens is told until the signal aborts", () => {
  const [element, life, act] = [html("button"), new AbortController(), vi.fn()];
  listen(element, "click", life.signal, act);
  element.click();
  life.abort();
  element.click();
  expect(act).toHaveBeenCalledTimes(1);
});

test("an empty text is hidden", () => {
  const element = html("p");
  showText(element, "words");
  expect([element.textContent, element.hidden]).toEqual(["words", false]);
  showText(element, "");
  expect([element.textContent, element.hidden]).toEqual(["", true]);
});

describe("reconcile", () => {
  const button = (name: string) => html("button", {}, name);
  const [a, b, c, d] = [button("a"), button("b"), button("c"), button("d")] as const;
  test("brings the wanted children in order and keeps the focus", () => {
    const parent = html("div", {}, a, b, c);
    document.body.append(parent);
    b.focus();
    reconcile(parent, [b, c, d]);
    expect([...parent.children]).toEqual([b, c, d]);
    expect(document.activeElement).toBe(b);
    reconcile(parent, [b, d, a]);
    expect([...parent.children]).toEqual([b, d, a]);
    expect(document.activeElement).toBe(b);
    parent.remove();
  });
});
