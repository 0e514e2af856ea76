"""Trees as the projection reads them: splits level by level, and the rows on each side of a split as bits."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.trees.bits import WORD, Words, pack
from tauscope.trees.ensemble import Compared, Ensemble
from tauscope.weights.arrays import Bools, Ints

ABOVE, BELOW, GIVEN = 0, 1, 2
"""What a bound excludes: values above a threshold, values not above it, missing values."""
N_SIDES = 3
PACKED_AT_ONCE = 16


@dataclass(frozen=True, eq=False)
class Splits:
    """The splits of some trees, in order of their level.

    Attributes
    ----------
    starts : ndarray of shape (n_levels + 1,)
        First split of each level, and their number.
    parent : ndarray of shape (n_splits,)
        −1 of a root.
    is_left : ndarray of bool, shape (n_splits,)
        Whether it is its parent's left child.
    tree : ndarray of shape (n_splits,)
        From 0 for the first of these trees.
    column, threshold, missing_left
        As in `Ensemble`.
    code : ndarray of shape (n_splits,)
        Rank of the threshold among those of its column in its tree.
    cuts : ndarray
        Distinct thresholds of every column in every tree, ascending within these.
    first_cut : ndarray of shape (n_trees · n_columns + 1,)
        Where in `cuts` those of a column in a tree begin.
    n_columns, n_trees : int
    """

    starts: Ints
    parent: Ints
    is_left: Bools
    tree: Ints
    column: Ints
    threshold: Compared
    missing_left: Bools
    code: Ints
    cuts: Compared
    first_cut: Ints
    n_columns: int
    n_trees: int

    @property
    def n_levels(self) -> int:
        """Number of levels that have a split."""
        return len(self.starts) - 1

    @property
    def from_top(self) -> Ints:
        """Rank of each threshold from the highest down."""
        own = self.tree * self.n_columns + self.column
        return np.diff(self.first_cut)[own] - 1 - self.code

    @classmethod
    def read(cls, trees: Ensemble, first: int, last: int, n_columns: int) -> "Splits":
        """Read trees first … last − 1 of an ensemble."""
        here, tree = trees.roots[first:last], np.arange(last - first)
        parent, is_left = np.full(len(here), -1), np.zeros(len(here), dtype=np.bool_)
        levels: list[tuple[Ints, Ints, Bools, Ints]] = []
        starts = [0]
        while len(here):
            splits = trees.feature[here] >= 0
            here, parent, is_left, tree = here[splits], parent[splits], is_left[splits], tree[splits]
            levels.append((here, parent, is_left, tree))
            ids = np.arange(starts[-1], starts[-1] + len(here))
            starts.append(starts[-1] + len(here))
            here = np.concatenate([trees.left[here], trees.right[here]])
            parent, tree = np.tile(ids, 2), np.tile(tree, 2)
            is_left = np.repeat([True, False], len(ids))
        nodes, parents, sides, tree = (np.concatenate(parts) for parts in zip(*levels, strict=True))
        column, threshold = trees.feature[nodes], trees.compared(trees.threshold[nodes])
        code, cuts, first_cut = _ranks(tree * n_columns + column, threshold, (last - first) * n_columns)
        return cls(
            np.array(starts[:-1], dtype=np.int64), parents, sides, tree, column, threshold,
            trees.missing_left[nodes], code, cuts, first_cut, n_columns, last - first,
        )  # fmt: skip

    def thresholds_of(self, tree: Ints, column: Ints, side: Ints, code: Ints) -> Compared:
        """Threshold of each bound; NaN where it excludes missing values."""
        own = tree * self.n_columns + column
        place = np.where(side == ABOVE, self.first_cut[own] + code, self.first_cut[own + 1] - 1 - code)
        cuts = np.append(self.cuts, self.cuts.dtype.type(np.nan))
        return cuts[np.where(side == GIVEN, len(self.cuts), place)]


def _ranks(group: Ints, values: Compared, n_groups: int) -> tuple[Ints, Compared, Ints]:
    """Rank of each value among the distinct ones of its group; these, group by group; where each group begins."""
    order = np.lexsort((values, group))
    sorted_group, sorted_values = group[order], values[order]
    is_new = np.ones(len(order), dtype=np.bool_)
    is_new[1:] = (sorted_group[1:] != sorted_group[:-1]) | (sorted_values[1:] != sorted_values[:-1])
    first = np.concatenate([[0], np.cumsum(np.bincount(sorted_group[is_new], minlength=n_groups))])
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.cumsum(is_new) - 1 - first[sorted_group]
    return rank, sorted_values[is_new], first.astype(np.int64)


class RowSets:
    """The rows each tree was grown on, one bit each, and those within any bound, packed when first asked for.

    Rows drawn equally often stand together and begin a word, the same words in every tree, so that a set's weighted
    count is a product of the counts of its words with how often their rows were drawn.

    Parameters
    ----------
    splits : Splits
    by_column : ndarray of shape (n_columns, n_rows)
        The rows as compared with thresholds; kept.
    counts : ndarray of shape (n_trees, n_rows)
        How often each tree drew each row.

    Attributes
    ----------
    rows : ndarray of shape (n_trees, 64 · n_words)
        Row of each bit; −1 where there is none.
    everyone : ndarray of uint64, shape (n_trees, n_words)
        All bits that have a row.
    count : ndarray of shape (n_trees, 64 · n_words)
        How often the row of each bit was drawn; 0 where there is none.
    pack_whole : bool
        Whether the sets of all bounds are packed at once, when the first is asked for.
    """

    def __init__(self, splits: Splits, by_column: Compared, counts: Ints) -> None:
        places: list[Ints] = []
        times: list[int] = []
        for often in range(1, int(counts.max()) + 1):
            alike = [np.flatnonzero(count == often) for count in counts]
            n_words = -(-max(map(len, alike)) // WORD)
            block = np.full((len(counts), n_words * WORD), -1)
            for own, rows in zip(block, alike, strict=True):
                own[: len(rows)] = rows
            places.append(block)
            times += [often] * n_words
        self.rows: Ints = np.concatenate(places, axis=1)
        used = self.rows >= 0
        self.everyone = pack(used)
        self._times = np.array(times, dtype=np.float32)
        self.count: Ints = np.where(used, np.repeat(np.array(times), WORD), 0)
        self._by_column, self._splits = by_column, splits
        sizes = np.diff(splits.first_cut)
        sizes = np.stack([sizes, sizes, np.ones_like(sizes)], axis=1)
        self._first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._slot: NDArray[np.int32] = np.full(self._first[-1], -1, dtype=np.int32)
        self._packed = np.empty((0, self.n_words), dtype=np.uint64)
        self._n_packed = 0
        self.pack_whole = False

    @property
    def n_words(self) -> int:
        """Words of a set."""
        return len(self._times)

    @property
    def nbytes(self) -> int:
        """Bytes of the sets packed by now, and of where they are."""
        return sum(array.nbytes for array in (self._packed, self._slot, self.rows, self.count))

    @property
    def packed_bytes(self) -> int:
        """Bytes of the sets packed by now."""
        return self._packed.nbytes

    @property
    def most_bytes(self) -> int:
        """Bytes of the sets of all bounds."""
        return int(self._first[-1]) * self.n_words * 8

    def counts(self, sets: Words) -> NDArray[np.float32]:
        """Rows in each set (m, n_words), each as often as it was drawn: shape (m,), exact below 2²⁴."""
        # OpenBLAS can flag a product of small whole numbers as invalid, though the result is right
        with np.errstate(invalid="ignore"):
            return np.bitwise_count(sets).astype(np.float32) @ self._times

    def within(self, tree: Ints, bound: Ints, code: Ints) -> tuple[Words, NDArray[np.integer[Any]]]:
        """Give the packed sets, and the place among them of the rows that keep each bound.

        Parameters
        ----------
        tree : ndarray of shape (m,)
        bound : ndarray of shape (m,)
            `N_SIDES` · column + side.
        code : ndarray of shape (m,)
            For `ABOVE` the rank of the threshold, for `BELOW` its rank from the top: the smaller, the tighter. Rows
            whose value is missing keep both. 0 for `GIVEN`.
        """
        key = self._first[tree * (N_SIDES * self._splits.n_columns) + bound] + code
        if self.pack_whole:
            if not self._n_packed:
                self._pack_everything()
            return self._packed, key
        slot = self._slot[key]
        if len(slot) and slot.min() < 0:
            self._pack(np.unique(key[slot < 0]))
            slot = self._slot[key]
        return self._packed, slot

    def forget(self) -> None:
        """Give back the memory of the sets packed."""
        self._slot[:] = -1
        self._packed, self._n_packed = np.empty((0, self.n_words), dtype=np.uint64), 0

    def _pack_everything(self) -> None:
        """Pack the sets of all bounds, each from that of the threshold before: a row joins at one of them."""
        splits, n_words = self._splits, self.n_words
        packed = np.empty((int(self._first[-1]), n_words), dtype=np.uint64)
        bits: Ints = np.arange(self.rows.shape[1], dtype=np.int64)
        word, bit = bits // WORD, np.left_shift(np.uint64(1), (bits % WORD).astype(np.uint64))
        for own in range(len(splits.first_cut) - 1):
            missing, values = self._missing_and_values(own)
            given = ~pack(missing)
            cuts = splits.cuts[splits.first_cut[own] : splits.first_cut[own + 1]]
            above, below, last = self._first[N_SIDES * own : N_SIDES * own + N_SIDES]
            packed[last] = given
            if not len(cuts):
                continue
            joins = np.zeros((len(cuts) + 1, n_words), dtype=np.uint64)
            # a missing value keeps every bound
            at: Ints = np.searchsorted(cuts, values)
            np.add.at(joins.reshape(-1), np.where(missing, 0, at) * n_words + word, bit)
            up_to = np.bitwise_or.accumulate(joins[:-1], axis=0, out=packed[above:below])
            np.bitwise_or(~up_to[::-1], ~given, out=packed[below:last])
        self._packed, self._n_packed = packed, len(packed)

    def _pack(self, keys: Ints) -> None:
        needed = self._n_packed + len(keys)
        if needed > len(self._packed):
            grown = np.empty((max(needed, len(self._packed) * 3 // 2), self.n_words), dtype=np.uint64)
            grown[: self._n_packed] = self._packed[: self._n_packed]
            self._packed = grown
        self._slot[keys] = np.arange(self._n_packed, needed)
        self._fill(self._packed[self._n_packed : needed], keys)
        self._n_packed = needed

    def _fill(self, kept: Words, keys: Ints) -> None:
        """Pack the sets of the rows that keep some bounds, ascending: those of a column in a tree together."""
        bounds = np.searchsorted(self._first, keys, side="right") - 1
        own, side = np.divmod(bounds, N_SIDES)
        tree, column = np.divmod(own, self._splits.n_columns)
        cut = self._splits.thresholds_of(tree, column, side, keys - self._first[bounds])
        ends = [*np.flatnonzero(np.diff(own, prepend=-1)).tolist(), len(keys)]
        for first, last in pairwise(ends):
            missing, values = self._missing_and_values(int(own[first]))
            for begin in range(first, last, PACKED_AT_ONCE):
                here = slice(begin, min(begin + PACKED_AT_ONCE, last))
                above = values <= cut[here, None]
                above ^= (side[here] == BELOW)[:, None]
                above |= missing
                kept[here] = pack(above)
            given = np.flatnonzero(side[first:last] == GIVEN)
            kept[first + given] = pack(~missing)

    def _missing_and_values(self, own: int) -> tuple[Bools, Compared]:
        """Return which of a column's values are missing and these values, in the order of a tree's bits."""
        tree, column = divmod(own, self._splits.n_columns)
        values = self._by_column[column].take(self.rows[tree], mode="wrap")
        return np.isnan(values), values


@dataclass(frozen=True, eq=False)
class TreeBlock:
    """Trees walked together: their splits and rows, and the place of the first among all."""

    first: int
    splits: Splits
    sets: RowSets

    @property
    def last(self) -> int:
        """Place of the first tree after them."""
        return self.first + self.splits.n_trees
