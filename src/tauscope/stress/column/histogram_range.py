"""What τ means for many columns of few values at once: `tauscope.stress.column.target` for a block of pixels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.target import WIDEN, quantile_rank
from tauscope.stress.column.tau_end import (
    doubt_from,
    half_window,
    lies_beyond,
    moves_with_heap,
    perhaps_extreme,
    target_error,
    typical_side,
)
from tauscope.stress.column.two_values import multiply_odds

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Histograms:
    """Columns of n rows over shared levels.

    Attributes
    ----------
    levels : ndarray of shape (n_levels,)
        Ascending.
    mass : ndarray of shape (p, n_levels)
        Rows of each level.
    n : int
        Rows of each column.
    """

    levels: Array
    mass: Ints
    n: int

    @property
    def rank(self) -> Ints:
        """Rows at or below each level."""
        return np.cumsum(self.mass, axis=1)

    @property
    def mean(self) -> Array:
        """Mean of each column, shape (p,)."""
        return self.mass @ self.levels / self.n

    @property
    def sd(self) -> Array:
        """Standard deviation of each column, shape (p,)."""
        return np.sqrt(np.maximum(self.mass @ self.levels**2 / self.n - self.mean**2, 0.0))

    @property
    def extremes(self) -> tuple[Array, Array]:
        """Smallest and largest value of each column."""
        lowest, highest = (self.mass > 0).argmax(1), len(self.levels) - 1 - (self.mass[:, ::-1] > 0).argmax(1)
        return self.levels[lowest], self.levels[highest]


@dataclass(frozen=True)
class HistogramRanges:
    """What τ means for each of p columns.

    Attributes
    ----------
    low, mean, high : ndarray of shape (p,)
    reached : ndarray of shape (p, 2)
        Levels of the quantiles `low` and `high`; NaN where the odds of a rare one of two values are multiplied.
    mean_error : ndarray of shape (p,)
    end_error, correlation : ndarray of shape (p, 2)
        Standard errors of `low` and `high`, and their correlation with the mean's.
    doubt_from : ndarray of shape (p, 2)
        See `tauscope.stress.column.tau_end.TauEnd`.
    """

    low: Array
    mean: Array
    high: Array
    reached: Array
    mean_error: Array
    end_error: Array
    correlation: Array
    doubt_from: Array

    def target(self, taus: Array) -> Array:
        """Return the mean that each τ asks of each column, shape (p, T)."""
        low, mean, high = self.low[:, None], self.mean[:, None], self.high[:, None]
        raw = np.where(taus < 0, mean + taus * (mean - low), mean + taus * (high - mean))
        raw[:, taus == -1], raw[:, taus == 1] = low, high
        return raw

    def target_error(self, taus: Array) -> Array:
        """Return the standard error of these means, shape (p, T)."""
        side = (taus > 0).astype(np.intp)
        return target_error(np.abs(taus), self.mean_error[:, None], self.end_error[:, side], self.correlation[:, side])

    def in_doubt(self, taus: Array) -> NDArray[np.bool_]:
        """Return whether the end is in doubt towards which each τ moves each mean, shape (p, T)."""
        return (np.abs(taus) >= self.doubt_from[:, (taus > 0).astype(np.intp)]) & (taus != 0)


def histogram_ranges(histograms: Histograms, quantile: float) -> HistogramRanges:
    """Find what τ = -1 and +1 stand for, widened where the plain quantile does not lie past the mean.

    Parameters
    ----------
    histograms : Histograms
        Of columns with two different values at least.
    quantile : float
        Probability in (0, 0.5).
    """
    mean, n, rank = histograms.mean, histograms.n, histograms.rank
    ends, reached = _find_ends(histograms, rank, quantile)
    slope = np.zeros_like(reached)
    doubtful, heaped, perhaps = (np.zeros(reached.shape, np.bool_) for _ in range(3))
    for side, sign in ((0, -1), (1, 1)):
        level, value = reached[:, side], ends[:, side]
        below, above = _window(histograms.levels, rank, level, n)
        half = half_window(level, n)
        moved = typical_side(value - below, above - value)
        heaped[:, side] = moves_with_heap(value - below, above - value, sign)
        perhaps[:, side] = perhaps_extreme(
            value, below, above, sign, histograms.extremes[side], _next_beyond(histograms, value, sign)
        )
        slope[:, side] = np.where(half > 0, moved / np.where(half > 0, half, 1.0), 0.0)
        halved = level != (quantile if side == 0 else 1 - quantile)
        before = WIDEN * level if side == 0 else 1 - WIDEN * (1 - level)
        outer = _window(histograms.levels, rank, np.where(halved, before, level), n)[side]
        at_extreme = (level == 0) | (level == 1)
        doubt = sign * ((below if sign > 0 else above) - mean) <= 0
        doubtful[:, side] = doubt | (halved & ~at_extreme & (sign * (outer - mean) > 0))
    two_values = np.count_nonzero(histograms.mass, axis=1) == 2
    slope[two_values] = 0.0
    error, correlation = _end_errors(histograms, mean, ends, slope, heaped)
    mean_error = histograms.sd / np.sqrt(n)
    for side, level in ((0, quantile), (1, 1 - quantile)):
        outer = _window(histograms.levels, rank[two_values], np.full(int(two_values.sum()), level), n)
        far, near = histograms.extremes[side], histograms.extremes[1 - side]
        rare = two_values & (reached[:, side] != level)
        doubtful[two_values, side] = (outer[0] == far[two_values]) != (outer[1] == far[two_values])
        ends[rare, side], follows = multiply_odds(near[rare], mean[rare], far[rare])
        error[rare, side], correlation[rare, side] = follows * mean_error[rare], 1.0
        reached[rare, side] = np.nan
    doubt = doubt_from(doubtful, perhaps & ~two_values[:, None])
    return HistogramRanges(ends[:, 0], mean, ends[:, 1], reached, mean_error, error, correlation, doubt)


def _next_beyond(histograms: Histograms, value: Array, sign: int) -> Array:
    """Return the level nearest to an end of those beyond it, of two rows or more; the end itself without."""
    beyond = lies_beyond(histograms.levels, value[:, None], sign, False)
    rows = np.where(beyond, histograms.mass, 0)
    nearest = (rows > 0).argmax(1) if sign > 0 else rows.shape[1] - 1 - (rows[:, ::-1] > 0).argmax(1)
    return np.where(rows.sum(1) > 1, histograms.levels[nearest], value)


def _end_errors(
    histograms: Histograms, mean: Array, ends: Array, slope: Array, heaped: NDArray[np.bool_]
) -> tuple[Array, Array]:
    """Return the ends' standard errors and correlations with the mean, each of shape (p, 2)."""
    n, mass, distance = histograms.n, histograms.mass, histograms.levels - mean[:, None]
    error, correlation = np.zeros_like(ends), np.zeros_like(ends)
    for side, sign in ((0, -1), (1, 1)):
        beyond = np.where(lies_beyond(histograms.levels, ends[:, side, None], sign, heaped[:, side, None]), mass, 0)
        share, moved = beyond.sum(1) / n, sign * (beyond * distance).sum(1) / n
        deviation = np.sqrt(share * (1 - share))
        error[:, side] = slope[:, side] * deviation / np.sqrt(n)
        size = deviation * histograms.sd
        correlation[:, side] = np.where(size > 0, moved / np.where(size > 0, size, 1.0), 0.0)
    return error, correlation


