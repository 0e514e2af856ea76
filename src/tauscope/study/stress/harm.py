"""What a study computes for `StressCurves.harm`: every feature moved by one distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import select_features
from tauscope.model import jobs
from tauscope.results.stress.numbers.equal_distance import Shift, list_shifts
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.metrics import Metric, choose, define_quantities
from tauscope.stress.reliability import Support, judge
from tauscope.stress.weighted_metrics import Judge, metric_shifts
from tauscope.study.stress.adjusted import adjusted_shifts
from tauscope.study.stress.metrics import MetricSelection, select_metrics

if TYPE_CHECKING:
    from tauscope.results.stress.curves import StressCurves
    from tauscope.study.base import StudyBase
    from tauscope.study.verbs import AskedForCurves

Array = NDArray[np.float64]


def equal_shifts(self: AskedForCurves, curves: StressCurves, metric: str, distance: float) -> list[Shift]:
    """Move every feature down and up by one distance, and estimate what that changes in a metric.

    Parameters
    ----------
    curves : StressCurves
        Of this study.
    metric : str
        One of theirs.
    distance : float
        Total variation in (0, 1).

    Returns
    -------
    list of Shift
        In the order of the features, down before up.
    """
    options = curves._options
    shown: Metric = curves._curves.metrics[curves._metric_place(metric)]
    with self._bars(options.progress):
        rows = self._as_rows(ordered=True)
        selection = MetricSelection()
        if rows.resident is not None:
            selection = select_metrics(cast("StudyBase", self), cast("Any", options.metrics))
        function = next((each for each in selection.weighted if each.name == metric), None)
        of_sums = function is None and metric not in selection.by_rows
        columns = rows.moved(options.quantile, [metric] if of_sums else [])
        features = select_features(columns.columns, curves.feature_names)
        if curves.hold is not None:
            over = jobs.mapped(None, "Holding", len(features), "feature")
            held = adjusted_shifts(cast("StudyBase", self), curves, features, metric, distance, over)
            return list_shifts(features, held, shown)
        shifts, summed = columns.shifts(features, distance, options.confidence)
        if of_sums:
            return list_shifts(features, shifts, summed)
        study = cast("StudyBase", self)
        of_weights, judged = (function.of_weights, None) if function is not None else _by_rank(study, metric)
        found = metric_shifts(
            (feature.values() for feature in features),
            shifts,
            of_weights,
            judged=judged,
            sample_weight=study.sample_weight,
            confidence=options.confidence,
            over=jobs.mapped(None, "Moving", len(features), "feature"),
        )
    return list_shifts(features, found, shown)


def _by_rank(study: StudyBase, metric: str) -> tuple[Callable[[Array], float], Judge]:
    """Return a metric of all rows at once as a function of their weights, and what is said of its value."""
    quantities, every = define_quantities(study._outcomes, names=[metric])
    (ranked,) = choose(every, [metric])
    measure = quantities.by_rows[metric]
    alone = replace(quantities, cell=np.zeros(len(quantities.cell), np.uint8), n_cells=1, powers=())

    def measured(weights: Array) -> float:
        return measure(weights / weights.sum()).value

    def judged(value: float, weights: Array, off: Array, support: Support) -> tuple[float, float]:
        (estimate,) = joint_estimates(alone, [ranked], off[:, None], np.zeros(1), weights)
        reason, amount = judge(ranked, estimate, support)
        return float(reason), float(amount)

    return measured, judged
