"""A column of rows in chunks with the sums of each group, as curves of groups read it: nothing here needs the rows."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.binned import BinnedSums
from tauscope.stress.bins.columns import ValueCountRows, ends_of
from tauscope.stress.bins.sub_bins import EndWeight, SubBins
from tauscope.stress.bins.value_counts import ValueCounts
from tauscope.stress.bins.weight_powers import layers, total_weight
from tauscope.stress.column.column import OrderStatistics, SketchedColumn
from tauscope.stress.column.sketch import MomentSketch
from tauscope.stress.groups.group_curves import GroupedColumn
from tauscope.stress.metrics import Quantities
from tauscope.weights.pareto import pareto_k, tail_size

Array = NDArray[np.float64]


class PartOfSubBins(SubBins):
    """The sums of some of the rows, under weights that sum to 1 over all.

    Parameters
    ----------
    sums : BinnedSums
        Of these rows.
    whole : BinnedSums
        Of all.
    """

    def __init__(self, sums: BinnedSums, whole: BinnedSums) -> None:
        super().__init__(sums)
        self._whole = SubBins(whole)

    @property
    def observed(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Weight of all rows that have a value."""
        return self._whole.observed

    @property
    def total(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Weight of all rows."""
        return self._whole.total

    def sums(self, log_weight: Callable[[Array], Array], target: float, n_degrees: tuple[int, ...]) -> list[Array]:
        """See `SubBins`; where rows at an extreme of all are kept, those of the part that are there."""
        if isinstance(log_weight, EndWeight):
            ends = (self._sums.minimum, self._sums.maximum)
            own = next((end for end in ends if end.value == log_weight.end.value), None)
            here = EndWeight(log_weight.end, log_weight.z, self._sums.weighted)
            here.end = replace(log_weight.end, sums=np.zeros_like(log_weight.end.sums)) if own is None else own
            return super().sums(here, target, n_degrees)
        return super().sums(log_weight, target, n_degrees)


def group_binned(
    whole: BinnedSums, column: SketchedColumn, groups: Sequence[BinnedSums], quantities: Quantities
) -> GroupedColumn:
    """Return a column of many different values with its groups.

    Parameters
    ----------
    whole : BinnedSums
        Of all rows.
    column : SketchedColumn
        Made of it.
    groups : sequence of BinnedSums
        Of one layout with it.
    quantities : Quantities
        Of any rows, for what the sums are.
    """

    def sums_within(
        log_weight: Callable[[Array], Array], target: float, degrees: tuple[int, ...], code: int
    ) -> list[Array]:
        return PartOfSubBins(groups[code], whole).sums(log_weight, target, degrees)

    def of_group(code: int, xi: Array, log_norm: Array) -> Array:
        own = groups[code]
        if own.heaviest is not None:
            return pareto_k(*SubBins(own).tail(_finite(xi))) if own.heaviest.n > 1 else np.zeros(xi.shape)
        m = min(tail_size(own.n), own.n - 1)
        return _pareto_of_ends(column, own.lowest[: m + 1], own.highest[-m - 1 :], own.n, xi, log_norm)

    return GroupedColumn(column, [each.to_sketch(quantities) for each in groups], sums_within, of_group)


def group_counts(whole: ValueCounts, column: SketchedColumn, groups: Sequence[ValueCounts]) -> GroupedColumn:
    """Return a column of few different values with its groups; parameters as in `group_binned`."""
    counted = total_weight(whole.sums, whole.weighted) > 0
    sketches = [_align(whole, each, counted, column) for each in groups]

    def sums_within(
        log_weight: Callable[[Array], Array], target: float, degrees: tuple[int, ...], code: int
    ) -> list[Array]:
        raise AssertionError("Sums of single values are exact.")

    def of_group(code: int, xi: Array, log_norm: Array) -> Array:
        own = groups[code]
        weight = total_weight(own.sums, own.weighted)
        values, weights = own.values[weight > 0], weight[weight > 0]
        if own.heaviest is not None:
            if own.heaviest.n < 2 or not len(values):
                return np.zeros(xi.shape)
            return pareto_k(*ValueCountRows(own.heaviest, column.scale, values, weights).tail(_finite(xi)))
        n = int(weights.sum())
        m = min(tail_size(n), n - 1)
        if n < 2:
            return np.zeros(xi.shape)
        low, high = ends_of(values, weights, m + 1), ends_of(values[::-1], weights[::-1], m + 1)
        return _pareto_of_ends(column, low, high, n, xi, log_norm)

    return GroupedColumn(column, sketches, sums_within, of_group)


def _align(whole: ValueCounts, own: ValueCounts, counted: NDArray[np.bool_], column: SketchedColumn) -> MomentSketch:
    """Return a group's sums over the values that all rows have."""
    sums = np.zeros_like(whole.sums)
    sums[np.searchsorted(whole.values, own.values)] = own.sums
    return MomentSketch(
        column.sketch.bins, layers(sums[counted], whole.weighted)[:, None], layers(own.rest, whole.weighted)
    )


def _pareto_of_ends(column: SketchedColumn, low: Array, high: Array, n: int, xi: Array, log_norm: Array) -> Array:
    if n < 2:
        return np.zeros(xi.shape)
    return pareto_k(*replace(column, order_statistics=OrderStatistics(low, high)).tail(xi, log_norm))


def _finite(xi: Array) -> Array:
    return np.where(np.isfinite(xi), xi, 0.0)
