/** What the kernel of an effect view is at: nothing where `doing` and `error` are empty. */

import { type EffectProgressMessage, effectProgressMessage } from "../messages";

export const decodeProgress = (value: unknown): EffectProgressMessage =>
  effectProgressMessage(value ?? {}, "progress");
