"""What τ means for one column: which mean it moves to, between which quantiles."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError

Array = NDArray[np.float64]

WIDEN = 5.0


@dataclass(frozen=True)
class TauRange:
    """The means that τ = -1, 0 and +1 stand for.

    Attributes
    ----------
    low, mean, high : float
        In the column's unit; low < mean < high.
    reached : tuple of float
        Probability levels of the quantiles `low` and `high`: (α, 1-α) unless a side had to be widened.
    minimum, maximum : float
        Extremes of the column.
    """

    low: float
    mean: float
    high: float
    reached: tuple[float, float]
    minimum: float
    maximum: float

    def target(self, taus: Array) -> Array:
        """Return the mean that each τ asks for; piecewise linear through low, mean and high."""
        span = np.where(taus < 0, self.mean - self.low, self.high - self.mean)
        target = self.mean + taus * span
        target[taus == -1] = self.low
        target[taus == 1] = self.high
        return target


def tau_range(
    values: Array,
    quantile: float,
    sample_weight: Array | None = None,
    quantiles: tuple[float, float] | None = None,
) -> TauRange:
    """Find the means that τ = -1 and τ = +1 stand for.

    They are the empirical quantiles q(α) and q(1-α) (inverse of the empirical distribution, so values that
    occur). Where q(1-α) does not lie above the mean, or q(α) not below it, as in zero-inflated columns and rare
    indicators, τ would have no meaning on that side: α is divided by 5 until the quantile lies past the mean, in
    the end the column's extreme.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Finite, not all equal.
    quantile : float
        Probability in (0, 0.5).
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.
    quantiles : tuple of float or None
        q(α) and q(1-α) where the caller has them already.

    Returns
    -------
    TauRange
        With low < mean < high.

    Raises
    ------
    InputError
        When the values (of rows with weight) are all equal.

    References
    ----------
    Bachoc et al., "Explaining machine learning models using entropic variable projection", §3.
    """
    if sample_weight is not None:
        positive = sample_weight > 0
        values, sample_weight = values[positive], sample_weight[positive]
    minimum, maximum = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    if minimum == maximum:
        raise InputError("A stress needs a column with at least two different values; leave this column out.")
    mean = minimum + _mean_above(values, minimum, sample_weight)
    mean = min(max(mean, np.nextafter(minimum, maximum)), np.nextafter(maximum, minimum))
    low, high = quantiles or _quantiles(values, (quantile, 1 - quantile), sample_weight)
    reached = [quantile, 1 - quantile]
    if not low < mean:
        low, reached[0] = _widen(-values, quantile, sample_weight, -mean)
        low = -low
    if not high > mean:
        high, level = _widen(values, quantile, sample_weight, mean)
        reached[1] = 1 - level
    return TauRange(low, mean, high, (reached[0], reached[1]), minimum, maximum)


def _mean_above(values: Array, origin: float, weight: Array | None) -> float:
    """Return the mean of values - origin, in chunks: columns far from zero keep their digits without a copy."""
    total = size = 0.0
    for start in range(0, len(values), 1 << 16):
        chunk = values[start : start + (1 << 16)] - origin
        v = None if weight is None else weight[start : start + (1 << 16)]
        total += float(chunk.sum() if v is None else v @ chunk)
        size += len(chunk) if v is None else float(v.sum())
    return total / size


def _widen(values: Array, quantile: float, weight: Array | None, mean: float) -> tuple[float, float]:
    """Return the first of the quantiles 1-α/5, 1-α/25, … above the mean, and its distance from 1."""
    order = np.argsort(values)
    ascending = values[order]
    mass = np.ones(len(values)) if weight is None else weight[order]
    tail = np.cumsum(mass[::-1])[::-1] / mass.sum()  # share of rows at or above
    while quantile * tail.size > 1e-9:
        quantile /= WIDEN
        value = float(ascending[np.flatnonzero(tail > quantile)[-1]])
        if value > mean:
            return value, quantile
    return float(ascending[-1]), 0.0


def _quantiles(values: Array, levels: tuple[float, float], weight: Array | None) -> tuple[float, float]:
    if weight is not None:
        low, high = np.quantile(values, levels, weights=weight, method="inverted_cdf")
        return float(low), float(high)
    ranks = [quantile_rank(len(values), level) for level in levels]
    partitioned = np.partition(values, ranks)
    return float(partitioned[ranks[0]]), float(partitioned[ranks[1]])


def quantile_rank(n: int, level: float) -> int:
    """Return the rank, from 0, of the empirical quantile among n ascending values."""
    return min(max(int(np.ceil(n * level - 1e-9)) - 1, 0), n - 1)
