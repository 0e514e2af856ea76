"""The part of a feature's grid for which a path is taken, for many paths at once."""

from dataclasses import dataclass

import numpy as np

from tauscope.trees.ensemble import Compared, Ensemble
from tauscope.weights.arrays import Bools, Ints


@dataclass(frozen=True)
class Cells:
    """One stretch of a grid for each of P paths.

    Attributes
    ----------
    low, high : ndarray of shape (P,)
        Grid points from `low` up to but not with `high`.
    missing : ndarray of bool, shape (P,)
        Whether the path is also taken by a missing value.
    levels : ndarray of bool, shape (P, n_levels)
        For a feature split by levels: the grid points that take it, in place of low and high. No columns where
        no feature is; columns beyond a feature's own grid mean nothing.
    """

    low: Ints
    high: Ints
    missing: Bools
    levels: Bools

    def take(self, index: Ints) -> "Cells":
        """Cells of some paths."""
        return Cells(self.low[index], self.high[index], self.missing[index], self.levels[index])

    def put(self, index: Ints, cells: "Cells") -> None:
        """Put other cells in the place of some."""
        self.low[index], self.high[index] = cells.low, cells.high
        self.missing[index], self.levels[index] = cells.missing, cells.levels

    def any(self, n_points: int) -> Bools:
        """Whether each cell has a point, of a grid of so many and a missing one; shape (P,)."""
        within = (self.low < self.high) & (self.levels[:, :n_points].any(axis=1) | (self.levels.shape[1] == 0))
        return within | self.missing

    @staticmethod
    def whole(sizes: Ints, n_levels: int) -> "Cells":
        """Whole grids of the given sizes."""
        n = len(sizes)
        return Cells(
            np.zeros(n, dtype=np.int64),
            sizes.astype(np.int64),
            np.ones(n, dtype=np.bool_),
            np.ones((n, n_levels), dtype=np.bool_),
        )

    @staticmethod
    def concatenate(cells: "list[Cells]") -> "Cells":
        """Cells of one list after another."""
        return Cells(
            np.concatenate([one_cells.low for one_cells in cells]),
            np.concatenate([one_cells.high for one_cells in cells]),
            np.concatenate([one_cells.missing for one_cells in cells]),
            np.concatenate([one_cells.levels for one_cells in cells]),
        )

    def runs(self, by_levels: Bools) -> list[tuple[Ints, Ints]]:
        """List the stretches of each cell: starts and ends (P,), then second ones, and so on.

        A cell on a threshold-split feature is one stretch; one on a feature split by levels (`by_levels`, shape
        (P,)) is as many as its levels make. Where a cell has no further stretch, start and end are both 0.
        """
        empty = by_levels | (self.low >= self.high)
        runs = [(np.where(empty, 0, self.low), np.where(empty, 0, self.high))]
        which = np.flatnonzero(by_levels)
        if len(which) == 0:
            return runs
        on_grid = np.arange(int(self.levels.shape[1])) < self.high[which][:, None]
        edges = np.diff((self.levels[which] & on_grid).astype(np.int8), axis=1, prepend=0, append=0)
        path, start = np.nonzero(edges == 1)
        _, end = np.nonzero(edges == -1)
        rank = np.arange(len(path)) - np.searchsorted(path, path)
        for number in range(int(rank.max(initial=-1)) + 1):
            low, high = np.zeros(len(self.low), dtype=np.int64), np.zeros(len(self.low), dtype=np.int64)
            here = rank == number
            low[which[path[here]]], high[which[path[here]]] = start[here], end[here]
            runs.append((low, high))
        return runs


@dataclass(frozen=True)
class Cuts:
    """What each node does to its own feature's grid.

    Attributes
    ----------
    below : ndarray of shape (n_nodes,)
        Going left keeps grid points up to but not with this.
    above : ndarray of shape (n_nodes,)
        Going right keeps grid points from this.
    missing_left : ndarray of bool, shape (n_nodes,)
    levels_left, levels_right : ndarray of bool, shape (n_nodes, n_levels)
        Points each branch keeps; all, for a split on a threshold.
    """

    below: Ints
    above: Ints
    missing_left: Bools
    levels_left: Bools
    levels_right: Bools

    def apply(self, cells: Cells, nodes: Ints, right: Bools) -> Cells:
        """Cut each path's cell at its node, on the side it takes."""
        return Cells(
            np.where(right, np.maximum(cells.low, self.above[nodes]), cells.low),
            np.where(right, cells.high, np.minimum(cells.high, self.below[nodes])),
            cells.missing & (self.missing_left[nodes] != right),
            cells.levels & np.where(right[:, None], self.levels_right[nodes], self.levels_left[nodes]),
        )


def find_cuts(trees: Ensemble, nodes: slice, position: Ints, points: list[Compared]) -> Cuts:
    """Find where the nodes of some trees cut the grids.

    Parameters
    ----------
    trees : Ensemble
    nodes : slice
    position : ndarray of shape (n_columns,)
        Which grid is a column's; −1 for one without.
    points : list of ndarray
        Grids, ascending, as compared with thresholds, without a missing point.
    """
    feature, threshold, category = trees.feature[nodes], trees.threshold[nodes], trees.category[nodes]
    n = len(feature)
    grid_of = np.where(feature >= 0, position[feature], -1)
    by_levels = np.isin(np.arange(len(points)), grid_of[category >= 0])
    n_levels = max((len(grid) for grid, levels in zip(points, by_levels, strict=True) if levels), default=0)
    below, above = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    left, right = np.ones((n, n_levels), dtype=np.bool_), np.ones((n, n_levels), dtype=np.bool_)
    for grid, values in enumerate(points):
        here = np.flatnonzero((grid_of == grid) & (category < 0))
        below[here] = above[here] = np.searchsorted(values.astype(np.float64), threshold[here], side="right")
        here = np.flatnonzero((grid_of == grid) & (category >= 0))
        if len(here):
            below[here] = len(values)
            goes = trees.left_levels[category[here]][:, values.astype(np.int64)]
            left[here, : len(values)], right[here, : len(values)] = goes, ~goes
    return Cuts(below, above, trees.missing_left[nodes], left, right)
