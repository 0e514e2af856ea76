/** What every part of the panel is given: the data, and the way to ask for a change. */

import type { PooledData } from "../../../wire/boundary/pooled";
import type { Actions } from "../../shared/loop";
import type { Part as AnyPart } from "../../shared/part";
import type { DerivedView } from "./derive_view";
import type { State } from "./state";

export interface Context extends Actions<State> {
  readonly data: PooledData;
  /** Have the kernel pool the rows selected, or where none is those misclassified. */
  compute(): void;
  stop(): void;
}

export type Part = AnyPart<DerivedView>;
