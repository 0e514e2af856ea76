"""A fitted forest and the rows it was fitted on: its trees, and how often each tree counts each row."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tauscope.errors import InputError, InputTypeError
from tauscope.trees.adapters import read_trees
from tauscope.trees.ensemble import Ensemble
from tauscope.trees.tree_model import UnreadableModel
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.weights.checks import check_weights
from tauscope.words import count

SAME_ROWS = "Give the rows it was fitted on, in their order, with the columns as it was fitted on."


@dataclass(frozen=True, eq=False)
class TrainedForest:
    """Trees beside the rows that grew them.

    Attributes
    ----------
    trees : Ensemble
    counts : ndarray of int, shape (n_trees, n_rows)
        How often the tree's bootstrap drew the row; 1 where there was no bootstrap.
    row_weight : ndarray of shape (n_rows,)
        What multiplies the counts: the sample weights, unless the bootstrap drew rows by them.
    bootstrap : bool
    classifies : bool
    """

    trees: Ensemble
    counts: Ints
    row_weight: Floats
    bootstrap: bool
    classifies: bool


def read_forest(forest: Any, X: Floats, sample_weight: object = None, *, same_rows: bool = False) -> TrainedForest:
    """Read a scikit-learn forest and recover the bootstrap of each tree.

    Parameters
    ----------
    forest : RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier or ExtraTreesRegressor
        Fitted, with one target.
    X : ndarray of shape (n_rows, n_columns)
        The rows it was fitted on; NaN where a value is missing.
    sample_weight : array-like of shape (n_rows,) or None
        The weights it was fitted with.
    same_rows : bool, default False
        Whether X is known to be the rows it was fitted on, so that its leaves are not counted.

    Returns
    -------
    TrainedForest

    Raises
    ------
    InputTypeError
        For any other estimator.
    InputError
        Where the forest is not fitted, or was fitted on other columns or rows: each leaf must hold as many rows of
        its tree's bootstrap as the forest says.
    """
    kinds = {kind.__name__ for kind in type(forest).__mro__ if kind.__module__.startswith("sklearn.")}
    if not kinds & {"ForestClassifier", "ForestRegressor"}:
        raise InputTypeError(
            f"forest must be a random forest or extra-trees of scikit-learn; got {type(forest).__name__}. Fit one on "
            "the rows and the model's answers with fit_forest."
        )
    classifies = "ForestClassifier" in kinds
    if not hasattr(forest, "estimators_"):
        raise InputError(f"forest must be fitted; this {type(forest).__name__} is not. Call its fit first.")
    if int(forest.n_features_in_) != X.shape[1]:
        raise InputError(
            f"The forest was fitted on {count(forest.n_features_in_, 'column')}, got {X.shape[1]}. {SAME_ROWS}"
        )
    try:
        trees = read_trees(forest, "predict_proba" if classifies else "predict").trees
    except UnreadableModel as error:
        raise InputError(f"The forest cannot be read: {error}. Fit one target with one scikit-learn forest.") from error
    counts = _bootstrap_counts(forest, len(X))
    # scikit-learn draws the bootstrap by the weights since 1.9; before, they multiplied its counts
    drawn_by_weight = bool(forest.bootstrap) and getattr(forest, "_sample_weight", None) is not None
    row_weight = check_weights(None if drawn_by_weight else sample_weight, len(X))
    if not same_rows:
        _check_leaves(forest, trees, X, (counts > 0) & (row_weight > 0))
    return TrainedForest(trees, counts, row_weight, bool(forest.bootstrap), classifies)


def _bootstrap_counts(forest: Any, n: int) -> Ints:
    """How often each tree drew each row."""
    fitted_on = int(getattr(forest, "_n_samples", n))
    if fitted_on != n:
        raise InputError(f"The forest was fitted on {count(fitted_on, 'row')}, got {n}. {SAME_ROWS}")
    if not forest.bootstrap:
        return np.ones((len(forest.estimators_), n), dtype=np.int64)
    return np.stack([np.bincount(drawn, minlength=n) for drawn in forest.estimators_samples_]).astype(np.int64)


def _check_leaves(forest: Any, trees: Ensemble, X: Floats, used: Bools) -> None:
    """Refuse rows that do not fill the leaves as the forest says they did."""
    leaves = trees.leaves(X)
    for tree, estimator in enumerate(forest.estimators_):
        first, last = trees.roots[tree], trees.roots[tree + 1]
        held = np.bincount(leaves[tree, used[tree]] - first, minlength=last - first)
        said = np.where(trees.feature[first:last] < 0, estimator.tree_.n_node_samples, 0)
        if (held != said).any():
            leaf = int(np.argmax(held != said))
            raise InputError(
                f"These are not the rows the forest was fitted on: leaf {leaf} of tree {tree} held "
                f"{count(said[leaf], 'row')} "
                f"of its bootstrap, and {held[leaf]} of these reach it. {SAME_ROWS}"
            )
