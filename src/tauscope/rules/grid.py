"""The grid on which a rule's sides lie: on each axis the cells between a forest's thresholds, and one for missing."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tauscope.rules.growth import GridBox
from tauscope.trees.ensemble import Compared, Ensemble
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class SideBox:
    """A box on a grid as ends of its columns.

    Attributes
    ----------
    lower, upper : ndarray of shape (k,)
        Values above the one, and up to the other; ±∞ where a side is open. lower > upper where no value is inside.
    missing : ndarray of bool, shape (k,)
        Whether a missing value is inside.
    """

    lower: Floats
    upper: Floats
    missing: Bools

    def inside(self, values: Floats) -> Bools:
        """Tell which rows (n, k), as compared with thresholds, lie in it."""
        gap = np.isnan(values)
        within: Bools = np.where(gap, self.missing, (values > self.lower) & (values <= self.upper))
        return np.logical_and.reduce(within, axis=1)


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells on the axes of some columns.

    Attributes
    ----------
    thresholds : tuple of ndarray
        Of each axis, ascending and distinct.
    """

    thresholds: tuple[Floats, ...]

    @classmethod
    def of_trees(cls, trees: Ensemble, columns: Ints) -> "Grid":
        """Take the thresholds of an ensemble's splits on some columns: in one cell all rows go the same ways."""
        return cls(tuple(np.unique(trees.threshold[trees.feature == column]) for column in columns.tolist()))

    @cached_property
    def n_cells(self) -> Ints:
        """Cells of each axis, with the last one of missing values."""
        return np.array([len(cuts) + 2 for cuts in self.thresholds])

    def cells(self, values: Compared) -> Ints:
        """Find the cell of each value, shape (n, k); the last one of its axis where it is missing."""
        cells = [np.searchsorted(cuts, values[:, axis], side="left") for axis, cuts in enumerate(self.thresholds)]
        return np.where(np.isnan(values), self.n_cells - 1, np.column_stack(cells))

    def sides(self, box: GridBox) -> SideBox:
        """Return the ends of a box of cells."""
        lower, upper = np.empty(len(self.thresholds)), np.empty(len(self.thresholds))
        for axis, cuts in enumerate(self.thresholds):
            ends = np.concatenate([[-np.inf], cuts, [np.inf]])
            first, last = int(box.first[axis]), min(int(box.last[axis]), len(cuts))
            lower[axis], upper[axis] = (ends[first], ends[last + 1]) if first <= last else (np.inf, -np.inf)
        return SideBox(lower, upper, box.last == self.n_cells - 1)
