"""Every metric in groups of rows: as tested, the verb `metrics_by`, and under the weights of one stress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data.groups import read_groups
from tauscope.results.stress.by_group import UNMOVED, Estimates, Group, MetricsByGroup, gap_table, metric_rows
from tauscope.results.stress.joint_answer import group_metrics
from tauscope.stress.joint.estimates import metric_values
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import Quantities, SummedMetric, choose, define_quantities
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import check_own, select_metrics
from tauscope.study.stress.quantities import reweighted_moments
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.study.base import StudyBase


def metrics_by(
    self: StudyBase,
    by: Any,
    *,
    metrics: str | Sequence[str] | None = None,
    confidence: float = 0.95,
) -> MetricsByGroup:
    """Take every metric group by group, and say how far the groups are apart: error rates of women and men, say.

    Parameters
    ----------
    by : str, sequence of str, or column of shape (n_rows,)
        Name of a column with levels, or with at most 10 distinct numbers; several names, whose levels are crossed;
        a mask; or a label for each row. Rows without a value are a group "missing".
    metrics : str, or several, optional
        Names such as "error_rate", "true_positive_rate". By default all metrics of the task.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).

    Returns
    -------
    MetricsByGroup
        Of the rows as they are; `.gaps` between the groups. Of a moved population: `Reweighting.by`; along τ:
        `StressCurves.by`.

    Raises
    ------
    UnknownName
        For a column or metric that is not there, with the nearest names.
    InputError, InputTypeError
        For a column of too many numbers, more than 200 groups, another number of rows, and what names no groups.

    Examples
    --------
    >>> by_texture = study.metrics_by(X_test["mean texture"] > 20, metrics="error_rate")
    >>> by_texture.gaps[["metric", "largest", "smallest"]]
           metric largest smallest
    0  error_rate   False     True
    """
    check_fraction("confidence", confidence, 1.0)
    names = _names(self, metrics)
    base = np.ones(self.n_rows) if self.sample_weight is None else self.sample_weight
    return _by_group(self, by, names, Moments.none(self.n_rows), base, UNMOVED, float(confidence))


def metrics_by_group(
    self: StudyBase, reweighting: Reweighting, by: Any, *, metrics: str | Sequence[str] | None = None
) -> MetricsByGroup:
    """Return every metric in groups of rows, as tested and under a reweighting; see `Reweighting.by`.

    Parameters
    ----------
    reweighting : Reweighting
        Of this study.
    by, metrics
        As in `Reweighting.by`.

    Raises
    ------
    InputError
        For weights of another study, or such that do not meet their constraints; else as `Reweighting.by`.
    """
    weights = reweighting.row_weights("metrics by group")
    reweighting.check_usable(self.n_rows)
    names = _names(self, metrics) or tuple(map(str, reweighting.metrics["metric"]))
    moments = reweighted_moments(self, reweighting)
    return _by_group(self, by, names, moments, weights, reweighting.population, reweighting.confidence)


def _names(study: StudyBase, metrics: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the task's own metrics that are asked for; none where none is."""
    selection = select_metrics(study, metrics)
    check_own(selection, "A table by group")
    return selection.builtin or ()


def _by_group(
    study: StudyBase,
    by: Any,
    names: Sequence[str],
    moments: Moments,
    weights: NDArray[np.float64],
    population: str,
    confidence: float,
) -> MetricsByGroup:
    groups = read_groups(by, study.columns, study.X, study.n_rows)
    collected, every = define_quantities(study.outcomes, names=names)
    chosen = choose(every, names or None)
    base = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    inside = [groups.codes == code for code in range(len(groups.labels))]
    own = [_own_tails(study, chosen, rows, names) for rows in inside]
    found = group_metrics(collected, own, moments, weights, base, inside, confidence)
    made = tuple(describe_group(label, rows, weights, base) for label, rows in zip(groups.labels, inside, strict=True))
    before = [_before(collected, each, base, rows) for each, rows in zip(own, inside, strict=True)]
    values = [Estimates(*each) for each in zip(before, found.estimates, strict=True)]
    shown = tuple(metric.in_words() for metric in chosen)
    return MetricsByGroup(
        grouped_by=groups.name,
        groups=made,
        metrics=shown,
        population=population,
        confidence=confidence,
        n_rows=study.n_rows,
        model_name=study.model_name,
        _frame=metric_rows(made, shown, values),
        _gaps=gap_table(made, shown, found.estimates, found.gaps),
        source=study.as_source(),
    )


def _own_tails(
    study: StudyBase, metrics: Sequence[SummedMetric], inside: NDArray[np.bool_], names: Sequence[str]
) -> list[SummedMetric]:
    """Return metrics whose spreads are judged by the squares of a group's own rows."""
    of_group = define_quantities(study.outcomes.take(inside), names=names)[1]
    tails = {metric.name: metric.tail for metric in of_group}
    return [replace(metric, tail=tails.get(metric.name, metric.tail)) for metric in metrics]


def _before(
    collected: Quantities, metrics: Sequence[SummedMetric], base: NDArray[np.float64], inside: NDArray[np.bool_]
) -> list[float]:
    own = np.where(inside, base, 0.0)
    return metric_values(collected, metrics, own) if own.any() else [float("nan")] * len(metrics)


def describe_group(
    label: str, inside: NDArray[np.bool_], weights: NDArray[np.float64], base: NDArray[np.float64]
) -> Group:
    """Return a group of rows with what weights make of it.

    Parameters
    ----------
    label : str
    inside : ndarray of bool of shape (n_rows,)
    weights, base : ndarray of shape (n_rows,)
        Under a stress, and before.
    """
    own = weights[inside]
    return Group(
        label=label,
        n_rows=int(np.count_nonzero(inside)),
        share_before=float(base[inside].sum() / base.sum()),
        share=float(own.sum() / weights.sum()),
        ess=float(effective_size(own)) if own.any() else 0.0,
    )
