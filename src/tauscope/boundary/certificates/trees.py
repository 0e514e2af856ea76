"""How far the nearest flip of a tree ensemble is at least: exact for one tree, by boxes of leaves for several."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tauscope.boundary.certificates.boxes import Start, TreeBoxes, power
from tauscope.boundary.certificates.cliques import least_cost
from tauscope.boundary.certificates.contrasts import Contrasts
from tauscope.boundary.certificates.decomposition import Budget, radius_bound
from tauscope.boundary.certificates.moves import Moves
from tauscope.prediction.batches import Over
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Floats

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
    def read(cls, boxes: TreeBoxes) -> "TreeMargins":
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
