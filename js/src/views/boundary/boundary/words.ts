/** A text whose words are the features: each coloured and underlined by its weight, and those it has not, listed. */

import { createButton } from "../../../marks/button";
import { html, showText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { Answer } from "../../../wire/boundary/boundary";
import type { BoundaryPieceMessage } from "../../../wire/messages";
import type { Context, Part } from "./context";
import { signedWords } from "./values";

/** Words lighter than this have no colour: a share of the largest weight. */
const LIGHTEST = 0.02;
/** Words at least this heavy are named to a screen reader within the text. */
const HEAVY = 0.2;

/** What a word speaks for: the row's own decision, or another. */
function sidesOf({ labels }: Answer, n_classes: number): { readonly back: string; readonly across: string } {
  const other = n_classes === 2 && labels.point !== "" ? `for ${labels.point}` : `against ${labels.start}`;
  return { back: `for ${labels.start}`, across: other };
}

function drawPiece({ text, weight }: BoundaryPieceMessage, sides: ReturnType<typeof sidesOf>): Node | string {
  if (weight === null || Math.abs(weight) < LIGHTEST) return text;
  const side = weight < 0 ? "back" : "across";
  const share = Math.round(100 * Math.abs(weight));
  const title = `${sides[side]}: weight ${signedWords(Number(weight.toPrecision(2)))} of the largest`;
  const word = html("span", { class: `ts-word ts-${side}`, title }, text);
  word.style.setProperty("--ts-weight", `${10 + 0.5 * share}%`);
  if (Math.abs(weight) >= HEAVY) word.append(html("span", { class: "ts-hidden" }, ` (${sides[side]})`));
  return word;
}

export function createWords({ message, intend, signal }: Context): Part {
  const text = html("p", {
    class: "ts-text",
    tabindex: 0,
    role: "group",
    "aria-label": "The text, its words by their weight",
    "data-testid": "text",
  });
  const key = html("p", { class: "ts-key ts-quiet" });
  const lists = html("div", { class: "ts-absent", "data-testid": "absent" });
  const rest = html("p", { class: "ts-quiet ts-gloss" });
  const element = html(
    "section",
    { class: "ts-words", "aria-label": "The text" },
    html("h3", {}, "The text, by what its words speak for"),
    text,
    key,
    lists,
    rest,
  );
  /** A word that is not there; with a kernel a button to give it a value. */
  const absentWord = (piece: BoundaryPieceMessage, sides: ReturnType<typeof sidesOf>): Node | string => {
    if (!message.live) return drawPiece(piece, sides);
    const button = createButton(
      { class: "ts-absent-word", "data-testid": "absent-word" },
      drawPiece(piece, sides),
      signal,
      (event) => intend({ sought: { name: piece.text } }, event),
    );
    button.setAttribute("aria-label", `${piece.text}: try a value`);
    return button;
  };
  const draw = (answer: Answer) => {
    const { words } = answer;
    if (!words) return;
    const sides = sidesOf(answer, message.labels.length);
    const drawn = words.pieces.map((piece) => drawPiece(piece, sides));
    text.replaceChildren(...drawn);
    const isKnown = words.pieces.some(({ weight }) => weight !== null);
    key.replaceChildren(
      html("span", {}, html("i", { class: "ts-word ts-back" }, "underlined"), ` speaks ${sides.back}`),
      html("span", {}, html("i", { class: "ts-word ts-across" }, "dashed"), ` speaks ${sides.across}`),
      html("span", {}, "the deeper the colour, the more; plain words have no weight"),
    );
    if (!isKnown) key.replaceChildren("None of these words is a feature of the model.");
    const list = (side: "across" | "back") =>
      words[side].length === 0
        ? []
        : [
            html("h3", {}, `Not in it, would speak ${sides[side]}`),
            html("ul", {}, ...words[side].map((piece) => html("li", {}, absentWord(piece, sides)))),
          ];
    lists.replaceChildren(...list("across"), ...list("back"));
    lists.hidden = lists.childElementCount === 0;
    const absent = words.across.length + words.back.length;
    const hint = message.live && absent > 0 ? ["Press one of them to give it a value."] : [];
    const lighter = words.n_more > 0 ? [`${count(words.n_more)} lighter ones are not listed.`] : [];
    showText(rest, [...hint, ...lighter].join(" "));
  };
  let before: Answer | null = null;
  return {
    element,
    update({ answer, stale }) {
      element.hidden = answer.words === null;
      element.classList.toggle("ts-is-stale", stale);
      if (before !== answer) draw(answer);
      before = answer;
    },
  };
}
