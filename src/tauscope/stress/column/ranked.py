"""What τ means for a column known by its order statistics: `tauscope.stress.column.target` without the rows."""

from collections.abc import Callable, Iterator

import numpy as np

from tauscope.stress.chunked.quantile_sketch import QuantileSketch
from tauscope.stress.column.target import WIDEN, TauRange, quantile_rank

ValueAt = Callable[[int], float]

SPREAD = 6.0
"""Binomial standard deviations that the rank of a quantile may be off in other rows of the same kind."""


def ranked_range(n: int, mean: float, minimum: float, maximum: float, value_at: ValueAt, quantile: float) -> TauRange:
    """Find the means that τ = -1 and τ = +1 stand for, as `tau_range` does from the rows.

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


def interpolated(n: int, level: float, value_at: ValueAt) -> float:
    """Return the quantile of n values by linear interpolation, as `numpy.quantile` does."""
    place = level * (n - 1)
    below = int(np.floor(place))
    a, b, t = value_at(below), value_at(min(below + 1, n - 1)), place - below
    return b - (b - a) * (1 - t) if t >= 0.5 else a + (b - a) * t


def wanted_intervals(ranks: QuantileSketch, quantile: float, tail: float | None = None) -> list[tuple[float, float]]:
    """Return disjoint intervals that hold every order statistic `ranked_range` and `interpolated` will look up.

    Parameters
    ----------
    ranks : QuantileSketch
    quantile : float
    tail : float, optional
        Levels `tail` and 1 - `tail` are those interpolated; none by default.

    Notes
    -----
    About the ranks of q(α) and q(1-α) there is room for what chance does to them in other rows of the same kind.
    """
    n, mean = ranks.n, ranks.mean
    wanted: list[tuple[float, float]] = []

    def near(rank: int) -> tuple[float, float]:
        share = (rank + 0.5) / n
        room = int(np.ceil(SPREAD * np.sqrt(n * share * (1 - share)))) + 1
        wanted.append(ranks.bracket(rank - room, rank + room))
        return ranks.bracket(rank, rank)

    if not near(quantile_rank(n, quantile))[1] < mean:
        for k, _ in _tails(n, quantile):
            if near(k - 1)[1] < mean:
                break
    if not near(quantile_rank(n, 1 - quantile))[0] > mean:
        for k, _ in _tails(n, quantile):
            if near(n - k)[0] > mean:
                break
    for level in () if tail is None else (tail, 1 - tail):
        below = int(np.floor(level * (n - 1)))
        wanted.append(ranks.bracket(below, below + 1))
    return _joined(wanted)


def _tails(n: int, quantile: float) -> Iterator[tuple[int, float]]:
    """Yield the smallest number of rows that is more than a share α/5, α/25, … of n, with that share."""
    while quantile * n > 1e-9:
        quantile /= WIDEN
        k = max(int(quantile * n) - 1, 0)
        while not k / n > quantile:
            k += 1
        yield k, quantile
    yield 1, 0.0


def _joined(intervals: list[tuple[float, float]]) -> list[tuple[float, float]]:
    out: list[tuple[float, float]] = []
    for low, high in sorted(intervals):
        if out and low <= out[-1][1]:
            out[-1] = (out[-1][0], max(high, out[-1][1]))
        else:
            out.append((low, high))
    return out
