"""Down some trees, level by level: the tightest bounds met on the way, for many subsets of features at once.

A split on a feature outside the subset is followed both ways, one on a feature of it the way of the row. Questions
are numbered tree by tree, each tree having the same. Bounds are numbers where smaller is tighter: (questions, bounds)
arrays, whose second axis are the `bounds` of a walk, as `RowSets.within` numbers them.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.rules.layout import ABOVE, BELOW, GIVEN, N_SIDES, Splits
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Ints

KEPT_BYTES = 64 * 2**20
"""Bytes of tables that a lattice walk keeps; when they are more it begins anew."""
NARROW = int(np.iinfo(np.uint16).max)
"""Thresholds of a column in a tree from which their ranks take four bytes."""
Codes = NDArray[np.uint16 | np.uint32]


class Walk(Protocol):
    """What the search for cells needs.

    Attributes
    ----------
    bounds : ndarray of shape (n_bounds,)
    n_levels : int
    n_questions : int
        Of each tree.
    no_bound : int
        Stands where nothing bounds.
    kind : dtype
        Of the bounds.
    """

    bounds: Ints
    n_levels: int
    n_questions: int
    no_bound: int
    kind: np.dtype[Any]

    def tightest(self, level: int, questions: Ints) -> Codes:
        """Tightest of the bounds above a level for some questions: shape (m, n_bounds)."""
        ...


class ReturningWalk(Walk, Protocol):
    """A walk that can be asked about any level at any time."""

    def tightest_at(self, levels: Ints, questions: Ints) -> Codes:
        """Tightest of the bounds above a level of its own for each question: shape (m, n_bounds)."""
        ...


class _Ways:
    """What both ways of walking share: which bound a split sets for each row."""

    def __init__(self, splits: Splits, rows: Compared, columns: Ints, gapped: Bools) -> None:
        self.splits = splits
        self.n_levels = splits.n_levels if len(columns) else 0
        most = int(np.diff(splits.first_cut).max())
        self.kind = np.dtype(np.uint16 if most < NARROW else np.uint32)
        self.no_bound = int(np.iinfo(self.kind).max)
        values = rows[:, splits.column]
        missing = np.isnan(values)
        self.goes_left: Bools = np.where(missing, splits.missing_left, values <= splits.threshold)
        sides = (ABOVE, BELOW, GIVEN) if gapped.any() else (ABOVE, BELOW)
        self.bounds: Ints = (columns[:, None] * N_SIDES + np.array(sides)).ravel()
        self.n_sides = len(sides)
        place = np.full(splits.n_columns, -1)
        place[columns] = np.arange(len(columns)) * len(sides)
        self.place: Ints = place[splits.column]
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


class LatticeWalk(_Ways):
    """All subsets of a lattice, for one row; a tree's question i is subset i.

    A split is met under S when no feature of S led the way there off the row's own way: with D the features that
    did, when D lies in the complement of S. The tightest bound under S is therefore a minimum over subsets of that
    complement, for all S at once by one pass a feature (zeta transform).

    Parameters
    ----------
    splits : Splits
    row : ndarray of shape (1, n_columns)
    lattice : Lattice
    gapped : ndarray of bool, shape (n_columns,)
        Columns in which training rows have missing values.
    """

    def __init__(self, splits: Splits, row: Compared, lattice: Lattice, gapped: Bools) -> None:
        super().__init__(splits, row, lattice.columns, gapped)
        self.goes_left, self.excludes_missing = self.goes_left[0], self.excludes_missing[0]
        self.n_features = lattice.n_features
        self.n_questions = 1 << self.n_features
        own = lattice.own_bit[splits.column]
        off = self._off_the_way(own)
        # where the split's own feature led off the way, no subset that has it meets the split
        binding = np.flatnonzero((own != 0) & ((off & own) == 0))
        self._first_binding: Ints = np.searchsorted(binding, splits.starts)
        left, m = self.goes_left[binding], len(self.bounds)
        # a split binds the largest subset that meets it, and all subsets of that which have its feature
        self._largest = (~off[binding] & (self.n_questions - 1)).astype(np.uint16)
        self._own, self._tree = own[binding].astype(np.uint16), splits.tree[binding]
        self._bound = self.place[binding] + np.where(left, ABOVE, BELOW)
        self._level = np.searchsorted(splits.starts, binding, side="right")
        self._place = (self._largest.astype(np.int64) * splits.n_trees + self._tree) * m + self._bound
        self._code = np.where(left, splits.code[binding], splits.from_top[binding]).astype(self.kind)
        self._gap, self._given = self.excludes_missing[binding], self.place[binding] + GIVEN
        self._absent = lattice.absent(self.n_sides) * self.kind.type(self.no_bound)
        self._tables: dict[int, Codes] = {}

    def _off_the_way(self, own_bit: Ints) -> Ints:
        """For each split, the features that led there off the row's own way."""
        splits, off = self.splits, np.zeros(len(own_bit), dtype=np.int64)
        for level in range(1, splits.n_levels):
            here = slice(splits.starts[level], splits.starts[level + 1])
            parent = splits.parent[here]
            turned = self.goes_left[parent] != splits.is_left[here]
            off[here] = off[parent] | np.where(turned, own_bit[parent], 0)
        return off

    def among(self, subsets: Ints, trees: Ints) -> "FewSubsets":
        """Look at every split under each of a few subsets, in some of the trees."""
        table = np.full((self.n_levels + 1, len(trees) * len(subsets), len(self.bounds)), self.no_bound, self.kind)
        flat, (_, n, m) = table.reshape(-1), table.shape
        place_of = np.full(self.splits.n_trees, -1)
        place_of[trees] = np.arange(len(trees)) * len(subsets)
        here = place_of[self._tree]
        masks = subsets.astype(np.uint16)
        for bit in range(self.n_features):
            having = np.flatnonzero(masks & (1 << bit))
            own = np.flatnonzero((self._own == 1 << bit) & (here >= 0))
            if not len(having):
                continue
            met = (masks[having, None] & ~self._largest[own]) == 0
            subset, split = np.divmod(np.flatnonzero(met), max(len(own), 1))
            split = own[split]
            question = self._level[split] * n + here[split] + having[subset]
            np.minimum.at(flat, question * m + self._bound[split], self._code[split])
            gap = self._gap[split]
            flat[(question * m + self._given[split])[gap]] = 0
        np.minimum.accumulate(table, axis=0, out=table)
        return FewSubsets(self, table, trees, len(subsets))

    def tightest(self, level: int, questions: Ints) -> Codes:
        """Tightest of the bounds above a level for some questions: shape (m, n_bounds)."""
        table = self._tables.get(level)
        if table is None:
            if sum(kept.nbytes for kept in self._tables.values()) > KEPT_BYTES:
                self._tables.clear()
            table = self._tables[level] = self._transform(int(self._first_binding[level]))
        tree, subset = np.divmod(questions, self.n_questions)
        return table.take(subset * self.splits.n_trees + tree, axis=0)

    def tightest_at(self, levels: Ints, questions: Ints) -> Codes:
        """Tightest of the bounds above a level of its own for each question: shape (m, n_bounds)."""
        codes = np.empty((len(questions), len(self.bounds)), dtype=self.kind)
        for level in np.flatnonzero(np.bincount(levels)).tolist():
            own = np.flatnonzero(levels == level)
            codes[own] = self.tightest(level, questions[own])
        return codes

    def _transform(self, n_splits: int) -> Codes:
        """Tightest of the first splits' bounds for every subset and tree, by one pass a feature."""
        n_trees, m = self.splits.n_trees, len(self.bounds)
        # trees side by side, so that a pass of any feature runs over neighbours
        table = np.full((self.n_questions, n_trees * m), self.no_bound, dtype=self.kind)
        np.minimum.at(table.reshape(-1), self._place[:n_splits], self._code[:n_splits])
        gap = np.flatnonzero(self._gap[:n_splits])
        table.reshape(-1)[(self._place - self._bound + self._given)[gap]] = 0
        for bit in range(self.n_features):
            halves = table.reshape(-1, 2, (n_trees * m) << bit)
            np.minimum(halves[:, 0], halves[:, 1], out=halves[:, 0])
        table.reshape(self.n_questions, n_trees, m)[...] |= self._absent[:, None]
        return table.reshape(-1, m)


