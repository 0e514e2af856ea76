/** What the values of a set leave open: shares of values or of classes. */

import type { DistributionMessage } from "../messages";
import { WireError } from "../schema";

export function checkDistribution({ values, classes, shares }: DistributionMessage, place: number): void {
  if (shares.length === values.length + classes.length) return;
  throw new WireError(`"distributions[${place}]" must have a share for each of its values or classes`);
}
