/** The slider of the distance: how much of the rows' weight may move. */

import { html, listen, setText, showText } from "../../../marks/element";
import { createTerm } from "../../../marks/term";
import { isAccumulated } from "../../../wire/effects/effect";
import { listenToKeys } from "../../shared/keys";
import { keyTarget } from "../../shared/slider_keys";
import { TERMS } from "../../shared/terms";
import type { Context, Part } from "./context";
import { shareBelowWords, shareWords } from "./words";

/** Where a distance lies on the slider, in steps. */
function along(steps: readonly number[], distance: number): number {
  const after = steps.findIndex((step) => step >= distance);
  if (after <= 0) return after < 0 ? steps.length - 1 : 0;
  const [low, high] = [steps[after - 1] as number, steps[after] as number];
  return after - 1 + (distance - low) / (high - low);
}

export function createEpsilon({ message, intend, signal }: Context): Part {
  const steps = message.epsilons;
  const last = steps.length - 1;
  const value = html("b", { class: "ts-number", "data-testid": "epsilon-value" });
  const slider = html("input", {
    type: "range",
    min: 0,
    max: last,
    step: "any",
    "aria-label": "ε: share of the rows that may be replaced",
    "data-testid": "epsilon",
  });
  slider.style.setProperty("--ts-zero", "0");
  const mark = html("span", { class: "ts-breakdown-mark", "aria-hidden": "true" });
  const words = html("span", { class: "ts-breakdown-word ts-quiet" });
  const track = html("div", { class: "ts-epsilon-track" }, slider, mark, words);
  const box = html("input", { type: "checkbox", "data-testid": "follow" });
  const follow = html("label", { class: "ts-follow" }, box, " the stress's own distance, exactly");
  const question = html(
    "span",
    {},
    createTerm("ε", TERMS.epsilon, signal),
    ": allow this share of rows to be replaced",
  );
  const head = html("div", { class: "ts-epsilon-head" }, question, value);
  const why = html("p", { class: "ts-quiet", "data-testid": "epsilon-fixed" });
  const element = html("div", { class: "ts-epsilon" }, head, track, why, follow);
  let position = 0;
  const move = (epsilon: number, event: Event) => intend({ epsilon, follow: false }, event);
  listen(slider, "input", signal, (event) => move(Math.round(slider.valueAsNumber), event));
  const press = (event: KeyboardEvent) => {
    const next = event.key === "Enter" ? null : keyTarget(event.key, position, last, 20);
    if (next !== null) move(next, event);
    return next !== null;
  };
  listenToKeys(slider, signal, press);
  listen(box, "change", signal, (event) => intend({ follow: box.checked }, event));

  return {
    element,
    update({ state, shown }) {
      showText(why, shown.fixed);
      slider.disabled = shown.fixed !== "";
      // a band that is still an earlier one's says its own distance in the legend
      const chosen = shown.fixed ? shown.distance : (steps[state.epsilon] as number);
      const at = shown.exactly || shown.fixed ? along(steps, shown.distance) : state.epsilon;
      position = Math.round(at);
      slider.value = String(at);
      slider.style.setProperty("--ts-to", String(at / last));
      const said = shown.fixed && !shown.bounds ? "none" : shareWords(chosen);
      const exact = shown.exactly ? `${(100 * shown.distance).toFixed(1)} %` : said;
      const stressWords = isAccumulated(shown.part.kind)
        ? "each bin's, as the stress"
        : `${exact}, the stress's`;
      setText(value, shown.exactly ? stressWords : said);
      slider.setAttribute("aria-valuetext", shown.fixed || `${exact} of the rows`);
      box.checked = state.follow;
      follow.hidden = !shown.moved || !(shown.moved.possible > 0);
      const turning = shown.part.breakdowns[shown.output]?.epsilon ?? null;
      mark.hidden = words.hidden = turning === null || turning === 0;
      track.classList.toggle("ts-can-turn", !mark.hidden);
      if (turning === null || turning === 0) return;
      const share = along(steps, turning) / last;
      for (const one of [mark, words]) one.style.setProperty("--ts-at", String(share));
      setText(words, `direction can turn from ${shareBelowWords(turning)}`);
    },
  };
}
