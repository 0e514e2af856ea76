/** What the model decides with values typed in place of the row's own. */

import { type DecisionMessage, decisionMessage } from "../messages";
import { numberOrText, recordOf, unlessEmpty } from "../schema";

/** Numbers, in days for a duration; levels by name; ISO dates. */
export const edits = recordOf(numberOrText);
export type Edits = ReturnType<typeof edits>;
export type Edit = Edits[string];

export type Decision = DecisionMessage | null;

/** What the kernel said last of an edited row; null before the first, and for the row's own values. */
export function decodeDecision(value: unknown): Decision {
  return unlessEmpty(decisionMessage)(value, "decision");
}
