"""The target's distribution given some features of a row: weights of training rows, and what is summed from them.

A cell's rows are listed once; sums over them are added to every question that has the cell. Nothing as large as
questions times rows is made, unless the weights themselves are asked for.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tauscope.rules.checks import Subsets, check_some_tree
from tauscope.rules.packed import QUESTIONS, PackedForest
from tauscope.trees.bits import members
from tauscope.weights.arrays import Bools, Floats, Ints, sums_by

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Distribution:
    """What is asked about the target of a forest; parameters as in `ProjectedForest`."""

    forest: PackedForest
    rows: Floats
    subsets: Subsets
    weight: Floats | None
    min_rows: int

    @property
    def n_questions(self) -> int:
        """Rows times subsets."""
        return len(self.rows) * len(self.subsets)

    def weights(self) -> Floats:
        """Weight of each training row: shape (n, n_subsets, n_rows)."""
        total, n_trees = np.zeros((self.n_questions, self.forest.n_rows)), np.zeros(self.n_questions)
        for tree in self._trees():
            start = np.searchsorted(tree.cell, np.arange(len(tree.speaks) + 1))
            n_trees[tree.question] += tree.speaks[tree.cell_of]
            for question, own in zip(tree.question, tree.cell_of, strict=True):
                inside = slice(start[own], start[own + 1])
                total[question, tree.row[inside]] += tree.share[inside]
        check_some_tree(n_trees)
        return self._by_row(total / n_trees[:, None])

    def sums(self, bin_of: Ints, n_bins: int, value: Floats | None = None) -> Floats:
        """Sum of the weights, or of weight times value, over the training rows of each bin: (n, n_subsets, n_bins)."""
        total, n_trees = np.zeros((self.n_questions, n_bins)), np.zeros(self.n_questions)
        for tree in self._trees():
            amount = tree.share if value is None else tree.share * value[tree.row]
            of_cell = sums_by(tree.cell * n_bins + bin_of[tree.row], amount, len(tree.speaks) * n_bins)
            total[tree.question] += of_cell.reshape(-1, n_bins)[tree.cell_of]
            n_trees[tree.question] += tree.speaks[tree.cell_of]
        check_some_tree(n_trees)
        return self._by_row(total / n_trees[:, None])

    def quantiles(self, y: Floats, levels: Floats) -> Floats:
        """Least y at which the weights of the rows up to it reach each level: (n, n_subsets, n_levels)."""
        values = np.empty((len(self.rows), len(self.subsets), len(levels)))
        together = max(1, QUESTIONS // len(self.subsets))
        for first in range(0, len(self.rows), together):
            here = slice(first, first + together)
            values[here] = replace(self, rows=self.rows[here])._quantiles(y, levels)
        return values

    def _quantiles(self, y: Floats, levels: Floats) -> Floats:
        distinct, rank = np.unique(y, return_inverse=True)
        keys, shares = list[Ints](), list[Floats]()
        n_trees = np.zeros(self.n_questions)
        for tree in self._trees():
            n_trees[tree.question] += tree.speaks[tree.cell_of]
            some = np.flatnonzero(tree.share > 0)
            member, question = _members_of_questions(tree.cell[some], tree.cell_of, len(tree.speaks))
            keys.append(tree.question[question] * len(distinct) + rank[tree.row[some[member]]])
            shares.append(tree.share[some[member]])
        check_some_tree(n_trees)
        key, of = np.unique(np.concatenate(keys), return_inverse=True)
        weight = sums_by(of, np.concatenate(shares), len(key))
        start = np.searchsorted(key, np.arange(self.n_questions + 1) * len(distinct))
        values = np.empty((self.n_questions, len(levels)))
        for question in range(self.n_questions):
            inside = slice(start[question], start[question + 1])
            reached = np.cumsum(weight[inside]) / n_trees[question]
            # sums of shares fall short of 1 by rounding
            at = np.searchsorted(reached, levels - ROUNDING, side="left")
            values[question] = distinct[key[inside][np.minimum(at, len(reached) - 1)] % len(distinct)]
        return self._by_row(values)

    def _by_row(self, values: Floats) -> Floats:
        return values.reshape(len(self.rows), len(self.subsets), -1)

    def _trees(self) -> Iterator["_TreeShares"]:
        """Each tree's cells of some questions."""
        scale = self.forest.scale(self.weight)
        for found in self.forest.find(self.rows, self.subsets, self.min_rows):
            cells, sets = found.cells, found.block.sets
            # as many questions of each tree, tree by tree
            trees = np.unique(cells.tree[cells.cell_of])
            question, cell_of = (one.reshape(len(trees), -1) for one in (found.question, cells.cell_of))
            for tree, asked, own in zip(trees, question, cell_of, strict=True):
                own, here = np.unique(own, return_inverse=True)
                cell, bit = members(cells.sets[own])
                row, amount = sets.rows[tree, bit], sets.count[tree, bit].astype(np.float64)
                if scale is not None:
                    amount *= scale[row]
                whole = sums_by(cell, amount, len(own))
                share = np.divide(amount, whole[cell], out=np.zeros(len(cell)), where=amount > 0)
                yield _TreeShares(asked, here, cell, row, share, whole > 0)


@dataclass(frozen=True, eq=False)
class _TreeShares:
    """The rows in one tree's cells.

    Attributes
    ----------
    question, cell_of : ndarray of shape (m,)
        Distinct questions and the cell of each.
    cell, row, share : ndarray of the same length
        Each row of each cell, cells ascending, and its share of the cell's weight.
    speaks : ndarray of bool, shape (n_cells,)
        Whether the cell has any weight.
    """

    question: Ints
    cell_of: Ints
    cell: Ints
    row: Ints
    share: Floats
    speaks: Bools


def _members_of_questions(cell: Ints, cell_of: Ints, n_cells: int) -> tuple[Ints, Ints]:
    """Every (member of a cell, question) with the question's cell being that of the member; cells ascend."""
    start = np.searchsorted(cell, np.arange(n_cells + 1))
    size = np.diff(start)[cell_of]
    question = np.repeat(np.arange(len(cell_of)), size)
    offset = np.repeat(start[cell_of] - (np.cumsum(size) - size), size)
    return np.arange(len(question)) + offset, question
