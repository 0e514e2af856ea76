"""Which metrics are followed: the task's own by name, and any of scikit-learn's or one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.stress.functions import NamedFunction
from tauscope.stress.metric_definitions import Definition, definition_of
from tauscope.stress.metrics import available

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase
    from tauscope.study.stress.sklearn_metrics import WeightedMetric

MetricLike = str | Callable[..., Any]


@dataclass(frozen=True)
class MetricSelection:
    """Metrics asked for.

    Attributes
    ----------
    names : tuple of str or None
        Names of all of them, in the order asked; None for the task's own.
    asked : tuple of str and NamedFunction, or None
        What asks for the same again: functions by the name under which the study keeps them.
    own : tuple of str or None
        Those among them that the engine knows.
    weighted : tuple of WeightedMetric
        The others.
    """

    names: tuple[str, ...] | None = None
    asked: tuple[str | NamedFunction, ...] | None = None
    own: tuple[str, ...] | None = None
    weighted: tuple[WeightedMetric, ...] = ()


def select_metrics(study: StudyBase, metrics: MetricLike | Sequence[MetricLike] | None) -> MetricSelection:
    """Tell the task's own metrics from those that are functions of the rows' weights.

    Parameters
    ----------
    study : Study
    metrics : str, callable, or sequence of them, or None
        Names of `tauscope.stress.metrics`, or what `resolve_metric` takes.

    Returns
    -------
    MetricSelection

    Raises
    ------
    UnknownName
        For a name that is neither; says what is missing where the metric needs more than the study holds, else the
        nearest names.
    InputError
        For none at all, or one asked for twice.
    """
    if metrics is None:
        return MetricSelection()
    if not callable(metrics) and not isinstance(cast(object, metrics), Iterable):
        raise InputTypeError(f"metrics are names or functions (y_true, y_pred, sample_weight=...); got {metrics!r}.")
    asked: list[MetricLike | NamedFunction] = (
        [metrics] if isinstance(metrics, str) or callable(metrics) else list(metrics)
    )
    if not asked:
        raise InputError("At least one metric is needed; got none. Leave metrics=None for those of the task.")
    known = [metric.name for metric in available(study.outcomes)]
    names: list[str] = []
    again: list[str | NamedFunction] = []
    weighted: list[WeightedMetric] = []
    for given in asked:
        one = study.functions.find(given) if isinstance(given, NamedFunction) else given
        if isinstance(one, str) and one in known:
            names.append(one)
            again.append(one)
            continue
        if isinstance(one, str):
            _check_known(study, one, known)
        from tauscope.study.stress.sklearn_metrics import resolve_metric  # loads all of sklearn.metrics

        weighted.append(resolve_metric(study, one))
        names.append(weighted[-1].name)
        again.append(one if isinstance(one, str) else study.functions.keep(one, weighted[-1].name))
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"Every metric needs a name of its own; {twice} come more than once. Name the functions apart."
        )
    return MetricSelection(tuple(names), tuple(again), tuple(name for name in names if name in known), tuple(weighted))


def _check_known(study: StudyBase, name: str, known: Sequence[str]) -> None:
    definition = definition_of(name)
    if definition is not None:
        held = {"binary": "two classes", "multiclass": "several classes", "regression": "a regression"}[study.task]
        held += " with y" if study.truth is not None else " without y"
        raise UnknownName(
            f"The metric {name!r} needs {_needs(definition)}; this study is of {held}. It has: {', '.join(known)}."
        )
    from tauscope.study.stress.sklearn_metrics import known_metrics

    if name not in known_metrics():
        raise UnknownName.among("metric", name, [*known, *known_metrics()])


def _needs(definition: Definition) -> str:
    """Say what a metric needs: "two classes and y"."""
    kinds = {"binary": "two classes", "multiclass": "several classes", "regression": "a regression"}
    task = kinds[definition.tasks[0]] if len(definition.tasks) == 1 else "labels"
    words = [task, *({"y": "y", "score": "scores"}[need] for need in definition.needs)]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
