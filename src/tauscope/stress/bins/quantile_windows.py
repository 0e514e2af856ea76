"""Values kept one by one where a quantile lies, so that order statistics are exact without the rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.column.tau_end import lies_beyond

Array = NDArray[np.float64]

BLOCK = 1 << 14
"""Rows looked at together, so that what is made of them stays in the cache."""


@dataclass(frozen=True)
class QuantileWindow:
    """The values of a column inside an interval, and how many lie below it.

    Attributes
    ----------
    low, high : float
        Ends of the interval, both in it.
    below : int or float
        Rows with a smaller value, or their weight.
    values : ndarray of shape (m,)
        Ascending, each once.
    counts : ndarray of shape (m,)
        Rows that have each, or their weight.
    below_excess : float
        Sum of v² (x - low) over the rows with a smaller value, v their weight, or 1.
    squared : ndarray of shape (m,) or None
        Sums of v² of each value where rows are weighted.
    below_squared : float
        That of the rows with a smaller value.
    """

    low: float
    high: float
    below: float
    values: Array
    counts: NDArray[Any]
    below_excess: float = 0.0
    squared: Array | None = None
    below_squared: float = 0.0

    @classmethod
    def of(cls, values: Array, low: float, high: float) -> "QuantileWindow":
        """Keep what lies in an interval, from values without NaN."""
        inside: list[Array] = [np.zeros(0)]
        below, excess = 0, 0.0
        for first in range(0, len(values), BLOCK):
            x = values[first : first + BLOCK]
            distance = x - low
            inside.append(x[(distance >= 0) & (x <= high)])
            np.minimum(distance, 0.0, out=distance)
            below += int(np.count_nonzero(distance))
            excess += float(distance.sum())
        distinct, counts = np.unique(np.concatenate(inside), return_counts=True)
        return cls(low, high, below, distinct, counts.astype(np.int64), excess)

    @classmethod
    def of_weight(cls, values: Array, weight: Array, low: float, high: float) -> "QuantileWindow":
        """Keep what lies in an interval with its weight, from values without NaN."""
        inside = (values >= low) & (values <= high)
        distinct, code = np.unique(values[inside], return_inverse=True)
        # cast, since of no rows bincount returns whole numbers
        counts = np.bincount(code, weight[inside], len(distinct)).astype(np.float64)
        squared = np.bincount(code, weight[inside] ** 2, len(distinct)).astype(np.float64)
        smaller = values < low
        v, distance = weight[smaller], values[smaller] - low
        return cls(low, high, float(v.sum()), distinct, counts, float(v**2 @ distance), squared, float(v @ v))

    def __add__(self, other: "QuantileWindow") -> "QuantileWindow":
        """Return the window of both row sets; the intervals are the same."""
        values, code = np.unique(np.concatenate([self.values, other.values]), return_inverse=True)
        counts = np.bincount(code, np.concatenate([self.counts, other.counts]), len(values))
        counts = counts.astype(self.counts.dtype)
        excess = self.below_excess + other.below_excess
        squared = None
        if self.squared is not None and other.squared is not None:
            squared = np.bincount(code, np.concatenate([self.squared, other.squared]), len(values)).astype(np.float64)
        return QuantileWindow(
            self.low,
            self.high,
            self.below + other.below,
            values,
            counts,
            excess,
            squared,
            self.below_squared + other.below_squared,
        )

    def at(self, rank: int) -> float | None:
        """Return the value of a rank, counted from 0; None where it lies elsewhere."""
        inside = rank - self.below
        if not 0 <= inside < int(self.counts.sum()):
            return None
        return float(self.values[np.searchsorted(np.cumsum(self.counts), inside, side="right")])

    def at_weight(self, weight: float, *, past: bool) -> float | None:
        """Return the smallest value whose rows and those below weigh as much, or more than that; None elsewhere."""
        inside = weight - self.below
        position = int(np.searchsorted(np.cumsum(self.counts), inside, side="right" if past else "left"))
        if inside < 0 or (inside == 0 and not past) or position >= len(self.values):
            return None
        return float(self.values[position])


def value_at(windows: Sequence[QuantileWindow], rank: int, minimum: float, maximum: float, n: int) -> float:
    """Return the value of a rank among n, from the windows or the extremes.

    Raises
    ------
    InputError
        Where no window holds it.
    """
    if rank <= 0 or rank >= n - 1:
        return minimum if rank <= 0 else maximum
    for window in windows:
        value = window.at(rank)
        if value is not None:
            return value
    raise InputError(
        f"The value of rank {rank + 1:,} of {n:,} is not among those kept; the sketch was laid out for other rows. "
        "Make a sketch of these rows."
    )


def weight_beyond(windows: Sequence[QuantileWindow], value: float, sign: int, with_heap: bool, total: float) -> float:
    """Return the rows, or their weight, above a value, or below it where the sign is negative.

    Parameters
    ----------
    windows : sequence of QuantileWindow
    value : float
        Kept in one of them, or an extreme, beyond which there is nothing.
    sign : {-1, 1}
    with_heap : bool
        Whether those at the value count too.
    total : float
        Rows, or their weight, in all.
    """
    for window in windows:
        if window.low <= value <= window.high:
            beyond = lies_beyond(window.values, value, sign, with_heap)
            below = float(window.below + window.counts[~beyond if sign > 0 else beyond].sum())
            return max(total - below, 0.0) if sign > 0 else below
    return 0.0