class FewSubsets:
    """A lattice's walk for a few of its subsets, all levels in one table; a tree's question i is the i-th of them.

    Parameters
    ----------
    walk : LatticeWalk
    table : ndarray of shape (n_levels + 1, n_trees · n_subsets, n_bounds)
        Tightest of the bounds above each level, in some of the trees.
    trees : ndarray of int
        Which, ascending and without a gap.
    n_questions : int
        Number of the subsets.
    """

    def __init__(self, walk: LatticeWalk, table: Codes, trees: Ints, n_questions: int) -> None:
        self.bounds, self.n_levels, self.no_bound, self.kind = walk.bounds, walk.n_levels, walk.no_bound, walk.kind
        self.n_questions = n_questions
        self._table: Codes = table.reshape(-1, table.shape[2])
        self._n = table.shape[1]
        self._first = int(trees[0]) * n_questions

    def tightest(self, level: int, questions: Ints) -> Codes:
        """Tightest of the bounds above a level for some questions: shape (m, n_bounds)."""
        return np.take(self._table, questions + (level * self._n - self._first), axis=0)

    def tightest_at(self, levels: Ints, questions: Ints) -> Codes:
        """Tightest of the bounds above a level of its own for each question: shape (m, n_bounds)."""
        return np.take(self._table, levels * self._n + (questions - self._first), axis=0)


