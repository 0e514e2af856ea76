/** The stress that linked views share: the population the rules are shown for, and where they stop holding. */

import { html, showText } from "../../../marks/element";
import { countBox, type Side } from "../../../solve/rules/count";
import { count } from "../../../theme/formats";
import type { RulesMessage } from "../../../wire/messages";
import type { Answer, Rule, Stressed } from "../../../wire/rules/rules";
import type { Stress } from "../../../wire/shared_stress";
import { createFollowedHeader } from "../../shared/followed";
import { NO_CAVEAT } from "../../shared/reliability";
import { markStressed, stressSentence, stressShown } from "../../shared/stress_shown";
import { capitalize } from "../../shared/words";
import type { Context, Part, RulesUnder, Shown, View } from "./context";

const NO_KERNEL = "this page has no kernel to count the rules under it";
const WORDS = {
  doing: "counts the rows",
  first: "counts the rules under the stress",
  instead: "The rules are shown for the data as they are.",
};

/** Under which stress the rules are shown. */
export const rulesUnder = ({ live }: RulesMessage, stress: Stress, stressed: Stressed | null) =>
  stressShown(stress, stressed, live ? "" : NO_KERNEL);

/** A rule as the stress shown has it; with edges moved, `sides`, counted on the stressed weights. */
export function ruleUnder(
  { rows }: Rule,
  place: number,
  { now }: RulesUnder,
  sides: readonly Side[] | null,
): Shown["after"] {
  const rule = now?.rules[place];
  if (!now || !rule) return null;
  return { rule, counts: sides && countBox({ ...rows, weights: now.weights }, sides) };
}

/** That the rule shown stops holding, and how many others do; "" where none does. */
export function belowWords({ rules }: Answer, { now }: RulesUnder, place: number): string {
  const below = now?.rules.map((rule) => rule.below) ?? [];
  const own = below[place] ? `${rules[place]?.name || "The rule"} ${below[place]}.` : "";
  const n = below.filter((one, k) => one && k !== place).length;
  if (n === 0) return own;
  const others = `${count(n)} other${n === 1 ? "" : "s"}`;
  return own
    ? `${own} So ${n === 1 ? "does" : "do"} ${others}.`
    : `This rule holds under the stress; ${others} ${n === 1 ? "falls" : "fall"} below π.`;
}

export function stressWords({ answer, place, stress }: View): string {
  if (stress.problem) return `The stress set elsewhere is not shown: ${stress.problem}`;
  return stress.now
    ? [`${capitalize(stress.now.words)}.`, belowWords(answer, stress, place)].filter(Boolean).join(" ")
    : "";
}

export function createStress({ message, signal }: Context): Part {
  const header = createFollowedHeader(message.n_rows, signal);
  header.name("Also counted under the stress"); // the headline below is not of it
  const below = html("p", { class: "ts-below ts-notice", "data-testid": "below-stress" });
  const element = html("section", { class: "ts-under", "aria-label": "Population" }, header, below);
  return {
    element,
    update({ answer, place, stress }) {
      const { now, late, problem } = stress;
      markStressed(header, now !== null, late, problem);
      header.stats.hidden = now === null;
      header.say(stressSentence(stress, message.n_rows, WORDS));
      if (now) header.measure(now);
      header.judge(now?.doubt ?? NO_CAVEAT);
      element.hidden = now === null && !late && problem === ""; // the title has the rows as they are
      const words = belowWords(answer, stress, place);
      showText(below, words);
      below.classList.toggle("ts-is-stale", late);
    },
  };
}
