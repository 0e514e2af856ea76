"""Down a tree, level by level: the tightest bounds met on the way, for many subsets of features at once.

A split on a feature outside the subset is followed both ways, one on a feature of it the way of the row. Bounds are
numbers where smaller is tighter, `NO_BOUND` where there is none: (questions, bounds) arrays, whose second axis are
the bounds `bounds` of `RowSets.within`.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.rules.layout import ABOVE, BELOW, GIVEN, N_SIDES, TreeLayout
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Ints

DENSE = 1.0  # pairs of splits and questions, over entries of the transform's table, above which that is quicker
Codes = NDArray[np.uint16] | NDArray[np.uint32]


class Walk(Protocol):
    """What of a tree the search for the cells needs."""

    bounds: Ints
    n_levels: int
    no_bound: int
    kind: np.dtype[Any]

    def tightest(self, first: int, last: int, questions: Ints) -> Codes:
        """Tightest of the bounds of levels first … last − 1 for some questions: (m, n_bounds)."""
        ...


class _OneTree:
    """What both ways of walking share: which bound a split sets for each row."""

    def __init__(self, tree: TreeLayout, rows: Compared, columns: Ints, gapped: Bools) -> None:
        splits = tree.splits
        self.splits = splits
        self.n_levels = splits.n_levels
        kinds = np.uint16 if len(splits.column) < np.iinfo(np.uint16).max else np.uint32
        self.kind = np.dtype(kinds)
        self.no_bound = int(np.iinfo(kinds).max)
        values = rows[:, splits.column]
        missing = np.isnan(values)
        self.goes_left: Bools = np.where(missing, splits.missing_left, values <= splits.threshold)
        sides = (ABOVE, BELOW, GIVEN) if gapped.any() else (ABOVE, BELOW)
        self.bounds = (columns[:, None] * N_SIDES + np.array(sides)).ravel()
        self.n_sides = len(sides)
        place = np.full(len(splits.thresholds), -1)
        place[columns] = np.arange(len(columns)) * len(sides)
        self.place: Ints = place[splits.column]
        n_cuts = np.array([len(cuts) for cuts in splits.thresholds])
        self.from_top: Ints = n_cuts[splits.column] - 1 - splits.code
        self.excludes_missing: Bools = gapped[splits.column] & (self.goes_left != splits.missing_left)


class Lattice:
    """All subsets of a few features; subset i has the features whose bits i has.

    Parameters
    ----------
    bit_of : ndarray of shape (n_columns,)
        Bit of each column's feature; −1 for none.
    """

    def __init__(self, bit_of: Ints) -> None:
        self.columns: Ints = np.flatnonzero(bit_of >= 0)
        self.n_features = int(bit_of.max()) + 1
        self.own_bit: Ints = np.where(bit_of >= 0, np.left_shift(1, np.maximum(bit_of, 0)), 0)

    def absent(self, n_sides: int) -> Bools:
        """Whether a subset lacks the feature of a bound: shape (2^n_features, n_bounds)."""
        subsets = np.arange(1 << self.n_features)
        return np.repeat((subsets[:, None] & self.own_bit[self.columns]) == 0, n_sides, axis=1)


class LatticeWalk(_OneTree):
    """All subsets of a lattice, for one row; question i is subset i.

    A split is met under S when no feature of S led the way there off the row's own way: with D the features that
    did, when D lies in the complement of S. The tightest bound under S is therefore a minimum over subsets of that
    complement, for all S at once by one pass a feature (zeta transform).

    Parameters
    ----------
    tree : TreeLayout
    row : ndarray of shape (1, n_columns)
    lattice : Lattice
    gapped : ndarray of bool, shape (n_columns,)
        Columns in which training rows have missing values.
    """

    def __init__(self, tree: TreeLayout, row: Compared, lattice: Lattice, gapped: Bools) -> None:
        super().__init__(tree, row, lattice.columns, gapped)
        self.goes_left, self.excludes_missing = self.goes_left[0], self.excludes_missing[0]
        self.n_features = lattice.n_features
        self._absent = lattice.absent(self.n_sides) * self.kind.type(self.no_bound)
        splits = self.splits
        self._own = lattice.own_bit[splits.column]
        self._off = self._off_the_way(self._own)
        self._side = np.where(self.goes_left, ABOVE, BELOW)
        self._code = np.where(self.goes_left, splits.code, self.from_top).astype(self.kind)
        # where the split's own feature led off the way, no subset that has it meets the split
        self._binding = np.flatnonzero((self._own != 0) & ((self._off & self._own) == 0))
        self._first_binding = np.searchsorted(self._binding, splits.starts)

    def _off_the_way(self, own_bit: Ints) -> Ints:
        """For each split, the features that led there off the row's own way."""
        splits, off = self.splits, np.zeros(len(own_bit), dtype=np.int64)
        for level in range(1, splits.n_levels):
            here = slice(splits.starts[level], splits.starts[level + 1])
            parent = splits.parent[here]
            turned = self.goes_left[parent] != splits.is_left[here]
            off[here] = off[parent] | np.where(turned, own_bit[parent], 0)
        return off

    def tightest(self, first: int, last: int, questions: Ints) -> Codes:
        """Tightest of the bounds of levels first … last − 1 for some questions: (m, n_bounds)."""
        here = self._binding[self._first_binding[first] : self._first_binding[last]]
        if len(here) * len(questions) > DENSE * self._absent.size:
            return self._by_transform(here)[questions]
        tight = np.full((len(questions), len(self.bounds)), self.no_bound, dtype=self.kind)
        met = ((self._off[here, None] & questions) == 0) & ((self._own[here, None] & questions) != 0)
        split, question = np.nonzero(met)
        split = here[split]
        at = question * len(self.bounds) + self.place[split]
        self._set_bounds(tight, at, split)
        return tight

    def _set_bounds(self, tight: Codes, at: Ints, splits: Ints) -> None:
        """Tighten the bounds of some splits, each in its place among all of them."""
        np.minimum.at(tight.reshape(-1), at + self._side[splits], self._code[splits])
        if self.n_sides > GIVEN:
            tight.reshape(-1)[(at + GIVEN)[self.excludes_missing[splits]]] = 0

    def _by_transform(self, here: Ints) -> Codes:
        m = len(self.bounds)
        tight = np.full(self._absent.shape, self.no_bound, dtype=self.kind)
        self._set_bounds(tight, self._off[here] * m + self.place[here], here)
        for bit in range(self.n_features):
            halves = tight.reshape(-1, 2, m << bit)
            np.minimum(halves[:, 1], halves[:, 0], out=halves[:, 1])
        return tight[::-1] | self._absent  # reversed: from the complement to the subset itself


