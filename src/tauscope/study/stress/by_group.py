"""Every metric in groups of rows: as tested, the verb `metrics_by`, and under the weights of one stress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tauscope.results.stress.by_group import UNMOVED, Estimates, MetricsByGroup, gap_table, metric_rows
from tauscope.results.stress.numbers.joint_answer import answer_groups
from tauscope.stress.sums.groups import NoTilt, measure_groups, regress_groups
from tauscope.stress.sums.projection import Weighted
from tauscope.study.stress.asked_rows import describe_sums
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import define_metrics, select_own
from tauscope.study.stress.populations import Population, bound_words, moved_population

if TYPE_CHECKING:
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.rows.rows import RowGroups, Rows
    from tauscope.study.verbs import Asked

WHAT = "A table by group"


def metrics_by(
    self: Asked,
    by: Any,
    *,
    metrics: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    progress: bool = True,
) -> MetricsByGroup:
    """Take every metric group by group, and say how far the groups are apart: error rates of women and men, say.

    Parameters
    ----------
    by : str, sequence of str, or column of shape (n_rows,)
        Name of a column with levels, or with at most 10 distinct numbers; several names, whose levels are crossed;
        where rows are in memory a mask, or a label for each row. Rows without a value are a group "missing".
    metrics : str, or several, optional
        Names such as "error_rate", "true_positive_rate". By default all metrics of the task.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    progress : bool, default True
        Whether bars show after two seconds.

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

    Notes
    -----
    Of rows in chunks four passes; one fewer where no column holds numbers, and one more where "roc_auc" or
    "average_precision" is asked for, which are then those of the score in steps: a note says how far they can be off.

    Examples
    --------
    >>> by_texture = study.metrics_by(X_test["mean texture"] > 20, metrics="error_rate")
    >>> by_texture.gaps[["metric", "largest", "smallest"]]
           metric largest smallest
    0  error_rate   False     True
    """
    check_fraction("confidence", confidence, 1.0)
    with self._bars(progress):
        rows = self._as_rows()
        rows = rows.asking(select_own(rows.summed, metrics, WHAT))
        groups = rows.groups(by)
        tested = Population(UNMOVED, Weighted(NoTilt(float(sum(groups.weight)))))
        return _by_group(self, rows, groups, tested, float(confidence))


def metrics_by_group(
    self: Asked, reweighting: Reweighting, by: Any, *, metrics: str | Sequence[str] | None = None
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
    with self._bars(True):
        reweighting._check_usable(self.n_rows)
        rows = self._as_rows()
        names = select_own(rows.summed, metrics, WHAT) or tuple(map(str, reweighting.metrics["metric"]))
        rows = rows.asking(names)
        population = moved_population(self, rows, reweighting)
        return _by_group(self, rows, rows.groups(by), population, reweighting.confidence)


def _by_group(study: Asked, rows: Rows, groups: RowGroups, population: Population, confidence: float) -> MetricsByGroup:
    counts = tuple(zip(groups.n_counted, groups.n_rows, strict=True))
    measured = measure_groups(population.weighted.tilt, groups, counts, rows.sum)
    names = rows.summed.asked
    chosen = define_metrics(rows.summed, names, measured.scores)
    sums = [measured.groups.get(code) for code in range(len(groups.labels))]
    own = [
        None if each is None or not each.share > 0 else define_metrics(rows.summed, names, measured.scores, each)
        for each in sums
    ]
    found = regress_groups(population.weighted, groups, measured, own, rows.sum)
    supports = [population.support(each) for each in sums]
    answer = answer_groups([one or chosen for one in own], found, groups.n_counted, supports, confidence)
    made = tuple(describe_sums(groups, code, each) for code, each in enumerate(sums))
    before = [[float("nan")] * len(chosen) if each is None else each.values_before(chosen) for each in sums]
    values = [Estimates(*each) for each in zip(before, answer.estimates, strict=True)]
    shown = tuple(metric.in_words() for metric in chosen)
    ends = [each for one in sums if one is not None and one.share > 0 for each in (one.sums, one.before)]
    bounds = [bound_words(metric, *ends) for metric in chosen] if ends else []
    return MetricsByGroup(
        grouped_by=groups.name,
        groups=made,
        metrics=shown,
        population=population.name,
        confidence=confidence,
        n_rows=study.n_rows,
        model_name=study._model_name,
        _frame=metric_rows(made, shown, values),
        _gaps=gap_table(made, shown, answer.estimates, answer.gaps),
        bounds=tuple(words for words in bounds if words),
        source=study._as_source(),
    )
