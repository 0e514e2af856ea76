/** What every part of the panel is given: the message, what is shown, and the way to ask for a change. */

import { type QuantityFormat, quantityFormat, span } from "../../../theme/formats";
import type { EffectMessage, Part as EffectPart } from "../../../wire/effects/effect";
import type { AttackedMessage, EffectProgressMessage } from "../../../wire/messages";
import type { Part as AnyPart } from "../../shared/part";
import type { DerivedView } from "./derive_view";
import type { State } from "./state";

/** Everything an update is told. */
export interface View {
  readonly state: State;
  readonly shown: DerivedView;
  readonly progress: EffectProgressMessage;
  readonly attacked: AttackedMessage | null;
}

export interface Context {
  readonly message: EffectMessage;
  readonly signal: AbortSignal;
  /** Ask for a new state; `event` is the input that caused it. */
  readonly intend: (change: Partial<State>, event: Event | null) => void;
  /** Ask the kernel for an attack; null ends it. */
  readonly attack: (asked: { method: string; aim: string } | null) => void;
  /** Ask the kernel to stop what it is at. */
  readonly stop: () => void;
  /** Effects that can be shown without asking. */
  readonly there: (features: readonly string[]) => readonly EffectPart[];
}

export type Part = AnyPart<View>;

/** Numbers of an effect to text; those of a share in per cent. */
export function effectFormat({ response_kind }: EffectMessage, { known }: DerivedView): QuantityFormat {
  return quantityFormat(response_kind, span(known.value) || Math.abs(known.value[0] ?? 1), 3);
}
