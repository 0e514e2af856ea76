"""How far apart groups of rows are in a metric, with the interval of the difference itself.

The interval of a difference recovers what it needs from the intervals of the two groups and the correlation of their
estimates (Zou and Donner), so that rates near 0 or 1 keep their lopsided ends: with d the distance of an end from its
value,

    a - b  from  a - b - √(d_low(a)² + d_up(b)² - 2ρ d_low(a) d_up(b))   to   a - b + √(d_up(a)² + d_low(b)² - 2ρ …),

and that of a ratio holds every R for which the interval of a - R b holds 0. Of more than two groups the largest and the
smallest are not known: each pair of groups that could be the two counts, at a level at which all these pairs hold
together (Šidák), and the gap is the largest difference among them. A group could be the largest where its difference
from the one that looks so has an interval, at the level `CONTENDING`, that holds 0: the others are out of the question,
so that two groups far from the rest have the interval of their own difference.

References
----------
Zou, Donner, "Construction of confidence limits about effect measures: a general approach", Statistics in Medicine 27,
2008.
Šidák, "Rectangular confidence regions for the means of multivariate normal distributions", JASA 62, 1967.
Romano, Shaikh, Wolf, "A practical two-step method for testing moment inequalities", Econometrica 82, 2014.
"""

# Decided in docs/decisions/0033-a-gap-has-the-interval-of-the-difference-itself.md.

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ends = Callable[[float], tuple[Array, Array]]
"""A level in (0, 1) to the lower and upper ends of every group, each of shape (n_groups, ...)."""

CONTENDING = 0.995
"""Level of the differences by which a group is told from the largest, or the smallest."""


class Gaps(NamedTuple):
    """The distance between the largest and the smallest of several values, each of shape (...).

    Attributes
    ----------
    largest, smallest : ndarray of int
        Places of the two; -1 where fewer than two groups have a value.
    gap, gap_lower, gap_upper : ndarray
        Largest minus smallest, at least 0, and its interval; NaN where fewer than two groups have a value.
    ratio, ratio_lower, ratio_upper : ndarray
        Smallest over largest, in [0, 1], and its interval; NaN where a value is negative or none is above 0.
    """

    largest: NDArray[np.intp]
    smallest: NDArray[np.intp]
    gap: Array
    gap_lower: Array
    gap_upper: Array
    ratio: Array
    ratio_lower: Array
    ratio_upper: Array


def measure_gaps(values: Array, ends: Ends, correlation: Array, confidence: float) -> Gaps:
    """Measure the gap of the groups' values, with its interval.

    Parameters
    ----------
    values : ndarray of shape (n_groups, ...)
        NaN where a group has none: it is left out. Where the others' ends are NaN, so are the gap's.
    ends : callable
        The groups' own intervals at any level.
    correlation : ndarray of shape (n_groups, n_groups, ...)
        Of the groups' estimates.
    confidence : float
        Nominal coverage of the gap's interval, in (0, 1).
    """
    there = np.isfinite(values)
    enough = there.sum(0) > 1
    top = np.argmax(np.where(there, values, -np.inf), axis=0)
    bottom = np.argmin(np.where(there, values, np.inf), axis=0)
    high, low = (np.take_along_axis(values, place[None], 0)[0] for place in (top, bottom))
    tops, bottoms = _contenders(values, ends(CONTENDING), correlation, top, bottom)
    out = {name: np.full(high.shape, np.nan) for name in ("gap_lower", "gap_upper", "ratio_lower", "ratio_upper")}
    n_pairs = np.where(enough, _count_pairs(tops, bottoms), 0)
    for n in np.unique(n_pairs[n_pairs > 0]).tolist():
        each = _extreme_pairs(values, ends(confidence ** (1 / n)), correlation, tops, bottoms)
        for name, found in zip(out, each, strict=True):
            np.copyto(out[name], found, where=n_pairs == n)
    without_ends = there & ~np.isfinite(np.stack(ends(confidence))).all(0)
    certain = enough & ~without_ends.any(0)
    comparable = enough & (low >= 0) & (high > 0)
    return Gaps(
        largest=np.where(enough, top, -1),
        smallest=np.where(enough, bottom, -1),
        gap=np.where(enough, high - low, np.nan),
        gap_lower=np.where(certain, out["gap_lower"], np.nan),
        gap_upper=np.where(certain, out["gap_upper"], np.nan),
        ratio=np.where(comparable, low / np.where(comparable, high, 1.0), np.nan),
        ratio_lower=np.where(certain & comparable, out["ratio_lower"], np.nan),
        ratio_upper=np.where(certain & comparable, out["ratio_upper"], np.nan),
    )