def _find_ends(histograms: Histograms, rank: Ints, quantile: float) -> tuple[Array, Array]:
    """Return low and high, and the levels reached, each of shape (p, 2)."""
    levels, n, mean = histograms.levels, histograms.n, histograms.mean
    reached = np.tile([quantile, 1 - quantile], (len(rank), 1))
    ends = np.stack([levels[_at_rank(rank, quantile_rank(n, level))] for level in (quantile, 1 - quantile)], 1)
    for side, sign in ((0, -1), (1, 1)):
        remaining, level = np.flatnonzero(~(sign * (ends[:, side] - mean) > 0)), quantile
        while len(remaining) and level * n > 1e-9:
            level /= WIDEN
            from_end = int(np.floor(level * n))
            quantiles = levels[_at_rank(rank[remaining], from_end if side == 0 else n - 1 - from_end)]
            past = sign * (quantiles - mean[remaining]) > 0
            ends[remaining[past], side] = quantiles[past]
            reached[remaining[past], side] = level if side == 0 else 1 - level
            remaining = remaining[~past]
        ends[remaining, side] = histograms.extremes[side][remaining]
        reached[remaining, side] = float(side)
    return ends, reached


def _window(levels: Array, rank: Ints, level: Array, n: int) -> tuple[Array, Array]:
    """Return the quantiles at both ends of the window about a level of each column."""
    half = half_window(level, n)
    ends = np.maximum(level - half, 0.0), np.minimum(level + half, 1.0)
    rows = [np.clip(np.ceil(n * each - 1e-9).astype(np.int64) - 1, 0, n - 1) for each in ends]
    return levels[_at_rank(rank, rows[0][:, None])], levels[_at_rank(rank, rows[1][:, None])]


def _at_rank(rank: Ints, row: int | Ints) -> NDArray[np.intp]:
    """Return the place of the level of the row of a rank (from 0, ascending), for each column."""
    return (rank > row).argmax(1)
