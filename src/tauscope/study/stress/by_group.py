"""What becomes of every metric in groups of rows under one stress: a reweighting's rows, taken group by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data.groups import read_groups
from tauscope.results.stress.by_group import Estimates, Group, MetricsByGroup, gap_table, metric_rows
from tauscope.results.stress.joint_answer import MetricEstimate, group_metrics
from tauscope.stress.gaps import single_level
from tauscope.stress.joint.estimates import metric_values
from tauscope.stress.metrics import Quantities, SummedMetric, choose, define_quantities
from tauscope.study.stress.metrics import check_own, select_metrics
from tauscope.study.stress.quantities import reweighted_moments
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.study.base import StudyBase


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
    groups = read_groups(by, self.columns, self.X, self.n_rows)
    selection = select_metrics(self, metrics)
    check_own(selection, "A reweighting by group")
    names = selection.builtin or tuple(map(str, reweighting.metrics["metric"]))
    collected, every = define_quantities(self.outcomes, names=names)
    chosen = choose(every, names)
    moments = reweighted_moments(self, reweighting)
    base = np.ones(self.n_rows) if self.sample_weight is None else self.sample_weight
    level, together = reweighting.confidence, single_level(reweighting.confidence, len(groups.labels))
    made: list[Group] = []
    values: list[Estimates] = []
    simultaneous: list[tuple[MetricEstimate, ...]] = []
    for code, label in enumerate(groups.labels):
        inside = groups.codes == code
        own = _own_tails(self, chosen, inside, names)
        single, joint = group_metrics(collected, own, moments, weights, base, inside, (level, together))
        made.append(_group(label, inside, weights, base))
        values.append(Estimates(_before(collected, own, base, inside), single))
        simultaneous.append(joint)
    shown = tuple(metric.in_words() for metric in chosen)
    return MetricsByGroup(
        grouped_by=groups.name,
        groups=tuple(made),
        metrics=shown,
        population=reweighting.population,
        confidence=level,
        n_rows=self.n_rows,
        model_name=self.model_name,
        _frame=metric_rows(tuple(made), shown, values),
        _gaps=gap_table(tuple(made), shown, simultaneous),
        source=self.as_source(),
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


def _group(label: str, inside: NDArray[np.bool_], weights: NDArray[np.float64], base: NDArray[np.float64]) -> Group:
    own = weights[inside]
    return Group(
        label=label,
        n_rows=int(np.count_nonzero(inside)),
        share_before=float(base[inside].sum() / base.sum()),
        share=float(own.sum() / weights.sum()),
        ess=float(effective_size(own)) if own.any() else 0.0,
    )
