/** What is shown: the models as tested, or under the stress that views share as far as the kernel has answered. */

import type { ComparedMessage, ComparedPairMessage, ModelComparisonMessage } from "../../../wire/messages";
import { isStressed, type Stress, sameStress } from "../../../wire/shared_stress";
import { type StressShown, stressSentence } from "../../shared/stress_shown";
import type { Sentence } from "../../shared/words";

/** Of both models in the population they were compared in; nothing as tested. */
export interface State extends StressShown<ComparedMessage> {
  /** A line a metric. */
  readonly pairs: readonly ComparedPairMessage[];
}

export function stateOf(
  message: ModelComparisonMessage,
  stress: Stress,
  compared: ComparedMessage | null,
): State {
  const asTested: State = { pairs: message.tested, now: null, late: false, problem: "" };
  if (!isStressed(stress) && (!compared || compared.error || isStressed(compared.stress))) return asTested;
  if (compared && sameStress(compared.stress, stress)) {
    return compared.error
      ? { ...asTested, problem: compared.error }
      : { pairs: compared.pairs, now: compared, late: false, problem: "" };
  }
  if (message.offline) return { ...asTested, problem: message.offline };
  return compared && !compared.error
    ? { pairs: compared.pairs, now: compared, late: true, problem: "" }
    : { ...asTested, late: true };
}

export function populationSentence(state: State, nRows: number): Sentence {
  return stressSentence(state, nRows, {
    doing: "compares",
    first: "compares the models under the stress",
    instead: "Both models are shown as tested.",
  });
}
