"""Stress curves in groups of rows in chunks: one more pass sums each group over the bins of all rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.chunked.stress.curves import ACCURACY
from tauscope.chunked.stress.sketch_features import attach_sums, make_columns
from tauscope.chunked.stress.sketch_sums import ColumnSums, SketchSums, add_groups, no_sums, sum_groups
from tauscope.chunked.stress.verbs import sketch
from tauscope.data.features import select_features
from tauscope.errors import InputError
from tauscope.results.stress.curves_by_group import CurvesByGroup
from tauscope.rows.chunked_groups import read_groups_of_chunks
from tauscope.stress.bins.binned import BinnedSums
from tauscope.stress.bins.group_columns import group_binned, group_counts
from tauscope.stress.bins.sub_bins import SubBins
from tauscope.stress.bins.units import change_units, units_of
from tauscope.stress.bins.value_counts import ValueCounts
from tauscope.stress.group_curves import GroupedColumn, marginal_curves
from tauscope.stress.group_estimates import GroupMetrics
from tauscope.stress.metrics import SummedMetric, Units, choose

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.chunked.stress.sketch_features import SketchedFeature
    from tauscope.results.stress.curves import StressCurves
    from tauscope.rows.chunked_groups import ChunkedGroups
    from tauscope.weights.arrays import Floats


def curves_by_group(self: ChunkedBase, curves: StressCurves, by: Any, *, within: bool = False) -> CurvesByGroup:
    """Return stress curves of this study group by group; see `StressCurves.by`.

    Parameters
    ----------
    curves : StressCurves
        Of this study.
    by : str or sequence of str
        As in `metrics_by`.
    within : bool, default False
        True is refused: each group's own quantiles need its rows in order.

    Raises
    ------
    InputError
        For a shift within groups, metrics of ranks, and sums of a group that are not exact enough; else as
        `StressCurves.by`.

    Notes
    -----
    Two passes, or three where a column of groups holds numbers.
    """
    if within:
        raise InputError(
            "A shift within groups needs the rows in memory: the end of τ of each group is a quantile of its own rows. "
            "Use a sample: sample().stress_curves(…).by(…, within=True), or a study of chunks of one group."
        )
    options, names = curves._options, list(curves.metric_names)
    sketch(self, quantile=options.quantile, metrics=names, progress=options.progress)
    whole = self._sums[options.quantile]
    scaled, units = whole.in_data_units()
    metrics = choose(whole.plan.metrics(units, whole.probable, whole.tails(units)), names)
    of_ranks = [metric.name for metric in metrics if metric.ranking is not None]
    if of_ranks:
        raise InputError(
            f"Curves by group follow metrics that are sums over rows; {of_ranks[0]!r} takes them all at once. "
            "Ask for it of one population: reweight(…).by(…)."
        )
    features = attach_sums(select_features(make_columns(scaled), curves.feature_names), scaled)
    with self._bars(options.progress):
        passes = self._passes()
        schema = self._schema(passes)
        groups = read_groups_of_chunks(by, passes, schema)
        used = {feature.column for feature in features}
        places = [place for place, column in enumerate(whole.plan.columns) if column.name in used]
        plan = replace(whole.plan, columns=tuple(whole.plan.columns[place] for place in places))
        found: dict[int, SketchSums] | None = passes.total(sum_groups, plan, schema, groups, plus=add_groups)
    assert found is not None
    nothing = no_sums(plan, tuple(whole.columns[place].levels for place in places))
    parts = [nothing + found[code] for code in range(len(groups.labels))]
    of_features = [attach_sums(features, _in_units(part, units)) for part in parts]
    grouped = [
        _grouped(feature, [each[row] for each in of_features], scaled, options.quantile, curves._curves.multiplier[row])
        for row, feature in enumerate(features)
    ]
    own = [_own_metrics(part, units, whole.probable, names) for part in parts]
    computed = marginal_curves(
        grouped, metrics, GroupMetrics(own, groups.n_counted), taus=curves.taus, confidence=options.confidence
    )
    return _result(self, curves, groups, replace(computed, metrics=tuple(one.in_words() for one in computed.metrics)))


def _result(study: ChunkedBase, curves: StressCurves, groups: ChunkedGroups, computed: Any) -> CurvesByGroup:
    return CurvesByGroup(
        grouped_by=groups.name,
        groups=groups.labels,
        group_rows=groups.n_rows,
        shift="marginal",
        features=curves.features,
        _curves=computed,
        confidence=curves._options.confidence,
        quantile=curves._options.quantile,
        n_rows=curves.n_rows,
        model_name=study._model_name,
        source=study._as_source(),
    )


def _in_units(part: SketchSums, units: Units) -> SketchSums:
    """Return the sums of a group in the units of all rows."""
    collected, old = part.quantities, part.plan.units
    return replace(
        part, columns=tuple(ColumnSums(c.levels, change_units(c.sums, collected, old, units)) for c in part.columns)
    )


def _own_metrics(part: SketchSums, units: Units, probable: bool, names: list[str]) -> tuple[SummedMetric, ...]:
    """Return the metrics with spreads judged by the squares of a group's own rows."""
    own = units_of(part.totals, part.quantities, part.plan.units)
    return choose(part.plan.metrics(units, probable, part.tails(own)), names)


def _grouped(
    feature: SketchedFeature,
    parts: list[SketchedFeature],
    scaled: SketchSums,
    quantile: float,
    multiplier: Floats,
) -> GroupedColumn:
    column = feature.engine_column(scaled.quantities, quantile)
    if isinstance(feature.sums, ValueCounts):
        counts = [part.sums for part in parts if isinstance(part.sums, ValueCounts)]
        return group_counts(feature.sums, column, counts)
    assert feature.sums is not None
    sums = [part.sums for part in parts if isinstance(part.sums, BinnedSums)]
    steepest = [float(xi) * feature.sums.layout.scale.unit for xi in multiplier[np.isfinite(multiplier)]]
    for each in sums:
        if not each.n:
            continue
        worst = max((SubBins(each).error(xi) for xi in (min(steepest), max(steepest))), default=0.0)
        if worst > ACCURACY:
            raise InputError(
                f"The sums of a group along {feature.name!r} are good to {worst:.0e} only in these bins. Use a sample: "
                "sample().stress_curves(…).by(…)."
            )
    return group_binned(feature.sums, column, sums, scaled.quantities)
