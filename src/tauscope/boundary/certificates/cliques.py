"""Groups of trees merged level by level: boxes that meet within the ball are the boxes of the next level."""

import numpy as np

from tauscope.boundary.certificates.boxes import SLACK, Boxes, Start
from tauscope.boundary.certificates.decomposition import Budget, CostBound, radius_bound, split_bound
from tauscope.weights.arrays import Ints

N_LEVELS = 12
MAX_PAIRS = 40_000
"""Pairs of boxes of two groups that are tried; groups with more are left as they are."""


def least_cost(start: Start, boxes: Boxes, offset: float, largest: float, budget: Budget) -> tuple[float, bool]:
    """Bound the cost of a flip from below.

    Parameters
    ----------
    start : Start
    boxes : Boxes
        All that a flip of at most `largest` can lie in.
    offset : float
        Margin without the boxes' values; a flip has a margin of 0 or less.
    largest : float
    budget : Budget

    Returns
    -------
    cost : float
        Of a flip that costs at most `largest`, if there is one; ∞ if there is none.
    complete : bool
        Whether no groups were left apart, so that no radius tells more.
    """
    best = 0.0
    narrowed = narrow(start, boxes, largest)
    for _ in range(N_LEVELS):
        if narrowed is None:
            return float("inf"), True
        best = max(best, radius_bound(narrowed, offset))
        if best >= largest or narrowed.n_groups == 1:
            return best, narrowed.n_groups == 1
        few = float(np.prod(np.diff(narrowed.first, append=len(narrowed.group)).astype(np.float64))) <= MAX_PAIRS
        nothing_known = CostBound(0.0, np.zeros(len(narrowed.group)))
        bound = nothing_known if few else split_bound(narrowed, offset, largest, budget)
        best = max(best, bound.cost)
        if best >= largest or budget.left <= 0:
            return best, False
        merged = merge(start, narrowed, bound, largest, budget)
        if merged is not None and merged.n_groups == narrowed.n_groups:
            break
        narrowed = None if merged is None else narrow(start, merged, largest)
    return best, False


def narrow(start: Start, boxes: Boxes, largest: float) -> Boxes | None:
    """Cut all boxes to the part every group leaves, and drop those that then lie outside the ball; None: none is left.

    A flip lies in one box of every group.
    """
    columns = np.arange(boxes.lower.shape[1], dtype=np.int64)
    while True:
        n_groups = boxes.n_groups
        lower = np.minimum.reduceat(boxes.lower, boxes.first, axis=0).max(axis=0, initial=-np.inf)
        upper = np.maximum.reduceat(boxes.upper, boxes.first, axis=0).min(axis=0, initial=np.inf)
        lower, upper = np.maximum(boxes.lower, lower), np.minimum(boxes.upper, upper)
        cut = Boxes(boxes.group, boxes.value, lower, upper, start.costs(columns, lower, upper))
        near = cut.total <= largest * (1 + SLACK)
        if near.all():
            return cut
        boxes = cut.take(near)
        if boxes.n_groups < n_groups:
            return None


def merge(start: Start, boxes: Boxes, bound: CostBound, largest: float, budget: Budget) -> Boxes | None:
    """Merge groups two by two, those together that ask most of the same column; None: two of them never meet.

    Boxes, and pairs of them, that the bound rules out for flips of at most `largest` are dropped.
    """
    excess = bound.of_box - bound.cost
    gap = largest * (1 + SLACK) - bound.cost
    kept = np.flatnonzero(excess <= gap)
    boxes, excess = boxes.take(kept), excess[kept]
    ends = [*boxes.first[1:].tolist(), len(boxes.group)]
    pairs = zip(boxes.first.tolist(), ends, strict=True)
    members: list[Ints] = [np.arange(begin, end, dtype=np.int64) for begin, end in pairs]
    asks = np.maximum.reduceat(boxes.cost, boxes.first, axis=0)
    queue: list[int] = np.lexsort(([len(one) for one in members], asks.argmax(axis=1))).tolist()
    parts: list[Boxes] = []
    while queue:
        one = members[queue.pop(0)]
        other = members[queue[0]] if queue else one
        if not queue or len(one) * len(other) > MAX_PAIRS or not budget.spend(len(one) * len(other)):
            parts.append(boxes.take(one).numbered(len(parts)))
            continue
        queue.pop(0)
        first, second = np.nonzero(excess[one][:, None] + excess[other] <= gap)
        part = _intersections(start, boxes, one[first], other[second], largest).numbered(len(parts))
        if len(part.value) == 0:
            return None
        parts.append(part)
    return Boxes.joined(parts)


def _intersections(start: Start, boxes: Boxes, first: Ints, second: Ints, largest: float) -> Boxes:
    lower = np.maximum(boxes.lower[first], boxes.lower[second])
    upper = np.minimum(boxes.upper[first], boxes.upper[second])
    cost = start.costs(np.arange(lower.shape[1], dtype=np.int64), lower, upper)
    near = np.flatnonzero(cost.sum(axis=1) <= largest * (1 + SLACK))
    value = boxes.value[first[near]] + boxes.value[second[near]]
    return Boxes(np.zeros(len(near), dtype=np.int64), value, lower[near], upper[near], cost[near])
