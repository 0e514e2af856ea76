/** A message that does not keep to the contract: the rule, and what was received. */
export class WireError extends Error {
  override name = "WireError";
}
