/** The stress that linked views share: the population the rules are shown for, and where they stop holding. */

import { html, setText } from "../../../marks/element";
import { countBox, type Side } from "../../../solve/rules/count";
import { count } from "../../../theme/formats";
import type { Answer, Rule, RulesMessage } from "../../../wire/rules/rules";
import type { Stressed } from "../../../wire/rules/stressed";
import { isStressed, type Stress, sameStress } from "../../../wire/shared_stress";
import { createPopulationHeader } from "../../shared/population";
import { NO_CAVEAT } from "../../shared/reliability";
import { capitalize, type Sentence } from "../../shared/words";
import type { Context, Part, Shown, View } from "./context";

/** Under which stress the rules are shown. */
export interface StressShown {
  /** What the kernel counted, of this stress or, while `late`, of the one before; null where there is nothing. */
  readonly now: Stressed | null;
  readonly late: boolean;
  /** Why the stress set elsewhere is not shown; "" where it is, or is on its way. */
  readonly problem: string;
}

const AS_THEY_ARE: StressShown = { now: null, late: false, problem: "" };
const NO_KERNEL = "this page has no kernel to count the rules under it";

export function stressShown({ live }: RulesMessage, stress: Stress, stressed: Stressed | null): StressShown {
  if (!isStressed(stress)) return AS_THEY_ARE;
  if (stressed && sameStress(stressed.stress, stress)) {
    return stressed.error
      ? { ...AS_THEY_ARE, problem: stressed.error }
      : { now: stressed, late: false, problem: "" };
  }
  if (!live) return { ...AS_THEY_ARE, problem: NO_KERNEL };
  return { now: stressed?.error ? null : stressed, late: true, problem: "" };
}

/** A rule as the stress shown has it; with edges moved, `sides`, counted on the stressed weights. */
export function ruleUnder(
  { rows }: Rule,
  place: number,
  { now }: StressShown,
  sides: readonly Side[] | null,
): Shown["after"] {
  const rule = now?.rules[place];
  if (!now || !rule) return null;
  return { rule, counts: sides && countBox({ ...rows, weights: now.weights }, sides) };
}

function populationSentence({ now, late, problem }: StressShown, nRows: number): Sentence {
  if (problem) {
    const shown = " The rules are shown for the data as they are.";
    return {
      strong: "the stress set elsewhere is not shown.",
      rest: ` ${capitalize(problem).replace(/\.$/, "")}.${shown}`,
    };
  }
  if (now) return { strong: now.words, rest: late ? " (before; the kernel counts the rows anew…)" : "" };
  if (late) return { strong: "on its way…", rest: " the kernel counts the rules under the stress" };
  return { strong: "the data as they are", rest: nRows > 0 ? `: ${count(nRows)} rows` : "" };
}

/** That the rule shown stops holding, and how many others do; "" where none does. */
export function belowWords({ rules }: Answer, { now }: StressShown, place: number): string {
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
  const header = createPopulationHeader(message.n_rows, () => {}, signal);
  header.reset.remove(); // a stress is followed here, never set
  const below = html("p", { class: "ts-below ts-notice", "data-testid": "below-stress" });
  const element = html("section", { class: "ts-under", "aria-label": "Population" }, header.element, below);
  return {
    element,
    update({ answer, place, stress }) {
      const { now, late, problem } = stress;
      header.element.classList.toggle("ts-is-stressed", now !== null);
      header.stats.classList.toggle("ts-is-stale", late);
      header.stats.hidden = now === null;
      header.sentence.classList.toggle("ts-notice", problem !== "");
      header.say(populationSentence(stress, message.n_rows));
      if (now) header.measure({ ess: now.ess, tv: now.tv, kl: now.kl, paretoK: now.pareto_k });
      header.judge(now?.doubt ?? NO_CAVEAT);
      element.hidden = now === null && !late && problem === ""; // the title has the rows as they are
      const words = belowWords(answer, stress, place);
      setText(below, words);
      below.classList.toggle("ts-is-stale", late);
      below.hidden = words === "";
    },
  };
}
