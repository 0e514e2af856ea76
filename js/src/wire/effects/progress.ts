/** What the kernel of an effect view is at: nothing where `doing` and `error` are empty. */

import { type EffectProgressMessage, effectProgressMessage } from "../messages";

export type Progress = EffectProgressMessage;

export const decodeProgress = (value: unknown): Progress => effectProgressMessage(value ?? {}, "progress");
