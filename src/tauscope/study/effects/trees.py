"""Models whose partial dependence can be read from their trees instead of asked for."""

from typing import Any

from tauscope.data.table_rows import TableRows
from tauscope.effects import AccumulatedEffect, Effect
from tauscope.model.response import Response

TREES = {
    f"{kind}{task}"
    for kind in ("DecisionTree", "ExtraTrees", "GradientBoosting", "HistGradientBoosting", "RandomForest")
    for task in ("Classifier", "Regressor")
}
"""scikit-learn's classes, by name: importing them takes as long as all else together."""


def has_trees(model: Any, rows: TableRows, response: Response) -> bool:
    """Tell whether a model is a sum of trees over rows of plain numbers, and the response one the trees give.

    The engine still checks what it reads against the model's own answers, and asks the model where they differ.
    """
    plain = all(column.kind == "boolean" or (column.kind == "numeric" and not column.unit) for column in rows.columns)
    return _is_of_trees(model) and plain and response.columns is not None


def holds_trees(model: Any) -> bool:
    """Tell whether a model answers by trees, alone, at a pipeline's end, or inside a search: flat between jumps."""
    if _is_of_trees(model):
        return True
    if steps := getattr(model, "steps", None):
        return holds_trees(steps[-1][1])
    best = getattr(model, "best_estimator_", None)
    return best is not None and holds_trees(best)


def _is_of_trees(model: object) -> bool:
    return any(each.__name__ in TREES and each.__module__.startswith("sklearn.") for each in type(model).__mro__)


def how(found: Effect, response: Response) -> str:
    """Say how an effect was had: from the trees, or by asking, and then why where trees could have served."""
    if isinstance(found, AccumulatedEffect) and found.source == "gradient":
        return "derivatives given; the model was asked nothing"
    if found.n_model_rows == 0:
        return f"answers of {response.method} known from before"
    asked = f"{response.method} asked about {found.n_model_rows:,} rows"
    words = found.status.removeprefix("complete")
    if words.startswith(": exact"):
        return f"{words[2:]}; {asked} as a check"
    _, separator, reason = words.partition("; the model was asked row by row: ")
    return f"{asked}, as {reason}" if separator else asked
