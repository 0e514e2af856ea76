/** The rows themselves, of which those in sight are in the page: a grid to walk, to look at one and to select some. */

import { createButton } from "../../../marks/button";
import { html, listen, setAttributes, setText } from "../../../marks/element";
import { followWidth } from "../../../marks/resize";
import { oncePerFrame } from "../../shared/once_per_frame";
import { columnsShown, type Shown, widthOf } from "./cells";
import type { Context, Part } from "./context";
import type { DerivedView, Listing } from "./derive_view";

/** Height of a row, pixels; the style sheet has the same. */
export const ROW_HEIGHT = 26;
/** Rows drawn beyond each end of what is in sight. */
const BEYOND = 6;
/** No element is taller: browsers stop at about this many pixels. */
const TALLEST = 8_000_000;

/** Height of all rows together, pixels. */
export function fullHeight(n: number): number {
  return Math.min(n * ROW_HEIGHT, TALLEST);
}

/** The row at the top, with its fraction; a list beyond the tallest moves by more than a pixel for a pixel. */
function topRow(scrolled: number, height: number, n: number): number {
  const [full, shown] = [fullHeight(n), height / ROW_HEIGHT];
  const way = full - height;
  if (way <= 0) return 0;
  return (Math.min(Math.max(scrolled, 0), way) / way) * (n - shown);
}

/** Which rows of a long list are in sight, and where they are drawn. */
export function sightOf(scrolled: number, height: number, n: number) {
  const at = topRow(scrolled, height, n);
  const first = Math.max(0, Math.floor(at) - BEYOND);
  const end = Math.min(n, Math.ceil(at + height / ROW_HEIGHT) + BEYOND);
  return {
    first,
    /** Behind the last. */
    end,
    /** Where the first stands, pixels from the top of all. */
    top: Math.min(scrolled, Math.max(0, fullHeight(n) - height)) - (at - first) * ROW_HEIGHT,
  };
}

/** How far to scroll so that a row is in sight; as far as now where it is. */
export function scrolledTo(place: number, scrolled: number, height: number, n: number): number {
  const shown = height / ROW_HEIGHT;
  const at = topRow(scrolled, height, n);
  const wanted = place < at ? place : place + 1 > at + shown ? place + 1 - shown : at;
  if (wanted === at) return scrolled;
  return (wanted / (n - shown)) * (fullHeight(n) - height);
}

/** Where the page has no layout. */
const FALLBACK_HEIGHT = 400;
/** Rows asked of the kernel before the first in sight. */
const AHEAD = 60;
let views = 0;

interface Line {
  readonly element: HTMLElement;
  readonly cells: readonly HTMLElement[];
}

function withRange(chosen: ReadonlySet<number>, listing: Listing, from: number, to: number): number[] {
  const next = new Set(chosen);
  for (let place = Math.min(from, to); place <= Math.max(from, to); place++) {
    const row = listing.rowAt(place);
    if (row >= 0) next.add(row);
  }
  return [...next].sort((a, b) => a - b);
}

function toggled(chosen: ReadonlySet<number>, row: number): number[] {
  const next = new Set(chosen);
  if (!next.delete(row)) next.add(row);
  return [...next].sort((a, b) => a - b);
}