class RowWalk(_Ways):
    """Any questions, each a row and a subset of the features.

    Parameters
    ----------
    splits : Splits
    rows : ndarray of shape (n_rows, n_columns)
    row_of : ndarray of shape (n_questions,)
    used : ndarray of bool, shape (n_columns, n_questions)
        Whether a column's feature is in the question's subset.
    columns : ndarray of shape (n_used,)
        Columns of any question's features, ascending.
    gapped
        As in `LatticeWalk`.
    """

    def __init__(self, splits: Splits, rows: Compared, row_of: Ints, used: Bools, columns: Ints, gapped: Bools) -> None:
        super().__init__(splits, rows, columns, gapped)
        self.n_questions = len(row_of)
        self._row_of, self._used, self._from_top = row_of, used, splits.from_top
        self._level, self._met, self._done = 0, self._met_at_roots(), 0
        shape = splits.n_trees * len(self.bounds), self.n_questions
        self._tight: Codes = np.full(shape, self.no_bound, dtype=self.kind)

    def tightest(self, level: int, questions: Ints) -> Codes:
        """Tightest of the bounds above a level for some questions: shape (m, n_bounds)."""
        for above in range(self._done, level):
            self._descend_to(above)
            self._tighten(self._tight, slice(self.splits.starts[above], self.splits.starts[above + 1]))
        self._done = level
        by_question = self._tight.reshape(self.splits.n_trees, len(self.bounds), self.n_questions)
        tree, question = np.divmod(questions, self.n_questions)
        return by_question[tree, :, question]

    def _met_at_roots(self) -> Bools:
        n_roots = self.splits.starts[1] if self.splits.n_levels else 0
        return np.ones((n_roots, self.n_questions), dtype=np.bool_)

    def _descend_to(self, level: int) -> None:
        while self._level < level:
            self._level += 1
            here = slice(self.splits.starts[self._level], self.splits.starts[self._level + 1])
            parent = self.splits.parent[here]
            same = self.goes_left[:, parent].T[:, self._row_of] == self.splits.is_left[here, None]
            above = self._met[parent - self.splits.starts[self._level - 1]]
            self._met = above & (same | ~self._used[self.splits.column[parent]])

    def _tighten(self, tight: Codes, here: slice) -> None:
        splits = self.splits
        binding = self._met & self._used[splits.column[here]]
        inner = np.flatnonzero(binding.any(axis=1))
        place = (splits.tree[here] * len(self.bounds) + self.place[here])[inner]
        order = np.argsort(place, kind="stable")
        if not len(order):
            return
        inner, place = inner[order], place[order]
        binding, left = binding[inner], self.goes_left[:, here].T[inner][:, self._row_of]
        groups = np.flatnonzero(np.diff(place, prepend=-1))
        for side, code in ((ABOVE, splits.code), (BELOW, self._from_top)):
            codes = code[here][inner, None].astype(self.kind)
            codes = np.where(binding & (left == (side == ABOVE)), codes, self.kind.type(self.no_bound))
            at = place[groups] + side
            tight[at] = np.minimum(tight[at], np.minimum.reduceat(codes, groups, axis=0))
        if self.n_sides > GIVEN:
            excludes = binding & self.excludes_missing[:, here].T[inner][:, self._row_of]
            at = place[groups] + GIVEN
            tight[at] = np.where(np.logical_or.reduceat(excludes, groups, axis=0), 0, tight[at])
