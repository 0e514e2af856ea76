"""Summary of one column after a single pass: the range of τ, its sketch, its smallest and largest values."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.direct import ColumnRows
from tauscope.stress.column.order_statistics import OrderStatistics, compute_order_statistics
from tauscope.stress.column.sketch import MomentSketch, Scale, choose_bins, sketch
from tauscope.stress.column.target import TauRange, tau_range
from tauscope.stress.column.tv_crossing import SortedRows, gain_in_bins
from tauscope.stress.metrics import Quantities
from tauscope.weights.measures import effective_size_of_sums

Array = NDArray[np.float64]

TIED = 1e-12
"""Relative difference from a target up to which a value counts as at it."""
FEW_ROWS = 64
"""Rows beyond a target from which their number no longer matters."""


@dataclass(frozen=True)
class SketchedColumn:
    """Everything the curves of one column need.

    Attributes
    ----------
    around : TauRange
    scale : Scale
        Standardised units, in which the sketch is kept.
    sketch : MomentSketch
    order_statistics : OrderStatistics or None
        None where rows are weighted: the largest weights then need not stand at an end of the column.
    rows : ColumnRows
        The rows themselves, read only where the sketch is not accurate enough.
    chunks : sequence of SortedRows or None
        The rows by their bin; None where every bin is one value.
    n_missing : int
    n_rows : int
        Rows of weight above zero, with a value or without.
    """

    around: TauRange
    scale: Scale
    sketch: MomentSketch
    order_statistics: OrderStatistics | None
    rows: ColumnRows
    chunks: Sequence[SortedRows] | None
    n_missing: int
    n_rows: int

    @property
    def standard_mean(self) -> float:
        """The mean in standardised units; 0 but where a few values dwarf the others."""
        return (self.around.mean - self.scale.centre) / self.scale.unit

    def tail(self, xi: Array, log_norm: Array) -> tuple[Array, Array]:
        """Return the largest weights of each tilt as `pareto_k` takes them; equal ones at the column's extremes."""
        finite = np.where(np.isfinite(xi), xi, 0.0)
        if self.order_statistics is None:
            return self.rows.tail(finite)
        lowest, highest = self.order_statistics.lowest, self.order_statistics.highest
        low, high = self.scale(lowest[-1:]), self.scale(highest[:1])
        down, up = lowest[-1:] - lowest[-2::-1], highest[1:] - highest[:1]
        slope = finite[:, None] / self.scale.unit
        cut = np.exp(np.minimum(finite * np.where(finite < 0, low, high) - log_norm, 0.0))
        return np.abs(slope) * np.where(slope < 0, down, up), cut

    def target_error(self, taus: Array) -> Array:
        """Return the standard error of the mean that each τ asks for, in standard deviations."""
        return self.around.target_error(taus) / self.scale.unit

    def count_beyond(self, target: Array, sign: NDArray[np.integer]) -> Array:
        """Count the rows at targets or beyond them; effective ones, (Σv)²/Σv², where rows are weighted.

        Rows of a bin that a target splits are taken to lie evenly in it, unless so few lie beyond that it matters.

        Parameters
        ----------
        target : ndarray of shape (T,)
            Standardised.
        sign : int ndarray of shape (T,)
            1 for rows above the target, -1 for rows below.

        Returns
        -------
        ndarray of shape (T,)
        """
        bins, moments = self.sketch.bins, self.sketch.moments
        at = target - TIED * sign * np.maximum(self.scale.near, np.abs(target))
        weight = rows_beyond(bins.centres, bins.half_widths, moments[0, 0, :, 0], at, sign)
        if len(moments) > 1:
            squared = rows_beyond(bins.centres, bins.half_widths, moments[1, 0, :, 0], at, sign)
            return np.maximum(effective_size_of_sums(weight, squared), self._at_end(at, sign))
        mass = moments[0, 0, :, 0]
        if weight.min() >= FEW_ROWS + mass.max():  # whatever the bin at the target holds, enough lie in those beyond
            return weight
        for t in np.flatnonzero(self._split_bin_matters(at, sign)):
            weight[t] = self._count_rows_beyond(float(at[t]), int(sign[t]))
        return weight

    def _split_bin_matters(self, at: Array, sign: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Tell where so few rows lie in the bins beyond that it counts how those of the bin at the target lie."""
        bins = self.sketch.bins
        if bins.zones is None:
            return np.zeros(len(at), bool)
        next_bin = np.clip(bins.codes(at).astype(np.intp) + sign, -1, len(bins.centres))
        up_to = np.concatenate([[0.0], np.cumsum(self.sketch.moments[0, 0, :, 0])])
        below = up_to[np.minimum(next_bin + 1, len(up_to) - 1)]
        return np.where(sign > 0, up_to[-1] - up_to[np.maximum(next_bin, 0)], below) < FEW_ROWS

    def _at_end(self, at: Array, sign: NDArray[np.integer]) -> Array:
        """Return how many effective rows lie beyond the end of τ, for targets that lie before it; else 0."""
        low, high = self.scale(np.array([self.around.low, self.around.high]))
        n_low, n_high = (end.n_beyond for end in self.around.ends)
        return np.where(sign > 0, np.where(at <= high, n_high, 0.0), np.where(at >= low, n_low, 0.0))

    def _count_rows_beyond(self, target: float, sign: int) -> float:
        """Count the rows beyond a standardised target among the smallest values, or the largest."""
        assert self.order_statistics is not None
        ends = self.order_statistics.highest if sign > 0 else self.order_statistics.lowest
        return float(np.count_nonzero(sign * (self.scale(ends) - target) >= 0))

    def crossing_gain(self, split: NDArray[np.intp], xi: Array, log_norm: Array) -> Array:
        """Return what the rows of the bins that the weights cross in add to the total variation at each tilt."""
        if self.chunks is None:
            return np.zeros(len(xi))
        log_mass = np.log(self.sketch.moments[0, 0, :, 0].sum())
        finite = np.where(np.isfinite(xi), xi, 0.0)
        return gain_in_bins(self.chunks, split, finite, log_norm - log_mass) / self.rows.total


def sketch_column(
    values: Array, quantities: Quantities, quantile: float, sample_weight: Array | None = None
) -> SketchedColumn:
    """Summarise a column in one pass.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN marks a row without a value.
    quantities : Quantities
        Summed with it.
    quantile : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 stand for.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.

    Raises
    ------
    InputError
        When the rows with a value (and weight) all have the same one.
    """
    return sketch_groups(values, quantities, [Part(slice(None), quantities)], quantile, sample_weight)[0]


class Part(NamedTuple):
    """Some of the rows of a column, and what to sum with them.

    Attributes
    ----------
    rows : slice or ndarray of int
        Places among all rows.
    quantities : Quantities
        Of these rows, in the units of all.
    """

    rows: slice | NDArray[np.intp]
    quantities: Quantities


def sketch_groups(
    values: Array,
    quantities: Quantities,
    parts: Sequence[Part],
    quantile: float,
    sample_weight: Array | None = None,
) -> tuple[SketchedColumn, list[MomentSketch]]:
    """Summarise a column in one pass, and each part of its rows over the same bins.

    Parameters
    ----------
    values, quantities, quantile, sample_weight
        As in `sketch_column`.
    parts : sequence of Part
        Disjoint; together all rows.
    """
    missing = np.isnan(values)
    n_missing = int(np.count_nonzero(missing))
    observed, weight = values, sample_weight
    if n_missing:
        observed, weight = values[~missing], None if sample_weight is None else sample_weight[~missing]
    order_statistics = compute_order_statistics(observed, quantile) if weight is None and len(observed) else None
    around = tau_range(observed, quantile, weight, order_statistics.plain if order_statistics else None)
    if weight is None:
        scale = Scale.about(around, around.mean_error * float(np.sqrt(len(observed))))
    else:
        scale = Scale.of(observed, around, weight)
    bins = choose_bins(observed, scale, around)
    chunks: list[SortedRows] | None = [] if bins.zones else None
    each = [
        sketch(values[rows], of_rows, bins, scale, None if sample_weight is None else sample_weight[rows], chunks)
        for rows, of_rows in parts
    ]
    sums = reduce(add, each)
    n_rows = len(values) if sample_weight is None else int(np.count_nonzero(sample_weight > 0))
    rows = ColumnRows(values, quantities, scale, sample_weight)
    return SketchedColumn(around, scale, sums, order_statistics, rows, chunks, n_missing, n_rows), each


def rows_beyond(centres: Array, half_widths: Array, mass: Array, target: Array, sign: NDArray[np.integer]) -> Array:
    """Return the mass of bins above targets, or below where the sign is negative; spread evenly in a bin of some width.

    Parameters
    ----------
    centres, half_widths, mass : ndarray of shape (n_bins,)
    target, sign : ndarray of shape (T,)
    """
    up_to = np.concatenate([[0.0], np.cumsum(mass)])
    if half_widths[-1] > 0:
        edges = np.concatenate([centres - half_widths, centres[-1:] + half_widths[-1:]])
        below = np.interp(target, edges, up_to)
    else:
        below = up_to[np.where(sign > 0, np.searchsorted(centres, target), np.searchsorted(centres, target, "right"))]
    return np.where(sign > 0, up_to[-1] - below, below)
