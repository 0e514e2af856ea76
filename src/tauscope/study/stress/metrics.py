"""Which metrics are followed: the task's own by name, and any of scikit-learn's or one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.stress.functions import NamedFunction
from tauscope.stress.metric_definitions import RECALIBRATIONS, definition_of, definitions, row_definitions
from tauscope.stress.metric_forms import Definition
from tauscope.stress.metrics import SummedMetric, choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.tails import Tails, spreads_of

if TYPE_CHECKING:
    from tauscope.rows.rows import Summed
    from tauscope.stress.sums.groups import GroupSums
    from tauscope.study.base import StudyBase
    from tauscope.study.stress.sklearn_metrics import WeightedMetric

MetricLike = str | Callable[..., Any]
NEEDS = {"y": "y", "score": "scores", "probability": "probabilities"}
TASKS = {"binary": "two classes", "multiclass": "several classes", "regression": "a regression"}


@dataclass(frozen=True)
class MetricSelection:
    """The metrics that were requested.

    Attributes
    ----------
    names : tuple of str or None
        Names of all of them, in the order requested; None for the task's own.
    requested : tuple of str and NamedFunction, or None
        The same as arguments that can be stored: functions by the name under which the study has them.
    builtin : tuple of str or None
        Those among them that the engine computes from sums.
    by_rows : tuple of str
        Those of `builtin` that take all rows at once.
    weighted : tuple of WeightedMetric
        The others.
    """

    names: tuple[str, ...] | None = None
    requested: tuple[str | NamedFunction, ...] | None = None
    builtin: tuple[str, ...] | None = None
    by_rows: tuple[str, ...] = ()
    weighted: tuple[WeightedMetric, ...] = ()

    @property
    def summed(self) -> tuple[str, ...]:
        """Those of `builtin` that follow from sums."""
        return tuple(name for name in self.builtin or () if name not in self.by_rows)


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
        For none at all, or a repeated one.
    """
    if metrics is None:
        return MetricSelection()
    requested, available_names = _list_requested(metrics), _available_names(study._outcomes)
    names: list[str] = []
    again: list[str | NamedFunction] = []
    weighted: list[WeightedMetric] = []
    for request in requested:
        metric = study._functions.find(request) if isinstance(request, NamedFunction) else request
        if isinstance(metric, str) and metric in available_names:
            names.append(metric)
            again.append(metric)
            continue
        if isinstance(metric, str):
            _check_available(study._outcomes, metric, available_names)
        from tauscope.study.stress.sklearn_metrics import resolve_metric  # loads all of sklearn.metrics

        weighted.append(resolve_metric(study, metric))
        names.append(weighted[-1].name)
        again.append(metric if isinstance(metric, str) else study._functions.keep(metric, weighted[-1].name))
    _check_apart(names)
    builtin = tuple(name for name in names if name in available_names)
    by_rows = tuple(one.name for one in row_definitions(study._outcomes, builtin))
    return MetricSelection(tuple(names), tuple(again), builtin, by_rows, tuple(weighted))


def _list_requested(metrics: Any) -> list[Any]:
    if not callable(metrics) and not isinstance(cast("object", metrics), Iterable):
        raise InputTypeError(f"metrics are names or functions (y_true, y_pred, sample_weight=...); got {metrics!r}.")
    requested: list[Any] = [metrics] if isinstance(metrics, str) or callable(metrics) else list(metrics)
    if not requested:
        raise InputError("At least one metric is needed; got none. Leave metrics=None for those of the task.")
    return requested


def _available_names(outcomes: Outcomes) -> list[str]:
    return [metric.name for of in (definitions, row_definitions) for metric in of(outcomes, None)]


def _check_apart(names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"Every metric needs a name of its own; {twice} come more than once. Name the functions apart."
        )


def _check_available(outcomes: Outcomes, name: str, available_names: Sequence[str], *, own: bool = False) -> None:
    from tauscope.study.stress.sklearn_metrics import metric_names

    definition = definition_of(name)
    # scikit-learn may know it for another task, or from labels alone
    elsewhere = not own and definition is not None and outcomes.truth is not None and name in metric_names()
    if definition is not None and not elsewhere:
        present = f"{TASKS[outcomes.task]} {'with' if outcomes.truth is not None else 'without'} y"
        raise UnknownName(
            f"The metric {name!r} needs {_needs(definition)}; this study is of {present}. "
            f"It has: {', '.join(available_names)}."
        )
    if name not in metric_names():
        raise UnknownName.among("metric", name, [*available_names, *metric_names()])


def _needs(definition: Definition) -> str:
    """Say what a metric needs: "two classes and y"."""
    task = TASKS[definition.tasks[0]] if len(definition.tasks) == 1 else "labels"
    words = [task, *(NEEDS[need] for need in definition.needs)]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def select_own(summed: Summed, metrics: Any, what: str) -> tuple[str, ...]:
    """Return the names of the task's own metrics that are asked for; none where none is.

    Parameters
    ----------
    summed : Summed
        Of the rows.
    metrics : str or sequence of str, or None
    what : str
        What follows them: "A table by group".

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `select_metrics`; for a metric of scikit-learn, and one that takes all rows at once where these come in
        chunks.
    """
    if metrics is None:
        return ()
    requested, outcomes = _list_requested(metrics), summed.allowing
    available_names = _available_names(outcomes)
    for metric in requested:
        if isinstance(metric, str) and metric in available_names:
            continue
        if isinstance(metric, str):
            if outcomes.in_chunks and metric in RECALIBRATIONS:
                raise InputError(
                    f"The metric {metric!r} is a fit to all rows at once, which are not in memory. Use a sample: "
                    "sample()."
                )
            _check_available(outcomes, metric, available_names, own=True)
        name = metric if isinstance(metric, str) else getattr(metric, "__name__", metric)
        raise _not_own(what, name, in_chunks=outcomes.in_chunks)
    _check_apart(requested)
    return tuple(requested)


def _not_own(what: str, name: object, *, in_chunks: bool = False) -> InputError:
    instead = "For it use stress_curves, or the weights of reweight(…) as sample_weight."
    return InputError(
        f"{what} follows the task's own metrics; {name!r} is none of them. "
        f"{'It needs the rows in memory: use a sample, sample().' if in_chunks else instead}"
    )


def check_own(selection: MetricSelection, what: str) -> None:
    """Ask for metrics that are computed without a call of another's function.

    Raises
    ------
    InputError
        For another, with the names that there are.
    """
    if selection.weighted:
        raise _not_own(what, selection.weighted[0].name)


def define_metrics(
    summed: Summed, names: Sequence[str] | None, scores: tuple[float, float], sums: GroupSums | None = None
) -> tuple[SummedMetric, ...]:
    """Define metrics by what sums tell of scores, and of the tails of the rows summed.

    Parameters
    ----------
    summed : Summed
    names : sequence of str or None
        None, or none, for those of the task.
    scores : tuple of float
        Smallest and largest score; (∞, -∞) for none.
    sums : GroupSums, optional
        Over the rows; without them metrics know of no tails.
    """
    low, high = scores
    no_rows = summed.no_rows(scored=low <= high)
    probable = low >= 0 and high <= 1
    tails: Tails | None = None if sums is None else {}
    if sums is not None:
        spreads = spreads_of(definitions(no_rows, summed.asked))
        if spreads:
            quantities = define_quantities(no_rows, summed.units, probable, names=summed.asked)[0]
            tails = sums.tails(spreads, quantities, summed.units)
    every = define_quantities(no_rows, summed.units, probable, tails, summed.asked)[1]
    return choose(every, names or None)
