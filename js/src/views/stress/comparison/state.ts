/** What is shown: the models as tested, or under the stress that views share as far as the kernel has answered. */

import { count } from "../../../theme/formats";
import { isStressed, type Stress, sameStress } from "../../../wire/shared_stress";
import type { Compared, ComparisonMessage, PairMessage } from "../../../wire/stress/comparison";
import type { Sentence } from "../../shared/words";
import { capitalize } from "../../shared/words";

export interface State {
  /** A line a metric. */
  readonly pairs: readonly PairMessage[];
  /** Both models in the population they were compared in, under the stress, or while `late` under the one before; null as tested. */
  readonly now: Compared | null;
  readonly late: boolean;
  /** Why the stress set elsewhere is not shown; "" where it is, or is on its way. */
  readonly problem: string;
}

export function stateOf(message: ComparisonMessage, stress: Stress, compared: Compared | null): State {
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

export function populationSentence({ now, late, problem }: State, nRows: number): Sentence {
  if (problem) {
    const why = capitalize(problem).replace(/\.$/, "");
    return {
      strong: "the stress set elsewhere is not shown.",
      rest: ` ${why}. Both models are shown as tested.`,
    };
  }
  if (now) return { strong: now.words, rest: late ? " (before; the kernel compares anew…)" : "" };
  if (late) return { strong: "on its way…", rest: " the kernel compares the models under the stress" };
  return { strong: "the data as they are", rest: `: ${count(nRows)} rows` };
}
