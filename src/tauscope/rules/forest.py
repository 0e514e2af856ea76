"""A forest projected on subsets of its features: distribution of the target given some features of a row.

The forest is read once. What is asked of it names rows, subsets of features, and for the same-decision probability
what counts as the same decision; everything else is in the trees.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tauscope.errors import InputError
from tauscope.rules.cells import Cells, find_cells
from tauscope.rules.decision import SameDecision
from tauscope.rules.layout import ABOVE, BELOW, GIVEN, N_SIDES, RowSets, Splits, TreeBlock
from tauscope.rules.reading import read_forest
from tauscope.rules.walks import Lattice, LatticeWalk, RowWalk
from tauscope.trees.bits import Weights, Words, members, pack
from tauscope.trees.ensemble import Ensemble
from tauscope.weights.arrays import Bools, Floats, Ints, sums_by
from tauscope.weights.checks import check_weights

MIN_ROWS = 5
"""Rows of a cell, where none are asked for: the least leaf of the authors' package."""
LATTICE = 12
"""Most features of which all subsets are walked at once, and one in how many must be asked about."""
SHARE = 1 / 64
QUESTIONS = 512
"""Questions walked together otherwise."""
START = 0.3
"""A row's walk begins just above the level that this share of the cells of the trees before had stopped at."""
BLOCK = 100_000
"""Rows of trees that are walked together: fewer calls for small forests, less memory for large ones."""
MAX_BYTES = 256 * 2**20

Subsets = Sequence[Sequence[int]]


@dataclass(frozen=True, eq=False)
class FoundCells:
    """Cells found together.

    Attributes
    ----------
    block : TreeBlock
    cells : Cells
    question : ndarray of shape (m,)
        For each of their questions, explained row · n_subsets + subset.
    bounds : ndarray of shape (n_bounds,)
        As in `Walk`.
    """

    block: TreeBlock
    cells: Cells
    question: Ints
    bounds: Ints

    @property
    def tree(self) -> Ints:
        """Each question's tree among all."""
        return self.block.first + self.cells.tree[self.cells.cell_of]


@dataclass(frozen=True, eq=False)
class ProjectedBoxes:
    """The boxes of projected cells, x in one when lower < x ≤ upper in every column.

    Attributes
    ----------
    lower, upper : ndarray of shape (n_rows, n_subsets, n_trees, n_columns)
        Infinite where nothing bounds the box.
    takes_missing : ndarray of bool, same shape
        Whether rows with a missing value there are inside.
    count : ndarray of shape (n_rows, n_subsets, n_trees)
        Training rows inside, each as often as the tree's bootstrap drew it.
    level : ndarray of int, same shape as count
        Levels of splits that bound the box.
    """

    lower: Floats
    upper: Floats
    takes_missing: Bools
    count: Floats
    level: Ints


