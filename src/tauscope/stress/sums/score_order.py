"""Where the scores of rows in chunks lie: their order, how near they come to 0 and 1, and exact quantiles of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.order_range import interpolate_quantile, merge_intervals
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.bins.quantile_windows import QuantileWindow, value_at
from tauscope.stress.calibration.recalibration import NearestScores, count_extreme

Array = NDArray[np.float64]
Intervals = tuple[tuple[float, float], ...]

MOST_CELLS, FEWEST_CELLS = 16_384, 256
"""Cells of the score, of each group."""
MOST_SUMS = 2**22
"""Of all cells of all groups in all populations."""


@dataclass(frozen=True)
class ScoreOrder:
    """The scores of some rows, each row counted once.

    Attributes
    ----------
    ranks, every : QuantileSketch
        Of rows of weight above zero, which quantiles are of; and of all, which cells have to hold.
    nearest : NearestScores
        Of rows of weight above zero.
    n_extreme : int
        Scores of 0 or 1, of these.
    n_counted : int
        Rows of weight above zero.
    weight : float
        Of all rows.
    """

    ranks: QuantileSketch
    every: QuantileSketch
    nearest: NearestScores
    n_extreme: int
    n_counted: int
    weight: float

    @classmethod
    def of(cls, score: Array, weight: Array | None) -> "ScoreOrder":
        """Read one chunk's scores."""
        v = np.ones(len(score)) if weight is None else weight
        every = QuantileSketch.of(score)
        own = every if (v > 0).all() else QuantileSketch.of(score[v > 0])
        return cls(
            own,
            every,
            NearestScores.of(score[v > 0]),
            count_extreme(score[v > 0]),
            int(np.count_nonzero(v)),
            float(v.sum()),
        )

    def __add__(self, other: "ScoreOrder") -> "ScoreOrder":
        """Return the order of both row sets."""
        ranks = self.ranks + other.ranks
        alike = self.every is self.ranks and other.every is other.ranks
        return ScoreOrder(
            ranks,
            ranks if alike else self.every + other.every,
            self.nearest.nearer(other.nearest),
            self.n_extreme + other.n_extreme,
            self.n_counted + other.n_counted,
            self.weight + other.weight,
        )

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest score."""
        return float(self.ranks.low[0]), float(self.ranks.high[-1])

    def intervals(self, levels: Array) -> Intervals:
        """Return where scores are to be kept one by one, for quantiles of these levels; none where all are known."""
        if self.ranks.step == 0:
            return ()
        n = self.ranks.n
        below = [int(np.floor(level * (n - 1))) for level in levels.tolist()]
        return tuple(merge_intervals([self.ranks.bracket(rank, rank + 1) for rank in below]))

    def quantiles(self, levels: Array, windows: Sequence[QuantileWindow], *, higher: bool = False) -> Array:
        """Return quantiles as `numpy.quantile` gives them of all scores: by linear interpolation, or the higher score.

        Parameters
        ----------
        levels : ndarray of shape (n,)
        windows : sequence of QuantileWindow
            Of the intervals of these levels.
        higher : bool
        """
        low, high = self.range
        ranks = self.ranks
        if ranks.step == 0:
            windows = (QuantileWindow(low, high, 0, ranks.low, ranks.count),)

        def at(rank: int) -> float:
            return value_at(windows, rank, low, high, ranks.n)

        if higher:
            return np.array([at(int(np.ceil((ranks.n - 1) * level))) for level in levels.tolist()])
        return np.array([interpolate_quantile(ranks.n, level, at) for level in levels.tolist()])

    def cut(self, most: int) -> "ScoreCuts":
        """Cut the scores into cells of few each, every value its own where there are no more."""
        low, high, count = self.every.low, self.every.high, self.every.count
        if len(low) > most:
            ends: Array = np.cumsum(count, dtype=np.float64)
            levels: Array = ends[-1] * np.arange(most, dtype=np.float64) / most
            first = np.unique(np.searchsorted(ends, levels, side="right"))
            low, high = low[first], high[np.append(first[1:], len(high)) - 1]
        return ScoreCuts(low, low == high)


@dataclass(frozen=True)
class ScoreCuts:
    """Cells of scores.

    Attributes
    ----------
    low : ndarray of shape (n_cells,)
        The smallest score of each, ascending.
    alone : ndarray of bool of shape (n_cells,)
        Which are of one value.
    """

    low: Array
    alone: NDArray[np.bool_]

    @property
    def n(self) -> int:
        """Number of cells."""
        return len(self.low)

    def __call__(self, score: Array) -> NDArray[np.intp]:
        """Return the cell of each score."""
        return np.searchsorted(self.low, score, side="right") - 1


def most_cells(n_parts: int) -> int:
    """Return how many cells of the score there may be for so many groups in all populations."""
    return int(np.clip(MOST_SUMS // (4 * n_parts), FEWEST_CELLS, MOST_CELLS))


def counted_scores(score: Array, weight: Array | None) -> Array:
    """Return the scores of rows of weight above zero."""
    return score if weight is None else score[weight > 0]


def read_windows(score: Array, intervals: Intervals) -> tuple[QuantileWindow, ...]:
    """Keep a chunk's scores inside intervals."""
    ascending = np.sort(score) if intervals else score
    return tuple(QuantileWindow.of(ascending, low, high) for low, high in intervals)