export function createGrid(context: Context): Part {
  const { data, intend, signal } = context;
  const { message } = data;
  const all = columnsShown(message);
  const prefix = `ts-rows-${++views}`;
  const head = html("div", { role: "row", class: "ts-grid-head", "aria-rowindex": 1 });
  const block = html("div", { class: "ts-grid-block", role: "presentation" });
  const body = html("div", { class: "ts-grid-body", role: "rowgroup", "data-testid": "rows" }, block);
  const element = html(
    "div",
    {
      class: "ts-grid",
      role: "grid",
      tabindex: 0,
      "aria-label": "Rows",
      "aria-multiselectable": "true",
      "data-testid": "grid",
    },
    html("div", { role: "rowgroup", class: "ts-grid-top" }, head),
    body,
  );

  let view: DerivedView | null = null;
  let shown: readonly Shown[] = [];
  let lines: Line[] = [];
  let widths: Map<Shown, number> | null = null;
  /** Place of the row that keys start from, and of the one that a range starts from. */
  let active = 0;
  let anchor = 0;

  const height = () => Math.max(ROW_HEIGHT, (element.clientHeight || FALLBACK_HEIGHT) - ROW_HEIGHT);

  const layOut = ({ listing, stress }: DerivedView) => {
    const stressed = stress.now !== null;
    const next = all.filter(
      ({ role }) =>
        !(role === "after" && !stressed) && !(role === "before" && !stressed && !message.weighted),
    );
    if (next.length === shown.length && widths) return;
    if (listing && listing.n > 0) widths ??= new Map(all.map((column) => [column, widthOf(column, listing)]));
    shown = next;
    const width = (column: Shown) => widths?.get(column) ?? 10;
    const tracks = shown.map((column) => `calc(${1.1 * width(column)}ch + 16px)`).join(" ");
    element.style.setProperty("--ts-tracks", tracks);
    element.setAttribute("aria-colcount", String(shown.length));
    head.replaceChildren(...shown.map(createHead));
    lines = [];
    block.replaceChildren();
  };

  const classOf = (column: Shown, k: number) =>
    `ts-cell${column.number ? " ts-at-right" : ""}${k === 0 ? " ts-own" : ""}`;

  const createHead = (column: Shown, k: number) => {
    const button = createButton(
      { class: undefined, tabindex: -1, title: `Sort by ${column.label}` },
      [html("span", {}, column.label), html("span", { class: "ts-order", "aria-hidden": "true" })],
      signal,
      (event) => {
        const { sort, descending } = view?.state ?? { sort: "", descending: false };
        intend({ sort: column.name, descending: sort === column.name && !descending }, event);
      },
    );
    return html("div", { role: "columnheader", class: classOf(column, k), "aria-colindex": k + 1 }, button);
  };

  const createLine = (): Line => {
    const cells = shown.map((column, k) =>
      html("div", {
        role: k === 0 ? "rowheader" : "gridcell",
        class: classOf(column, k),
        "aria-colindex": k + 1,
      }),
    );
    const line = html("div", { role: "row", class: "ts-grid-row" }, ...cells);
    block.append(line);
    return { element: line, cells };
  };

  const fill = (
    { element: line, cells }: Line,
    place: number,
    { listing, state, chosen, stress }: DerivedView,
  ) => {
    const row = listing?.rowAt(place) ?? -1;
    line.hidden = false;
    line.id = `${prefix}-${place}`;
    line.dataset.place = String(place);
    line.setAttribute("aria-rowindex", String(place + 2));
    const isChosen = chosen.has(row);
    line.setAttribute("aria-selected", String(isChosen));
    line.classList.toggle("ts-is-chosen", isChosen);
    const isShown = row >= 0 && row === state.row;
    line.classList.toggle("ts-is-shown", isShown);
    line.classList.toggle("ts-is-active", place === active);
    setAttributes(line, { "aria-current": isShown && "true" });
    const said: Record<string, string> = {};
    cells.forEach((cell, k) => {
      const column = shown[k] as Shown;
      const words = !listing || row < 0 ? "…" : column.words(listing, place);
      setText(cell, words);
      said[column.role] = words;
      if (column.role === "after") cell.classList.toggle("ts-is-stale", stress.late);
      if (column.role === "truth")
        cell.classList.toggle("ts-failed", message.task !== "regression" && said.predicted !== words);
      setAttributes(cell, { title: words.length > 18 && words });
    });
  };

  const sight = () => sightOf(element.scrollTop, height(), view?.listing?.n ?? 0);

  /** Ask the kernel for the rows in sight, where it has not been asked. */
  const askFor = (first: number, end: number) => {
    const listing = view?.listing;
    if (data.columns || !message.live || !listing || !view || view.stale) return;
    const missing = end > first && (listing.rowAt(first) < 0 || listing.rowAt(end - 1) < 0);
    const start = Math.max(0, first - AHEAD);
    if (missing && view.state.start !== start) intend({ start }, null);
  };

  const draw = () => {
    if (!view) return;
    const { first, end, top } = sight();
    block.style.transform = `translateY(${top}px)`;
    while (lines.length < end - first) lines.push(createLine());
    lines.forEach((line, k) => {
      if (k < end - first) fill(line, first + k, view as DerivedView);
      else line.element.hidden = true;
    });
    const inSight = active >= first && active < end;
    setAttributes(element, { "aria-activedescendant": inSight && `${prefix}-${active}` });
    askFor(first, end);
  };
  const drawSoon = oncePerFrame(signal, draw);
  element.addEventListener("scroll", drawSoon, { signal, passive: true });
  followWidth(element, signal, drawSoon);

  const reveal = (place: number) => {
    const n = view?.listing?.n ?? 0;
    element.scrollTop = scrolledTo(place, element.scrollTop, height(), n);
  };

  const lookAt = (place: number, event: Event, keepAnchor = false) => {
    active = place;
    if (!keepAnchor) anchor = place;
    reveal(place);
    const row = view?.listing?.rowAt(place) ?? -1;
    if (row >= 0 && row !== view?.state.row) intend({ row }, event);
    else draw();
  };

  listen(body, "click", signal, (event) => {
    const place = Number((event.target as Element).closest<HTMLElement>("[data-place]")?.dataset.place);
    const listing = view?.listing;
    if (!view || !listing || !Number.isInteger(place) || listing.rowAt(place) < 0) return;
    if (event.shiftKey) {
      active = place;
      intend({ selection: withRange(view.chosen, listing, anchor, place) }, event);
    } else if (event.ctrlKey || event.metaKey) {
      active = anchor = place;
      intend({ selection: toggled(view.chosen, listing.rowAt(place)) }, event);
    } else lookAt(place, event);
  });

  listen(element, "keydown", signal, (event) => {
    const listing = view?.listing;
    if (!view || !listing || listing.n === 0 || event.target !== element || event.altKey) return;
    const page = Math.max(1, Math.floor(height() / ROW_HEIGHT) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: listing.n - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const place = Math.min(Math.max(to, 0), listing.n - 1);
      if (event.shiftKey) intend({ selection: withRange(view.chosen, listing, anchor, place) }, event);
      lookAt(place, event, event.shiftKey);
    } else if (event.key === "Enter") lookAt(active, event);
    else if (event.key === " ") {
      event.preventDefault();
      anchor = active;
      const row = listing.rowAt(active);
      if (row >= 0) intend({ selection: toggled(view.chosen, row) }, event);
    } else if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      context.chooseAll(event);
    }
  });

  const markSorted = ({ state }: DerivedView) => {
    [...head.children].forEach((cell, k) => {
      const sorted = shown[k]?.name === state.sort && (k > 0 || state.sort === "");
      const way = state.descending ? "descending" : "ascending";
      cell.setAttribute("aria-sort", sorted ? way : "none");
      setText(
        cell.querySelector(".ts-order") as Element,
        sorted && (k > 0 || state.descending) ? (state.descending ? "▾" : "▴") : "",
      );
    });
  };

  return {
    element,
    update(next, before) {
      view = next;
      const { listing, state } = next;
      const n = listing?.n ?? 0;
      layOut(next);
      element.setAttribute("aria-rowcount", String(n + 1));
      body.style.height = `${fullHeight(n)}px`;
      element.classList.toggle("ts-is-stale", next.stale);
      markSorted(next);
      const asked =
        before &&
        (["search", "filter", "sort", "descending"] as const).some(
          (name) => before.state[name] !== state[name],
        );
      if (asked) {
        element.scrollTop = 0;
        active = anchor = 0;
      }
      active = Math.max(0, Math.min(active, n - 1));
      // a row chosen elsewhere comes into sight
      if (
        listing &&
        state.row >= 0 &&
        state.row !== before?.state.row &&
        listing.rowAt(active) !== state.row
      ) {
        const place = listing.placeOf(state.row);
        if (place >= 0) {
          active = anchor = place;
          reveal(place);
        }
      }
      draw();
    },
  };
}
