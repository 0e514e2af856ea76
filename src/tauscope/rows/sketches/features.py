"""Features of a sketch: what can be stressed when the rows are gone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.features import Feature
from tauscope.errors import InputError
from tauscope.rows.sketches.plan import ColumnPlan
from tauscope.rows.sketches.sums import ColumnSums, SketchSums
from tauscope.stress.bins.binned import BinnedSums
from tauscope.stress.bins.columns import column_of_counts, column_of_sums, indicator_column, share_column
from tauscope.stress.bins.order_range import interpolate_quantile
from tauscope.stress.bins.value_counts import ValueCounts
from tauscope.stress.bins.weight_powers import layers, total_weight
from tauscope.stress.column.column import SketchedColumn
from tauscope.stress.histogram import TAIL, Bars, bar_edges
from tauscope.stress.metrics import Quantities

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SummedColumn(Column):
    """A column of a sketch: its arrays hold one entry per value that decides what can be stressed, not one per row."""

    whole: bool = False

    @property
    def integer(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether every observed number is whole."""
        return self.whole


@dataclass(frozen=True)
class SketchedFeature(Feature):
    """A feature whose rows are known by their sums.

    Attributes
    ----------
    sums : Binned or ValueCounts
        Of the feature itself: of its numbers, or of 0 and 1.
    """

    sums: BinnedSums | ValueCounts | None = field(default=None, repr=False, compare=False)

    def values(self) -> Array:
        """Refuse: a sketch keeps no rows."""
        raise InputError(f"A sketch keeps no rows, so there is no value of {self.name!r} in each. Use a Study.")

    def weighted_values(self, sample_weight: Array | None) -> tuple[Array, Array]:
        """Return few values with weights whose extremes and quantiles are those of the rows."""
        if isinstance(self.sums, ValueCounts):
            weight = total_weight(self.sums.sums, self.sums.weighted)
            return self.sums.values[weight > 0], weight[weight > 0]
        assert self.sums is not None
        return _outline(self.sums)

    def counted_values(self, sample_weight: Array | None) -> tuple[Array, NDArray[np.int64]]:
        """Return ascending values and how many rows have each; of bins their means, but the extremes themselves."""
        sums = self.sums
        assert sums is not None
        if isinstance(sums, BinnedSums):
            return _count_bins(sums)
        counted = total_weight(sums.sums, sums.weighted) > 0
        return sums.values[counted], sums.sums[counted, 0].astype(np.int64)

    def bars(self, sample_weight: Array | None) -> Bars:
        """Return the histogram of a numeric feature, of which every tilt follows."""
        if isinstance(self.sums, BinnedSums):
            return self.sums.bars
        assert self.sums is not None
        occupied = self.sums.sums[:, 0] > 0
        values, counts = self.sums.values[occupied], self.sums.sums[occupied, 0]
        ends, n = np.cumsum(counts), int(counts.sum())
        low, high = (
            interpolate_quantile(n, q, lambda rank: float(values[np.searchsorted(ends, rank, side="right")]))
            for q in (TAIL, 1 - TAIL)
        )
        extremes = float(values[0]), float(values[-1])
        low, high = extremes if low == high else (low, high)
        weight = total_weight(self.sums.sums, self.sums.weighted)[occupied]
        return Bars.of(values, bar_edges(low, high, self.integer), extremes, weight)

    def engine_column(self, quantities: Quantities, quantile: float) -> SketchedColumn:
        """Return the column that curves read."""
        assert self.sums is not None
        if isinstance(self.sums, BinnedSums):
            return column_of_sums(self.sums, quantities, quantile)
        return column_of_counts(self.sums, quantile)


def make_columns(sums: SketchSums) -> tuple[SummedColumn, ...]:
    """Return the columns of a sketch as features are found in them."""
    return tuple(_column(plan, column) for plan, column in zip(sums.plan.columns, sums.columns, strict=True))


