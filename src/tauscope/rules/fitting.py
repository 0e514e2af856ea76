"""A forest of our own, on a target or on a model's answers, with how well it predicts rows it was not grown on."""

# scikit-learn ships no types.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tauscope.errors import InputError
from tauscope.rules.forest import ProjectedForest, Subsets
from tauscope.weights.arrays import Floats
from tauscope.weights.seeds import RandomState, seed_of

N_TREES = 20


@dataclass(frozen=True, eq=False)
class FittedForest:
    """A forest and its quality.

    Attributes
    ----------
    projected : ProjectedForest
    quality : float
        Of out-of-bag predictions: accuracy of classes, R² of numbers. Where y are a model's answers, its fidelity.
        A row is predicted by the third or so of the trees that did not draw it: the whole forest is rather better.
    measure : {"accuracy", "r2"}
    n_out_of_bag : int
        Rows it was measured on.
    random_state : int
        Seed that fits the same forest again.
    """

    projected: ProjectedForest
    quality: float
    measure: Literal["accuracy", "r2"]
    n_out_of_bag: int
    random_state: int


def fit_forest(
    X: Floats,
    y: Any,
    *,
    classes: bool,
    n_trees: int = N_TREES,
    groups: Subsets | None = None,
    sample_weight: Floats | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> FittedForest:
    """Fit scikit-learn's random forest, to project it.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        NaN for missing values.
    y : array-like of shape (n_rows,)
        The target, or a model's answers to X: labels, or numbers.
    classes : bool
        Whether y are labels.
    n_trees : int
        At least 2. The time of an explanation grows with them.
    groups
        As in `ProjectedForest`.
    sample_weight : ndarray of shape (n_rows,) or None
    random_state : int, generator or None
    n_jobs : int or None
        Processors to fit on, as in scikit-learn.

    Returns
    -------
    FittedForest

    Raises
    ------
    InputError
        As `ProjectedForest` does, or where fewer than two trees are asked for or no row is out of bag.
    """
    if n_trees < 2:
        raise InputError(f"n_trees must be at least 2, got {n_trees}: one tree has no interval over trees.")
    seed = seed_of(random_state)
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor  # half a second, and pandas where it is

    kind: Any = RandomForestClassifier if classes else RandomForestRegressor
    # a third of the features at each split, for numbers too: trees that all split on the same ones differ too little
    forest = kind(n_trees, max_features="sqrt" if classes else 1 / 3, random_state=seed, n_jobs=n_jobs)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The number of unique classes is greater than 50%")
        forest.fit(X, y, sample_weight=sample_weight)
    projected = ProjectedForest(forest, X, y, groups=groups, sample_weight=sample_weight, same_rows=True)
    index, prediction = projected.out_of_bag()
    weight = np.ones(len(index)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)[index]
    target = projected.y[index]
    if classes:
        quality = float(np.average(prediction == target, weights=weight))
    else:
        centre = np.average(target, weights=weight)
        scale = float(np.abs(target - centre).max()) or 1.0
        around = float(weight @ ((target - centre) / scale) ** 2)
        quality = 1 - float(weight @ ((prediction - target) / scale) ** 2) / around if around > 0 else 0.0
    return FittedForest(projected, quality, "accuracy" if classes else "r2", len(index), seed)
