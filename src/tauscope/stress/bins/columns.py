"""Column summaries from sums over chunks, as the curves take them: nothing downstream needs the rows."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from tauscope.errors import InputError
from tauscope.stress.bins.binned import BinnedSums
from tauscope.stress.bins.heaviest_rows import HeaviestRows
from tauscope.stress.bins.order_range import order_range
from tauscope.stress.bins.quantile_windows import QuantileWindow, value_at
from tauscope.stress.bins.range_errors import beyond_in_values, beyond_in_windows, complete_range, sum_values
from tauscope.stress.bins.sub_bins import SubBins
from tauscope.stress.bins.value_counts import ValueCounts
from tauscope.stress.bins.weight_powers import layers, total_weight
from tauscope.stress.bins.weighted_range import quantile_in, weighted_range
from tauscope.stress.column.column import OrderStatistics, SketchedColumn
from tauscope.stress.column.direct import ColumnRows
from tauscope.stress.column.sketch import Bins, MomentSketch, Scale
from tauscope.stress.column.target import TauRange, quantile_rank
from tauscope.stress.column.tau_end import WeightedSums
from tauscope.stress.metrics import Quantities
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]

_NO_ROWS = ColumnRows(np.zeros(0), Quantities(np.zeros(0, np.uint8), 1, ()), Scale(0.0, 1.0), None)


@dataclass(frozen=True)
class BinnedColumn(SketchedColumn):
    """A column in bins, summarised without its rows: sub-bins stand in for them."""

    def crossing_gain(self, split: NDArray[np.intp], xi: Array, log_norm: Array) -> Array:
        """See `SketchedColumn`."""
        sub_bins = self.rows
        assert isinstance(sub_bins, SubBins)
        return np.array(
            [sub_bins.gain_in_bin(int(b), float(x), float(z)) for b, x, z in zip(split, xi, log_norm, strict=True)]
        )


def column_of_sums(sums: BinnedSums, quantities: Quantities, quantile: float) -> SketchedColumn:
    """Return a column of many different values.

    Parameters
    ----------
    sums : BinnedSums
    quantities : Quantities
        Of any rows, for what the sums are.
    quantile : float

    Raises
    ------
    InputError
        Where q(α) lies where the layout keeps no values, since the rows are of another kind.
    """
    layout, n = sums.layout, sums.n
    minimum, maximum = sums.minimum.value, sums.maximum.value
    first = layers(sums.moments, sums.weighted)[0, :2, :, 0]
    total = float(first[0].sum())
    mean = layout.scale.centre + layout.scale.unit * float(np.sum(layout.centres * first[0] + first[1])) / total

    def value_of_rank(rank: int) -> float:
        return value_at(sums.windows, rank, minimum, maximum, n)

    if sums.heaviest is None:
        around = order_range(n, mean, minimum, maximum, value_of_rank, quantile)
    else:
        quantile_at = quantile_in(sums.windows, total, minimum, maximum)
        around = weighted_range(sums.heaviest.n, mean, minimum, maximum, quantile_at, quantile)
    if n == layout.n_rows:
        around = TauRange(around.low, layout.around.mean, around.high, around.reached, minimum, maximum)
    m = min(tail_size(n), n - 1)
    order_statistics = OrderStatistics(sums.lowest[: m + 1], sums.highest[-m - 1 :]) if not sums.weighted else None
    n_rows = n + sums.n_missing if sums.heaviest is None else sums.heaviest.n + sums.heaviest.n_missing
    return BinnedColumn(
        _binned_errors(around, sums, quantile),
        layout.scale,
        sums.to_sketch(quantities),
        order_statistics,
        SubBins(sums),
        None,
        sums.n_missing,
        n_rows,
    )


def column_of_counts(sums: ValueCounts, quantile: float) -> SketchedColumn:
    """Return a column of few different values; parameters as in `column_of_sums`."""
    if sums.heaviest is not None:
        return _weighted_column(sums, sums.heaviest, quantile)
    occurring = sums.sums[:, 0] > 0
    values, of_values = sums.values[occurring], sums.sums[occurring]
    counts = of_values[:, 0]
    n, low, high = int(counts.sum()), float(values[0]), float(values[-1])
    ends = np.cumsum(counts)

    def value_of_rank(rank: int) -> float:
        return float(values[np.searchsorted(ends, rank, side="right")])

    mean = _mean(values, counts)
    around = order_range(n, mean, low, high, value_of_rank, quantile)
    around = _value_errors(
        around, quantile, n, values, counts, counts, lambda level: value_of_rank(quantile_rank(n, level))
    )
    scale = Scale.about(around, _deviation(values, counts, mean))
    m = min(tail_size(n), n - 1)
    order_statistics = OrderStatistics(ends_of(values, counts, m + 1), ends_of(values[::-1], counts[::-1], m + 1))
    bins = Bins(scale(values), np.zeros(len(values)), None)
    moments = MomentSketch(bins, of_values[None, None], sums.rest[None])
    return SketchedColumn(around, scale, moments, order_statistics, _NO_ROWS, None, sums.n_missing, n + sums.n_missing)


class ValueCountRows(ColumnRows):
    """The heaviest rows of a weighted column kept value by value: curves need no others.

    Parameters
    ----------
    heaviest : HeaviestRows
    scale : Scale
    values, weights : ndarray of shape (K,)
        Each value and the weight of its rows.
    """

    def __init__(self, heaviest: HeaviestRows, scale: Scale, values: Array, weights: Array) -> None:
        super().__init__(np.zeros(0), _NO_ROWS.quantities, scale, None)
        self._heaviest, self._z, self._logs = heaviest, scale(values), np.log(weights)

    def tail(self, xi: Array) -> tuple[Array, Array]:
        """Return the largest weights v e^{ξz} as `pareto_k` takes them, a row for each ξ."""
        log_weight: list[float] = [float(logsumexp(self._logs + each * self._z)) for each in xi]
        return self._heaviest.tail(self.scale(self._heaviest.values), xi, log_weight)


def _weighted_column(sums: ValueCounts, heaviest: HeaviestRows, quantile: float) -> SketchedColumn:
    weight = total_weight(sums.sums, True)
    occurring = weight > 0
    values, weights = sums.values[occurring], weight[occurring]
    low, high, mean = float(values[0]), float(values[-1]), _mean(values, weights)
    quantile_at = quantile_in([QuantileWindow(low, high, 0.0, values, weights)], float(weights.sum()), low, high)
    around = weighted_range(heaviest.n, mean, low, high, quantile_at, quantile)
    squared = layers(sums.sums[occurring, :], True)[1, :, 0]
    around = _value_errors(
        around,
        quantile,
        heaviest.n,
        values,
        weights,
        squared,
        lambda level: quantile_at(min(max(level, 0.0), 1.0), False),
    )
    scale = Scale.about(around, _deviation(values, weights, mean))
    bins = Bins(scale(values), np.zeros(len(values)), None)
    moments = MomentSketch(bins, layers(sums.sums[occurring], True)[:, None], layers(sums.rest, True))
    rows = ValueCountRows(heaviest, scale, values, weights)
    n_rows = heaviest.n + heaviest.n_missing
    return SketchedColumn(around, scale, moments, None, rows, None, sums.n_missing, n_rows)


def _value_errors(
    around: TauRange,
    quantile: float,
    n: int,
    values: Array,
    first: Array,
    second: Array,
    quantile_at: Callable[[float], float],
) -> TauRange:
    """Add the errors of the targets to the range of a column kept value by value."""
    span = max(around.maximum - around.mean, around.mean - around.minimum)
    beyond = beyond_in_values(values, first, second, around.mean, span)
    every = sum_values(values, first, second, around.mean, span)
    return complete_range(around, quantile, n, quantile_at, beyond, every, span, two_values=len(values) == 2)


def _mean(values: Array, counts: Array) -> float:
    low, high = float(values[0]), float(values[-1])
    mean = low + float(counts @ (values - low)) / float(counts.sum())
    return min(max(mean, float(np.nextafter(low, high))), float(np.nextafter(high, low)))


def _deviation(values: Array, counts: Array, mean: float) -> float:
    span = max(float(values[-1]) - mean, mean - float(values[0]))
    return span * float(np.sqrt(counts @ ((values - mean) / span) ** 2 / counts.sum()))


def share_column(sums: ValueCounts, value: float) -> ValueCounts:
    """Return the indicator of one value (NaN: of having none) as a column of its own."""
    if np.isnan(value):
        return indicator_column(
            sums.rest, sums.sums.sum(0), None if sums.heaviest is None else sums.heaviest.of_indicator(None)
        )
    at = sums.values == value
    heaviest = None if sums.heaviest is None else sums.heaviest.of_indicator(sums.heaviest.values == value)
    return indicator_column(sums.sums[at].sum(0), sums.sums[~at].sum(0) + sums.rest, heaviest)


def indicator_column(inside: Array, outside: Array, heaviest: HeaviestRows | None = None) -> ValueCounts:
    """Return the column that is 1 for some rows and 0 for the others, from the sums over both."""
    return ValueCounts(np.array([0.0, 1.0]), np.stack([outside, inside]), np.zeros_like(inside), heaviest)


def ends_of(values: Array, counts: Array, m: int) -> Array:
    """Return the m first of ordered values that are counted, ascending."""
    needed = int(np.searchsorted(np.cumsum(counts), m)) + 1
    return np.sort(np.repeat(values[:needed], counts[:needed].astype(np.int64))[:m])


def _binned_errors(around: TauRange, sums: BinnedSums, quantile: float) -> TauRange:
    """Add the errors of the targets to the range of a column in bins."""
    layout, n, unit = sums.layout, sums.n, sums.layout.scale.unit
    by_power = layers(sums.moments, sums.weighted)
    first, second = by_power[0, :3, :, 0], by_power[min(1, len(by_power) - 1), :3, :, 0]
    mean = float(layout.scale(np.array([around.mean]))[0])
    distance = layout.centres - mean
    linear = distance * second[0] + second[1]
    quadratic = distance**2 * second[0] + 2 * distance * second[1] + second[2]
    weight = float(first[0].sum())
    every = WeightedSums(weight, float(second[0].sum()), float(linear.sum()), float(quadratic.sum()))
    if sums.heaviest is None:

        def exact(level: float) -> float:
            return value_at(sums.windows, quantile_rank(n, level), around.minimum, around.maximum, n)
    else:
        n = sums.heaviest.n
        of_level = quantile_in(sums.windows, weight, around.minimum, around.maximum)

        def exact(level: float) -> float:
            if level in (0.0, 1.0):
                return around.minimum if level == 0 else around.maximum
            return of_level(level, False)

    def quantile_at(level: float) -> float:
        try:
            return exact(level)
        except InputError:  # of rows other than those it was laid out for, the windows may lack it: its bins will do
            return _interpolate(sums, first[0], level)

    beyond = beyond_in_windows(sums.windows, every, around.mean, unit)
    return complete_range(around, quantile, n, quantile_at, beyond, every, unit)


def _interpolate(sums: BinnedSums, mass: Array, level: float) -> float:
    """Return about the quantile of a level, rows spread evenly over each sub-bin."""
    layout = sums.layout
    edges = np.append(layout.centres - layout.half_widths, layout.centres[-1] + layout.half_widths[-1])
    up_to: Array = np.concatenate([np.zeros(1), np.cumsum(mass)])
    z = float(np.interp(level * float(up_to[-1]), up_to, edges))
    return layout.scale.centre + layout.scale.unit * z
