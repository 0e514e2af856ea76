/** A walk along the direction: the picture, a slider, and what is decided where the person stands. */

import { html, listen, setText } from "../../../marks/element";
import { span } from "../../../theme/formats";
import type { Answer, Path } from "../../../wire/boundary/boundary";
import { markLevel } from "../../shared/reliability";
import type { Context, Part, View } from "./context";
import { createPicture } from "./picture";
import { answerWords, lengthWords } from "./values";

/** Where the answer flips along the direction, and whether it comes back. */
export function crossingWords(answer: Answer): string {
  const { path } = answer;
  if (!path) return "";
  const last = lengthWords(answer, path.length.at(-1) as number);
  if (path.crossing === null) return `It does not flip within ${last} along this direction.`;
  const first = `It flips first after ${lengthWords(answer, path.crossing)}`;
  return path.returns
    ? `${first}, then returns to ${answer.labels.start}: the flip is a pocket on this way.`
    : `${first}, and stays flipped up to ${last}.`;
}

/** What is decided at a step: "0.48 sd along, probability of benign: 42.1 %, decided malignant". */
export function stepWords(answer: Answer, path: Path, step: number): string {
  const value = path.answer[step] ?? Number.NaN;
  const range = span(path.answer.map((one) => one ?? Number.NaN));
  const length = lengthWords(answer, path.length[step] as number);
  const decided = path.labels[path.label[step] as number] ?? "";
  const said = Number.isFinite(value)
    ? `${answer.response}: ${answerWords(answer.response_kind, value, range)}, `
    : "";
  return `${length} along, ${said}decided ${decided}`;
}

export function walkedWords({ answer, step }: Pick<View, "answer" | "step">): string {
  return answer.path ? stepWords(answer, answer.path, step) : "";
}

export function createWalk({ intend, signal }: Context): Part {
  let view: View | null = null;
  const go = (step: number, event: Event) => {
    if (view) intend({ at: { answers: view.answers, tab: view.tab, step } }, event);
  };
  const picture = createPicture(go, signal);
  const slider = html("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Distance walked along the direction",
    "data-testid": "walk",
  });
  slider.style.setProperty("--ts-zero", "0");
  listen(slider, "input", signal, (event) => go(Number(slider.value), event));
  const title = html("h3");
  const reading = html("p", { class: "ts-reading", "data-testid": "reading" });
  const crossing = html("p", { class: "ts-quiet", "data-testid": "crossing" });
  const element = html(
    "section",
    { class: "ts-walk", "aria-label": "Along the direction" },
    title,
    picture,
    html("div", { class: "ts-walk-track" }, slider),
    reading,
    crossing,
  );
  let drawn: Answer | null = null;
  return {
    element,
    update(now) {
      view = now;
      const { answer, step, stale } = now;
      const { path } = answer;
      element.hidden = path === null;
      element.classList.toggle("ts-is-stale", stale);
      if (!path) return;
      if (drawn !== answer) {
        drawn = answer;
        setText(title, `${answer.response}, on the way across`);
        setText(crossing, crossingWords(answer));
        markLevel(crossing, path.returns || path.crossing === null ? 2 : 1);
        picture.show(answer, `${answer.response} along the direction. ${crossingWords(answer)}`);
        slider.max = String(path.length.length - 1);
      }
      const words = stepWords(answer, path, step);
      if (slider.value !== String(step)) slider.value = String(step);
      slider.style.setProperty("--ts-to", String(step / (path.length.length - 1)));
      slider.setAttribute("aria-valuetext", words);
      setText(reading, words);
      picture.mark(step);
    },
  };
}
