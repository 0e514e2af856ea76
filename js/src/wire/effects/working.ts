/** What the kernel of an effect view is at. */

import { type Infer, number, object, optional, text } from "../schema";

/** Nothing where `doing` and `error` are empty. */
const working = object({
  doing: optional(text, ""),
  done: optional(number, 0),
  total: optional(number, 0),
  error: optional(text, ""),
});
export type Working = Infer<typeof working>;

export function decodeWorking(value: unknown): Working {
  return working(value ?? {}, "working");
}
