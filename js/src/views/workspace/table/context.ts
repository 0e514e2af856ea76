/** What every part of the panel is given: the data, and the way to ask for a change. */

import type { TableData } from "../../../wire/workspace/table";
import type { Actions } from "../../shared/loop";
import type { Part as AnyPart } from "../../shared/part";
import type { DerivedView } from "./derive_view";
import type { State } from "./state";

export interface Context extends Actions<State> {
  readonly data: TableData;
  /** Select all rows found. */
  chooseAll(event: Event): void;
}

export type Part = AnyPart<DerivedView>;
