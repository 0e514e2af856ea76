/** What every part of the panel is given: the message, what is shown, and the way to ask for a change. */

import type { Answer } from "../../../wire/boundary/boundary";
import type {
  BoundaryListedMessage,
  BoundaryListedRowMessage,
  BoundaryMessage,
  BoundaryProgressMessage,
  DecisionMessage,
} from "../../../wire/messages";
import type { Part as AnyPart } from "../../shared/part";
import type { State } from "./state";

/** Everything an update is told. */
export interface View {
  readonly state: State;
  readonly answers: readonly Answer[];
  readonly answer: Answer;
  readonly tab: number;
  readonly step: number;
  /** Whether the answer is of another row or class than those chosen. */
  readonly stale: boolean;
  readonly progress: BoundaryProgressMessage | null;
  /** What the kernel said of the row as edited; null before the first, and for the row's own values. */
  readonly decision: DecisionMessage | null;
  readonly listed: BoundaryListedMessage | null;
}

export interface Context {
  readonly message: BoundaryMessage;
  /** All rows, where they came along. */
  readonly rows: readonly BoundaryListedRowMessage[] | null;
  readonly signal: AbortSignal;
  /** Ask for a new state; `event` is the input that caused it. */
  readonly intend: (change: Partial<State>, event: Event | null) => void;
  /** Ask the kernel for a search from the row as edited. */
  readonly inspect: () => void;
  /** Ask the kernel for another search under the constraints chosen. */
  readonly search: () => void;
  /** Ask the kernel to stop what it is at. */
  readonly stop: () => void;
}

export type Part = AnyPart<View>;
