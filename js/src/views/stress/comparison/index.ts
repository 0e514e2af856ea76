/** The widget of two models on the same rows: the kernel compares them under the stress that views share. */

import "./style.css";
import { html } from "../../../marks/element";
import {
  type ComparedMessage,
  comparedMessage,
  type ModelComparisonMessage,
  type ModelComparisonViewTraits,
  modelComparisonMessage,
} from "../../../wire/messages";
import { checkCount, unlessEmpty } from "../../../wire/schema";
import { readStressOrNone } from "../../../wire/shared_stress";
import { createAnnouncer } from "../../shared/announcer";
import { createFollowedHeader } from "../../shared/followed";
import { startLoop } from "../../shared/loop";
import type { Part } from "../../shared/part";
import { linkedHint } from "../../shared/population";
import { NO_CAVEAT } from "../../shared/reliability";
import { markStressed } from "../../shared/stress_shown";
import { createTitledPanel } from "../../shared/title";
import { createView } from "../../shared/view";
import { capitalize, rowsOf } from "../../shared/words";
import { createRows, isJudged, verdict } from "./rows";
import { populationSentence, type State, stateOf } from "./state";

/** Null where nothing was asked yet. */
function decodeCompared(value: unknown, { metrics }: ModelComparisonMessage): ComparedMessage | null {
  const message = unlessEmpty(comparedMessage)(value ?? {}, "compared");
  if (message && !message.error) checkCount("compared.pairs", message.pairs, metrics.length, "metrics");
  return message;
}

function announced(message: ModelComparisonMessage, state: State): string {
  const { strong, rest } = populationSentence(state, message.n_rows);
  if (state.late) return "";
  const told = state.pairs.flatMap((pair, k) =>
    pair.better >= 0 || !isJudged(pair)
      ? [`${message.metrics[k]?.label}: ${verdict(pair, message.names)}`]
      : [],
  );
  return `${capitalize(strong)}${rest}. ${told.join(". ") || "The models are not told apart"}.`;
}

const UNKNOWN = { ess: Number.NaN, tv: Number.NaN, kl: Number.NaN, pareto_k: Number.NaN };

/** The panel of two models: the population, the table, and what its intervals are. */
function createPanel(message: ModelComparisonMessage, signal: AbortSignal): Part<State> {
  const header = createFollowedHeader(message.n_rows, signal);
  const rows = createRows(message);
  const announcer = createAnnouncer(signal, (state: State) => announced(message, state));
  return {
    element: createTitledPanel(
      "ts-comparison-panel",
      message.title,
      `${rowsOf(message.n_rows)}, the same for both`,
      header,
      rows,
      html("p", { class: "ts-quiet ts-comparison-note" }, message.note),
      announcer,
    ),
    update(state, before) {
      const { now, late, problem } = state;
      markStressed(header, now !== null, late, problem);
      header.say(populationSentence(state, message.n_rows));
      header.measure(now ?? UNKNOWN, now ? null : linkedHint(message.offline === ""));
      header.judge(now ? { level: now.level, words: now.doubt } : NO_CAVEAT);
      rows.update(state, before);
      announcer.update(state, before);
    },
  };
}

export default createView<ModelComparisonViewTraits>({
  root: "ts-model-comparison",
  data: ["message"],
  awaited: "the comparison",
  shown: "This comparison",
  asksKernel: (traits) => modelComparisonMessage(traits.get("message"), "message").offline === "",
  mount: (stage) => {
    const { traits } = stage;
    const message = modelComparisonMessage(traits.get("message"), "message");
    startLoop<ModelComparisonViewTraits, State>(stage, {
      choices: ["stress", "compared"],
      read: () =>
        stateOf(
          message,
          readStressOrNone(traits.get("stress")),
          decodeCompared(traits.get("compared"), message),
        ),
      write: () => {},
      createPanel: ({ signal }) => createPanel(message, signal),
    });
  },
});
