"""A column's histogram before and after a stress."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.weights.arrays import even_edges, least_width

Array = NDArray[np.float64]

FINE = 64
"""Slices of a bar, a power of two, within which rows stand at their mean value."""
N_BARS = 24
NEAR_EDGE = 1e-6
"""Share of a bar's width from an edge within which the edges themselves say on which side a value lies."""
TAIL = 0.005
OPEN_ROOM = 0.25


@dataclass(frozen=True)
class Bars:
    """The rows of a column in the slices of a histogram's bars, from which every tilt of it follows.

    Attributes
    ----------
    edges : ndarray of shape (n_bars + 1,)
        Ascending. Rows outside are counted in the first and the last bar.
    extremes : tuple of float
        Smallest and largest value of the column.
    mass, first : ndarray of shape ((n_bars + 2) · 64,)
        Weight in each slice, and the weighted sum of x less the first edge.
    """

    edges: Array
    extremes: tuple[float, float]
    mass: Array
    first: Array

    @classmethod
    def of(
        cls, values: Array, edges: Array, extremes: tuple[float, float], sample_weight: Array | None = None
    ) -> "Bars":
        """Count rows; parameters as in `stressed_histogram`, `extremes` those of the column."""
        x, v, missing = values, sample_weight, np.isnan(values)
        if missing.any():
            x, v = x[~missing], None if v is None else v[~missing]
        n_slices, offset = (len(edges) + 1) * FINE, x - edges[0]
        code = _slices(x, offset, edges, extremes)
        mass = np.bincount(code, v, n_slices).astype(np.float64)
        first = np.bincount(code, offset if v is None else v * offset, n_slices).astype(np.float64)
        return cls(edges, extremes, mass, first)

    def __add__(self, other: "Bars") -> "Bars":
        """Return the bars of both row sets; edges and extremes are the same."""
        return Bars(self.edges, self.extremes, self.mass + other.mass, self.first + other.first)

    def shares(self, multiplier: Array) -> Array:
        """Return the share of the rows in each bar at each multiplier, shape (T, n_bars)."""
        n_bars = len(self.edges) - 1
        filled = self.mass > 0
        mean = self.first[filled] / self.mass[filled]
        of_bar = np.concatenate([np.repeat(np.arange(n_bars), FINE), np.full(FINE, 0), np.full(FINE, n_bars - 1)])[
            filled
        ]
        shares = np.empty((len(multiplier), n_bars))
        for t, xi in enumerate(multiplier):
            if np.isfinite(xi):
                logs = xi * mean
                weight = self.mass[filled] * np.exp(logs - logs.max())
                shares[t] = np.bincount(of_bar, weight, n_bars)
            else:
                at = _bar(np.array([self.extremes[0] if xi < 0 else self.extremes[1]]), self.edges)
                shares[t] = np.bincount(at, minlength=n_bars)
            shares[t] /= shares[t].sum()
        return shares


def stressed_histogram(values: Array, edges: Array, multiplier: Array, sample_weight: Array | None = None) -> Array:
    """Return the share of the rows in each bar, at each multiplier.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN marks a row without a value; such rows are left out of the shares.
    edges : ndarray of shape (n_bars + 1,)
        Ascending. Rows outside are counted in the first and the last bar.
    multiplier : ndarray of shape (T,)
        ξ per unit of the column; ±inf keeps the rows at the column's extreme alone.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.

    Returns
    -------
    ndarray of shape (T, n_bars)
        Non-negative, each row summing to 1.

    Notes
    -----
    Each bar is cut into 64 slices and the rows of a slice are weighted as at their mean value: a relative error
    of at most (ξ·width)²/8 of a slice, far below a pixel.
    """
    extremes = float(np.nanmin(values)), float(np.nanmax(values))
    return Bars.of(values, edges, extremes, sample_weight).shares(multiplier)


def histogram_edges(values: Array, integer: bool) -> Array:
    """Cut the bulk of a column (its 0.5 % to 99.5 % quantiles) into about 24 bars of one width.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN where missing; at least two different values.
    integer : bool
        As in `bar_edges`.
    """
    observed = values[~np.isnan(values)]
    low, high = (float(q) for q in np.quantile(observed, (TAIL, 1 - TAIL)))
    if low == high:
        low, high = float(observed.min()), float(observed.max())
    return bar_edges(low, high, integer)


