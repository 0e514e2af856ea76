"""What a study computes for `StressCurves.harm`: every feature moved by one distance."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import select_features
from tauscope.model import jobs, progress_bar
from tauscope.results.stress.equal_distance import Shift, list_shifts
from tauscope.stress import equal_distance as engine
from tauscope.stress.column.column import sketch_column
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.metrics import Metric, choose, define_quantities
from tauscope.stress.reliability import Support, judge
from tauscope.stress.weighted_metrics import Judge, metric_shifts
from tauscope.study.stress.adjusted import adjusted_shifts
from tauscope.study.stress.metrics import select_metrics

if TYPE_CHECKING:
    from tauscope.results.stress.curves import StressCurves
    from tauscope.study.base import StudyBase

Array = NDArray[np.float64]


def equal_shifts(self: StudyBase, curves: StressCurves, metric: str, distance: float) -> list[Shift]:
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
    options, weight = curves._options, self.sample_weight
    features = select_features(self._columns, curves.feature_names)
    shown: Metric = curves._curves.metrics[curves._metric_place(metric)]
    if curves.hold is not None:
        with progress_bar.bars_shown(options.progress):
            over = jobs.mapped(None, "Holding", len(features), "feature")
            return list_shifts(features, adjusted_shifts(self, curves, features, metric, distance, over), shown)
    selection = select_metrics(self, cast("Any", options.metrics))
    function = next((each for each in selection.weighted if each.name == metric), None)
    by_rows = metric in selection.by_rows
    quantities, every = define_quantities(self._outcomes, names=[] if function else [metric])
    summed = choose(every, None if by_rows or function else [metric])[0]
    with progress_bar.bars_shown(options.progress):
        values = progress_bar.progress((f.values() for f in features), "Stressing", len(features), "feature")
        sketches = (sketch_column(column, quantities, options.quantile, weight) for column in values)
        shifts = engine.equal_shifts(sketches, summed, distance, options.confidence)
        if not by_rows and function is None:
            return list_shifts(features, shifts, summed)
        judged: Judge | None = None
        of_weights = None if function is None else function.of_weights
        if of_weights is None:
            (ranked,) = choose(every, [metric])
            measure = quantities.by_rows[metric]
            alone = replace(quantities, cell=np.zeros(len(quantities.cell), np.uint8), n_cells=1, powers=())

            def measured(weights: Array) -> float:
                return measure(weights / weights.sum()).value

            def judged_by_rank(value: float, weights: Array, off: Array, support: Support) -> tuple[float, float]:
                (estimate,) = joint_estimates(alone, [ranked], off[:, None], np.zeros(1), weights)
                reason, amount = judge(ranked, estimate, support)
                return float(reason), float(amount)

            of_weights, judged = measured, judged_by_rank

        found = metric_shifts(
            (feature.values() for feature in features),
            shifts,
            of_weights,
            judged=judged,
            sample_weight=weight,
            confidence=options.confidence,
            over=jobs.mapped(None, "Moving", len(features), "feature"),
        )
    return list_shifts(features, found, shown)
