/** The sets tried, a strip for each size: a mark a set, π as a line, minimal sets as dots that choose their chip. */

import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, listen, reconcile, setAttributes, setText, svg } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { Answer } from "../../../wire/rules/rules";
import { listenToKeys } from "../../shared/keys";
import { counted } from "../../shared/words";
import type { Context, Part, View } from "./context";
import { aimed } from "./state";
import {
  marksOf,
  markWords,
  nearestMark,
  type Place,
  shownPlace,
  stepFrom,
  tickPath,
  triedWords,
} from "./strip";
import { shareWords } from "./words";

/** Line of the grid where the first size stands, below the heads. */
const FIRST = 2;

type Row = ReturnType<typeof drawRow>;

function placed(className: string, sdp: number): HTMLElement {
  const dot = html("span", { class: className });
  dot.style.setProperty("--ts-at", String(sdp));
  return dot;
}

/** One size of the sets tried as a line of the grid, and the best of each as a table. */
function drawRow(answer: Answer, k: number) {
  const size = answer.subsets.sizes[k] as Answer["subsets"]["sizes"][number];
  const marks = marksOf(answer.subsets, size);
  const ticks = svg("path", { class: "ts-set-ticks", d: tickPath(marks.filter((mark) => !mark.minimal)) });
  const picture = svg(
    "svg",
    { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" },
    ticks,
  );
  const dots = marks
    .filter((mark) => mark.minimal)
    .map(
      (mark) => [placed(mark.rule < 0 ? "ts-set-dot" : "ts-set-dot ts-has-rule", mark.sdp), mark] as const,
    );
  const track = html("span", { class: "ts-set-track" }, picture, ...dots.map(([dot]) => dot));
  const head = html("span", { class: "ts-set-size" }, String(size.size));
  const tried = html("span", { class: "ts-set-tried ts-quiet" }, count(size.n_tried));
  const cells = [head, track, tried];
  for (const cell of cells) cell.style.gridRow = String(FIRST + k);
  return {
    marks,
    track,
    cells,
    /** Each with its mark. */
    dots,
  };
}

function bestOfEach({ subsets, pi }: Answer): TableContent {
  const { sizes } = subsets;
  return {
    caption: "The most probable set of each size",
    columns: ["features", "tried", "most probable", "probability", `reach π = ${pi}`],
    rows: sizes.map((size) => {
      const best = marksOf(subsets, size).at(-1);
      const reaching = size.sdp.filter((one) => one >= pi - 1e-9).length;
      const tried = `${count(size.n_tried)} of ${count(size.n_all)}`;
      return [
        String(size.size),
        tried,
        best?.names.join(" + ") ?? "",
        shareWords(best?.sdp ?? null),
        count(reaching),
      ];
    }),
  };
}

/** Pixels around a dot that are still it. */
const REACH = 7;

export function createSubsets({ intend, signal }: Context): Part {
  const line = html("span", { class: "ts-set-pi" });
  const over = html("span", { class: "ts-set-over", "aria-hidden": "true" }, line);
  const ends = ["0 %", "50 %", "100 %"].map((end) => html("span", {}, end));
  const scale = html("span", { class: "ts-set-scale ts-ends ts-quiet", "aria-hidden": "true" }, ...ends);
  const heads = [
    html("span", { class: "ts-set-size ts-quiet" }, "size"),
    html("span", { class: "ts-set-head ts-quiet" }, "same-decision probability"),
    html("span", { class: "ts-set-tried ts-quiet" }, "tried"),
  ];
  const point = html("span", { class: "ts-set-point" });
  const strip = html("div", {
    class: "ts-set-grid",
    role: "slider",
    tabindex: 0,
    "aria-label": "Sets tried: left and right by probability, up and down by size, Enter shows a minimal set",
    "data-testid": "strip",
  });
  const said = html("p", { class: "ts-set-said", "data-testid": "pointed" });
  const words = html("p", { class: "ts-quiet", "data-testid": "tried" });
  let view: View | null = null;
  let rows: readonly Row[] = [];
  let pointed: Place | null = null;
  const table = createDataTable("The most probable set of each size", signal, () =>
    bestOfEach((view as View).answer),
  );
  const element = html(
    "section",
    { class: "ts-subsets", "aria-label": "Sets tried" },
    html("h3", {}, "Every set that was tried"),
    strip,
    said,
    words,
    table,
  );

  const markAt = ({ row, mark }: Place) => rows[row]?.marks[mark];
  const marks = () => rows.map((row) => row.marks);
  /** Where the keys are. */
  const here = (): Place => pointed ?? shownPlace(marks(), view?.place ?? -1);
  const say = () => {
    if (!view) return;
    const pi = aimed(view.state).pi;
    const at = here();
    const mark = markAt(at);
    if (!mark) return;
    setText(said, markWords(mark, pi));
    point.hidden = pointed === null;
    strip.classList.toggle("ts-on-rule", pointed !== null && mark.rule >= 0);
    point.style.setProperty("--ts-at", String(mark.sdp));
    if (pointed) (rows[at.row] as Row).track.append(point);
    const before = rows.slice(0, at.row).reduce((sum, { marks }) => sum + marks.length, 0);
    const total = rows.reduce((sum, { marks }) => sum + marks.length, 0);
    setAttributes(strip, {
      "aria-valuemin": 1,
      "aria-valuemax": total,
      "aria-valuenow": before + at.mark + 1,
      "aria-valuetext": `${counted(mark.names.length, "feature")}. ${markWords(mark, pi)}`,
    });
  };
  const aim = (place: Place | null) => {
    pointed = place;
    say();
  };
  const choose = (place: Place, event: Event) => {
    const rule = markAt(place)?.rule ?? -1;
    if (rule >= 0 && rule !== view?.place) intend({ rule, moved: null }, event);
  };
  /** The mark of a row nearest to the pointer. */
  const under = (event: PointerEvent | MouseEvent): Place | null => {
    const row = rows.findIndex(({ cells }) => cells.some((cell) => cell.contains(event.target as Node)));
    const found = rows[row];
    if (!found) return null;
    const { left, width } = found.track.getBoundingClientRect();
    const mark = nearestMark(found.marks, (event.clientX - left) / (width || 1), REACH / (width || 1));
    return mark < 0 ? null : { row, mark };
  };
  listen(strip, "pointermove", signal, (event) => aim(under(event)));
  listen(strip, "pointerleave", signal, () => aim(null));
  listen(strip, "blur", signal, () => aim(null));
  listen(strip, "click", signal, (event) => {
    const place = under(event);
    if (place) choose(place, event);
  });
  listenToKeys(strip, signal, (event) => {
    if (event.key === "Enter" || event.key === " ") choose(here(), event);
    else if (event.key === "Escape") aim(null);
    else {
      const next = stepFrom(marks(), here(), event.key);
      if (next === null) return false;
      aim(next);
    }
    return true;
  });

  let drawn: Answer | null = null;
  return {
    element,
    update(now) {
      view = now;
      const { answer, state, place } = now;
      const { pi, t } = aimed(state);
      element.hidden = answer.subsets.sizes.length === 0;
      element.classList.toggle("ts-is-stale", answer.row !== state.row || (answer.same?.t ?? null) !== t);
      element.classList.toggle("ts-is-of-other-pi", answer.pi !== pi);
      if (drawn !== answer) {
        drawn = answer;
        pointed = null;
        rows = answer.subsets.sizes.map((_, k) => drawRow(answer, k));
        over.style.gridRow = `${FIRST} / span ${rows.length}`;
        reconcile(strip, [...heads, ...rows.flatMap(({ cells }) => cells), over, scale]);
        table.refresh();
      }
      for (const [dot, mark] of rows.flatMap(({ dots }) => dots)) {
        dot.classList.toggle("ts-is-shown", mark.rule >= 0 && mark.rule === place);
      }
      line.style.setProperty("--ts-at", String(Math.min(1, pi)));
      setText(words, triedWords(answer, pi));
      say();
    },
  };
}