def bar_edges(low: float, high: float, integer: bool) -> Array:
    """Cut the range from one value to another into about 24 bars of one width.

    Parameters
    ----------
    low, high : float
        The bulk of a column: its 0.5 % and 99.5 % quantiles, or its extremes where these agree.
    integer : bool
        Put the edges between whole numbers, as many of them to every bar, so that no bar stands out only for
        holding one more.

    Returns
    -------
    ndarray of shape (n_bars + 1,)
        Strictly ascending, at most 25. Rows beyond the ends are counted in the end bars.
    """
    if not integer:
        return even_edges(low, high, N_BARS)
    first, last = np.floor(low), np.ceil(high)
    width = max(1.0, np.ceil((last - first + 1) / N_BARS), least_width(first, last))
    n_bars = int(np.ceil((last - first + 1) / width))
    return first - 0.5 + width * np.arange(n_bars + 1)


class DrawnBars(NamedTuple):
    """Where bars are drawn.

    Attributes
    ----------
    edges : ndarray of shape (n_bars + 1,)
        Ascending; those between bars are the histogram's own.
    open_low, open_high : bool
        Whether the first, or the last bar holds rows beyond the edges: "under 18.5", "76.5 and over".
    """

    edges: Array
    open_low: bool
    open_high: bool


def drawn_bars(edges: Array, extremes: tuple[float, float]) -> DrawnBars:
    """Widen an end bar that holds rows beyond its edge, so that a height of share by width claims no false peak.

    Parameters
    ----------
    edges : ndarray of shape (n_bars + 1,)
        Ascending.
    extremes : tuple of float
        Smallest and largest value of the column.

    Returns
    -------
    DrawnBars
        The ends moved out to the extremes, but by no more than a quarter of the range between them.
    """
    low, high = float(edges[0]), float(edges[-1])
    room = OPEN_ROOM * (high - low)
    ends = max(min(low, extremes[0]), low - room), min(max(high, extremes[1]), high + room)
    return DrawnBars(np.array([ends[0], *edges[1:-1], ends[1]]), ends[0] < low, ends[1] > high)


def _bar(x: Array, edges: Array) -> NDArray[np.intp]:
    return np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2)


def _slices(x: Array, offset: Array, edges: Array, extremes: tuple[float, float]) -> NDArray[np.intp]:
    """Return the slice of each value; `offset` is how far it lies above the first edge."""
    n_bars, widths = len(edges) - 1, np.diff(edges)
    if np.ptp(widths) > NEAR_EDGE / 1000 * widths[0]:
        bar = _bar(x, edges)
        code = bar * FINE + _within((x - edges[bar]) / widths[bar])
        at_ends = np.arange(len(x))
    else:
        place = offset * (FINE * (n_bars / (edges[-1] - edges[0])))
        code = np.clip(place, 0, n_bars * FINE - 1).astype(np.intp)
        # next to an edge of a bar, rounding would decide
        at_ends = np.flatnonzero(((code + 1) & (FINE - 1)) <= 1)
        of_bar = place[at_ends] / FINE
        near = np.flatnonzero(np.abs(of_bar - np.rint(of_bar)) < NEAR_EDGE)
        bar = _bar(x[at_ends[near]], edges)
        code[at_ends[near]] = bar * FINE + _within(of_bar[near] - bar)
    outside = at_ends[(x[at_ends] < edges[0]) | (x[at_ends] > edges[-1])]
    code[outside] = n_bars * FINE + _outer_slices(x[outside], edges, extremes)
    return code


def _within(place: Array) -> NDArray[np.intp]:
    """Return the slice within a bar of values so far in it, from 0 to 1."""
    return np.clip(place * FINE, 0, FINE - 1).astype(np.intp)


def _outer_slices(x: Array, edges: Array, extremes: tuple[float, float]) -> NDArray[np.intp]:
    """Return the slices of the rows below the first edge (0 … FINE-1) and above the last (FINE … 2·FINE-1)."""
    span_below, span_above = float(edges[0] - extremes[0]), float(extremes[1] - edges[-1])
    below = (edges[0] - x) / (span_below if span_below > 0 else 1.0)
    above = (x - edges[-1]) / (span_above if span_above > 0 else 1.0)
    lower: Array = np.clip(below * FINE, 0, FINE - 1)
    upper: Array = FINE + np.clip(above * FINE, 0, FINE - 1)
    return np.where(x < edges[0], lower, upper).astype(np.intp)
