/** The population in words and how far it was moved; or that there is none, and what could be moved instead. */

import { html, OWN_KEYS, setText } from "../../marks/element";
import { createFact } from "../../marks/fact";
import { heldFeatures } from "../../solve/terms";
import { count, kl, paretoK, tv } from "../../theme/formats";
import type { ColumnMessage } from "../../wire/columns";
import { tauOf, UNSTRESSED } from "../../wire/stress";
import { FEWEST_ROWS, INTERVAL_LIMIT, paretoWord } from "../stress_curves/trust";
import type { Answer } from "./answers";
import { type Context, movedIn, type Part, targetAt } from "./context";
import type { State } from "./state";
import { holdWords, isLimited, populationWords, reachWords } from "./words";

const TITLE = "Population shown: ";

/** The moved features that stand where the others do not leave them room, each with what is left. */
function waysOut({ features, mean, reach, tau }: Context, state: State): string[] {
  return movedIn(state, features).flatMap((feature) => {
    const about = features[feature] as ColumnMessage;
    const found = reach(feature);
    if (found?.kind !== "range" || !isLimited(found)) return [];
    const at = tauOf(state.stress, about.name);
    if (at >= found.low && at <= found.high) return [];
    const words = reachWords(found, (to) => mean(feature).value(targetAt(about, to)), tau);
    return [`For ${about.name} ${words}.`];
  });
}

export interface Population extends Part {
  /** Ranges have become known. */
  mark(): void;
}

export function createPopulation(context: Context): Population {
  const { data, features, intend, mean, signal } = context;
  const strong = html("b");
  const rest = html("span");
  const sentence = html("p", { "data-testid": "population" }, strong, rest);
  const ess = createFact("effective sample", "ess");
  const distance = createFact("total variation", "tv");
  const divergence = createFact("KL", "kl");
  const tail = createFact("Pareto k̂", "pareto-k");
  const reset = html(
    "button",
    { type: "button", class: "ts-button", "data-testid": "reset", ...OWN_KEYS },
    "Reset",
  );
  reset.addEventListener("click", (event) => intend({ stress: UNSTRESSED }, event), { signal });
  const line = html("div", {}, html("span", { class: "ts-quiet" }, TITLE), sentence);
  const facts = html("dl", {}, ess.element, distance.element, divergence.element, tail.element);
  const element = html("header", { class: "ts-population ts-joint-population" }, line, facts, reset);
  const rows = count(data.columns.message.n_rows);
  let last: { state: State; answer: Answer } | null = null;

  const sayNone = (state: State, { reason }: Answer) => {
    const ways = waysOut(context, state);
    setText(strong, "none.");
    setText(rest, ` Not shown: ${reason.replace(/\.$/, "")}.${ways.length > 0 ? ` ${ways.join(" ")}` : ""}`);
  };
  const say = (state: State, answer: Answer) => {
    const moved = movedIn(state, features);
    if (moved.length === 0) {
      setText(strong, "the data as they are:");
      setText(rest, ` ${rows} rows`);
      return;
    }
    const moves = moved.map((feature) => {
      const about = features[feature] as ColumnMessage;
      const show = mean(feature).value;
      return { about, before: show(about.mean), now: show(targetAt(about, tauOf(state.stress, about.name))) };
    });
    const held = heldFeatures(data.columns, moved, state.stress).length;
    const words = populationWords(
      moves,
      holdWords(state.stress.hold, held, moved.length),
      count(answer.ess),
      rows,
    );
    const edge =
      answer.status === "limit" ? "; at the edge of what the rows allow, some have no weight left" : "";
    setText(strong, words);
    setText(rest, edge);
  };

  return {
    element,
    mark: () => {
      if (last?.answer.reason) sayNone(last.state, last.answer);
    },
    update(state, answer) {
      last = { state, answer };
      const none = answer.reason !== "" && !answer.stale;
      const stressed = Object.keys(state.stress.taus).length > 0;
      element.classList.toggle("ts-is-stressed", stressed && !none);
      element.classList.toggle("ts-is-infeasible", none);
      sentence.classList.toggle("ts-doubtful", none);
      facts.classList.toggle("ts-is-stale", answer.stale);
      facts.classList.toggle("ts-is-empty", none);
      reset.disabled = !stressed && state.stress.hold === "none";
      if (none) sayNone(state, answer);
      else if (answer.stale) {
        setText(strong, "on its way…");
        setText(rest, " the kernel weights the rows; the numbers below are of the stress before.");
      } else say(state, answer);
      const few = answer.ess < FEWEST_ROWS;
      ess.set(count(answer.ess), none ? "" : `of ${rows}${few ? ", too few" : ""}`, few);
      distance.set(tv(answer.tv), "");
      divergence.set(kl(answer.kl), none ? "" : "nats");
      const doubtful = !none && !(answer.paretoK <= INTERVAL_LIMIT);
      tail.set(paretoK(answer.paretoK), none ? "" : paretoWord(answer.paretoK), doubtful);
    },
  };
}
