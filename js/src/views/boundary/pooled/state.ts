/** What the view of a pooled boundary shows, and the way there from the traits. */

import { type Order, orders, type PooledTraits } from "../../../wire/boundary/pooled";
import { type Stress, stressTrait } from "../../../wire/shared_stress";

export interface State {
  readonly stress: Stress;
  readonly order: Order;
  /** Most features shown. */
  readonly most: number;
}

const MOST = 20;

function isOrder(value: unknown): value is Order {
  return (orders as readonly unknown[]).includes(value);
}

export function stateFromTraits(traits: Pick<PooledTraits, "stress" | "order" | "n_features">): State {
  const { stress, order, n_features: most } = traits;
  return {
    stress: stressTrait(stress),
    order: isOrder(order) ? order : "before",
    most: most >= 1 ? most : MOST,
  };
}