class ProjectedForest:
    """A fitted forest and the rows it was fitted on, to be asked about subsets of features [CSE §3].

    Parameters
    ----------
    forest : fitted random forest or extra-trees of scikit-learn
        See `read_forest`.
    X : ndarray of shape (n_rows, n_columns)
        The rows it was fitted on, NaN for missing values where the forest takes them.
    y : array-like of shape (n_rows,)
        What is distributed: for a classifier labels, for a regressor numbers. As a rule what the forest was fitted on.
    groups : list of lists of int or None
        Columns that count as one feature, such as the levels of a categorical one; every column in one group. None:
        each column is a feature.
    sample_weight : array-like of shape (n_rows,) or None
        What the forest was fitted with.
    max_bytes : int
        Memory for packed sets of rows; when it is spent they are forgotten and packed anew.

    Attributes
    ----------
    classes : ndarray or None
        Labels in the order of their codes; None for a regressor.
    y : ndarray of shape (n_rows,)
        Codes of classes, or numbers.
    groups : tuple of tuple of int
    n_splits : ndarray of int, shape (n_features,)
        Splits of the forest on each feature.
    importance : ndarray of shape (n_features,)
        Impurity importance, summed over the columns of a feature.
    """

    def __init__(
        self,
        forest: Any,
        X: Floats,
        y: Any,
        *,
        groups: Subsets | None = None,
        sample_weight: object = None,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        rows = _check_rows(X)
        self._forest = read_forest(forest, rows, sample_weight)
        self.classes, self.y = _read_target(y, len(rows), classifies=self._forest.classifies)
        self.groups = _check_groups(groups, rows.shape[1])
        self._feature_of = np.empty(rows.shape[1], dtype=np.int64)
        for feature, columns in enumerate(self.groups):
            self._feature_of[list(columns)] = feature
        trees = self._forest.trees
        self._rows = rows
        by_column = np.ascontiguousarray(trees.compared(rows).T)
        self._gapped: Bools = np.asarray(np.isnan(rows).any(axis=0), dtype=np.bool_)
        self._blocks: list[TreeBlock] = []
        together = max(1, BLOCK // len(rows))
        for first in range(0, trees.n_trees, together):
            last = min(first + together, trees.n_trees)
            splits = Splits.read(trees, first, last, rows.shape[1])
            sets = RowSets(splits, by_column, self._forest.counts[first:last])
            self._blocks.append(TreeBlock(first, splits, sets))
        on = self._feature_of[trees.feature[trees.feature >= 0]]
        self.n_splits: Ints = np.bincount(on, minlength=self.n_features)
        impurity = np.asarray(forest.feature_importances_, dtype=np.float64)
        self.importance: Floats = sums_by(self._feature_of, impurity, self.n_features)
        self._lowest, self._highest = np.nanmin(rows, axis=0), np.nanmax(rows, axis=0)
        self._max_bytes = max_bytes

    @property
    def trees(self) -> Ensemble:
        """The trees."""
        return self._forest.trees

    @property
    def rows(self) -> Floats:
        """Training rows, shape (n_rows, n_columns)."""
        return self._rows

    @property
    def counts(self) -> Floats:
        """How often each tree drew each training row: shape (n_trees, n_rows)."""
        return self._forest.counts.astype(np.float64)

    @property
    def n_rows(self) -> int:
        """Training rows."""
        return len(self.y)

    @property
    def n_columns(self) -> int:
        """Columns the forest was fitted on."""
        return len(self._feature_of)

    @property
    def n_features(self) -> int:
        """Features: columns, or groups of them."""
        return len(self.groups)

    @property
    def n_trees(self) -> int:
        """Trees of the forest."""
        return self._forest.trees.n_trees

    @property
    def nbytes(self) -> int:
        """Bytes of the packed sets of rows now in memory, and of the values they are packed from."""
        return sum(block.sets.nbytes for block in self._blocks)

    def order(self, by: Literal["splits", "importance"] = "splits") -> Ints:
        """Features from the most used to the least: by the number of splits, or by impurity importance."""
        used = self.n_splits if by == "splits" else self.importance
        return np.argsort(-used, kind="stable")

    def predict(self, rows: Floats) -> Floats:
        """Predict as the forest does: values, or codes of the classes most likely: shape (n,)."""
        answers = self._forest.trees.raw(self._check_explained(rows))
        return answers.argmax(axis=0).astype(np.float64) if self.classes is not None else answers[0]

    def out_of_bag(self) -> tuple[Ints, Floats]:
        """Predict each training row by the trees that did not draw it.

        Returns
        -------
        index : ndarray of int
            The rows that some tree did not draw.
        prediction : ndarray, same length
            Values, or codes of classes.

        Raises
        ------
        InputError
            Where the forest has no bootstrap, or its trees drew all rows.
        """
        if not self._forest.bootstrap:
            raise InputError(
                "Out-of-bag predictions need a forest with bootstrap=True; this one has bootstrap=False. Give held-out "
                "rows, or t as a number."
            )
        trees = self._forest.trees
        apart = self._forest.counts == 0
        total = np.zeros((trees.value.shape[1], self.n_rows))
        for leaves, out in zip(trees.leaves(self._rows), apart, strict=True):
            total[:, out] += trees.value[leaves[out]].T
        n_apart = apart.sum(axis=0)
        index = np.flatnonzero(n_apart)
        if not len(index):
            raise InputError(f"The {self.n_trees} trees drew every row: none is out of bag. Fit more trees.")
        votes = total[:, index] * self.n_trees / n_apart[index]
        return index, votes.argmax(axis=0).astype(np.float64) if self.classes is not None else votes[0]

    def outside(self, rows: Floats) -> Bools:
        """Whether each value lies beyond the training rows' range in its column: shape (n, n_columns)."""
        rows = self._check_explained(rows)
        return (rows < self._lowest) | (rows > self._highest)

    def sdp(
        self,
        rows: Floats,
        subsets: Subsets,
        same: SameDecision,
        *,
        weight: Floats | None = None,
        min_rows: int = MIN_ROWS,
    ) -> Floats:
        """Same-decision probability: the weight of training rows in the cell that are decided as the row.

        Parameters
        ----------
        rows : ndarray of shape (n, n_columns)
        subsets : list of lists of int
            Subsets of the features; the empty one asks how probable the decision is without any.
        same : SameDecision
            One decision for each of `rows`.
        weight : ndarray of shape (n_rows,) or None
            What a stress makes of the training rows, multiplied into their counts; None: 1 each. The cells stay.
        min_rows : int
            Fewest training rows of a cell, each counted as often as the bootstrap drew it [CSE §5: t_n]. A cell stops
            before it has fewer.

        Returns
        -------
        ndarray of shape (n, n_subsets)
            In [0, 1]: the mean over the trees.

        Raises
        ------
        InputError
            Where `min_rows` is above the rows of a tree, a subset names an unknown feature, the rows have other
            columns, or under `weight` no tree's cell has any weight.
        """
        return self._mean_over_trees(self.sdp_by_tree(rows, subsets, same, weight=weight, min_rows=min_rows))

    def sdp_by_tree(
        self,
        rows: Floats,
        subsets: Subsets,
        same: SameDecision,
        *,
        weight: Floats | None = None,
        min_rows: int = MIN_ROWS,
    ) -> Floats:
        """Give each tree's same-decision probability: shape (n, n_subsets, n_trees).

        NaN where, under `weight`, the tree's cell has no weight: that tree has no say. Parameters as in `sdp`.
        """
        rows = self._check_explained(rows)
        if same.n_rows != len(rows):
            raise InputError(f"same must have one decision for each of the {len(rows)} rows, got {same.n_rows}.")
        scale = self.scale(weight)
        shares = np.full((self.n_trees, len(rows) * len(subsets)), np.nan)
        for found in self._cells(rows, subsets, min_rows):
            cells, sets = found.cells, found.block.sets
            row = found.question // len(subsets)
            needed, row = np.unique(row, return_inverse=True)
            alike = np.stack([pack(same.some(needed).holds(self.y[own])) for own in sets.rows])
            pair, of = np.unique(row * len(cells.count) + cells.cell_of, return_inverse=True)
            row, cell = np.divmod(pair, len(cells.count))
            inside = _measure(sets, cells.sets[cell] & alike[cells.tree[cell], row], cells.tree[cell], scale)
            total = (cells.count if scale is None else _measure(sets, cells.sets, cells.tree, scale))[cell]
            share = np.divide(inside, total, out=np.full(len(cell), np.nan), where=total > 0)
            shares[found.tree, found.question] = share[of]
        return np.clip(shares.T, 0, 1).reshape(len(rows), len(subsets), self.n_trees)

    def weights(
        self, rows: Floats, subsets: Subsets, *, weight: Floats | None = None, min_rows: int = MIN_ROWS
    ) -> Floats:
        """Weight of each training row for each explained row and subset: shape (n, n_subsets, n_rows), sums 1.

        The mean over trees of (count in the bootstrap · in the cell) / (sum of counts in the cell) [CSE eq. 6].
        Parameters as in `sdp`.
        """
        rows = self._check_explained(rows)
        scale = self.scale(weight)
        shape = len(rows) * len(subsets), self.n_rows
        total, n_trees = np.zeros(shape), np.zeros((shape[0], 1))
        for found in self._cells(rows, subsets, min_rows):
            cells, sets = found.cells, found.block.sets
            cell, bit = members(cells.sets)
            row, amount = sets.rows[cells.tree[cell], bit], sets.count[cells.tree[cell], bit].astype(np.float64)
            if scale is not None:
                amount *= scale[row]
            in_cell = np.bincount(cell, amount, minlength=len(cells.count))
            share = np.divide(amount, in_cell[cell], out=np.zeros(len(cell)), where=amount > 0)
            start = np.searchsorted(cell, np.arange(len(cells.count) + 1))
            for question, own in zip(found.question, cells.cell_of, strict=True):
                inside = slice(start[own], start[own + 1])
                total[question, row[inside]] += share[inside]
                n_trees[question] += in_cell[own] > 0
        check_some_tree(n_trees)
        return (total / n_trees).reshape(len(rows), len(subsets), self.n_rows)

    def cdf(
        self,
        rows: Floats,
        subsets: Subsets,
        y_grid: Floats,
        *,
        weight: Floats | None = None,
        min_rows: int = MIN_ROWS,
    ) -> Floats:
        """Distribution function of y given the subset's features, at some values: (n, n_subsets, len(y_grid)).

        For classes of the codes. Parameters as in `sdp`.
        """
        below = (self.y[:, None] <= np.asarray(y_grid, dtype=np.float64)).astype(np.float64)
        return np.minimum(self.weights(rows, subsets, weight=weight, min_rows=min_rows) @ below, 1)

    def expectation(
        self, rows: Floats, subsets: Subsets, *, weight: Floats | None = None, min_rows: int = MIN_ROWS
    ) -> Floats:
        """Mean of y given the subset's features: shape (n, n_subsets); for classes (n, n_subsets, n_classes) shares."""
        weights = self.weights(rows, subsets, weight=weight, min_rows=min_rows)
        if self.classes is None:
            return weights @ self.y
        return weights @ (self.y[:, None] == np.arange(len(self.classes))).astype(np.float64)

    def quantile(
        self,
        rows: Floats,
        subsets: Subsets,
        levels: Floats,
        *,
        weight: Floats | None = None,
        min_rows: int = MIN_ROWS,
    ) -> Floats:
        """Quantiles of y given the subset's features: the least y where the cdf reaches the level.

        Parameters
        ----------
        levels : ndarray of shape (n_levels,)
            In [0, 1].

        Returns
        -------
        ndarray of shape (n, n_subsets, n_levels)
        """
        levels = np.asarray(levels, dtype=np.float64)
        if not ((levels >= 0) & (levels <= 1)).all():
            raise InputError(f"levels must lie in [0, 1], got {levels.tolist()}. Give shares, such as 0.5.")
        order = np.argsort(self.y, kind="stable")
        weights = self.weights(rows, subsets, weight=weight, min_rows=min_rows)[..., order]
        reached = np.cumsum(weights, axis=-1)
        values = np.empty((*weights.shape[:2], len(levels)))
        for place in np.ndindex(*weights.shape[:2]):
            used = np.flatnonzero(weights[place])
            # sums of shares fall short of 1 by rounding
            at = np.searchsorted(reached[place][used], levels - ROUNDING, side="left")
            values[place] = self.y[order][used[np.minimum(at, len(used) - 1)]]
        return values

    def boxes(self, rows: Floats, subsets: Subsets, *, min_rows: int = MIN_ROWS) -> ProjectedBoxes:
        """Give the boxes of the cells: parameters as in `sdp`."""
        rows = self._check_explained(rows)
        n = len(rows) * len(subsets)
        lower = np.full((n, self.n_trees, self.n_columns), -np.inf)
        upper, takes = np.full(lower.shape, np.inf), np.ones(lower.shape, dtype=np.bool_)
        count, level = np.empty((n, self.n_trees)), np.empty((n, self.n_trees), dtype=np.int64)
        for found in self._cells(rows, subsets, min_rows):
            cells, tree, question = found.cells, found.tree, found.question
            count[question, tree], level[question, tree] = cells.count[cells.cell_of], cells.level
            codes = cells.codes[cells.cell_of]
            which, bound = np.nonzero(codes < np.iinfo(codes.dtype).max)
            code, bound = codes[which, bound].astype(np.int64), found.bounds[bound]
            column, side = np.divmod(bound, N_SIDES)
            limit = found.block.splits.thresholds_of(tree[which] - found.block.first, column, side, code)
            for one, array in ((ABOVE, upper), (BELOW, lower)):
                own = side == one
                array[question[which[own]], tree[which[own]], column[own]] = limit[own]
            own = which[side == GIVEN]
            takes[question[own], tree[own], column[side == GIVEN]] = False
        shape = len(rows), len(subsets), self.n_trees
        by_column = *shape, self.n_columns
        return ProjectedBoxes(
            lower.reshape(by_column), upper.reshape(by_column), takes.reshape(by_column),
            count.reshape(shape), level.reshape(shape),
        )  # fmt: skip

    def _cells(self, rows: Floats, subsets: Subsets, min_rows: int) -> Iterator[FoundCells]:
        """Find the cells of every row and subset, tree by tree."""
        self.check_min_rows(min_rows)
        chosen = self._check_subsets(subsets)
        compared = self._forest.trees.compared(rows)
        used = np.flatnonzero(chosen.any(axis=0))
        if 1 <= len(used) <= LATTICE and len(chosen) > max(SHARE * 2 ** len(used), 8):
            yield from self._by_lattice(compared, chosen, used, min_rows)
        else:
            yield from self._by_rows(compared, chosen, used, min_rows)
        if self.nbytes > self._max_bytes:
            for block in self._blocks:
                block.sets.forget()

    def _by_lattice(self, rows: Any, chosen: Bools, used: Ints, min_rows: int) -> Iterator[FoundCells]:
        """All subsets of a row together."""
        bit_of_feature = np.full(self.n_features, -1, dtype=np.int64)
        bit_of_feature[used] = np.arange(len(used))
        lattice = Lattice(bit_of_feature[self._feature_of])
        wanted = chosen[:, used] @ (1 << np.arange(len(used)))
        order = np.argsort(wanted, kind="stable")
        start = 0
        for i in range(len(rows)):
            for block in self._blocks:
                walk = LatticeWalk(block.splits, rows[i : i + 1], lattice, self._gapped)
                trees = np.arange(block.splits.n_trees)
                questions = (trees[:, None] * walk.n_questions + wanted[order]).ravel()
                cells = find_cells(block, walk, questions, min_rows, start)
                start = int(np.quantile(cells.level, START)) - 1
                yield FoundCells(block, cells, i * len(chosen) + np.tile(order, len(trees)), walk.bounds)

    def _by_rows(self, rows: Any, chosen: Bools, used: Ints, min_rows: int) -> Iterator[FoundCells]:
        """Questions in runs."""
        columns = np.flatnonzero(np.isin(self._feature_of, used))
        by_column = chosen.T[self._feature_of]
        n = len(rows) * len(chosen)
        for first in range(0, n, QUESTIONS):
            question = np.arange(first, min(first + QUESTIONS, n))
            row, subset = np.divmod(question, len(chosen))
            needed, row_of = np.unique(row, return_inverse=True)
            for block in self._blocks:
                walk = RowWalk(block.splits, rows[needed], row_of, by_column[:, subset], columns, self._gapped)
                n_trees = block.splits.n_trees
                cells = find_cells(block, walk, np.arange(n_trees * len(row)), min_rows)
                yield FoundCells(block, cells, np.tile(question, n_trees), walk.bounds)

    def scale(self, weight: Floats | None) -> Floats | None:
        """Return what multiplies the bootstrap counts, under weights of the training rows; None: nothing."""
        own = self._forest.row_weight
        if weight is None:
            return None if (own == 1).all() else own
        return own * check_weights(weight, self.n_rows)

    def _mean_over_trees(self, by_tree: Floats) -> Floats:
        speaks = ~np.isnan(by_tree)
        check_some_tree(speaks.sum(axis=-1))
        return np.where(speaks, by_tree, 0).sum(axis=-1) / speaks.sum(axis=-1)

    def _check_explained(self, rows: Floats) -> Floats:
        rows = _check_rows(rows)
        if rows.shape[1] != self.n_columns:
            raise InputError(
                f"rows must have the {self.n_columns} columns the forest was fitted on, got {rows.shape[1]}."
            )
        return rows

    def check_min_rows(self, min_rows: int) -> None:
        """Refuse cells of no row, or of more than a tree was grown on."""
        most = int(self._forest.counts.sum(axis=1).min())
        if not 1 <= min_rows <= most:
            raise InputError(
                f"min_rows must be from 1 to the {most} rows a tree was grown on, got {min_rows}. Give a smaller one, "
                f"such as {min(MIN_ROWS, most)}."
            )

    def _check_subsets(self, subsets: Subsets) -> Bools:
        """Whether each subset has each feature: shape (n_subsets, n_features)."""
        chosen = np.zeros((len(subsets), self.n_features), dtype=np.bool_)
        for subset, flags in zip(subsets, chosen, strict=True):
            for feature in subset:
                if not 0 <= feature < self.n_features:
                    raise InputError(
                        f"A subset must name features from 0 to {self.n_features - 1}, got {feature}. Where columns "
                        "are grouped, name the group."
                    )
                flags[feature] = True
        return chosen


ROUNDING = 1e-12


def _measure(sets: RowSets, words: Words, tree: Ints, scale: Floats | None) -> Floats:
    """Weight of sets of rows, each of a tree: as often as they were drawn, times what multiplies that."""
    if scale is None:
        return sets.counts(words).astype(np.float64)
    total = np.empty(len(words))
    for one in np.unique(tree):
        own = tree == one
        total[own] = Weights(sets.count[one] * scale[sets.rows[one]]).total(words[own])
    return total


def _check_rows(X: Any) -> Floats:
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2:
        raise InputError(f"Rows must be a table, shape (n_rows, n_columns); got shape {rows.shape}.")
    return rows


def _check_groups(groups: Subsets | None, n_columns: int) -> tuple[tuple[int, ...], ...]:
    if groups is None:
        return tuple((column,) for column in range(n_columns))
    named = [int(column) for group in groups for column in group]
    if sorted(named) != list(range(n_columns)):
        raise InputError(
            f"groups must have each of the columns 0 to {n_columns - 1} once, got {[list(g) for g in groups]}. Give a "
            "column that stands alone a group of its own."
        )
    return tuple(tuple(int(column) for column in group) for group in groups)


def _read_target(y: Any, n: int, *, classifies: bool) -> tuple[Any, Floats]:
    """Classes and codes, or None and numbers."""
    target = np.asarray(y)
    if target.shape != (n,):
        raise InputError(f"y must have one value for each of the {n} rows, got shape {target.shape}.")
    if classifies:
        classes, codes = np.unique(target, return_inverse=True)
        values = codes.astype(np.float64)
    else:
        classes, values = None, target.astype(np.float64)
        if not np.isfinite(values).all():
            raise InputError("y must be finite numbers; some are missing or infinite. Leave those rows out.")
    if len(np.unique(values)) < 2:
        raise InputError(
            f"y must take at least two values; all {n} rows have {target[0]!r}, and every subset of features would be "
            "sufficient. Give rows in which the decision differs."
        )
    return classes, values


def check_some_tree(n_trees: Any) -> None:
    """Refuse weights under which some question has no tree with a say."""
    if (n_trees == 0).any():
        raise InputError(
            "Under these weights no tree's cell has any weight for some row and subset. Give weights above zero near "
            "the explained row, or a larger min_rows."
        )
