/** One size of the sets tried as a line of the grid, and the best of each as a table. */

import type { TableContent } from "../../../marks/data_table";
import { html, svg } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { Answer } from "../../../wire/rules/rules";
import { type Mark, marksOf, tickPath } from "./strip";
import { shareWords } from "./words";

/** Line of the grid where the first size stands, below the heads. */
export const FIRST = 2;

export interface Row {
  readonly marks: readonly Mark[];
  readonly track: HTMLElement;
  readonly cells: readonly HTMLElement[];
  /** Each with its mark. */
  readonly dots: readonly (readonly [HTMLElement, Mark])[];
}

function placed(className: string, sdp: number): HTMLElement {
  const dot = html("span", { class: className });
  dot.style.setProperty("--ts-at", String(sdp));
  return dot;
}

export function drawRow(answer: Answer, k: number): Row {
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
  return { marks, track, cells, dots };
}

export function bestOfEach({ subsets, pi }: Answer): TableContent {
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
