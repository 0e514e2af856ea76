"""Which reader knows a fitted estimator: by the name of its class, so that no library is imported for it.

What is read is checked against the model's own answers before it is used (`check_trees`), so that a version that
stores things otherwise leads to the slow way, never to another curve.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tauscope.trees import scikit_learn
from tauscope.trees.catboost import read_catboost
from tauscope.trees.lightgbm import read_lightgbm
from tauscope.trees.tree_model import TreeModel, UnreadableModel
from tauscope.trees.xgboost import read_xgboost

Read = Callable[[Any, str], TreeModel]

READERS: dict[tuple[str, str], Read] = {
    ("sklearn", "BaseHistGradientBoosting"): scikit_learn.read_histogram_boosting,
    ("sklearn", "BaseGradientBoosting"): scikit_learn.read_boosting,
    ("sklearn", "BaseForest"): scikit_learn.read_forest,
    ("sklearn", "BaseDecisionTree"): scikit_learn.read_tree,
    ("lightgbm", "LGBMModel"): read_lightgbm,
    ("lightgbm", "Booster"): read_lightgbm,
    ("xgboost", "XGBModel"): read_xgboost,
    ("catboost", "CatBoostClassifier"): read_catboost,
    ("catboost", "CatBoostRegressor"): read_catboost,
    ("catboost", "CatBoostRanker"): read_catboost,
}
"""Library, and class or parent class."""


def reader_of(estimator: object) -> Read | None:
    """Find the reader of an estimator's class, or of a parent's; None where no library of trees is known for it."""
    kinds = {(kind.__module__.partition(".")[0], kind.__name__) for kind in type(estimator).__mro__}
    return next((read for kind, read in READERS.items() if kind in kinds), None)


def reads_levels(estimator: object) -> bool:
    """Tell whether an estimator is of a library that reads levels of frames itself, and is read with them."""
    return reader_of(estimator) in (read_lightgbm, read_xgboost)


def grows_trees(estimator: object) -> bool:
    """Tell whether an estimator answers by trees whose leaves are constants, so that it is flat between jumps."""
    linear = getattr(estimator, "booster", None) == "gblinear" or bool(getattr(estimator, "linear_tree", False))
    return reader_of(estimator) is not None and not linear


def read_trees(estimator: Any, response: str, outputs: tuple[int, ...] | None = None) -> TreeModel:
    """Read a fitted estimator as a sum of trees.

    Parameters
    ----------
    estimator : fitted estimator
        Decision tree, random forest, extra trees, gradient boosting or histogram gradient boosting of scikit-learn;
        boosted trees of LightGBM, XGBoost or CatBoost, by their estimators in scikit-learn's manner.
    response : {"predict", "predict_proba", "decision_function"}
        The method whose answers are wanted.
    outputs : tuple of int or None
        Which of them, in order; None: all.

    Returns
    -------
    TreeModel
        Unchecked: see `check_trees`.

    Raises
    ------
    UnreadableModel
    """
    reader = reader_of(estimator)
    if reader is None:
        raise UnreadableModel(f"{type(estimator).__name__} is no tree ensemble known here")
    if not hasattr(estimator, response):
        raise UnreadableModel(f"it has no {response}")
    try:
        model = reader(estimator, response)
        return model if outputs is None else replace(model, trees=model.trees.only(outputs))
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise UnreadableModel(f"this version stores its trees otherwise ({error})") from error
