"""The least cost of a flip from below: each group of boxes alone, or sharing out what a column costs."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.certificates.boxes import Boxes
from tauscope.weights.arrays import Bools, Floats, Ints

EPSILON = float(np.finfo(np.float64).eps)
N_STEPS = 60
PRICE_EVERY = 15
N_HALVINGS = 30
AIM = 1.5  # times the best bound so far, aimed at by the next step


class Budget:
    """Boxes that may still be looked at.

    Parameters
    ----------
    n_boxes : float
    """

    def __init__(self, n_boxes: float) -> None:
        self.left = n_boxes

    def spend(self, n_boxes: int) -> bool:
        """Count boxes; tell whether they were still allowed."""
        self.left -= n_boxes
        return self.left >= 0

    def share(self, part: float) -> "Budget":
        """Set a part of what is left aside."""
        return Budget(self.left * part)


@dataclass(frozen=True, eq=False)
class CostBound:
    """A lower bound of the cost of every flip, and of those within each box.

    Attributes
    ----------
    cost : float
    of_box : ndarray of shape (m,)
    """

    cost: float
    of_box: Floats


def radius_bound(boxes: Boxes, offset: float) -> float:
    """Find the cost up to which the margin stays above 0, with the worst box of every group at once; ∞ if for all.

    The bound of Chen, Zhang, Si, Li, Boning and Hsieh, "Robustness verification of tree-based models" (2019),
    section 3.3, for all radii together. With one group it is the least cost of a flip itself.
    """
    order = np.lexsort((boxes.total, boxes.group))
    cost, value = boxes.total[order], boxes.value[order]
    first = boxes.first
    least = _running_minimum(value, first)
    change = np.diff(least, prepend=0.0)
    change[first] = least[first]
    # nearer than this some group has no box left that a flip could lie in
    cost = np.maximum(cost, cost[first].max(initial=0.0))
    events = np.argsort(cost, kind="stable")
    at, margin = cost[events], offset + np.cumsum(change[events])
    last_of_equals = np.append(at[1:] > at[:-1], True)
    flips = np.flatnonzero(last_of_equals & (margin <= 0))
    return float(at[flips[0]]) if len(flips) else float("inf")


def split_bound(boxes: Boxes, offset: float, largest: float, budget: Budget) -> CostBound:
    """Bound the cost of a point in one box of each group whose values and offset add up to 0 or less.

    A column costs what the box that asks most of it does, hence at least the mean over groups under any weights w of
    sum 1. With a price λ ≥ 0 of the margin,

        cost ≥ λ · offset + Σ_groups min_box (Σ_columns w · cost + λ · value),

    a Lagrangian decomposition: every λ and w gives a bound, and subgradient steps look for good ones. A box whose own
    bound exceeds the cost looked for holds no flip that matters.

    Parameters
    ----------
    boxes : Boxes
    offset : float
    largest : float
        The cost looked for.
    budget : Budget
        A step counts every box.
    """
    asks = np.maximum.reduceat(boxes.cost, boxes.first, axis=0) > 0
    n_asking = np.maximum(asks.sum(axis=0), 1)
    weights = asks / n_asking
    # what the products with the price may lose by rounding
    size = abs(offset) + float(np.maximum.reduceat(np.abs(boxes.value), boxes.first).sum())
    rounding = EPSILON * (boxes.n_groups + 8) * size
    best, of_box, price = -np.inf, np.zeros(len(boxes.value)), 0.0
    for step in range(N_STEPS):
        shared = np.einsum("ij,ij->i", boxes.cost, weights[boxes.group])
        if step % PRICE_EVERY == 0:
            price = _best_price(boxes, shared, offset)
        priced = shared + price * boxes.value
        least, chosen = _least(boxes, priced)
        bound = float(least.sum()) + price * (offset - rounding)
        if bound > best:
            best, of_box = bound, bound - least[boxes.group] + priced
        if best >= largest or not budget.spend(len(boxes.value)):
            break
        uphill = np.where(asks, boxes.cost[chosen], 0.0)
        uphill -= asks * (uphill.sum(axis=0) / n_asking)
        # in the price's own unit: it and the weights then move by comparable amounts
        excess = (offset + float(boxes.value[chosen].sum())) * price
        squares = float((uphill * uphill).sum()) + excess * excess
        if squares <= 0:
            break
        length = (min(largest, AIM * max(best, 0.0)) - bound) / squares
        weights = _to_shares(weights + length * uphill, asks)
        price = max(price + length * excess * price, 0.0)
    return CostBound(max(best, 0.0), of_box)


def _best_price(boxes: Boxes, shared: Floats, offset: float) -> float:
    """Price at which the boxes chosen turn the margin: the best one for these weights."""

    def too_low(price: float) -> bool:
        chosen = _least(boxes, shared + price * boxes.value)[1]
        return offset + float(boxes.value[chosen].sum()) > 0

    low, high = 0.0, 1.0
    while too_low(high) and high < 1e12:
        low, high = high, 4 * high
    for _ in range(N_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if too_low(middle) else (low, middle)
    return high


def _least(boxes: Boxes, priced: Floats) -> tuple[Floats, Ints]:
    """Least price of each group, and the first box that has it."""
    least = np.minimum.reduceat(priced, boxes.first)
    hits = np.flatnonzero(priced == least[boxes.group])
    return least, hits[np.flatnonzero(np.diff(boxes.group[hits], prepend=-1))]


def _running_minimum(value: Floats, first: Ints) -> Floats:
    parts = np.split(value, first[1:])
    return np.concatenate([np.minimum.accumulate(part) for part in parts])


def _to_shares(weights: Floats, asks: Bools) -> Floats:
    """Nearest weights of at least 0 and sum 1 a column, over the groups that ask for it."""
    descending = -np.sort(np.where(asks, -weights, np.inf), axis=0)
    ranked = np.isfinite(descending)
    surplus = np.cumsum(np.where(ranked, descending, 0.0), axis=0) - 1
    count = np.arange(1, len(weights) + 1)[:, None]
    n_kept = np.maximum((ranked & (descending > surplus / count)).sum(axis=0), 1)
    level = surplus[n_kept - 1, np.arange(weights.shape[1])] / n_kept
    return np.where(asks, np.maximum(weights - level, 0.0), 0.0)
