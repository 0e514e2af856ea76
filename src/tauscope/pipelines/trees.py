# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""Tree ensembles read as the sums their decisions are made of, and compared with their own answers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tauscope.pipelines.linear import Probes
from tauscope.pipelines.unwrap import RowsOf
from tauscope.trees.adapters import grows_trees, read_trees
from tauscope.trees.ties import rows_at_thresholds
from tauscope.trees.tree_model import Encode, TreeModel, UnreadableModel, check_trees, classifies
from tauscope.weights.arrays import Floats
from tauscope.words import count

NEIGHBOURS = ("KNeighborsClassifier", "KNeighborsRegressor", "RadiusNeighborsClassifier", "RadiusNeighborsRegressor")


def holds_trees(model: Any) -> bool:
    """Tell whether a model answers by trees, alone, at a pipeline's end, or inside a search: flat between jumps."""
    if grows_trees(model):
        return True
    if steps := getattr(model, "steps", None):
        return holds_trees(steps[-1][1])
    best = getattr(model, "best_estimator_", None)
    return best is not None and holds_trees(best)


def is_flat_between_jumps(model: Any) -> bool:
    """Tell whether a model's answers are constant between jumps, as those of trees, neighbours and ensembles of them.

    Parameters
    ----------
    model : fitted estimator
        Alone, at a pipeline's end, or inside a search, a calibration, a choice of threshold or an ensemble.
    """
    from sklearn import neighbors  # loads pandas, which no engine may at import
    from sklearn.base import BaseEstimator

    if holds_trees(model):
        return True
    if isinstance(model, tuple(getattr(neighbors, name) for name in NEIGHBOURS)):
        return model.weights == "uniform"
    if not isinstance(model, BaseEstimator) or getattr(model, "passthrough", False):
        return False  # the last model of a stack with passthrough sees the rows themselves
    if steps := getattr(model, "steps", None):
        return is_flat_between_jumps(steps[-1][1])
    parts: list[Any] = list(getattr(model, "estimators_", ()))
    parts += [part.estimator for part in getattr(model, "calibrated_classifiers_", ())]
    within = (getattr(model, name, None) for name in ("best_estimator_", "estimator_", "regressor_", "estimator"))
    parts = parts or [part for part in within if part is not None][:1]
    return bool(parts) and all(is_flat_between_jumps(part) for part in parts)


def read_decision_trees(model: Any, tried: Floats, probes: Probes, rows_of: RowsOf = None) -> TreeModel:
    """Read a tree ensemble as the sums its decisions are made of.

    Parameters
    ----------
    model : fitted estimator
        Without the steps before it.
    tried : ndarray of shape (m, d)
        The probes as it takes them. It is asked besides about some of them moved onto thresholds.
    probes : Probes
        Through which it is asked.
    rows_of : callable or None
        Points to the rows it takes, where it is one that reads levels of these itself.

    Returns
    -------
    TreeModel
        Of a classifier, whatever its link: the raw outputs are one, above 0 for the second class, or one for each
        class, the largest for the class that is decided, since a probability rises with its margin.

    Raises
    ------
    UnreadableModel
    """
    names = ("decision_function", "predict_proba") if classifies(model) else ("predict",)
    response = next((name for name in names if hasattr(model, name)), "predict")
    read = read_trees(model, response)
    if read.zero_is_missing:
        raise UnreadableModel("it takes zeros for missing values, so that no leaf is a box")
    if len(read.column_of) != tried.shape[1]:
        raise UnreadableModel(f"it was fitted on {count(len(read.column_of), 'column')}, not {tried.shape[1]}")
    if rows_of is not None:
        read = replace(read, encode=_after(rows_of, read.encode))
    points = np.concatenate([tried, rows_at_thresholds(read, tried)])
    check_trees(read, points, probes.answers(model, points if rows_of is None else rows_of(points)).T)
    if classifies(model) and read.trees.link == "exponential":
        raise UnreadableModel("its link tells no labels")
    return read


def _after(rows_of: Callable[[Floats], Any], encode: Encode) -> Encode:
    def encode_points(points: Floats) -> Floats:
        return encode(rows_of(points))

    return encode_points
