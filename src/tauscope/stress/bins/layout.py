"""How the sums over a column of many different values are laid out, before the last pass over its rows.

Bins are those that the rows in memory would get, so that both give the same intervals. Where a tilt would be too
steep for them, and in memory the rows themselves would be summed, the bins are split into sub-bins until sums of the
weights up to their fourth power are exact to rounding. Slices of sub-bins show on which side of a threshold rows lie.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import lgamma
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.column.sketch import Bins, Scale, zoned_bins
from tauscope.stress.column.solve_mean import solve_mean
from tauscope.stress.column.target import TauRange
from tauscope.stress.curves import ACCURACY
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

ORDERS = (6, 7, 8, 10)
"""Powers kept where bins are split: the fewest that take hardly more sub-bins than the most do."""
MORE = 1.25
"""Times as many sub-bins that fewer powers may take."""
EXACT = 1e-13
"""Relative error of the sums in split bins."""
SLICES = 1 << 16
PROBES = np.array([-1.0, -0.75, -0.5, -0.25, -0.1, 0.1, 0.25, 0.5, 0.75, 1.0])
"""τ whose tilts decide how narrow bins must be."""
STRETCH, STRETCHED = 0.5, 1.35
"""Least length of a stretch of multipliers, and how much farther than the last one it goes at least."""
PER_ZONE = 8
"""Bins of a zone about a centre, each zone twice as long as the one before it."""
MARGIN, FAR = 1.25, 64.0
"""How far beyond the multipliers of τ = ±1 stretches go; where these are infinite, beyond that of τ = ±0.75."""
GROWTH = 4
"""Times as many rows as laid out for whose largest weights are kept."""


@dataclass(frozen=True)
class Layout:
    """Bins, their sub-bins, slices of these, and what else of a column is kept value by value.

    Attributes
    ----------
    around : TauRange
        Of the rows it was laid out for.
    scale : Scale
    n_rows : int
        Rows with a value that it was laid out for.
    order : int
        Powers of the distance from a sub-bin's centre that are summed beyond the counts.
    n_sub_bins : ndarray of shape (n_bins,)
        Equal parts that each bin is split into.
    n_slices : ndarray of shape (total of n_sub_bins,)
        Equal parts that each sub-bin is split into, for counts alone.
    windows : ndarray of shape (n_windows, 2)
        Intervals in which every value is kept.
    edges : ndarray of shape (n_bars + 1,)
        Of the histogram that is drawn.
    tilts : tuple of float
        Ascending multipliers, per standard deviation, between whose ends the heaviest rows are kept where rows are
        weighted; empty where they are not.
    n_heaviest : int
        How many of these for each multiplier, 0 where rows are not weighted.
    """

    around: TauRange
    scale: Scale
    n_rows: int
    order: int
    n_sub_bins: Ints
    n_slices: Ints
    windows: Array
    edges: Array
    tilts: tuple[float, ...] = ()
    n_heaviest: int = 0

    @cached_property
    def bins(self) -> Bins:
        """The bins that the rows in memory would get, but where these would be summed row by row."""
        return _bins(self.n_rows, self.scale, self.around)

    @cached_property
    def first_sub_bin(self) -> Ints:
        """First sub-bin of each bin, and the number of sub-bins last."""
        return np.append(0, np.cumsum(self.n_sub_bins))

    @cached_property
    def half_widths(self) -> Array:
        """Half widths of the sub-bins, standard deviations."""
        return np.repeat(self.bins.half_widths / self.n_sub_bins, self.n_sub_bins)

    @cached_property
    def centres(self) -> Array:
        """Centres of the sub-bins, standard deviations from the mean."""
        within = np.arange(len(self.half_widths)) - np.repeat(self.first_sub_bin[:-1], self.n_sub_bins)
        left = np.repeat(self.bins.centres - self.bins.half_widths, self.n_sub_bins)
        return left + (2 * within + 1) * self.half_widths

    @cached_property
    def first_slice(self) -> Ints:
        """First slice of each sub-bin, and the number of slices last."""
        return np.append(0, np.cumsum(self.n_slices))

    @property
    def weighted(self) -> bool:
        """Whether rows are weighted."""
        return self.n_heaviest > 0

    @property
    def n_extreme(self) -> int:
        """Values kept at either end, beyond the one next to them."""
        return tail_size(GROWTH * self.n_rows)

    def find_sub_bins(self, z: Array) -> NDArray[np.integer]:
        """Return the sub-bin of each standardised value."""
        code = self.bins.codes(z)
        if len(self.centres) == len(self.n_sub_bins):
            return code
        sub_bin = self.first_sub_bin[code]
        rows = np.flatnonzero((self.n_sub_bins > 1)[code])
        code, z = code[rows], z[rows]
        n = self.n_sub_bins[code]
        position = (z - self.bins.centres[code]) / self.bins.half_widths[code]
        sub_bin[rows] += np.clip(((position + 1) * (n / 2)).astype(np.int64), 0, n - 1)
        return sub_bin

    def find_slices(self, offset: Array, spread: Callable[[NDArray[Any]], NDArray[Any]]) -> NDArray[np.intp]:
        """Return the slice of each value.

        Parameters
        ----------
        offset : ndarray of shape (n_rows,)
            Distance of each value from the centre of its sub-bin.
        spread : callable
            Gives each row what an array has for its sub-bin.
        """
        within = offset * spread(self.n_slices / (2 * self.half_widths))
        within += spread(self.n_slices / 2)
        np.clip(within, 0, spread(self.n_slices - 0.5), out=within)
        return spread(self.first_slice[:-1]) + within.astype(np.intp)


def lay_out(
    ranks: QuantileSketch,
    around: TauRange,
    scale: Scale,
    windows: Sequence[tuple[float, float]],
    edges: Array,
    *,
    n_rows: int | None = None,
    n_heaviest: int = 0,
) -> Layout:
    """Lay out a column from the summaries of the first passes.

    Parameters
    ----------
    ranks : QuantileSketch
        By weight where rows are weighted.
    around : TauRange
        Exact, as of all rows.
    scale : Scale
        As the rows in memory would get.
    windows : sequence of (low, high)
        Where quantiles lie.
    edges : ndarray of shape (n_bars + 1,)
    n_rows : int, optional
        Rows with a value, where these are weighted.
    n_heaviest : int
        Rows to keep for each tilt, where they are weighted.
    """
    n = ranks.n if n_rows is None else n_rows
    bins = _bins(n, scale, around)
    n_bins = len(bins.centres)
    ones = np.ones(n_bins, np.int64)
    unsplit = Layout(around, scale, n, bins.n_moments, ones, ones, np.array(windows).reshape(-1, 2), edges)
    split = _split_bins(ranks, around, unsplit)
    layout = unsplit
    if split is not None:
        order, n_sub_bins = split
        layout = replace(unsplit, order=order, n_sub_bins=n_sub_bins, n_slices=np.ones(int(n_sub_bins.sum()), np.int64))
    return replace(
        layout,
        n_slices=_count_slices(ranks, layout),
        tilts=_cut_multipliers(ranks, around, unsplit) if n_heaviest else (),
        n_heaviest=n_heaviest,
    )


def _bins(n_rows: int, scale: Scale, around: TauRange) -> Bins:
    return zoned_bins(n_rows, scale, around) if scale.near == 1 else _doubling_bins(scale, around)


def _cut_multipliers(ranks: QuantileSketch, around: TauRange, unsplit: Layout) -> tuple[float, ...]:
    """Cut the multipliers that τ in [-1, 1] ask for into stretches; towards an extreme, which takes any, far ones."""
    stretch = STRETCH / unsplit.scale.near
    breakpoints = [0.0]
    for sign in (-1, 1):
        tilts = [_tilt(ranks, unsplit.scale, around, sign * tau) for tau in (0.75, 1.0)]
        inner, outer = (None if xi is None else abs(xi) for xi in tilts)
        end = MARGIN * outer if outer is not None else FAR * (inner or 1.0)
        xi = 0.0
        while xi < end:
            xi = min(max(xi + stretch, STRETCHED * xi), end)
            breakpoints.append(sign * xi)
    return tuple(sorted(breakpoints))


def _split_bins(ranks: QuantileSketch, around: TauRange, unsplit: Layout) -> tuple[int, Ints] | None:
    """Return how many powers to keep, and how many sub-bins each bin then needs.

    None where no tilt is too steep for the bins.
    """
    bins = unsplit.bins
    rows = _rows_between(ranks, unsplit.scale, np.append(bins.centres - bins.half_widths, np.inf))
    ends = np.stack([bins.centres - bins.half_widths, bins.centres + bins.half_widths])
    tilts = [_tilt(ranks, unsplit.scale, around, float(tau)) for tau in PROBES]
    xi = np.array([xi for xi in tilts if xi is not None])
    with np.errstate(divide="ignore"):
        log_rows = np.log(rows)
    worst, widest = 0.0, np.zeros((len(ORDERS), len(rows)))
    for power in (1, 2, 3, 4) if len(xi) else ():
        steep = power * xi[:, None]
        logs = log_rows + np.maximum(steep * ends[0], steep * ends[1])
        weight = np.exp(logs - logs.max(1, keepdims=True))
        share = weight / weight.sum(1, keepdims=True)
        exponent = np.abs(steep) * bins.half_widths
        if power == 1:
            left = _remainder(np.minimum(exponent, 50.0), unsplit.order + 1)
            worst = float((share * left).sum(1).max())
        # a bin may be off by more where it holds less of the weight; 4096 is more than there are bins
        allowed = np.log(EXACT) + np.maximum(0.0, -np.log(4096 * np.maximum(share, 1e-300)))
        exponent[share == 0] = 0.0
        for parts, order in zip(widest, ORDERS, strict=True):
            np.maximum(parts, (exponent / _width(allowed, order)).max(0), out=parts)
    if worst <= ACCURACY / 1000:
        return None
    n_sub_bins = np.maximum(np.ceil(widest), 1).astype(np.int64)
    most = MORE * n_sub_bins[-1].sum()
    return next((order, n_parts) for order, n_parts in zip(ORDERS, n_sub_bins, strict=True) if n_parts.sum() <= most)


def _width(log_allowed: Array, order: int) -> Array:
    """Return the w at which the remainder w^(M+1) / (M+1)! · e^w is what is allowed, for M powers, at most 2.

    One step of fixed-point iteration for e^w, from below.
    """
    width = (log_allowed + lgamma(order + 2)) / (order + 1)
    np.minimum(width, 1.0, out=width)
    np.minimum(np.exp(width, out=width), 2.0, out=width)
    return width / np.exp(width / (order + 1))


def _remainder(exponent: Array, order: int) -> Array:
    """Bound what the series of e^x leaves after `order` terms, for |x| ≤ exponent."""
    return np.exp(order * np.log(np.maximum(exponent, 1e-300)) + exponent - lgamma(order + 1))


def _tilt(ranks: QuantileSketch, scale: Scale, around: TauRange, tau: float) -> float | None:
    """Return the multiplier that gives cells the mean of τ; None where the target is an extreme."""
    z, count = scale(ranks.means), ranks.count.astype(np.float64)
    target = float(scale(around.target(np.array([tau])))[0])
    if not z[0] < target < z[-1]:
        return None

    def moments(xi: float) -> tuple[float, float]:
        logs = xi * z
        weight = count * np.exp(logs - logs.max())
        norm = float(weight.sum())  # sums, not products of vectors: BLAS would wake other cores for these
        mean = float((weight * z).sum()) / norm
        return mean, float((weight * (z - mean) ** 2).sum()) / norm

    return solve_mean(moments, target, target, 1e-9, scale.near)


def _count_slices(ranks: QuantileSketch, layout: Layout) -> Ints:
    """Cut sub-bins between q(α) and q(1-α), where weights cross 1, in proportion to their rows."""
    lower, upper = layout.centres - layout.half_widths, layout.centres + layout.half_widths
    rows = _rows_between(ranks, layout.scale, np.append(lower, np.inf))
    low, high = layout.scale(np.array([layout.around.low, layout.around.high]))
    inside = (upper >= low) & (lower <= high)
    n_slices = np.ceil(SLICES * rows / max(float(rows[inside].sum()), 1.0))
    return np.where(inside, np.maximum(n_slices, 1), 1).astype(np.int64)


def _rows_between(ranks: QuantileSketch, scale: Scale, edges: Array) -> Array:
    """Return about how many rows lie between edges, those of a cell spread evenly over it."""
    ends = np.cumsum(ranks.count)
    place = np.stack([scale(ranks.low), scale(ranks.high)], 1).ravel()
    below = np.stack([np.append(0, ends[:-1]), ends], 1).ravel().astype(np.float64)
    return np.diff(np.interp(edges, place, below))


def _doubling_bins(scale: Scale, around: TauRange) -> Bins:
    """Choose bins about the centre of a scale, so that those rows and the ones far off are told apart alike.

    In memory the rows of such a column are summed themselves; bins of one width would hold most of them in one.

    Parameters
    ----------
    scale : Scale
    around : TauRange
        Its extremes end the bins.
    """
    lowest, highest = scale(np.array([around.minimum, around.maximum])).tolist()
    below, above = _lengths(-lowest, scale.near), _lengths(highest, scale.near)
    starts = [-stop for _, stop in reversed(below)] + [start for start, _ in above]
    stops = [-start for start, _ in reversed(below)] + [stop for _, stop in above]
    zones = tuple((start, PER_ZONE / (stop - start), PER_ZONE) for start, stop in zip(starts, stops, strict=True))
    middles = np.arange(PER_ZONE) + 0.5
    half = np.repeat([0.5 / per_unit for _, per_unit, _ in zones], PER_ZONE)
    centres = np.concatenate([start + middles / per_unit for start, per_unit, _ in zones])
    return Bins(centres.astype(np.float64, copy=False), half, zones)


def _lengths(reach: float, near: float) -> list[tuple[float, float]]:
    """Cut the way from 0 to where values end into a first zone and others twice as long each."""
    zones: list[tuple[float, float]] = []
    start, stop = 0.0, near
    while start < reach:
        zones.append((start, min(stop, reach)))
        start, stop = stop, 2 * stop
    return zones