def attach_sums(features: Sequence[Feature], sums: SketchSums) -> tuple[SketchedFeature, ...]:
    """Give each feature its sums."""
    place = {plan.name: j for j, plan in enumerate(sums.plan.columns)}
    return tuple(
        SketchedFeature(
            f.name, f.column, f.level, f.kind, f.integer, f.source, f.code, _sums_of(f, sums.columns[place[f.column]])
        )
        for f in features
    )


def _sums_of(feature: Feature, column: ColumnSums) -> BinnedSums | ValueCounts:
    sums = column.sums
    if feature.kind == "numeric":
        return sums
    if isinstance(sums, BinnedSums):
        return indicator_column(
            sums.rest, sums.moments[0].sum(0), None if sums.heaviest is None else sums.heaviest.of_indicator(None)
        )
    return share_column(sums, float("nan") if feature.code < 0 else float(feature.code))


def _column(plan: ColumnPlan, column: ColumnSums) -> SummedColumn:
    sums = column.sums
    n_missing, has_missing = sums.n_missing, total_weight(sums.rest, sums.weighted) > 0
    if plan.kind != "numeric":
        assert isinstance(sums, ValueCounts)
        present = sums.values[total_weight(sums.sums, sums.weighted) > 0].astype(np.int32)
        codes = np.append(present, np.int32(-1)) if has_missing else present
        return SummedColumn(plan.name, plan.kind, codes=codes, levels=column.levels, n_missing=n_missing)
    if isinstance(sums, BinnedSums):
        ends = sums.minimum.value, sums.maximum.value
        whole = plan.whole
    else:
        occupied = sums.values[sums.sums[:, 0] > 0]
        counted = sums.values[total_weight(sums.sums, sums.weighted) > 0]
        ends = (float(counted[0]), float(counted[-1])) if len(counted) else (np.nan, np.nan)
        whole = bool(len(occupied) and np.all(occupied == np.floor(occupied)))
    numbers = np.array([*ends, np.nan] if has_missing else ends)
    return SummedColumn(
        plan.name, "numeric", numbers=numbers, lower=ends[0], upper=ends[1], n_missing=n_missing, unit=plan.unit,
        whole=whole,
    )  # fmt: skip


def _count_bins(sums: BinnedSums) -> tuple[Array, NDArray[np.int64]]:
    weight, first = layers(sums.moments, sums.weighted)[0, :2, :, 0]
    filled = weight > 0
    z = sums.layout.centres[filled] + first[filled] / weight[filled]
    n_rows = sums.moments[0, filled, 0].astype(np.int64)
    ends = np.array([sums.minimum.sums[0], sums.maximum.sums[0]]).astype(np.int64)
    n_rows[0], n_rows[-1] = n_rows[0] - ends[0], n_rows[-1] - ends[1]
    values = sums.layout.scale.centre + sums.layout.scale.unit * z
    values = np.concatenate([[sums.minimum.value], values, [sums.maximum.value]])
    n_rows = np.concatenate([ends[:1], n_rows, ends[1:]])
    return values[n_rows > 0], n_rows[n_rows > 0]


def _outline(sums: BinnedSums) -> tuple[Array, Array]:
    """Return the values in the windows with their rows, the extremes, and all rows between as one value each."""
    weighted = sums.weighted
    last, seen = sums.minimum.value, float(total_weight(sums.minimum.sums, weighted))
    at_top = float(total_weight(sums.maximum.sums, weighted))
    total = float(total_weight(sums.moments[0], weighted).sum())
    values, counts = [np.array([last])], [np.array([seen])]
    top = sums.maximum.value
    ends = [(w.low, w.below, w.values, w.counts.astype(np.float64)) for w in sums.windows]
    ends.append((top, total - at_top, np.array([top]), np.array([at_top])))
    for low, below, inside, rows in ends:
        new = inside > last
        if below > seen and low > last:
            values.append(np.array([(last + low) / 2]))
            counts.append(np.array([below - seen]))
            seen = float(below)
        if new.any():
            values.append(inside[new])
            counts.append(rows[new])
            last, seen = float(inside[-1]), seen + float(rows[new].sum())
    return np.concatenate(values), np.concatenate(counts)
