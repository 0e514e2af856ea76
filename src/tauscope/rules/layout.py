"""One tree as the projection reads it: splits level by level, and the rows on each side of a split as bits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.rules.reading import TrainedForest
from tauscope.trees.bits import WORD, Words, pack
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Ints

ABOVE, BELOW, GIVEN = 0, 1, 2
"""What a bound excludes: values above a threshold, values not above it, missing values."""
N_SIDES = 3
ROOM = 64  # packed sets to begin with


@dataclass(frozen=True, eq=False)
class Splits:
    """The splits of a tree, in order of their level.

    Attributes
    ----------
    starts : ndarray of shape (n_levels + 1,)
        First split of each level, and their number.
    parent : ndarray of shape (n_splits,)
        −1 of the root.
    is_left : ndarray of bool, shape (n_splits,)
        Whether it is its parent's left child.
    column, threshold, missing_left
        As in `Ensemble`.
    code : ndarray of shape (n_splits,)
        Rank of the threshold among those of its column in this tree.
    thresholds : tuple of ndarray
        Of each column, ascending.
    """

    starts: Ints
    parent: Ints
    is_left: Bools
    column: Ints
    threshold: Compared
    missing_left: Bools
    code: Ints
    thresholds: tuple[Compared, ...]

    @property
    def n_levels(self) -> int:
        """Number of levels that have a split."""
        return len(self.starts) - 1

    def thresholds_of(self, column: Ints, side: Ints, code: Ints) -> Compared:
        """Threshold of each bound; NaN where it excludes missing values."""
        n_cuts = np.array([len(cuts) for cuts in self.thresholds])
        first = np.concatenate([[0], np.cumsum(n_cuts)])[column]
        place = np.where(side == GIVEN, 0, first + np.where(side == ABOVE, code, n_cuts[column] - 1 - code))
        cuts = np.append(np.concatenate(self.thresholds), np.nan)
        return np.where(side == GIVEN, np.nan, cuts[place]).astype(cuts.dtype)

    @classmethod
    def read(cls, forest: TrainedForest, tree: int, n_columns: int) -> "Splits":
        """Read a tree of an ensemble."""
        trees = forest.trees
        here, parent, is_left = trees.roots[tree : tree + 1], np.array([-1]), np.array([False])
        levels: list[tuple[Ints, Ints, Bools]] = []
        starts = [0]
        while True:
            splits = trees.feature[here] >= 0
            here, parent, is_left = here[splits], parent[splits], is_left[splits]
            if not len(here):
                break
            levels.append((here, parent, is_left))
            ids = np.arange(starts[-1], starts[-1] + len(here))
            starts.append(starts[-1] + len(here))
            here = np.concatenate([trees.left[here], trees.right[here]])
            parent, is_left = np.concatenate([ids, ids]), np.repeat([True, False], len(ids))
        nothing = np.empty(0, dtype=np.int64)
        levels = levels or [(nothing, nothing, np.empty(0, dtype=np.bool_))]
        nodes, parents, sides = (np.concatenate(parts) for parts in zip(*levels, strict=True))
        column, threshold = trees.feature[nodes], trees.compared(trees.threshold[nodes])
        thresholds = tuple(np.unique(threshold[column == j]) for j in range(n_columns))
        code = np.zeros(len(nodes), dtype=np.int64)
        for j in np.unique(column):
            code[column == j] = np.searchsorted(thresholds[j], threshold[column == j])
        starts = np.array(starts, dtype=np.int64)
        return cls(starts, parents, sides, column, threshold, trees.missing_left[nodes], code, thresholds)


class RowSets:
    """The rows a tree was grown on, one bit each, and those within any bound, packed when first asked for.

    Rows drawn equally often stand together and begin a word, so that a set's weighted count is a product of the
    counts of its words with how often their rows were drawn.

    Parameters
    ----------
    splits : Splits
    by_column : ndarray of shape (n_columns, n_rows)
        The rows as compared with thresholds; kept, and shared by all trees.
    count : ndarray of shape (n_rows,)
        How often each row was drawn.

    Attributes
    ----------
    rows : ndarray of shape (64 · n_words,)
        Row of each bit; −1 where there is none.
    everyone : ndarray of uint64, shape (n_words,)
        All bits that have a row.
    count : ndarray of shape (64 · n_words,)
        How often the row of each bit was drawn; 0 where there is none.
    """

    def __init__(self, splits: Splits, by_column: Compared, count: Ints) -> None:
        drawn = np.flatnonzero(count)
        drawn = drawn[np.argsort(count[drawn], kind="stable")]
        places: list[Ints] = []
        for times in np.unique(count[drawn]):
            alike = drawn[count[drawn] == times]
            places.append(np.concatenate([alike, np.full(-len(alike) % WORD, -1)]))
        self.rows: Ints = np.concatenate(places)
        used = self.rows >= 0
        self.everyone = pack(used)
        self.count = np.where(used, count[self.rows], 0)
        self._times = self.count.reshape(-1, WORD).max(axis=1).astype(np.float32)
        self._by_column = by_column
        self._splits = splits
        sizes = [[len(cuts), len(cuts), 1] for cuts in splits.thresholds]
        self._first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._slot = np.full(self._first[-1], -1, dtype=np.int32)
        self._packed = np.empty((0, self.n_words), dtype=np.uint64)
        self._n_packed = 0

    @property
    def n_words(self) -> int:
        """Words of a set."""
        return len(self.everyone)

    @property
    def nbytes(self) -> int:
        """Bytes of the sets packed by now, and of where they are."""
        kept = (self._packed, self._slot, self.rows, self.count)
        return sum(array.nbytes for array in kept)

    def counts(self, sets: Words) -> NDArray[np.float32]:
        """Rows in each set (m, n_words), each as often as it was drawn: shape (m,), exact below 2²⁴."""
        return np.bitwise_count(sets).astype(np.float32) @ self._times

    def within(self, bound: Ints, code: Ints) -> tuple[Words, Ints]:
        """Give the packed sets, and the place among them of the rows that keep each bound.

        Parameters
        ----------
        bound : ndarray of shape (m,)
            `N_SIDES` · column + side.
        code : ndarray of shape (m,)
            For `ABOVE` the rank of the threshold, for `BELOW` its rank from the top: the smaller, the tighter. Rows
            whose value is missing keep both. 0 for `GIVEN`.
        """
        key = self._first[bound] + code
        slot = self._slot[key]
        if len(slot) and slot.min() < 0:
            self._pack(np.unique(key[slot < 0]))
            slot = self._slot[key]
        return self._packed, slot

    def forget(self) -> None:
        """Give back the memory of the sets packed."""
        self._slot[:] = -1
        self._packed, self._n_packed = np.empty((0, self.n_words), dtype=np.uint64), 0

    def _pack(self, keys: Ints) -> None:
        needed = self._n_packed + len(keys)
        if needed > len(self._packed):
            grown = np.empty((max(needed, 2 * len(self._packed), ROOM), self.n_words), dtype=np.uint64)
            grown[: self._n_packed] = self._packed[: self._n_packed]
            self._packed = grown
        bounds = np.searchsorted(self._first, keys, side="right") - 1
        column, side = np.divmod(bounds, N_SIDES)
        code = keys - self._first[bounds]
        cut = self._splits.thresholds_of(column, side, code)[:, None]
        needed_columns, of = np.unique(column, return_inverse=True)
        values = self._by_column[needed_columns][:, self.rows]
        for one, breaks in ((ABOVE, np.greater), (BELOW, np.less_equal)):
            own = np.flatnonzero(side == one)
            # a missing value breaks neither: comparisons with NaN are false
            self._packed[self._n_packed + own] = pack(~breaks(values[of[own]], cut[own]))
        own = np.flatnonzero(side == GIVEN)
        self._packed[self._n_packed + own] = pack(~np.isnan(values[of[own]]))
        self._slot[keys] = np.arange(self._n_packed, needed)
        self._n_packed = needed


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """A tree's splits and its rows."""

    splits: Splits
    sets: RowSets
