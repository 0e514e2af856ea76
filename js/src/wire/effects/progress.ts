/** What the kernel of an effect view is at. */

import { type Infer, number, object, oneOf, optional, text } from "../schema";

/** Nothing where `doing` and `error` are empty. */
const progressMessage = object({
  /** "" where it has nothing to do. */
  task: optional(oneOf("", "effect", "attack"), ""),
  doing: optional(text, ""),
  done: optional(number, 0),
  total: optional(number, 0),
  error: optional(text, ""),
});
export type Progress = Infer<typeof progressMessage>;

export function decodeProgress(value: unknown): Progress {
  return progressMessage(value ?? {}, "progress");
}
