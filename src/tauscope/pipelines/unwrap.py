"""The model behind a search and the steps of pipelines."""

from collections.abc import Callable
from typing import Any

from tauscope.pipelines.affine import AffineMap, chained, read_encoder, without_names
from tauscope.weights.arrays import Bools, Floats

RowsOf = Callable[[Floats], Any] | None


def unwrap(estimator: Any, held: Bools, rows_of: RowsOf) -> tuple[Any, AffineMap]:
    """Find the model behind a search and the affine steps of pipelines.

    Parameters
    ----------
    estimator : fitted estimator
    held : ndarray of bool, shape (p,)
        Columns that stay at every point: a ColumnTransformer that comes first may encode them in any way.
    rows_of : callable or None
        Points to the rows that such a ColumnTransformer takes.

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
            before = chained(transformers, len(steps.matrix))
            steps = before if steps.is_identity else steps if before.is_identity else steps.then(before)
            estimator = estimator.steps[-1][1]
        else:
            return without_names(estimator), steps