def difference_ends(a: tuple[Array, Array, Array], b: tuple[Array, Array, Array], rho: Array) -> tuple[Array, Array]:
    """Return the ends of a - b.

    Parameters
    ----------
    a, b : tuple of ndarray of shape (...)
        Value, lower and upper end of each.
    rho : ndarray of shape (...)
        Correlation of their estimates, in [-1, 1].
    """
    difference = a[0] - b[0]
    lower = difference - _combine(a[0] - a[1], b[2] - b[0], rho)
    return lower, difference + _combine(a[2] - a[0], b[0] - b[1], rho)


def ratio_ends(a: tuple[Array, Array, Array], b: tuple[Array, Array, Array], rho: Array) -> tuple[Array, Array]:
    """Return the ends of a / b, of values and ends that are not negative: 0 to ∞ where nothing is known.

    They are the least R at which the interval of a - R b reaches down to 0, and the largest at which it reaches up.
    """
    lower = _root(a[0], np.minimum(a[0] - a[1], a[0]), b[0], b[2] - b[0], rho, -1.0)
    return lower, _root(a[0], a[2] - a[0], b[0], np.minimum(b[0] - b[1], b[0]), rho, 1.0)


def _combine(x: Array, y: Array, rho: Array) -> Array:
    return np.sqrt(np.maximum(x * x + y * y - 2 * rho * x * y, 0.0))


def _root(a: Array, from_a: Array, b: Array, from_b: Array, rho: Array, side: float) -> Array:
    """Solve (a - R b)² = from_a² + R² from_b² - 2ρ R from_a from_b for R ≥ 0, on one side of a / b."""
    square, half, rest = b * b - from_b**2, a * b - rho * from_a * from_b, a * a - from_a**2
    root = np.sqrt(np.maximum(half * half - square * rest, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        if side < 0:  # the smaller root, as it does not cancel
            return np.where(half + root > 0, np.maximum(rest, 0.0) / (half + root), 0.0)
        return np.where(square > 0, np.maximum(half + root, 0.0) / square, np.inf)


def _contenders(
    values: Array, ends: tuple[Array, Array], correlation: Array, top: NDArray[np.intp], bottom: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which groups could be the largest, and which the smallest, each of shape (n_groups, ...)."""

    def taken(array: Array, place: NDArray[np.intp]) -> Array:
        return np.take_along_axis(array, place[None], 0)

    every = (values, *ends)
    leads = [tuple(taken(each, place) for each in every) for place in (top, bottom)]
    rhos = [np.take_along_axis(correlation, place[None, None], 0)[0] for place in (top, bottom)]
    lower = difference_ends((leads[0][0], leads[0][1], leads[0][2]), (values, *ends), rhos[0])[0]
    upper = difference_ends((leads[1][0], leads[1][1], leads[1][2]), (values, *ends), rhos[1])[1]
    groups = np.arange(len(values)).reshape(-1, *([1] * top.ndim))
    return (lower <= 0) | (groups == top), (upper >= 0) | (groups == bottom)


def _count_pairs(tops: NDArray[np.bool_], bottoms: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Count the pairs of two groups of which one could be the largest and the other the smallest."""
    both = (tops & bottoms).sum(0)
    return tops.sum(0) * bottoms.sum(0) - both - both * (both - 1) // 2


def _extreme_pairs(
    values: Array, ends: tuple[Array, Array], correlation: Array, tops: NDArray[np.bool_], bottoms: NDArray[np.bool_]
) -> tuple[Array, Array, Array, Array]:
    """Return the ends of the gap and of the ratio over all pairs that could be the largest and the smallest."""
    shape = values.shape[1:]
    gap_lower, gap_upper = np.zeros(shape), np.zeros(shape)
    ratio_lower, ratio_upper = np.ones(shape), np.ones(shape)
    groups = np.arange(len(values)).reshape(-1, *([1] * len(shape)))
    for i in range(len(values)):
        pairs = tops[i] & bottoms & (groups != i)
        if not pairs.any():
            continue
        one, others = (values[i], ends[0][i], ends[1][i]), (values, *ends)
        with np.errstate(invalid="ignore"):
            lower, upper = difference_ends(one, others, correlation[i])
            gap_lower = np.maximum(gap_lower, np.where(pairs, lower, 0.0).max(0))
            gap_upper = np.maximum(gap_upper, np.where(pairs, upper, 0.0).max(0))
            lower, upper = ratio_ends(others, one, correlation[i])
            ratio_lower = np.minimum(ratio_lower, np.where(pairs, lower, 1.0).min(0))
            ratio_upper = np.minimum(ratio_upper, np.where(pairs, upper, 1.0).min(0))
    return gap_lower, gap_upper, ratio_lower, ratio_upper
