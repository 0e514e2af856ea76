/** What the view of a pooled boundary shows, and the way there from the traits. */

import { type Order, orders } from "../../../wire/boundary/pooled";
import type { PooledBoundaryViewTraits } from "../../../wire/messages";
import { type Stress, stressTrait } from "../../../wire/shared_stress";

export interface State {
  readonly stress: Stress;
  readonly order: Order;
  /** The row chosen among those pooled; −1 for none. */
  readonly row: number;
  /** Followed, never set. */
  readonly selection: readonly number[];
  /** Most features shown. */
  readonly most: number;
}

const MOST = 20;

function isOrder(value: unknown): value is Order {
  return (orders as readonly unknown[]).includes(value);
}

export const CHOICES = ["stress", "order", "n_features", "row", "selection"] as const;

export function stateFromTraits(traits: Pick<PooledBoundaryViewTraits, (typeof CHOICES)[number]>): State {
  const { stress, order, n_features: most, row, selection } = traits;
  return {
    stress: stressTrait(stress),
    order: isOrder(order) ? order : "before",
    row: row ?? -1,
    selection: selection ?? [],
    most: most >= 1 ? most : MOST,
  };
}
