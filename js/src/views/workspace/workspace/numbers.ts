/** The metrics of a stress as numbers: solved in the page where it has the rows, else the kernel's last answer. */

import type { AnyModel } from "@anywidget/types";
import type { JointStressViewTraits } from "../../../wire/messages";
import { LEVELS, levelOf } from "../../../wire/reasons";
import { isStressed, type Stress } from "../../../wire/shared_stress";
import { decodeAnswer, decodeJointStress } from "../../../wire/stress/joint";
import { reasonWords } from "../../shared/reliability";
import { type Answer, createAnswers } from "../../stress/joint/answers";
import { createContext } from "../../stress/joint/context";

const DATA = ["message", "columns_message", "columns", "row_weights", "answers"] as const;

/** A metric in a population: its interval, and how far it can be relied on. */
export interface Cell {
  readonly metric: string;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly reliability: string;
  readonly note: string;
}

export type Numbers = ReturnType<typeof createNumbers>;

/** @param joint the model of the sliders and metrics */
export function createNumbers(joint: AnyModel<JointStressViewTraits>, signal: AbortSignal) {
  const traits = Object.fromEntries(DATA.map((name) => [name, joint.get(name)]));
  const data = decodeJointStress(traits as Pick<JointStressViewTraits, (typeof DATA)[number]>);
  const answers = createAnswers(data);
  const nowhere = () => undefined;
  const context = createContext(data, { signal, intend: nowhere, range: () => null, gone: false });
  const { reliability } = data.message;
  const cells = (answer: Answer) =>
    context.metrics.map(({ name, events }, k) => {
      const { value, lower, upper, reason, amount } = answer.estimate(k);
      const judged = isStressed(answer.stress);
      const note = reasonWords(reliability, events, { reason, amount });
      return {
        metric: name,
        value,
        lower,
        upper,
        reliability: judged ? LEVELS[levelOf(reliability, reason)] : "",
        note,
      };
    });
  const answer = (stress: Stress) => {
    if (!data.outcomes) answers.receive(decodeAnswer(joint.get("answer") ?? {}));
    return answers.of(stress);
  };
  const asTested = () => cells(answer({ taus: {}, hold: "none" }));
  return {
    context,
    /** Whether the page has the rows to solve any stress. */
    here: data.outcomes !== null,
    answer,
    /** Every metric of an answer. */
    cells,
    asTested,
  };
}
