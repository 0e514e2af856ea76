/** What an index is called, and in what it is counted. */

import { list, oneOf, record, text } from "./fields";
import { WireError } from "./wire_error";

export interface IndexMessage {
  readonly name: string;
  readonly label: string;
  readonly kind: "share" | "value";
}

export function checkIndex(value: unknown, where: string): IndexMessage {
  const index = record(value, where);
  return {
    name: text(index.name, `${where}.name`),
    label: text(index.label, `${where}.label`),
    kind: oneOf(index.kind, `${where}.kind`, ["share", "value"]),
  };
}

/** The indices of a message, at least one. */
export function checkIndices(value: unknown): IndexMessage[] {
  const indices = list(value, "indices").map((index, k) => checkIndex(index, `indices[${k}]`));
  if (indices.length === 0) throw new WireError('"indices" must name at least one index, received none');
  return indices;
}
