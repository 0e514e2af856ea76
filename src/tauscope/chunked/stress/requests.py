"""Which metrics sums over chunks can answer, and what is said of the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tauscope.errors import InputError, UnknownName
from tauscope.stress.metric_definitions import definition_of, definitions
from tauscope.stress.metric_forms import RowDefinition
from tauscope.stress.outcomes import Outcomes

NEEDS = {
    "roc_auc": "two classes, y and a score",
    "average_precision": "two classes, y and a score",
    "r2": "a regression, and y",
}


def list_requests(metrics: Any) -> list[Any] | None:
    """Return the metrics that are requested as a list; None for the task's own."""
    if metrics is None:
        return None
    return [metrics] if isinstance(metrics, str) or callable(metrics) else list(metrics)


def check_requests(outcomes: Outcomes, metrics: Collection[Any]) -> None:
    """Ask for the names of metrics that follow from sums.

    Parameters
    ----------
    outcomes : Outcomes
        Of no rows.
    metrics : collection

    Raises
    ------
    InputError
        For a metric that takes what these rows have not.
    UnknownName
        For a name that no metric has.
    """
    available = [definition.name for definition in definitions(outcomes, None)]
    for metric in metrics:
        if isinstance(metric, str) and metric in available:
            continue
        if isinstance(definition_of(metric), RowDefinition) and metric.removesuffix("_score") not in NEEDS:
            raise InputError(
                f"The metric {metric!r} is a fit to all rows at once, which are not in memory. Use a sample: sample()."
            )
        if isinstance(definition_of(metric), RowDefinition):
            raise InputError(
                f"The metric {metric!r} takes {NEEDS[metric.removesuffix('_score')]}; these rows are of another task "
                "or come without. Choose another metric, or give chunks that have them."
            )
        if callable(metric) or _is_metric(metric):
            name = getattr(metric, "__name__", metric)
            raise InputError(
                f"A metric of scikit-learn needs the rows, which a sketch does not keep; got {name!r}. "
                f"Ask for {', '.join(available)}, or use Study(model, X, y) on the rows."
            )
        raise UnknownName.among("metric", metric, available)


def check_summed(outcomes: Outcomes, metrics: Sequence[Any], summed: Collection[str]) -> None:
    """Ask for metrics that a sketch was made for; `summed` are their names.

    Raises
    ------
    InputError
        For one that it was not made for, or that needs the rows.
    UnknownName
        For a name that no metric has.
    """
    check_requests(outcomes, metrics)
    missing = [metric for metric in metrics if metric not in summed]
    if missing:
        raise InputError(
            f"This sketch has no sums for {missing[0]!r}, for it was not asked for them. Make it with "
            f"sketch(metrics={missing!r})."
        )


def _is_metric(name: str) -> bool:
    from tauscope.study.stress.sklearn_metrics import metric_names  # loads all of sklearn.metrics

    return name in metric_names()
