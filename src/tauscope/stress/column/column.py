"""Summary of one column after a single pass: the range of τ, its sketch, its smallest and largest values."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.direct import ColumnRows
from tauscope.stress.column.order_statistics import OrderStatistics, compute_order_statistics
from tauscope.stress.column.sketch import MomentSketch, Scale, choose_bins, sketch
from tauscope.stress.column.target import TauRange, tau_range
from tauscope.stress.column.tv_crossing import SortedRows, gain_in_bins
from tauscope.stress.metrics import Quantities

Array = NDArray[np.float64]


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
    """

    around: TauRange
    scale: Scale
    sketch: MomentSketch
    order_statistics: OrderStatistics | None
    rows: ColumnRows
    chunks: Sequence[SortedRows] | None
    n_missing: int

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
    missing = np.isnan(values)
    n_missing = int(np.count_nonzero(missing))
    observed, weight = values, sample_weight
    if n_missing:
        observed, weight = values[~missing], None if sample_weight is None else sample_weight[~missing]
    order_statistics = compute_order_statistics(observed, quantile) if weight is None and len(observed) else None
    around = tau_range(observed, quantile, weight, order_statistics.quantiles if order_statistics else None)
    scale = Scale.of(observed, around, weight)
    bins = choose_bins(observed, scale, around)
    chunks: list[SortedRows] | None = [] if bins.zones else None
    sums = sketch(values, quantities, bins, scale, sample_weight, chunks)
    return SketchedColumn(
        around, scale, sums, order_statistics, ColumnRows(values, quantities, scale, sample_weight), chunks, n_missing
    )
