/** Elements from tag, attributes and children. Text becomes text nodes, never markup. */

const RTL =
  "\\u200f\\u202a-\\u202e\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const ANY = new RegExp(`[${RTL}]`, "u");
// a word is whatever is written without a blank but commas, brackets and signs of comparison
const MARKS = `\\-\\p{L}\\p{N}_'"’״׳%/`;
const WORD = `(?<![${MARKS}.])[${MARKS}.]*[${RTL}][${MARKS}${RTL}]*(?:\\.[\\p{L}\\p{N}_]+)*`;
const NAME = new RegExp(
  `\\u2068[^\\u2068\\u2069]*\\u2069|${WORD}(?: +(?:${WORD}|\\(${WORD}(?: +${WORD})*\\)))*`,
  "gu",
);

/**
 * A text in which names that run from right to left keep their order to themselves: "21 < X ≤ 26" does not turn
 * round. The same as `tauscope.words.isolated`.
 */
export function isolated(text: string): string {
  if (!ANY.test(text)) return text;
  return text.replace(NAME, (name) => (name.startsWith("\u2068") ? name : `\u2068${name}\u2069`));
}

export type Attributes = Record<string, string | number | boolean | undefined>;
/** A piece of a panel stands where its element does; null and false are nothing. */
export type Child = Node | string | { readonly element: Node } | null | false;

/** For everything that takes the focus: JupyterLab's shortcuts would swallow its keys otherwise. */
const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" } as const;
const FOCUSABLE = ["a", "button", "input", "select", "summary", "textarea"];

/** Attributes that are read or heard. */
const WORDS = ["title", "aria-label", "aria-valuetext"];
/** Elements whose text is copied as it is. */
const LITERAL = ["code", "pre", "style"];

const worded = ({ localName }: Element, text: string) =>
  LITERAL.includes(localName) ? text : isolated(text);

const SVG = "http://www.w3.org/2000/svg";

/** Set an attribute if it differs: a picture whose path or size is set again is laid out again. */
export function setAttribute(element: Element, name: string, value: string): void {
  const written = WORDS.includes(name) ? isolated(value) : value;
  if (element.getAttribute(name) !== written) element.setAttribute(name, written);
}

/** Set attributes that differ; `true` is the bare attribute, `false` and `undefined` leave it off. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) element.removeAttribute(name);
    else setAttribute(element, name, value === true ? "" : String(value));
  }
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  if (FOCUSABLE.includes(element.localName) || "tabindex" in attributes) setAttributes(element, OWN_KEYS);
  setAttributes(element, attributes);
  for (const child of children) {
    if (typeof child === "string") element.append(worded(element, child));
    else if (child) element.append(child instanceof Node ? child : child.element);
  }
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** Act on an element's events, until the signal aborts where there is one. */
export function listen<K extends keyof GlobalEventHandlersEventMap>(
  element: Element,
  type: K,
  signal: AbortSignal | null,
  act: (event: GlobalEventHandlersEventMap[K]) => unknown,
): void {
  element.addEventListener(type, act as EventListener, { signal: signal ?? undefined });
}

/** Replace an element's text, touching the page only when it differs, and keeping its text node. */
export function setText(element: Element, text: string): void {
  const only = element.firstChild;
  const written = worded(element, text);
  if (only instanceof Text && only.nextSibling === null) {
    if (only.data !== written) only.data = written;
  } else if (element.textContent !== written) element.textContent = written;
}

/** The same, and hidden where the text is empty. */
export function showText(element: HTMLElement, text: string): void {
  setText(element, text);
  element.hidden = text === "";
}

/** Bring `parent`'s children to `wanted`, leaving those already in place untouched (and focused). */
export function reconcile(parent: Element, wanted: readonly Element[]): void {
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  wanted.forEach((child, k) => {
    const here = parent.children[k];
    if (here !== child) parent.insertBefore(child, here ?? null);
  });
}
