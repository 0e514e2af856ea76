"""Probabilities of many rows under one weight after another: projected cells do not move with weights, and stay."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.rules.checks import check_some_tree
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.grid import Grid
from tauscope.rules.layout import Splits
from tauscope.rules.min_rows import MinRows
from tauscope.rules.partition import stop_rows
from tauscope.rules.shared import columns_of, distinct_rows, splits_by_tree
from tauscope.rules.sufficient import Features
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Floats, Ints, sums_by

Places = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class FixedCells:
    """The cells of some rows in every tree, given one subset of the features: sums over rows, whatever their weights.

    Attributes
    ----------
    place : ndarray of int, shape (n_trees, n_training)
        Training rows that no split of a tree on the subset tells apart share a place; each tree has its own.
    n_places : int
    members : ndarray of int
        Places in each cell, cell after cell.
    starts : ndarray of int, shape (n_cells,)
        Where a cell's members begin.
    cell : ndarray of int, shape (n_trees, n_distinct)
        Cell of each distinct row.
    distinct : ndarray of int, shape (n,)
        Which of these each row is.
    """

    place: Places
    n_places: int
    members: Places
    starts: Ints
    cell: Places
    distinct: Ints

    @classmethod
    def find(cls, forest: ProjectedForest, rows: Floats, subset: Features, min_rows: MinRows) -> "FixedCells":
        """Find the cells of rows.

        Parameters
        ----------
        forest : ProjectedForest
        rows : ndarray of shape (n, n_columns)
        subset : tuple of int
        min_rows : int or "paper"
            As in `ProjectedForest.sdp`.
        """
        n_least = forest.check_min_rows(min_rows)
        whole, columns = np.concatenate([forest.rows, rows]), columns_of(forest, subset)
        first, of = distinct_rows(Grid.of_trees(forest.trees, columns), whole[:, columns])
        asked, distinct = np.unique(of[forest.n_rows :], return_inverse=True)
        compared, chosen = forest.trees.compared(whole[first]), np.isin(np.arange(forest.n_columns), columns)
        own = of[: forest.n_rows]
        trees = [
            _TreeCells.find(splits, compared, chosen, sums_by(own, drawn, len(first)), asked, n_least)
            for splits, drawn in zip(splits_by_tree(forest), forest.counts, strict=True)
        ]
        before = np.cumsum([0, *(tree.n_places for tree in trees)])
        cells_before = np.cumsum([0, *(len(tree.sizes) for tree in trees)])
        sizes = np.concatenate([tree.sizes for tree in trees])
        return cls(
            np.stack([tree.place[own] + n for tree, n in zip(trees, before, strict=False)]).astype(np.int32),
            int(before[-1]),
            np.concatenate([tree.members + n for tree, n in zip(trees, before, strict=False)]).astype(np.int32),
            np.cumsum(sizes) - sizes,
            np.stack([tree.cell + n for tree, n in zip(trees, cells_before, strict=False)]).astype(np.int32),
            distinct,
        )

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return sum(one.nbytes for one in (self.place, self.members, self.starts, self.cell, self.distinct))

    def sdp(self, forest: ProjectedForest, same: SameDecision, counted: Bools, weight: Floats | None = None) -> Floats:
        """Return the same-decision probability of one decision at the rows that count.

        Parameters
        ----------
        forest : ProjectedForest
            The same as before.
        same : SameDecision
            One decision.
        counted : ndarray of bool, shape (n,)
        weight
            As in `ProjectedForest.sdp`.

        Returns
        -------
        ndarray of shape (n_counted,)

        Raises
        ------
        InputError
            Where a row that counts is in no tree's cell that has weight.
        """
        scale, alike = forest.scale(weight), same.holds(forest.y)[0]
        amount = forest.counts if scale is None else forest.counts * scale
        whole = self._sums(amount)
        share = np.divide(self._sums(amount * alike), whole, out=np.full(len(whole), np.nan), where=whole > 0)
        needed, of = np.unique(self.distinct[counted], return_inverse=True)
        by_tree = share[self.cell[:, needed]]
        speaks = ~np.isnan(by_tree)
        check_some_tree(speaks.sum(axis=0))
        return np.clip(np.where(speaks, by_tree, 0).sum(axis=0) / speaks.sum(axis=0), 0, 1)[of]

    def _sums(self, amount: Floats) -> Floats:
        """Sum over the rows of each cell: shape (n_cells,)."""
        at_place = np.bincount(self.place.ravel(), amount.ravel(), minlength=self.n_places)
        return np.add.reduceat(at_place[self.members], self.starts)


@dataclass(frozen=True, eq=False)
class _TreeCells:
    """As in `FixedCells`, of one tree: of distinct rows, and `sizes` of cells in place of their starts."""

    place: Ints
    n_places: int
    members: Ints
    sizes: Ints
    cell: Ints

    @classmethod
    def find(
        cls, splits: Splits, compared: Compared, chosen: Bools, drawn: Floats, asked: Ints, min_rows: int
    ) -> "_TreeCells":
        cuts = [np.unique(splits.threshold[splits.column == column]) for column in np.flatnonzero(chosen)]
        grid = Grid(tuple(one.astype(np.float64) for one in cuts))
        first, place = distinct_rows(grid, compared[:, chosen])
        count, is_asked = sums_by(place, drawn, len(first)), np.zeros(len(first), dtype=np.bool_)
        is_asked[place[asked]] = True
        cell = np.full(len(first), -1)
        members: list[Ints] = []
        sizes: list[Ints] = []
        n_cells = 0
        for stop in stop_rows(splits, compared[first], chosen, count, min_rows):
            here = is_asked[stop.rows]
            needed = np.unique(stop.group[here])
            if not len(needed):
                continue
            rank = np.full(stop.n_groups, -1)
            rank[needed] = np.arange(len(needed))
            cell[stop.rows[here]] = n_cells + rank[stop.group[here]]
            own = rank[stop.member_group]
            own[count[stop.members] == 0] = -1  # a row that is only asked about weighs nothing
            order = np.argsort(own, kind="stable")[np.count_nonzero(own < 0) :]
            members.append(stop.members[order])
            sizes.append(np.bincount(own[order], minlength=len(needed)))
            n_cells += len(needed)
        return cls(place, len(first), np.concatenate(members), np.concatenate(sizes), cell[place[asked]])
