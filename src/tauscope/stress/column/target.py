"""What τ means for one column: which mean it moves to, between which quantiles."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.column.tau_end import (
    FIXED_ENDS,
    QuantileWindow,
    TauEnd,
    WeightedSums,
    doubt_from,
    is_in_doubt,
    lies_beyond,
    make_end,
    perhaps_extreme,
    target_error,
    window_at,
    window_levels,
)
from tauscope.stress.column.two_values import end_of_two

Array = NDArray[np.float64]

CHUNK = 1 << 16
WIDEN = 2.0
FIXED = (0.0, 1.0)


@dataclass(frozen=True)
class TauRange:
    """The means that τ = -1, 0 and +1 stand for.

    Attributes
    ----------
    low, mean, high : float
        In the column's unit; low < mean < high.
    reached : tuple of float
        Probability levels of the quantiles `low` and `high`: (α, 1-α) unless a side had to be widened. NaN where the
        end is no quantile: a column of two values, the odds of whose rare one are four times as high there.
    minimum, maximum : float
        Extremes of the column.
    mean_error : float
        Standard error of the mean, in the column's unit.
    ends : pair of TauEnd
        How `low` and `high` follow the rows.
    """

    low: float
    mean: float
    high: float
    reached: tuple[float, float]
    minimum: float
    maximum: float
    mean_error: float = 0.0
    ends: tuple[TauEnd, TauEnd] = FIXED_ENDS

    def target(self, taus: Array) -> Array:
        """Return the mean that each τ asks for; piecewise linear through low, mean and high."""
        span = np.where(taus < 0, self.mean - self.low, self.high - self.mean)
        target = self.mean + taus * span
        target[taus == -1] = self.low
        target[taus == 1] = self.high
        return target

    def target_error(self, taus: Array) -> Array:
        """Return the standard error of the mean that each τ asks for, which other rows would put elsewhere."""
        errors, correlations = np.array([[end.error, end.correlation] for end in self.ends]).T
        side = (taus > 0).astype(np.intp)
        return target_error(np.abs(taus), self.mean_error, errors[side], correlations[side])

    def in_doubt(self, taus: Array) -> NDArray[np.bool_]:
        """Return whether the end is in doubt towards which each τ moves the mean."""
        return (np.abs(taus) >= np.array([end.doubt_from for end in self.ends])[(taus > 0).astype(np.intp)]) & (
            taus != 0
        )

    def influence(self, values: Array, tau: float) -> Array:
        """Return what rows of some values add to the mean that τ asks for, ψ; 0 on average over weighted rows."""
        at, sign, end = abs(tau), 1 if tau > 0 else -1, self.ends[tau > 0]
        beyond = lies_beyond(values, self.high if tau > 0 else self.low, sign, end.with_heap)
        of_mean = (1 - at + at * end.follows) * (values - self.mean)
        return of_mean + at * sign * end.slope * (beyond - end.beyond)


class PlainEnd(NamedTuple):
    """What sorting the end of a column tells about q(α) or q(1-α) of rows that count alike.

    Attributes
    ----------
    window : QuantileWindow
    n_beyond : int
        Rows strictly beyond the quantile.
    excess : float
        Sum of their distances from it, with sign.
    """

    window: QuantileWindow
    n_beyond: int
    excess: float


def tau_range(
    values: Array,
    quantile: float,
    sample_weight: Array | None = None,
    plain: tuple[PlainEnd, PlainEnd] | None = None,
) -> TauRange:
    """Find the means that τ = -1 and τ = +1 stand for, and how far they would lie elsewhere in other rows.

    They are the empirical quantiles q(α) and q(1-α) (inverse of the empirical distribution, so values that
    occur). Where q(1-α) does not lie above the mean, or q(α) not below it, as in zero-inflated columns and rare
    indicators, τ would have no meaning on that side. In a column of more than two values α is halved until the
    quantile lies past the mean, in the end the column's extreme.

    A column of two values (a level's share, 0/1, booleans) would then always end where every row has the rare one: a
    population that no one asks about, carried by few rows. On such a side the end is the mean at which the odds of
    the rare value are four times what they are: of a share p, τ = +1 is 4p/(1 + 3p), and τ = -1 of a share so common
    that the rest is rare, p/(4 - 3p). Where the quantile does lie past the mean, τ = ±1 is a share of 0 or 100 %.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Finite, not all equal.
    quantile : float
        Probability in (0, 0.5).
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.
    plain : pair of PlainEnd or None
        What the caller has found out about q(α) and q(1-α) of unweighted rows already.

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
    span = max(maximum - mean, mean - minimum)
    every = _sum_about(values, mean, span, sample_weight)
    error = span * float(np.sqrt(every.quadratic)) / every.weight
    windows = tuple(end.window for end in plain) if plain else _windows(values, quantile, sample_weight)
    if all(window.value in (minimum, maximum) for window in windows) and _has_two_values(values, minimum, maximum):
        return range_of_two(TauRange(minimum, mean, maximum, FIXED, minimum, maximum, error), windows)
    ordered: Ordered | None = None
    ends: list[QuantileWindow] = []
    infos: list[TauEnd] = []
    for side, (sign, window) in enumerate(zip((-1, 1), windows, strict=True)):
        before, known = None, plain[side] if plain else None
        if not sign * (window.value - mean) > 0:
            ordered = ordered or Ordered.of(values, sample_weight)
            window, before = ordered.widen(quantile, mean, sign)
            known = None
        ends.append(window)
        if known and not window.with_heap(sign) and not window.with_heap(-sign):
            moved = known.excess + known.n_beyond * (window.value - mean)
            beyond, nearest = WeightedSums(known.n_beyond, known.n_beyond, moved / span), window.value
        else:
            rows = lies_beyond(values, window.value, sign, window.with_heap(sign))
            inside = values[rows]
            beyond = _sum_about(inside, mean, span, None if sample_weight is None else sample_weight[rows])
            nearest = sign * float((sign * inside).min()) if len(inside) > 1 else window.value
        perhaps = perhaps_extreme(window.value, window.below, window.above, sign, (minimum, maximum)[side], nearest)
        doubt = float(doubt_from(is_in_doubt(window, mean, sign, before), perhaps))
        infos.append(make_end(window, len(values), doubt, sign, beyond, every))
    low, high = ends
    reached = (low.level, high.level)
    return TauRange(low.value, mean, high.value, reached, minimum, maximum, error, (infos[0], infos[1]))


def range_of_two(around: TauRange, windows: Sequence[QuantileWindow]) -> TauRange:
    """Return the range of τ of a column of two values, its extremes, given the windows about q(α) and q(1-α)."""
    minimum, mean, maximum = around.minimum, around.mean, around.maximum
    low = end_of_two(windows[0], -1, maximum, mean, minimum, around.mean_error)
    high = end_of_two(windows[1], 1, minimum, mean, maximum, around.mean_error)
    return replace(around, low=low.mean, high=high.mean, reached=(low.level, high.level), ends=(low.end, high.end))


def _has_two_values(values: Array, minimum: float, maximum: float) -> bool:
    return not np.any((values[:64] != minimum) & (values[:64] != maximum)) and bool(
        np.all((values == minimum) | (values == maximum))
    )


def _mean_above(values: Array, origin: float, weight: Array | None) -> float:
    """Return the mean of values - origin, in chunks: columns far from zero keep their digits without a copy."""
    total = size = 0.0
    for start in range(0, len(values), CHUNK):
        chunk = values[start : start + CHUNK] - origin
        v = None if weight is None else weight[start : start + CHUNK]
        total += float(chunk.sum() if v is None else v @ chunk)
        size += len(chunk) if v is None else float(v.sum())
    return total / size


def _sum_about(values: Array, mean: float, span: float, weight: Array | None) -> WeightedSums:
    """Sum over rows, u being (x - mean) / span."""
    sums = np.zeros(4)
    for start in range(0, len(values), CHUNK):
        u = (values[start : start + CHUNK] - mean) / span
        if weight is None:
            sums += len(u), len(u), u.sum(), np.square(u).sum()
        else:
            v = weight[start : start + CHUNK]
            vu = v * u
            sums += v.sum(), np.square(v).sum(), (v * vu).sum(), np.square(vu).sum()
    return WeightedSums(*sums.tolist())


def _windows(values: Array, quantile: float, weight: Array | None) -> tuple[QuantileWindow, QuantileWindow]:
    """Return q(α) and q(1-α) with the ends of their windows."""
    n, levels = len(values), (quantile, 1 - quantile)
    at = [each for level in levels for each in (level, *window_levels(level, n))]
    if weight is not None:
        found = np.quantile(values, at, weights=weight, method="inverted_cdf")
    else:
        ranks = [quantile_rank(n, level) for level in at]
        found = np.partition(values, sorted(set(ranks)))[ranks]
    first, second = found.reshape(2, 3).tolist()
    return tuple(QuantileWindow(q, level, a, b) for level, (q, a, b) in zip(levels, (first, second), strict=True))  # pyright: ignore[reportReturnType]


@dataclass(frozen=True)
class Ordered:
    """A column in ascending order, with the share of the weight at or below, and at or above, each row.

    Attributes
    ----------
    values, up_to, from_there : ndarray of shape (n_rows,)
    """

    values: Array
    up_to: Array
    from_there: Array

    @classmethod
    def of(cls, values: Array, weight: Array | None) -> "Ordered":
        """Sort a column."""
        if weight is None:
            ranks = np.arange(1.0, len(values) + 1)
            return cls(np.sort(values), ranks / len(values), ranks[::-1] / len(values))
        order = np.argsort(values)
        mass = weight[order]
        return cls(values[order], np.cumsum(mass) / mass.sum(), np.cumsum(mass[::-1])[::-1] / mass.sum())

    def quantile_at(self, level: float) -> float:
        """Return the smallest value at or below which so much of the weight lies."""
        return float(self.values[min(int(np.searchsorted(self.up_to, level - 1e-12)), len(self.values) - 1)])

    def past(self, level: float, sign: int) -> float:
        """Return the value next to which, on the side of the sign, a share of the weight lies, and no more."""
        if sign > 0:
            return float(self.values[np.searchsorted(-self.from_there, -level) - 1])
        return float(self.values[np.searchsorted(self.up_to, level, side="right")])

    def widen(self, quantile: float, mean: float, sign: int) -> tuple[QuantileWindow, QuantileWindow | None]:
        """Return the first of the quantiles α/2, α/4, … (or 1-α/2, …) past the mean, and that of the level before."""
        n, level = len(self.values), quantile
        while level * n > 1e-9:
            before, level = level, level / WIDEN
            value = self.past(level, sign)
            if sign * (value - mean) > 0:
                return self._window(level, value, sign), self._window(before, self.past(before, sign), sign)
        end = float(self.values[-1 if sign > 0 else 0])
        return QuantileWindow(end, float(sign > 0), end, end), None

    def _window(self, level: float, value: float, sign: int) -> QuantileWindow:
        return window_at(1 - level if sign > 0 else level, value, len(self.values), self.quantile_at)


def quantile_rank(n: int, level: float) -> int:
    """Return the rank, from 0, of the empirical quantile among n ascending values."""
    return min(max(int(np.ceil(n * level - 1e-9)) - 1, 0), n - 1)
