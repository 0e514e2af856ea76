"""Same-decision probabilities of projected cells: the weight in a cell that is decided as the explained row."""

from collections.abc import Iterator

import numpy as np

from tauscope.prediction.stopping import steps
from tauscope.rules.cells import AT_ONCE
from tauscope.rules.checks import Subsets, check_some_tree
from tauscope.rules.decision import SameDecision
from tauscope.rules.layout import RowSets
from tauscope.rules.packed import FoundCells, LatticeWalks, PackedForest
from tauscope.trees.bits import Weights, Words, pack
from tauscope.weights.arrays import Floats, Ints

FEW_TREES = 5
"""Trees that are asked first about sets which may not reach π."""


def probabilities_by_tree(
    forest: PackedForest,
    y: Floats,
    rows: Floats,
    subsets: Subsets,
    same: SameDecision,
    weight: Floats | None,
    min_rows: int,
) -> Floats:
    """Return each tree's probability of the same decision: shape (n, n_subsets, n_trees), NaN without weight.

    Parameters as in `ProjectedForest`.
    """
    scale = forest.scale(weight)
    shares = np.full((forest.n_trees, len(rows) * len(subsets)), np.nan)
    for found in forest.find(rows, subsets, min_rows):
        needed, row = np.unique(found.question // len(subsets), return_inverse=True)
        alike = _alike(found.block.sets, y, same.some(needed))
        shares[found.tree, found.question] = _shares(found, alike, row, scale)
    return np.clip(shares.T, 0, 1).reshape(len(rows), len(subsets), forest.n_trees)


def mean_over_trees(by_tree: Floats) -> Floats:
    """Mean over the trees that have a say, the last axis."""
    speaks = ~np.isnan(by_tree)
    check_some_tree(speaks.sum(axis=-1))
    return np.where(speaks, by_tree, 0).sum(axis=-1) / speaks.sum(axis=-1)


class AskedRow:
    """One row's probabilities, asked about subsets of a few features time and again: its walks are kept.

    Parameters
    ----------
    forest : PackedForest
    y : ndarray of shape (n_rows,)
    row : ndarray of shape (1, n_columns)
    features : tuple of int
        Of which the subsets are.
    same : SameDecision
        Of the row.
    weight, min_rows
        As in `ProjectedForest`.
    """

    def __init__(
        self,
        forest: PackedForest,
        y: Floats,
        row: Floats,
        features: tuple[int, ...],
        same: SameDecision,
        weight: Floats | None,
        min_rows: int,
    ) -> None:
        forest.check_min_rows(min_rows)
        forest.check_subsets([features])
        self._forest, self._min_rows, self._scale = forest, min_rows, forest.scale(weight)
        self._bit_of = {feature: 1 << i for i, feature in enumerate(features)}
        self._walks = LatticeWalks(forest, forest.compared(row), np.array(features, dtype=np.int64))
        self._alike = [_alike(block.sets, y, same) for block in forest.blocks]

    def sdp(self, subsets: Subsets, least: float | None = None) -> Floats:
        """Return the probability of the same decision for each subset: shape (n_subsets,).

        Parameters
        ----------
        subsets : list of tuples of int
        least : float or None
            What is less does not matter: NaN where, after some trees, the others could not raise the mean to it.
        """
        by_tree, complete = self._ask(subsets, least)
        values = np.full(len(by_tree), np.nan)
        values[complete] = mean_over_trees(by_tree[complete])
        return values

    def sdp_by_tree(self, subsets: Subsets) -> Floats:
        """Return each tree's probability: shape (n_subsets, n_trees), NaN without weight."""
        by_tree, _ = self._ask(subsets, None)
        return by_tree

    def _ask(self, subsets: Subsets, least: float | None) -> tuple[Floats, Ints]:
        """Ask the trees, and tell which subsets were put to all of them."""
        wanted = np.array([sum(self._bit_of[feature] for feature in subset) for subset in subsets], dtype=np.int64)
        by_tree = np.full((len(wanted), self._forest.n_trees), np.nan)
        places = np.arange(len(wanted))
        n_done = 0
        for k, trees in self._turns(least is not None):
            for found in steps(self._walks.find(k, wanted[places], self._min_rows, trees)):
                shares = _shares(found, self._alike[k], np.zeros_like(found.question), self._scale)
                by_tree[places[found.question], found.tree] = np.clip(shares, 0, 1)
            n_done += len(trees)
            if least is not None:
                places = places[_most(by_tree[places], n_done) >= least]
                if not len(places):
                    break
        return by_tree, places

    def _turns(self, few_first: bool) -> Iterator[tuple[int, range]]:
        """Blocks and their trees in turn; of the first block a few trees first, after which most sets are out."""
        for k, block in enumerate(self._forest.blocks):
            n = block.splits.n_trees
            first = min(FEW_TREES, n) if few_first and not k else 0
            yield from ((k, trees) for trees in (range(first), range(first, n)) if trees)


def _most(by_tree: Floats, n_done: int) -> Floats:
    """Largest mean that the trees to come could make."""
    done = by_tree[:, :n_done]
    speaks = ~np.isnan(done)
    to_come = by_tree.shape[1] - n_done
    n = speaks.sum(axis=1) + to_come
    return np.divide(np.where(speaks, done, 0).sum(axis=1) + to_come, n, out=np.ones(len(done)), where=n > 0)


def _alike(sets: RowSets, y: Floats, same: SameDecision) -> Words:
    """Rows decided as each explained row, for each tree: shape (n_explained, n_trees, n_words)."""
    holds = same.holds(y)
    return np.stack([pack(holds[:, own]) for own in sets.rows], axis=1)


def _shares(found: FoundCells, alike: Words, row: Ints, scale: Floats | None) -> Floats:
    """Share of each question's cell that is decided as its row, in the order of the questions."""
    cells, sets = found.cells, found.block.sets
    cell, of = np.arange(len(cells.count)), cells.cell_of
    if len(alike) > 1:
        pair, of = np.unique(row * len(cells.count) + of, return_inverse=True)
        own, cell = np.divmod(pair, len(cells.count))
    else:
        own = np.zeros(len(cell), dtype=np.int64)
    inside = np.empty(len(cell))
    for begin in range(0, len(cell), AT_ONCE):
        some = cell[begin : begin + AT_ONCE]
        tree = cells.tree[some]
        words = cells.sets.take(some, axis=0)
        words &= alike[own[begin : begin + AT_ONCE], tree]
        inside[begin : begin + AT_ONCE] = _measure(sets, words, tree, scale)
    total = (cells.count if scale is None else _measure(sets, cells.sets, cells.tree, scale))[cell]
    return np.divide(inside, total, out=np.full(len(cell), np.nan), where=total > 0)[of]


def _measure(sets: RowSets, words: Words, tree: Ints, scale: Floats | None) -> Floats:
    """Weight of sets of rows, each of a tree: as often as they were drawn, times what multiplies that."""
    if scale is None:
        return sets.counts(words).astype(np.float64)
    total = np.empty(len(words))
    for one in np.unique(tree):
        own = tree == one
        total[own] = Weights(sets.count[one] * scale[sets.rows[one]]).total(words[own])
    return total
