"""A forest projected on subsets of its features: distribution of the target given some features of a row.

The forest is read once. What is asked of it names rows, subsets of features, and for the same-decision probability
what counts as the same decision; everything else is in the trees.
"""

from typing import Any, Literal

import numpy as np

from tauscope.errors import InputError
from tauscope.rules.checks import Subsets, check_groups, check_rows, read_target
from tauscope.rules.decision import SameDecision
from tauscope.rules.distribution import Distribution
from tauscope.rules.min_rows import MIN_ROWS, MinRows, settle_min_rows
from tauscope.rules.packed import PackedForest
from tauscope.rules.probability import AskedRow, mean_over_trees, probabilities_by_tree
from tauscope.rules.projected_boxes import ProjectedBoxes, find_boxes
from tauscope.rules.reading import read_forest
from tauscope.trees.ensemble import Ensemble
from tauscope.weights.arrays import Bools, Floats, Ints, sums_by
from tauscope.words import count

MAX_BYTES = 256 * 2**20


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
    same_rows : bool, default False
        Whether X is known to be those rows, so that the leaves are not counted: until 1.7, scikit-learn sends some
        rows with missing values another way when it fits a tree than when it predicts.
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

    Notes
    -----
    What the methods take:

    rows : ndarray of shape (n, n_columns)
        Rows to explain.
    subsets : list of lists of int
        Subsets of the features; the empty one asks what is so without any.
    same : SameDecision
        One decision for each of `rows`.
    weight : ndarray of shape (n_rows,) or None
        What a stress makes of the training rows, multiplied into their counts; None: 1 each. The cells stay.
    min_rows : int or "paper"
        Fewest training rows of a cell, each counted as often as the bootstrap drew it [CSE §5: t_n]; a cell stops
        before it has fewer. "paper": as in its experiments, see `paper_min_rows`.

    They raise an `InputError` where `min_rows` is above the rows of a tree, a subset names an unknown feature, the rows
    have other columns, or under `weight` no tree's cell has any weight.
    """

    def __init__(
        self,
        forest: Any,
        X: Floats,
        y: Any,
        *,
        groups: Subsets | None = None,
        sample_weight: object = None,
        same_rows: bool = False,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        rows = check_rows(X)
        read = read_forest(forest, rows, sample_weight, same_rows=same_rows)
        self.classes, self.y = read_target(y, len(rows), classifies=read.classifies)
        self.groups = check_groups(groups, rows.shape[1])
        self._rows = rows
        self._packed = PackedForest(read, rows, self.groups, max_bytes)
        feature_of = self._packed.feature_of
        on = feature_of[read.trees.feature[read.trees.feature >= 0]]
        self.n_splits: Ints = np.bincount(on, minlength=self.n_features)
        impurity = np.asarray(forest.feature_importances_, dtype=np.float64)
        self.importance: Floats = sums_by(feature_of, impurity, self.n_features)
        # NaN of a column without any value, where nanmin warns
        self._lowest, self._highest = np.fmin.reduce(rows, axis=0), np.fmax.reduce(rows, axis=0)

    @property
    def trees(self) -> Ensemble:
        """The trees."""
        return self._packed.read.trees

    @property
    def rows(self) -> Floats:
        """Training rows, shape (n_rows, n_columns)."""
        return self._rows

    @property
    def counts(self) -> Floats:
        """How often each tree drew each training row: shape (n_trees, n_rows)."""
        return self._packed.read.counts.astype(np.float64)

    @property
    def n_rows(self) -> int:
        """Training rows."""
        return len(self.y)

    @property
    def n_columns(self) -> int:
        """Columns the forest was fitted on."""
        return self._packed.n_columns

    @property
    def n_features(self) -> int:
        """Features: columns, or groups of them."""
        return len(self.groups)

    @property
    def n_trees(self) -> int:
        """Trees of the forest."""
        return self.trees.n_trees

    @property
    def nbytes(self) -> int:
        """Bytes of the packed sets of rows now in memory, and of the values they are packed from."""
        return self._packed.nbytes

    def order(self, by: Literal["splits", "importance"] = "splits") -> Ints:
        """Features from the most used to the least: by the number of splits, or by impurity importance."""
        used = self.n_splits if by == "splits" else self.importance
        return np.argsort(-used, kind="stable")

    def predict(self, rows: Floats) -> Floats:
        """Predict as the forest does: values, or codes of the classes most likely: shape (n,)."""
        answers = self.trees.raw(self._check_explained(rows))
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
        if not self._packed.read.bootstrap:
            raise InputError(
                "Out-of-bag predictions need a forest with bootstrap=True; this one has bootstrap=False. Give held-out "
                "rows, or t as a number."
            )
        trees = self.trees
        apart = self._packed.read.counts == 0
        total = np.zeros((trees.value.shape[1], self.n_rows))
        for leaves, out in zip(trees.leaves(self._rows), apart, strict=True):
            total[:, out] += trees.value[leaves[out]].T
        n_apart = apart.sum(axis=0)
        index = np.flatnonzero(n_apart)
        if not len(index):
            raise InputError(f"The {count(self.n_trees, 'tree')} drew every row: none is out of bag. Fit more trees.")
        votes = total[:, index] * self.n_trees / n_apart[index]
        return index, votes.argmax(axis=0).astype(np.float64) if self.classes is not None else votes[0]

    def outside(self, rows: Floats) -> Bools:
        """Whether each value lies beyond the training rows' range in its column: shape (n, n_columns)."""
        rows = self._check_explained(rows)
        return (rows < self._lowest) | (rows > self._highest)

    def scale(self, weight: Floats | None) -> Floats | None:
        """Return what multiplies the bootstrap counts, under weights of the training rows; None: nothing."""
        return self._packed.scale(weight)

    def check_min_rows(self, min_rows: MinRows) -> int:
        """Return the number that `min_rows` stands for; refuse cells of no row, or of more than a tree was grown on."""
        n = settle_min_rows(min_rows, self.n_rows, self._packed.n_grown)
        self._packed.check_min_rows(n)
        return n

    def sdp(
        self,
        rows: Floats,
        subsets: Subsets,
        same: SameDecision,
        *,
        weight: Floats | None = None,
        min_rows: MinRows = MIN_ROWS,
    ) -> Floats:
        """Same-decision probability: the weight of training rows in the cell that are decided as the row.

        Returns
        -------
        ndarray of shape (n, n_subsets)
            In [0, 1]: the mean over the trees.
        """
        return mean_over_trees(self.sdp_by_tree(rows, subsets, same, weight=weight, min_rows=min_rows))

    def sdp_by_tree(
        self,
        rows: Floats,
        subsets: Subsets,
        same: SameDecision,
        *,
        weight: Floats | None = None,
        min_rows: MinRows = MIN_ROWS,
    ) -> Floats:
        """Give each tree's same-decision probability: shape (n, n_subsets, n_trees).

        NaN where, under `weight`, the tree's cell has no weight: that tree has no say.
        """
        rows = self._check_explained(rows)
        if same.n_rows != len(rows):
            raise InputError(
                f"same must have one decision for each of the {count(len(rows), 'row')}, got {same.n_rows}."
            )
        n = self.check_min_rows(min_rows)
        return probabilities_by_tree(self._packed, self.y, rows, subsets, same, weight, n)

    def ask_row(
        self,
        row: Floats,
        features: tuple[int, ...],
        same: SameDecision,
        *,
        weight: Floats | None = None,
        min_rows: MinRows = MIN_ROWS,
    ) -> AskedRow:
        """Ask about one row (1, n_columns) and subsets of at most 12 features time and again: its walks are kept."""
        row = self._check_explained(row)
        return AskedRow(self._packed, self.y, row, features, same, weight, self.check_min_rows(min_rows))

    def weights(
        self, rows: Floats, subsets: Subsets, *, weight: Floats | None = None, min_rows: MinRows = MIN_ROWS
    ) -> Floats:
        """Weight of each training row for each explained row and subset: shape (n, n_subsets, n_rows), sums 1.

        The mean over trees of (count in the bootstrap · in the cell) / (sum of counts in the cell) [CSE eq. 6]. The
        only answer as large as this: ask about few rows and subsets, or for what is summed from them.
        """
        return self._distribution(rows, subsets, weight, min_rows).weights()

    def cdf(
        self,
        rows: Floats,
        subsets: Subsets,
        y_grid: Floats,
        *,
        weight: Floats | None = None,
        min_rows: MinRows = MIN_ROWS,
    ) -> Floats:
        """Distribution function of y given the subset's features, at some values: (n, n_subsets, len(y_grid)).

        For classes of the codes.
        """
        values, back = np.unique(np.asarray(y_grid, dtype=np.float64), return_inverse=True)
        asked = self._distribution(rows, subsets, weight, min_rows)
        sums = asked.sums(np.searchsorted(values, self.y), len(values) + 1)
        return np.minimum(np.cumsum(sums[..., :-1], axis=-1), 1)[..., back]

    def expectation(
        self, rows: Floats, subsets: Subsets, *, weight: Floats | None = None, min_rows: MinRows = MIN_ROWS
    ) -> Floats:
        """Mean of y given the subset's features: shape (n, n_subsets); for classes (n, n_subsets, n_classes) shares."""
        asked = self._distribution(rows, subsets, weight, min_rows)
        if self.classes is None:
            return asked.sums(np.zeros(self.n_rows, dtype=np.int64), 1, self.y)[..., 0]
        return asked.sums(self.y.astype(np.int64), len(self.classes))

    def quantile(
        self,
        rows: Floats,
        subsets: Subsets,
        levels: Floats,
        *,
        weight: Floats | None = None,
        min_rows: MinRows = MIN_ROWS,
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
        return self._distribution(rows, subsets, weight, min_rows).quantiles(self.y, levels)

    def boxes(self, rows: Floats, subsets: Subsets, *, min_rows: MinRows = MIN_ROWS) -> ProjectedBoxes:
        """Give the boxes of the cells."""
        return find_boxes(self._packed, self._check_explained(rows), subsets, self.check_min_rows(min_rows))

    def _distribution(self, rows: Floats, subsets: Subsets, weight: Floats | None, min_rows: MinRows) -> Distribution:
        n = self.check_min_rows(min_rows)
        return Distribution(self._packed, self._check_explained(rows), subsets, weight, n)

    def _check_explained(self, rows: Floats) -> Floats:
        rows = check_rows(rows)
        if rows.shape[1] != self.n_columns:
            raise InputError(
                f"rows must have the {count(self.n_columns, 'column')} the forest was fitted on, got {rows.shape[1]}."
            )
        return rows