class RowWalk(_OneTree):
    """Any questions, each a row and a subset of the features.

    Parameters
    ----------
    tree : TreeLayout
    rows : ndarray of shape (n_rows, n_columns)
    row_of : ndarray of shape (n_questions,)
    used : ndarray of bool, shape (n_columns, n_questions)
        Whether a column's feature is in the question's subset.
    columns : ndarray of shape (n_used,)
        Columns of any question's features, ascending.
    gapped
        As in `LatticeWalk`.
    """

    def __init__(
        self, tree: TreeLayout, rows: Compared, row_of: Ints, used: Bools, columns: Ints, gapped: Bools
    ) -> None:
        super().__init__(tree, rows, columns, gapped)
        self._row_of, self._used = row_of, used
        self._level, self._met = 0, np.ones((min(1, len(self.splits.column)), len(row_of)), dtype=np.bool_)

    def tightest(self, first: int, last: int, questions: Ints) -> Codes:
        """Tightest of the bounds of levels first … last − 1 for some questions: (m, n_bounds)."""
        tight = np.full((len(self.bounds), len(self._row_of)), self.no_bound, dtype=self.kind)
        for level in range(first, last):
            self._descend_to(level)
            here = slice(self.splits.starts[level], self.splits.starts[level + 1])
            self._tighten(tight, here)
        return np.ascontiguousarray(tight.T[questions])

    def _descend_to(self, level: int) -> None:
        if level < self._level:
            self._level, self._met = 0, np.ones((1, len(self._row_of)), dtype=np.bool_)
        while self._level < level:
            self._level += 1
            first, last = self.splits.starts[self._level], self.splits.starts[self._level + 1]
            parent = self.splits.parent[first:last]
            same = self.goes_left[:, parent].T[:, self._row_of] == self.splits.is_left[first:last, None]
            above = self._met[parent - self.splits.starts[self._level - 1]]
            self._met = above & (same | ~self._used[self.splits.column[parent]])

    def _tighten(self, tight: Codes, here: slice) -> None:
        splits = self.splits
        binding = self._met & self._used[splits.column[here]]
        left = self.goes_left[:, here].T[:, self._row_of]
        inner = np.flatnonzero((self.place[here] >= 0) & binding.any(axis=1))
        binding, left, place = binding[inner], left[inner], self.place[here][inner]
        order = np.argsort(place, kind="stable")
        if not len(order):
            return
        binding, left, place, inner = binding[order], left[order], place[order], inner[order]
        groups = np.flatnonzero(np.diff(place, prepend=-1))
        for side, code in ((ABOVE, splits.code), (BELOW, self.from_top)):
            codes = code[here][inner, None].astype(self.kind)
            codes = np.where(binding & (left == (side == ABOVE)), codes, self.kind.type(self.no_bound))
            at = place[groups] + side
            tight[at] = np.minimum(tight[at], np.minimum.reduceat(codes, groups, axis=0))
        if self.n_sides > GIVEN:
            excludes = binding & self.excludes_missing[:, here].T[:, self._row_of][inner]
            at = place[groups] + GIVEN
            tight[at] = np.where(np.logical_or.reduceat(excludes, groups, axis=0), 0, tight[at])
