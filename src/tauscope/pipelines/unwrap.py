"""The model behind a search and the steps of pipelines."""

from collections.abc import Callable
from typing import Any

from tauscope.pipelines.affine import AffineMap, chained, read_encoder, read_levels_encoder
from tauscope.trees.adapters import reads_levels
from tauscope.weights.arrays import Bools, Floats

RowsOf = Callable[[Floats], Any] | None
ENCODERS = ("OneHotEncoder", "OrdinalEncoder", "TargetEncoder")


def unwrap(estimator: Any, held: Bools, rows_of: RowsOf) -> tuple[Any, AffineMap]:
    """Find the model behind a search and the affine steps of pipelines.

    Parameters
    ----------
    estimator : fitted estimator
    held : ndarray of bool, shape (p,)
        Columns that stay at every point: a ColumnTransformer that comes first may encode them in any way.
    rows_of : callable or None
        Points to the rows that such a ColumnTransformer takes, or an encoder that comes first where all columns stay.

    Raises
    ------
    UnreadableModel
        For a step that is not affine.
    """
    steps = AffineMap.identity(len(held))
    while True:
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif type(estimator).__name__ == "Pipeline":
            transformers = [step for _, step in estimator.steps[:-1]]
            if steps.is_identity and transformers and type(transformers[0]).__name__ == "ColumnTransformer":
                steps = read_encoder(transformers.pop(0), held, rows_of)
            elif (
                rows_of is not None and steps.is_identity and held.all() and transformers and _encodes(transformers[0])
            ):
                steps = read_levels_encoder(transformers.pop(0), len(held), rows_of)
            before = chained(transformers, len(steps.matrix))
            steps = before if steps.is_identity else steps if before.is_identity else steps.then(before)
            estimator = estimator.steps[-1][1]
        else:
            return estimator, steps


def takes_levels(estimator: Any) -> bool:
    """Whether the first step, or a boosting itself, encodes levels of rows as they are given."""
    if hasattr(estimator, "best_estimator_"):
        return takes_levels(estimator.best_estimator_)
    if type(estimator).__name__ == "Pipeline":
        first = estimator.steps[0][1]
        return type(first).__name__ == "ColumnTransformer" or _encodes(first) or takes_levels(first)
    return takes_own_levels(estimator)


def takes_own_levels(estimator: Any) -> bool:
    """Whether an estimator encodes levels itself: histogram gradient boosting told of them, LightGBM and XGBoost."""
    return getattr(estimator, "_preprocessor", None) is not None or reads_levels(estimator)


def _encodes(step: Any) -> bool:
    return type(step).__name__ in ENCODERS and type(step).__module__.startswith("sklearn.")
