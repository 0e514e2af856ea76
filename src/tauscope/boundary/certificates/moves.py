"""What may change around each point, and in which units a change is measured."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.space import Limits, Space
from tauscope.weights.arrays import Bools, Floats, Ints


class UncertifiedModel(Exception):
    """Why no lower bound is computed; the reason completes "no lower bound: …"."""


@dataclass(frozen=True, eq=False)
class Moves:
    """The changes a flip may consist of; levels are taken as numbers, so that no change is left out.

    Attributes
    ----------
    points : ndarray of shape (n, p)
    unit : ndarray of shape (n, p)
        What a change is divided by before its norm is taken; 0 in a column that stays.
    norm : {1, 2}
    lower, upper : ndarray of shape (n, p)
        Ends of each column.
    whole : ndarray of bool, shape (p,)
        Columns of whole numbers.
    cap : ndarray of shape (n,)
        Distance of the nearest change that is not among these: that of another level, under "gower"; else ∞.
    relaxed : ndarray of bool, shape (n,)
        Whether a column that takes levels may move here.
    """

    points: Floats
    unit: Floats
    norm: int
    lower: Floats
    upper: Floats
    whole: Bools
    cap: Floats
    relaxed: Bools

    @classmethod
    def read(cls, space: Space, points: Floats, limits: Limits) -> "Moves":
        """Take the changes a space and its limits leave.

        Under "gower" a block that changes costs 1 / n_parts, whatever its levels: such flips are the cap's, and the
        blocks stay here. Otherwise the distance of levels is that of numbers, and they move as numbers do.

        Raises
        ------
        UncertifiedModel
            For the metric "jaccard".
        """
        if space.metric == "jaccard":
            raise UncertifiedModel("the metric 'jaccard' counts levels, and no change of them is bounded here")
        free = limits.free(space)
        free &= ~np.isnan(points)
        gower = space.metric == "gower"
        moving_blocks = (free & space.in_block).any(axis=1)
        if gower:
            free &= ~space.in_block
        scale = space.scale * (space.n_parts if gower else 1)
        return cls(
            points,
            np.where(free, scale, 0.0),
            2 if space.metric == "euclidean" else 1,
            limits.lower,
            limits.upper,
            space.integer & ~space.in_block,
            np.where(moving_blocks & gower, 1 / max(space.n_parts, 1), np.inf),
            np.logical_and(moving_blocks, not gower),
        )

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.points)

    def take(self, index: Ints) -> "Moves":
        """Those of some of the points."""
        return Moves(
            self.points[index],
            self.unit[index],
            self.norm,
            self.lower[index],
            self.upper[index],
            self.whole,
            self.cap[index],
            self.relaxed[index],
        )

    def dual(self, gradients: Floats) -> Floats:
        """How much a unit of distance can change linear functions, gradients (n, …, p): shape (n, …)."""
        between = tuple(range(1, gradients.ndim - 1))
        weighted = np.abs(gradients * np.expand_dims(self.unit, between))
        return np.sqrt((weighted * weighted).sum(axis=-1)) if self.norm == 2 else weighted.max(axis=-1, initial=0.0)
