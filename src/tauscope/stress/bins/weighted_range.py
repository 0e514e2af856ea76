"""The range of τ for a weighted column, from sums: `tauscope.stress.column.target` without the rows."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tauscope.errors import InputError
from tauscope.stress.bins.order_range import SPREAD, merge_intervals
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.bins.quantile_windows import QuantileWindow
from tauscope.stress.column.target import WIDEN, TauRange

QuantileAt = Callable[[float, bool], float]


def weighted_range(
    n: int, mean: float, minimum: float, maximum: float, quantile_at: QuantileAt, quantile: float
) -> TauRange:
    """Find the means that τ = -1 and τ = +1 stand for, as `tau_range` does from weighted rows of more than two values.

    Parameters
    ----------
    n : int
        Rows that have a value, which end the search for wider quantiles.
    mean, minimum, maximum : float
        Of the rows of weight above zero.
    quantile_at : callable
        Level and whether the weight must be passed → the smallest value at or below which so much weight lies.
    quantile : float
        Probability in (0, 0.5).
    """
    low, high = quantile_at(quantile, False), quantile_at(1 - quantile, False)
    reached = [quantile, 1 - quantile]
    if not low < mean:
        low, reached[0] = minimum, 0.0
        for level in _smaller_levels(n, quantile):
            value = quantile_at(level, True)
            if value < mean:
                low, reached[0] = value, level
                break
    if not high > mean:
        high, reached[1] = maximum, 1.0
        for level in _smaller_levels(n, quantile):
            value = quantile_at(1 - level, False)
            if value > mean:
                high, reached[1] = value, 1 - level
                break
    return TauRange(low, mean, high, (reached[0], reached[1]), minimum, maximum)


def weighted_intervals(masses: QuantileSketch, n: int, quantile: float) -> list[tuple[float, float]]:
    """Return disjoint intervals that hold every quantile `weighted_range` will look up.

    Parameters
    ----------
    masses : QuantileSketch
        Of the rows, by weight.
    n : int
        Number of rows.
    quantile : float

    Notes
    -----
    The intervals are wide enough for the quantiles of other rows of the same kind.
    """
    mean = masses.mean
    intervals: list[tuple[float, float]] = []

    def bracket(level: float) -> tuple[float, float]:
        margin = SPREAD * float(np.sqrt(level * (1 - level) / n)) + 1 / n
        intervals.append(masses.bracket_share(level - margin, level + margin))
        return masses.bracket_share(level, level)

    if not bracket(quantile)[1] < mean:
        for level in _smaller_levels(n, quantile):
            if bracket(level)[1] < mean:
                break
    if not bracket(1 - quantile)[0] > mean:
        for level in _smaller_levels(n, quantile):
            if bracket(1 - level)[0] > mean:
                break
    return merge_intervals(intervals)


def quantile_in(windows: Sequence[QuantileWindow], total: float, minimum: float, maximum: float) -> QuantileAt:
    """Return the quantiles of a weighted column from windows; at its ends the extremes.

    Parameters
    ----------
    windows : sequence of QuantileWindow
        By weight.
    total, minimum, maximum : float
        Weight of all rows with a value, and their extremes.
    """

    def quantile_at(level: float, past: bool) -> float:
        for window in windows:
            value = window.at_weight(level * total, past=past)
            if value is not None:
                return value
        if windows and level * total <= windows[0].below and windows[0].low <= minimum:
            return minimum
        if windows and windows[-1].high >= maximum and level * total >= windows[-1].below:
            return maximum
        raise InputError(
            f"The quantile {level:.6g} is not among the values kept; the sketch was laid out for other rows. "
            "Make a sketch of these rows."
        )

    return quantile_at


def _smaller_levels(n: int, quantile: float) -> Iterator[float]:
    while quantile * n > 1e-9:
        quantile /= WIDEN
        yield quantile
