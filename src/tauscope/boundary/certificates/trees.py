"""How far the nearest flip of a tree ensemble is at least: exact for one tree, by boxes of leaves for several."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from tauscope.boundary.certificates.boxes import SLACK, Boxes, Start, TreeBoxes, power
from tauscope.boundary.certificates.contrasts import Contrasts
from tauscope.boundary.certificates.decomposition import Budget, CostBound, radius_bound, split_bound
from tauscope.boundary.certificates.moves import Moves
from tauscope.prediction.batches import Over
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Floats, Ints

FIRST_RADIUS = 1 / 64
FARTHEST = 1e6
MOST_NUMBERS = 8_000_000
"""Ends of boxes held at once."""
GROWTH = 1.3
NARROW = 0.02
"""Share of the distance to which the largest radius that can be proved is looked for."""


@dataclass(frozen=True, eq=False)
class _Point:
    start: Start
    contrasts: Contrasts
    outputs: Floats
    upper: float


@dataclass(frozen=True, eq=False)
class TreeMargins:
    """A tree ensemble whose flips are to be bounded.

    Attributes
    ----------
    boxes : TreeBoxes
    values : ndarray of shape (n_nodes, q)
        What a leaf adds to each output.
    """

    boxes: TreeBoxes
    values: Floats

    @classmethod
    def read(cls, boxes: TreeBoxes) -> TreeMargins:
        """Lay out the leaves' values over all outputs."""
        trees = boxes.trees
        values = np.zeros((len(trees.feature), len(trees.offset)))
        for k in range(trees.value.shape[1]):
            values[np.arange(len(values)), trees.first_output + k] = trees.value[:, k]
        values[trees.feature >= 0] = 0.0
        return cls(boxes, values)

    def outputs(self, seen: Compared) -> Floats:
        """Compute outputs at rows as compared with thresholds: shape (n, q)."""
        return self.boxes.trees.raw(seen.astype(np.float64)).T

    def lower_bounds(
        self,
        moves: Moves,
        seen: Compared,
        contrasts: list[Contrasts],
        upper: Floats,
        budget: float,
        over: Over = map,
    ) -> tuple[Floats, Bools]:
        """Bound the distance of each point's nearest flip.

        Parameters
        ----------
        moves : Moves
        seen : ndarray of shape (n, d)
            The points as compared with thresholds.
        contrasts : list of Contrasts
            For each point.
        upper : ndarray of shape (n,)
            Farther than this nothing is looked for.
        budget : float
            Boxes looked at for each point.
        over : callable
            Applies a function to the points as `map` does.

        Returns
        -------
        distance : ndarray of shape (n,)
        exact : ndarray of bool, shape (n,)
        """
        # what is added in single precision may be decided otherwise than the sum it stands for
        single = self.boxes.trees.n_trees == 1 and not self.boxes.trees.single_sums
        outputs = self.outputs(seen)
        points = [
            _Point(Start.of(moves, row, seen[row]), contrasts[row], outputs[row], float(upper[row]))
            for row in range(moves.n)
        ]
        distance = np.array(list(over(partial(self._of_point, single, budget), points)), dtype=np.float64)
        return distance, np.full(moves.n, single) & ~moves.relaxed

    def _of_point(self, single: bool, budget: float, point: _Point) -> float:
        if single:
            return self._of_single_tree(point.start, point.contrasts, point.upper)
        return self._of_row(point.start, point.contrasts, point.outputs, point.upper, budget)

    def _of_row(self, start: Start, contrasts: Contrasts, outputs: Floats, upper: float, budget: float) -> float:
        """Nearest flip to any class, or bound of the flip to the one that every contrast is against."""
        trees = self.boxes.trees
        order = np.argsort(contrasts.forms @ outputs + contrasts.offsets)
        bounds: list[float] = []
        for place in order:
            form = contrasts.forms[place]
            values = self.values @ form
            offset = float(form @ trees.offset + contrasts.offsets[place])
            limit = upper if contrasts.every else min([upper, *bounds])
            bounds.append(
                self._flip_distance(
                    start, values, offset - trees.slack(values, offset), limit, Budget(budget / len(order))
                )
            )
        return max(bounds) if contrasts.every else min(bounds)

    def _of_single_tree(self, start: Start, contrasts: Contrasts, upper: float) -> float:
        """Nearest leaf decided otherwise."""
        outputs = self.values + self.boxes.trees.offset
        if outputs.shape[1] == 1:
            flips: Bools = outputs @ contrasts.forms[0] + contrasts.offsets <= 0
        else:
            leaves = np.argmax(outputs, axis=1)  # of equal shares the first, as the tree itself decides
            flips = leaves != contrasts.label if contrasts.target is None else leaves == contrasts.target
        boxes = self.boxes.within(start, np.where(flips, -1.0, 1.0), upper)
        return min(_root(radius_bound(boxes, 0.0), start.norm), upper)

    def _flip_distance(self, start: Start, values: Floats, offset: float, upper: float, budget: Budget) -> float:
        """Largest radius within which no flip is proved to lie, up to `upper` and as the budget allows."""
        low = self._coarse_bound(start, values, offset, upper)
        high, growth = np.inf, GROWTH
        while 0 < low < upper and low * (1 + NARROW) < high and budget.left > 0:
            radius = min(low * growth, upper) if np.isinf(high) else (low + high) / 2
            attempt = budget.share(0.25)
            budget.left -= attempt.left
            boxes = self.boxes.within(start, values, radius)
            if boxes.lower.size > MOST_NUMBERS:
                break
            budget.spend(len(boxes.value))
            cost, complete = least_cost(start, boxes, offset, power(radius, start.norm), attempt)
            budget.left += max(attempt.left, 0)
            proved = min(_root(cost, start.norm), radius)
            if complete and proved < radius:
                return max(low, proved)
            low, high = max(low, proved), high if proved >= radius else radius
            growth = 2 * GROWTH if complete else GROWTH
        return low

    def _coarse_bound(self, start: Start, values: Floats, offset: float, upper: float) -> float:
        """Do the same with every tree alone, in balls that grow until one may hold a flip."""
        radius = min(FIRST_RADIUS, upper)
        while True:
            boxes = self.boxes.within(start, values, radius)
            cost = radius_bound(boxes, offset)
            if cost <= power(radius, start.norm):
                return _root(cost, start.norm)
            if radius >= upper or boxes.lower.size > MOST_NUMBERS:
                return radius
            radius = min(4 * radius if radius < FARTHEST else np.inf, upper)


def _root(cost: float, norm: int) -> float:
    return float(np.sqrt(cost)) if norm == 2 else cost


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
