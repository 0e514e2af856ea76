/** The direction that leaves the decision, as bars both ways, with how far it takes each feature. */

import { createDetails } from "../../../marks/details";
import { html } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { Answer } from "../../../wire/boundary/boundary";
import type { BoundaryFeatureMessage } from "../../../wire/messages";
import type { Context, Part } from "./context";
import { signedWords } from "./values";

/** Bars shown before the rest is to be opened. */
const MOST = 8;

/** The largest directions down and up, both at least 0. */
interface Ends {
  readonly down: number;
  readonly up: number;
}

/** Which level of a feature the direction leads to; of levels without an order it may name none. */
function levelWords({ levels, start, leads_to: to }: BoundaryFeatureMessage): string {
  if (to === null) return "no order";
  return to === start ? `stays ${levels[to]}` : `→ ${levels[to]}`;
}

function bar(feature: BoundaryFeatureMessage, { down, up }: Ends): HTMLLIElement {
  const { name, direction, effect, kind } = feature;
  const whole = down + up || 1;
  const side = direction < 0 ? "ts-down" : "ts-up";
  const mark = html("span", { class: `ts-lean ${side}`, "aria-hidden": "true" });
  const track = html("span", { class: "ts-lean-track" }, mark);
  track.style.setProperty("--ts-origin", `${((100 * down) / whole).toFixed(1)}%`);
  mark.style.width = `${((100 * Math.abs(direction)) / whole).toFixed(1)}%`;
  const isLevel = kind === "levels";
  const words = isLevel ? levelWords(feature) : signedWords(effect);
  const value = isLevel ? { class: "ts-quiet ts-level", title: words } : { class: "ts-number" };
  return html(
    "li",
    {},
    html("span", { class: "ts-bar-name", title: name }, name),
    track,
    html("span", value, words),
  );
}

export function createBars(_: Context): Part {
  const list = html("ul", { class: "ts-bars", "data-testid": "direction" });
  const rest = html("ul", { class: "ts-bars" });
  const more = createDetails("", rest);
  const gloss = html("p", { class: "ts-quiet ts-gloss" });
  const element = html(
    "section",
    { class: "ts-direction", "aria-label": "Direction" },
    html("h3", {}, "The direction across"),
    gloss,
    list,
    more,
  );
  let drawn: Answer | null = null;
  return {
    element,
    update({ answer, stale }) {
      element.classList.toggle("ts-is-stale", stale);
      if (drawn === answer) return;
      drawn = answer;
      const moved = answer.features
        .filter(({ direction }) => direction !== 0)
        .sort((a, b) => Math.abs(b.direction) - Math.abs(a.direction));
      element.hidden = moved.length === 0;
      const leans = moved.map(({ direction }) => direction);
      const ends = { down: -Math.min(0, ...leans), up: Math.max(0, ...leans) };
      gloss.textContent = answer.effect_words;
      list.replaceChildren(...moved.slice(0, MOST).map((feature) => bar(feature, ends)));
      rest.replaceChildren(...moved.slice(MOST).map((feature) => bar(feature, ends)));
      const title = more.querySelector("summary");
      if (title) title.textContent = `${count(moved.length - MOST)} more`;
      more.hidden = moved.length <= MOST;
    },
  };
}
