/** Which rows are pooled, of which population: in words and in numbers, before any bar. */

import { html, setText } from "../../../marks/element";
import { createStat } from "../../../marks/stat";
import { count, quantityFormat } from "../../../theme/formats";
import { UNSTRESSED } from "../../../wire/shared_stress";
import { createPopulationHeader, linkedHint } from "../../shared/population";
import { markLevel } from "../../shared/reliability";
import { stressSentence } from "../../shared/stress_shown";
import type { Sentence } from "../../shared/words";
import { pooledWords } from "./choice";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";
import { trustWords } from "./words";

const percent = quantityFormat("share", 1).value;
const cosine = quantityFormat("value", 1, 2).bare;
const GLOSSES = {
  pooled: "Those of the rows chosen that have a direction and weight.",
  share: "Of the population's weight.",
  size: "(Σw)² / Σw² of the rows pooled: what the intervals rest on.",
  agreement: "Weighted mean cosine of the rows' directions with the pooled one; 1 where all point alike.",
} as const;

const WORDS = { doing: "weighs the rows", first: "weighs the rows", instead: "" };

function sentence({ population, stale, now }: DerivedView, nRows: number): Sentence {
  const { problem, words } = population;
  if (problem) {
    return {
      strong: "none.",
      rest: ` The stress cannot be shown: ${problem}. The bars are of the data as they are.`,
    };
  }
  return stressSentence({ now: now && { words }, late: stale, problem }, nRows, WORDS);
}

export function createPopulation({ data, intend, signal }: Context): Part {
  const { message } = data;
  const header = createPopulationHeader(message.n_rows, signal, (event) =>
    intend({ stress: UNSTRESSED }, event),
  );
  const pooled = createStat("rows pooled", "pooled", [GLOSSES.pooled, signal]);
  const size = createStat("effective", "size", [GLOSSES.size, signal]);
  const share = createStat("of the population", "share", [GLOSSES.share, signal]);
  const agreement = createStat("mean cosine", "agreement", [GLOSSES.agreement, signal]);
  const trust = html("p", { "data-testid": "reliability" }, html("b"), html("span"));
  const [level, why] = trust.children as unknown as [HTMLElement, HTMLElement];
  const chosen = html(
    "p",
    { "data-testid": "rows" },
    html("span", { class: "ts-quiet" }, "Pooled: "),
    html("span"),
  );
  const facts = html("dl", {}, pooled, size, share, agreement);
  const ours = html("div", { class: "ts-pooled-rows" }, chosen, facts, trust);
  return {
    element: html("div", { class: "ts-pooled-head" }, header, ours),
    update(view) {
      const { population, stale } = view;
      const nSelected = view.ofSelected ? view.state.selection.length : 0;
      setText(chosen.lastElementChild as HTMLElement, pooledWords(message, nSelected));
      const stressed = population.stressed && population.problem === "";
      header.element.classList.toggle("ts-is-stressed", stressed);
      for (const part of [header.stats, ours]) part.classList.toggle("ts-is-stale", stale);
      header.sentence.classList.toggle("ts-notice", population.problem !== "");
      header.stats.hidden = population.problem !== "" || message.n_rows === 0;
      header.tail.hidden = !stressed && !message.weighted;
      header.reset.hidden = !population.stressed && !stale;
      header.say(sentence(view, message.n_rows));
      header.measure(population, stressed || stale || population.problem ? null : linkedHint(message.live));
      const { n, size: rows, share: part, agreement: alike } = view.facts;
      const was = message.facts;
      pooled.set(count(n), n < message.n_chosen ? `of ${count(message.n_chosen)}` : "");
      size.set(count(rows), "rows");
      share.element.hidden = part === null;
      share.set(
        part === null ? "" : percent(part),
        stressed && was.share !== null ? `instead of ${percent(was.share)}` : "",
      );
      agreement.set(cosine(alike), stressed ? `instead of ${cosine(was.agreement)}` : "");
      const words = trustWords(message, view);
      setText(level, words.strong);
      setText(why, words.rest);
      markLevel(trust, words.level);
    },
  };
}
