"""The range of τ from order statistics: `tauscope.stress.column.target` without the rows."""

from collections.abc import Callable, Iterator

import numpy as np

from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.column.target import WIDEN, TauRange, quantile_rank

ValueAt = Callable[[int], float]

SPREAD = 6.0
"""Binomial standard deviations that the rank of a quantile may be off in other rows of the same kind."""


def order_range(n: int, mean: float, minimum: float, maximum: float, value_at: ValueAt, quantile: float) -> TauRange:
    """Find the means that τ = -1 and τ = +1 stand for, as `tau_range` does from the rows of more than two values.

    Parameters
    ----------
    n : int
        Rows that have a value.
    mean, minimum, maximum : float
    value_at : callable
        Rank, counted from 0 → value.
    quantile : float
        Probability in (0, 0.5).
    """
    low, high = value_at(quantile_rank(n, quantile)), value_at(quantile_rank(n, 1 - quantile))
    reached = [quantile, 1 - quantile]
    if not low < mean:
        for k, level in _tails(n, quantile):
            low, reached[0] = value_at(k - 1), level
            if low < mean:
                break
    if not high > mean:
        for k, level in _tails(n, quantile):
            high, reached[1] = value_at(n - k), 1 - level
            if high > mean:
                break
    return TauRange(low, mean, high, (reached[0], reached[1]), minimum, maximum)


def interpolate_quantile(n: int, level: float, value_at: ValueAt) -> float:
    """Return the quantile of n values by linear interpolation, as `numpy.quantile` does."""
    position = level * (n - 1)
    below = int(np.floor(position))
    a, b, t = value_at(below), value_at(min(below + 1, n - 1)), position - below
    return b - (b - a) * (1 - t) if t >= 0.5 else a + (b - a) * t


def order_intervals(ranks: QuantileSketch, quantile: float, tail: float | None = None) -> list[tuple[float, float]]:
    """Return disjoint intervals that hold every value `order_range` and `interpolate_quantile` will look up.

    Parameters
    ----------
    ranks : QuantileSketch
    quantile : float
    tail : float, optional
        Levels `tail` and 1 - `tail` are those interpolated; none by default.

    Notes
    -----
    The intervals around q(α) and q(1-α) are wide enough for the quantiles of other rows of the same kind.
    """
    n, mean = ranks.n, ranks.mean
    intervals: list[tuple[float, float]] = []

    def bracket(rank: int) -> tuple[float, float]:
        share = (rank + 0.5) / n
        margin = int(np.ceil(SPREAD * np.sqrt(n * share * (1 - share)))) + 1
        intervals.append(ranks.bracket(rank - margin, rank + margin))
        return ranks.bracket(rank, rank)

    if not bracket(quantile_rank(n, quantile))[1] < mean:
        for k, _ in _tails(n, quantile):
            if bracket(k - 1)[1] < mean:
                break
    if not bracket(quantile_rank(n, 1 - quantile))[0] > mean:
        for k, _ in _tails(n, quantile):
            if bracket(n - k)[0] > mean:
                break
    for level in () if tail is None else (tail, 1 - tail):
        below = int(np.floor(level * (n - 1)))
        intervals.append(ranks.bracket(below, below + 1))
    return merge_intervals(intervals)


def merge_intervals(intervals: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return disjoint intervals, ascending, that cover the same."""
    merged: list[tuple[float, float]] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _tails(n: int, quantile: float) -> Iterator[tuple[int, float]]:
    """Yield the smallest number of rows that is more than a share α/2, α/4, … of n, with that share."""
    while quantile * n > 1e-9:
        quantile /= WIDEN
        # the rank that rounding suggests may be one off: count up to the first that passes the share exactly
        k = max(int(quantile * n) - 1, 0)
        while not k / n > quantile:
            k += 1
        yield k, quantile
    yield 1, 0.0
