"""Order statistics of a column: two quantiles and what lies about them, the smallest values and the largest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.target import PlainEnd, quantile_rank
from tauscope.stress.column.tau_end import QuantileWindow, window_levels
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]

SAMPLE = 512
FAR = 3.0
"""Binomial standard deviations of a rank in the sample."""


@dataclass(frozen=True)
class OrderStatistics:
    """The smallest values of a column and its largest, ascending; where they are known, q(α) and q(1-α)."""

    lowest: Array
    highest: Array
    plain: tuple[PlainEnd, PlainEnd] | None = None


def compute_order_statistics(values: Array, quantile: float) -> OrderStatistics:
    """Sort the two ends of a column, without sorting the values between.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Finite, at least one.
    quantile : float
        Probability in (0, 0.5).
    """
    n = len(values)
    m = min(tail_size(n), n - 1)
    low = [quantile_rank(n, level) for level in (quantile, *window_levels(quantile, n))]
    high = [quantile_rank(n, level) for level in (1 - quantile, *window_levels(1 - quantile, n))]
    below, above = _ends(values, max(m, *low) + 1, max(m + 1, n - min(high)))
    below.sort()
    above.sort()
    from_end = len(above) - n  # ranks among all rows, as places among these
    first = QuantileWindow(float(below[low[0]]), quantile, float(below[low[1]]), float(below[low[2]]))
    q, *around = (float(above[rank + from_end]) for rank in high)
    second = QuantileWindow(q, 1 - quantile, *around)
    return OrderStatistics(
        below[: m + 1].copy(),
        above[n - m - 1 + from_end :].copy(),
        (_plain_end(first, below[: low[0]]), _plain_end(second, above[high[0] + from_end + 1 :])),
    )


def _plain_end(window: QuantileWindow, outside: Array) -> PlainEnd:
    """Sum over the values beyond a quantile, of which those equal to it add nothing."""
    excess = outside - window.value
    return PlainEnd(window, int(np.count_nonzero(excess)), float(excess.sum()))


def _ends(values: Array, n_below: int, n_above: int) -> tuple[Array, Array]:
    """Return copies of at least so many of the smallest values, and of the largest.

    They are cut off at quantiles of a sample. Where that leaves too few, as the rows' order may have it, all are taken.
    """
    n = len(values)
    sample = np.sort(values[:: max(1, n // SAMPLE)])
    below = values[values <= sample[_rank(n_below / n, len(sample))]]
    above = values[values >= sample[-1 - _rank(n_above / n, len(sample))]]
    return below if len(below) >= n_below else values.copy(), above if len(above) >= n_above else values.copy()


def _rank(share: float, size: int) -> int:
    """Return the rank in a sample, from 0, below which a share of all rows nearly always lies."""
    return min(int(share * size + FAR * np.sqrt(share * (1 - share) * size)) + 1, size - 1)
