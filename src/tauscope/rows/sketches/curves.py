"""Stress curves from the sums of a sketch: `tauscope.rows.rows.MovedColumns` of rows that are gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.features import Feature
from tauscope.errors import InputError
from tauscope.rows.passes import Passes
from tauscope.rows.rows import FoundCurves, RowGroups
from tauscope.rows.schema import Schema
from tauscope.rows.sketches.features import SketchedFeature, attach_sums, make_columns
from tauscope.rows.sketches.plan import Plan
from tauscope.rows.sketches.sums import ColumnSums, SketchSums, add_groups, no_sums, sum_groups
from tauscope.stress.bins.binned import BinnedSums
from tauscope.stress.bins.group_columns import group_binned, group_counts
from tauscope.stress.bins.sub_bins import SubBins
from tauscope.stress.bins.units import change_units, units_of
from tauscope.stress.bins.value_counts import ValueCounts
from tauscope.stress.column.column import SketchedColumn
from tauscope.stress.curves import Curves, compute_curves
from tauscope.stress.equal_distance import Shifts, equal_shifts
from tauscope.stress.groups.group_curves import GroupCurves, GroupedColumn, Shift, marginal_curves
from tauscope.stress.groups.group_estimates import GroupMetrics
from tauscope.stress.metrics import SummedMetric, Units, bound_of, choose

Array = NDArray[np.float64]

ACCURACY = 1e-9
"""Relative error of the sums up to which a feature's curves are given."""
FAR_OFF = 1.0
"""That of sums that do not meet their target."""


@dataclass(frozen=True, eq=False)
class SummedColumns:
    """See `tauscope.rows.rows.MovedColumns`.

    Attributes
    ----------
    sums : SketchSums
    quantile : float
    metrics : sequence of str
    passes, schema
        By which groups of the rows are summed; None where these cannot be read again.
    """

    sums: SketchSums
    quantile: float
    metrics: Sequence[str]
    passes: Passes | None = None
    schema: Schema | None = None

    weight = None

    @cached_property
    def _scaled(self) -> tuple[SketchSums, Units]:
        if self.sums.n_rows == 0:
            raise InputError("A sketch needs rows to answer; this one is empty. Give it some with update(X, y).")
        self.sums.check_classes()
        return self.sums.in_data_units()

    @property
    def columns(self) -> Sequence[Column]:
        """Few rows, that decide what can be moved."""
        return make_columns(self._scaled[0])

    @property
    def _metrics(self) -> tuple[SummedMetric, ...]:
        sums, units = self.sums, self._scaled[1]
        return choose(sums.plan.metrics(units, sums.probable, sums.tails(units)), self.metrics or None)

    def _attach(self, features: Sequence[Feature]) -> tuple[SketchedFeature, ...]:
        """Give features their sums; refuse a quantile that these are not laid out for."""
        found, made_for = attach_sums(features, self._scaled[0]), self.sums.plan.quantile
        binned = [feature.name for feature in found if isinstance(feature.sums, BinnedSums)]
        if self.quantile != made_for and binned:
            raise InputError(
                f"A sketch has the quantiles it was made for, {made_for:g}; got {self.quantile:g}, of which it has "
                f"only those of columns with few values, not of {binned[0]!r}. Make it with "
                f"quantile={self.quantile:g}."
            )
        return found

    def _column(self, feature: SketchedFeature) -> SketchedColumn:
        return feature.engine_column(self._scaled[0].quantities, self.quantile)

    def curves(self, features: Sequence[Feature], taus: Array, confidence: float) -> FoundCurves:
        """See `tauscope.rows.rows.MovedColumns`."""
        found, metrics = self._attach(features), self._metrics
        bounds = tuple(bound for metric in metrics if (bound := bound_of(metric)) is not None)
        curves = compute_curves(map(self._column, found), (*metrics, *bounds), taus, None, confidence)
        n, inexact = len(metrics), dict[str, str]()
        for feature, multiplier, target in zip(found, curves.multiplier, curves.target, strict=True):
            worst = _error(feature, multiplier, target)
            if worst > ACCURACY:
                inexact[feature.name] = (
                    f"its sums are good to {worst:.0e} only in these bins; make a sketch of all rows"
                    if np.isfinite(worst)
                    else "its heaviest rows are not kept for τ this close to ±1; ask for τ farther from there"
                )
        most = np.max(np.nan_to_num(curves.value[:, n:]), axis=(0, 2), initial=0.0).tolist()
        return FoundCurves(curves.at(range(n)), found, tuple(zip(bounds, most, strict=True)), inexact)

    def shifts(self, features: Sequence[Feature], distance: float, confidence: float) -> tuple[Shifts, SummedMetric]:
        """See `tauscope.rows.rows.MovedColumns`."""
        metric = self._metrics[0]
        return equal_shifts(map(self._column, self._attach(features)), metric, distance, confidence), metric

    def group_curves(
        self, features: Sequence[Feature], groups: RowGroups, curves: Curves, shift: Shift, confidence: float
    ) -> GroupCurves:
        """See `tauscope.rows.rows.MovedColumns`; one more pass sums each group over the bins of all rows.

        Raises
        ------
        InputError
            For sums of a group that are not exact enough.
        """
        assert self.passes is not None
        whole, (scaled, units), metrics = self.sums, self._scaled, self._metrics
        found = self._attach(features)
        used = {feature.column for feature in found}
        places = [place for place, column in enumerate(whole.plan.columns) if column.name in used]
        plan = replace(whole.plan, columns=tuple(whole.plan.columns[place] for place in places))
        summed: dict[int, SketchSums] | None = self.passes.total(sum_groups, plan, self.schema, groups, plus=add_groups)
        assert summed is not None
        nothing = no_sums(plan, tuple(whole.columns[place].levels for place in places))
        parts = [nothing + summed[code] for code in range(len(groups.labels))]
        of_features = [attach_sums(found, _in_units(part, units)) for part in parts]
        grouped = [
            _grouped(
                feature, self._column(feature), [each[row] for each in of_features], scaled, curves.multiplier[row]
            )
            for row, feature in enumerate(found)
        ]
        names = [metric.name for metric in metrics]
        own = [_own_metrics(part, units, whole.probable, names) for part in parts]
        estimated = GroupMetrics(own, groups.n_counted)
        return marginal_curves(grouped, metrics, estimated, taus=curves.taus, confidence=confidence)


