"""How far the targets of τ would lie elsewhere in other rows, from what chunks leave of a column."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.quantile_windows import QuantileWindow as KeptWindow
from tauscope.stress.column.target import WIDEN, TauRange, range_of_two
from tauscope.stress.column.tau_end import (
    TauEnd,
    WeightedSums,
    doubt_from,
    is_in_doubt,
    lies_beyond,
    make_end,
    perhaps_extreme,
    slope_of,
    window_at,
)

Array = NDArray[np.float64]
SumsBeyond = Callable[[float, int, bool], WeightedSums]


def complete_range(
    around: TauRange,
    quantile: float,
    n: int,
    quantile_at: Callable[[float], float],
    sums_beyond: SumsBeyond,
    every: WeightedSums,
    span: float,
    *,
    two_values: bool = False,
) -> TauRange:
    """Add to a range of τ what its targets' errors need, and set the ends of a column of two values, as `tau_range`.

    Parameters
    ----------
    around : TauRange
        Without errors; the ends widened, where need be, as those of many values are.
    quantile : float
        Probability in (0, 0.5).
    n : int
        Rows with a value.
    quantile_at : callable
        Level in [0, 1] → quantile.
    sums_beyond : callable
        An end of τ, the sign of its side, and whether rows at it count too → the sums over the rows beyond it.
    every : WeightedSums
        Over all rows; u is the distance from the mean in spans.
    span : float
        In the column's unit.
    two_values : bool
        Whether the column has but two.
    """
    around = replace(around, mean_error=span * float(np.sqrt(every.quadratic)) / every.weight)
    if two_values:
        plain = [window_at(level, quantile_at(level), n, quantile_at) for level in (quantile, 1 - quantile)]
        return range_of_two(around, plain)
    low, high = (_end(around, side, quantile, n, quantile_at, sums_beyond, every) for side in (0, 1))
    return replace(around, ends=(low, high))


def add_slopes(around: TauRange, n: int, quantile_at: Callable[[float], float]) -> TauRange:
    """Add to a range of τ how fast its ends run with their levels alone; parameters as in `complete_range`."""
    low, high = (
        TauEnd(slope=slope_of(window_at(level, value, n, quantile_at), n))
        for level, value in zip(around.reached, (around.low, around.high), strict=True)
    )
    return replace(around, ends=(low, high))


def _end(
    around: TauRange,
    side: int,
    quantile: float,
    n: int,
    quantile_at: Callable[[float], float],
    sums_beyond: SumsBeyond,
    every: WeightedSums,
) -> TauEnd:
    sign, level, value = (-1, 1)[side], around.reached[side], (around.low, around.high)[side]
    window, before = window_at(level, value, n, quantile_at), None
    if level not in (0.0, 1.0, (quantile, 1 - quantile)[side]):
        wider = WIDEN * (level if sign < 0 else 1 - level)
        before = window_at(wider if sign < 0 else 1 - wider, value, n, quantile_at)
    beyond = sums_beyond(value, sign, window.with_heap(sign))
    share, nearest = beyond.weight / every.weight, value
    if share * n > 1.5:  # of those beyond, the nearest stands half a row before their share is full
        nearest = quantile_at(share - 0.5 / n if sign < 0 else 1 - share + 0.5 / n)
    perhaps = perhaps_extreme(value, window.below, window.above, sign, (around.minimum, around.maximum)[side], nearest)
    doubt = float(doubt_from(is_in_doubt(window, around.mean, sign, before), perhaps))
    return make_end(window, n, doubt, sign, beyond, every)


def beyond_in_values(values: Array, first: Array, second: Array, mean: float, span: float) -> SumsBeyond:
    """Return the sums beyond an end from every value's weight and squared weights."""

    def sums_beyond(end: float, sign: int, with_heap: bool) -> WeightedSums:
        beyond = lies_beyond(values, end, sign, with_heap)
        return sum_values(values[beyond], first[beyond], second[beyond], mean, span)

    return sums_beyond


def sum_values(values: Array, first: Array, second: Array, mean: float, span: float) -> WeightedSums:
    """Sum over values with their weights, Σv, and squared ones, Σv²."""
    u = (values - mean) / span
    return WeightedSums(float(first.sum()), float(second.sum()), float(second @ u), float(second @ u**2))


def beyond_in_windows(windows: Sequence[KeptWindow], every: WeightedSums, mean: float, span: float) -> SumsBeyond:
    """Return the sums beyond an end of τ from the windows of values kept, and those over all rows."""

    def sums_beyond(end: float, sign: int, with_heap: bool) -> WeightedSums:
        for window in windows:
            if window.low <= end <= window.high:
                beyond = lies_beyond(window.values, end, sign, with_heap)
                below = _sum_below(window, ~beyond if sign > 0 else beyond, mean, span)
                return below if sign < 0 else WeightedSums(*(a - b for a, b in zip(every[:3], below[:3], strict=True)))
        return WeightedSums(0.0, 0.0, 0.0)  # no rows lie beyond an extreme

    return sums_beyond


def _sum_below(window: KeptWindow, inside: NDArray[np.bool_], mean: float, span: float) -> WeightedSums:
    """Sum over the rows below a window, and over some of its values."""
    first, values = window.counts[inside], window.values[inside]
    second, below = first, float(window.below)
    if window.squared is not None:
        second, below = window.squared[inside], window.below_squared
    excess = window.below_excess + below * (window.low - mean) + float(second @ (values - mean))
    return WeightedSums(float(window.below + first.sum()), float(below + second.sum()), excess / span)
