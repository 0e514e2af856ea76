"""Every metric in groups of rows in chunks: as they come, the verb `metrics_by`, and under the weights of a stress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.stress.requests import check_requests, list_requests
from tauscope.chunked.stress.reweight import bound_words, solve_stress
from tauscope.chunked.stress.score_steps import read_steps
from tauscope.results.stress.by_group import UNMOVED, Estimates, Group, MetricsByGroup, gap_table, metric_rows
from tauscope.results.stress.joint_answer import answer_groups, support_of
from tauscope.rows.chunked_groups import ChunkedGroups, read_groups_of_chunks
from tauscope.rows.outputs import no_outcomes
from tauscope.rows.schema import Schema, over_chunks
from tauscope.stress.chunked.groups import AllGroups, GroupSums, NoTilt, measure_groups, regress_groups
from tauscope.stress.chunked.projection import ChunkedTilt, Tilt
from tauscope.stress.joint.constraints import as_stress
from tauscope.stress.metric_definitions import definitions, ranks
from tauscope.stress.metrics import SummedMetric, choose, define_quantities
from tauscope.stress.tails import spreads_of
from tauscope.study.stress.curves import check_fraction

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.rows.passes import Passes
    from tauscope.stress.chunked.chunk import MapReduce
    from tauscope.stress.chunked.moments import ChunkedMoments


def metrics_by(
    self: ChunkedBase,
    by: Any,
    *,
    metrics: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    progress: bool = True,
) -> MetricsByGroup:
    """Take every metric group by group, and say how far the groups are apart: error rates of women and men, say.

    Parameters
    ----------
    by : str or sequence of str
        Name of a column with levels, or with at most 10 distinct numbers; or several names, whose levels are crossed.
        Rows without a value are a group "missing".
    metrics : str or sequence of str, optional
        As in `stress_curves`. By default all metrics of the task.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    progress : bool, default True
        Whether bars show after two seconds.

    Returns
    -------
    MetricsByGroup
        The numbers of `Study.metrics_by` to 1e-9. Of a moved population: `Reweighting.by`.

    Raises
    ------
    UnknownName
        For a column or metric that is not there, with the nearest names.
    InputError, InputTypeError
        For a column of too many numbers, more than 200 groups, a mask or labels, and what names no groups.

    Notes
    -----
    Four passes, of which the last two call the model; one fewer where no column holds numbers, and one more, calling
    it too, where "roc_auc" or "average_precision" is asked for.
    """
    check_fraction("confidence", confidence, 1.0)
    with self.bars(progress):
        passes = self.passes()
        asked = _Asked.of(self, passes, by, list_requests(metrics) or [])
        weight = float(sum(asked.groups.weight))
        return _by_group(self, asked, NoTilt(weight), None, UNMOVED, float(confidence))


def metrics_by_group(
    self: ChunkedBase, reweighting: Reweighting, by: Any, *, metrics: str | Sequence[str] | None = None
) -> MetricsByGroup:
    """Return every metric in groups of rows, as they come and under a reweighting; see `Reweighting.by`.

    Parameters
    ----------
    reweighting : Reweighting
        Of this study.
    by, metrics
        As in `metrics_by`.

    Raises
    ------
    InputError
        For weights of another study, or such that do not meet their constraints; else as `metrics_by`.
    """
    with self.bars(True):
        passes = self.passes()
        reweighting.check_usable(self.schema(passes).n_rows)
        names = list_requests(metrics) or reweighting.metrics["metric"].tolist()
        asked = _Asked.of(self, passes, by, names)
        stress = self.functions.with_functions(as_stress(reweighting.stress))
        moments, projection = solve_stress(self, asked.total, asked.schema, stress, reweighting.quantile)
        tilt = ChunkedTilt.of(moments, projection)
        return _by_group(self, asked, tilt, moments, reweighting.population, reweighting.confidence)


class _Asked(NamedTuple):
    """What is asked of which groups."""

    groups: ChunkedGroups
    names: list[str]
    schema: Schema
    total: MapReduce

    @classmethod
    def of(cls, study: ChunkedBase, passes: Passes, by: Any, names: list[str]) -> _Asked:
        schema = replace(study.schema(passes), asked=tuple(names))
        scored = no_outcomes(schema.outputs, labelled=schema.labelled, scored=True)
        check_requests(scored, names)
        groups = read_groups_of_chunks(by, passes, schema)
        if ranks(scored, names):
            schema = replace(schema, steps=read_steps(passes, schema.outputs, schema.model_name))
        return cls(groups, names, schema, over_chunks(passes, schema))


def _by_group(
    study: ChunkedBase,
    asked: _Asked,
    tilt: Tilt,
    moments: ChunkedMoments | None,
    population: str,
    confidence: float,
) -> MetricsByGroup:
    groups, schema = asked.groups, asked.schema
    measured = measure_groups(tilt, groups, tuple(zip(groups.n_counted, groups.n_rows, strict=True)), asked.total)
    chosen = define_metrics(asked.schema, asked.names, measured, None)
    sums = [measured.groups.get(code) for code in range(len(groups.labels))]
    own = [
        None if each is None or not each.share > 0 else define_metrics(asked.schema, asked.names, measured, each)
        for each in sums
    ]
    found = regress_groups(
        tilt,
        groups,
        measured,
        own,
        asked.total,
        unstressed=moments is None or moments.unstressed,
        target_covariance=np.zeros((1, 1)) if moments is None else moments.target_covariance,
    )
    n_beyond, in_doubt = (np.inf, False) if moments is None else (moments.n_beyond, moments.in_doubt)
    supports = [
        support_of(n_beyond, in_doubt, each.pareto_k) if each is not None and each.share > 0 else None for each in sums
    ]
    answer = answer_groups([one or chosen for one in own], found, groups.n_counted, supports, confidence)
    made = tuple(describe_group_of_chunks(groups, code, each) for code, each in enumerate(sums))
    before = [_before(chosen, each) for each in sums]
    values = [Estimates(*each) for each in zip(before, answer.estimates, strict=True)]
    shown = tuple(metric.in_words() for metric in chosen)
    ends = [each for one in sums if one is not None and one.share > 0 for each in (one.sums, one.before)]
    bounds = [bound_words(metric, *ends) for metric in chosen] if ends else []
    return MetricsByGroup(
        grouped_by=groups.name,
        groups=made,
        metrics=shown,
        population=population,
        confidence=confidence,
        n_rows=schema.n_rows,
        model_name=study.model_name,
        _frame=metric_rows(made, shown, values),
        _gaps=gap_table(made, shown, answer.estimates, answer.gaps),
        bounds=tuple(words for words in bounds if words),
        source=study.as_source(),
    )


def define_metrics(
    schema: Schema, names: Sequence[str] | None, measured: AllGroups, group: GroupSums | None
) -> tuple[SummedMetric, ...]:
    """Define metrics by what the sums tell of scores, and of the tails of a group's own rows.

    Parameters
    ----------
    schema : Schema
    names : sequence of str or None
        None for those of the task.
    measured : AllGroups
    group : GroupSums or None
    """
    low, high = measured.scores
    no_rows = no_outcomes(schema.outputs, labelled=schema.labelled, scored=low <= high, steps=schema.steps)
    probable = low >= 0 and high <= 1
    tails = None
    if group is not None:
        quantities = define_quantities(no_rows, schema.units, probable, names=schema.asked)[0]
        tails = group.tails(spreads_of(definitions(no_rows, schema.asked)), quantities, schema.units)
    every = define_quantities(no_rows, schema.units, probable, tails, schema.asked)[1]
    return choose(every, names or None)


def describe_group_of_chunks(groups: ChunkedGroups, code: int, sums: GroupSums | None) -> Group:
    """Return a group of rows with what the weights make of it."""
    return Group(
        label=groups.labels[code],
        n_rows=groups.n_rows[code],
        share_before=groups.weight[code] / sum(groups.weight),
        share=0.0 if sums is None else sums.share,
        ess=0.0 if sums is None else sums.ess,
    )


def _before(metrics: Sequence[SummedMetric], sums: GroupSums | None) -> list[float]:
    if sums is None or not sums.before[0] > 0:
        return [float("nan")] * len(metrics)
    share: NDArray[np.float64] = sums.before / sums.before[0]
    return [float(metric.evaluate(share[list(metric.columns)])[0]) for metric in metrics]
