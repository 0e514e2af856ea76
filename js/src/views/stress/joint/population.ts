/** The population in words and how far it was moved; or that there is none, and what could be moved instead. */

import { switchOff } from "../../../marks/button";
import { heldFeatures } from "../../../solve/stress/terms";
import { count } from "../../../theme/formats";
import type { ColumnMessage } from "../../../wire/messages";
import { tauOf, UNSTRESSED } from "../../../wire/shared_stress";
import { AT_REST, createPopulationHeader, type PopulationHeader } from "../../shared/population";
import { moveWords } from "../../shared/population_words";
import { judgePopulation } from "../../shared/reliability";
import type { Sentence } from "../../shared/words";
import type { Answer } from "./answers";
import { type Context, movedIn, type Part, targetAt, type View } from "./context";
import type { State } from "./state";
import { holdWords, isLimited, rangeWords } from "./words";

/** The moved features that stand where the others do not leave them room, each with what is left. */
function waysOut({ features, mean, range: rangeOf, tau }: Context, state: State): string[] {
  return movedIn(state, features).flatMap((feature) => {
    const about = features[feature] as ColumnMessage;
    const range = rangeOf(feature);
    if (range?.kind !== "range" || !isLimited(range)) return [];
    const at = tauOf(state.stress, about.name);
    if (at >= range.low && at <= range.high) return [];
    const words = rangeWords(range, (to) => mean(feature).value(targetAt(about, to)), tau);
    return [`For ${about.name} ${words}.`];
  });
}

export interface Population extends Part, Pick<PopulationHeader, "name" | "spoken"> {
  /** Ranges have become known. */
  mark(): void;
}

/** Words for a stress under which no weights were found. */
function noneWords(context: Context, state: State, { reason }: Answer): Sentence {
  const ways = waysOut(context, state);
  const after = ways.length > 0 ? ` ${ways.join(" ")}` : "";
  return { strong: "none.", rest: ` Not shown: ${reason.replace(/\.$/, "")}.${after}` };
}

function words(context: Context, state: State, answer: Answer): Sentence {
  const { data, features, mean } = context;
  const rows = count(data.columns.message.n_rows);
  if (answer.stale && context.gone) {
    const rest = " the kernel that weighted the rows has ended; the numbers below are of the stress before.";
    return { strong: "not known:", rest };
  }
  if (answer.stale) {
    const rest = " the kernel weights the rows; the numbers below are of the stress before.";
    return { strong: "on its way…", rest };
  }
  if (answer.reason !== "") return noneWords(context, state, answer);
  const moved = movedIn(state, features);
  if (moved.length === 0) return { strong: "the data as they are:", rest: ` ${rows} rows` };
  const moves = moved.map((feature) => {
    const about = features[feature] as ColumnMessage;
    const show = mean(feature).value;
    return moveWords(about, show(about.mean), show(targetAt(about, tauOf(state.stress, about.name))));
  });
  const held = heldFeatures(data.columns, moved, state.stress).length;
  const holding = holdWords(state.stress.hold, held, moved.length);
  const edge = "; at the edge of what the rows allow, some have no weight left";
  return {
    strong: moves.join(", "),
    rest: `${holding && `; ${holding}`}${answer.status === "limit" ? edge : ""}`,
  };
}

/** @param atRest what is said while nothing is moved */
export function createPopulation(context: Context, atRest = AT_REST): Population {
  const { data, intend, signal } = context;
  const { n_rows } = data.columns.message;
  const header = createPopulationHeader(n_rows, signal, (event) => intend({ stress: UNSTRESSED }, event));
  const { element, sentence, stats: facts, reset } = header;
  element.classList.add("ts-joint-population");
  let last: View | null = null;
  return {
    element,
    name: header.name,
    spoken: header.spoken,
    mark: () => {
      if (last?.answer.reason) header.say(words(context, last.state, last.answer));
    },
    update(view) {
      const { state, answer } = view;
      last = view;
      const none = answer.reason !== "" && !answer.stale;
      const stressed = Object.keys(state.stress.taus).length > 0;
      element.classList.toggle("ts-is-stressed", stressed && !none);
      element.classList.toggle("ts-is-infeasible", none);
      sentence.classList.toggle("ts-notice", none);
      facts.classList.toggle("ts-is-stale", answer.stale);
      switchOff(reset, !stressed && state.stress.hold === "none");
      header.say(words(context, state, answer));
      const resting = !stressed && !none && !answer.stale && state.stress.hold === "none";
      header.measure(answer, resting ? atRest : null);
      header.judge(judgePopulation(data.message.reliability, answer.ess, answer.carriers));
    },
  };
}
