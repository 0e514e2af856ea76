/** What the model decides with values typed in place of the row's own. */

import {
  flag,
  type Infer,
  number,
  object,
  record,
  type Schema,
  text,
  unlessEmpty,
  WireError,
} from "../schema";

/** A number, in days for a duration; a level by name; an ISO date. */
export type Edit = number | string;
export type Edits = Readonly<Record<string, Edit>>;

export const edits: Schema<Edits> = (value, where) => {
  const all = record(value, where);
  for (const [name, edit] of Object.entries(all)) {
    if (typeof edit === "string" || Number.isFinite(edit)) continue;
    throw new WireError(`"${where}.${name}" must be a number or a text`);
  }
  return all as Edits;
};

const decisionMessage = unlessEmpty(
  object({
    row: number,
    edits,
    sentence: text,
    /** Whether it is another decision than the row's own. */
    flipped: flag,
    n_model_rows: number,
    /** What the kernel is at; "" at rest. */
    doing: text,
    /** Why there is no answer. */
    error: text,
  }),
);
export type Decision = Infer<typeof decisionMessage>;

/** What the kernel said last of an edited row; null before the first, and for the row's own values. */
export function decodeDecision(value: unknown): Decision {
  return decisionMessage(value, "decision");
}