@dataclass(frozen=True, eq=False)
class SketchedRows:
    """Rows of which a sketch is left: what `tauscope.rows.rows.Rows` of them can answer."""

    sums: SketchSums
    resident = None

    @property
    def summed(self) -> Plan:
        """What is summed over them."""
        return self.sums.plan

    def moved(self, quantile: float, metrics: Sequence[str]) -> SummedColumns:
        """See `tauscope.rows.rows.Rows`."""
        plan = self.sums.plan
        missing = [name for name in metrics if name not in {one.name for one in plan.metrics(plan.units, True)}]
        if missing:
            raise InputError(
                f"This sketch has no sums for {missing[0]!r}, for it was not asked for them. Make it with "
                f"sketch(metrics={missing!r})."
            )
        return SummedColumns(self.sums, quantile, metrics)

    def groups(self, by: object) -> NoReturn:
        """Refuse: rows that are gone are in no groups."""
        raise InputError(
            "A sketch keeps no rows, so that groups of them cannot be told apart. Ask the study it was made of: "
            "stress_curves(…).by(…)."
        )


def _error(feature: SketchedFeature, multiplier: Array, target: Array) -> float:
    """Bound the relative error of a feature's sums at the steepest of its tilts."""
    if not isinstance(feature.sums, BinnedSums):
        return 0.0
    unit = feature.sums.layout.scale.unit
    pieces = SubBins(feature.sums)
    finite = multiplier[np.isfinite(multiplier)]
    tilts = feature.sums.layout.tilts
    if tilts and finite.size and (finite.min() * unit < tilts[0] or finite.max() * unit > tilts[-1]):
        return np.inf
    worst = max((pieces.error(float(xi * unit)) for xi in (finite.min(), finite.max())), default=0.0)
    if pieces.scale.near == 1:
        return worst
    tilts_met = zip(multiplier.tolist(), pieces.scale(target).tolist(), strict=True)
    missed = any(np.isfinite(xi) and not pieces.meets(xi * unit, mean) for xi, mean in tilts_met)
    return max(worst, FAR_OFF) if missed else worst


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
    column: SketchedColumn,
    parts: list[SketchedFeature],
    scaled: SketchSums,
    multiplier: Array,
) -> GroupedColumn:
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
