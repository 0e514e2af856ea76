"""The grid on which a rule's sides lie: on each axis the cells between a forest's thresholds, and one for missing."""

# Decided in docs/decisions/0031-sides-of-a-rule-are-moved-in-to-short-numbers.md.

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tauscope.rules.growth import GridBox
from tauscope.trees.ensemble import Ensemble
from tauscope.weights.arrays import Bools, Floats, Ints

BEYOND_FLOAT32 = 2.0**128
"""Where the next float32 would be after the largest."""


@dataclass(frozen=True, eq=False)
class SideBox:
    """A box on a grid as ends of its columns.

    Attributes
    ----------
    lower, upper : ndarray of shape (k,)
        Values above the one, and up to the other; ±∞ where a side is open. lower > upper where no value is inside.
    missing : ndarray of bool, shape (k,)
        Whether a missing value is inside.
    """

    lower: Floats
    upper: Floats
    missing: Bools

    def inside(self, values: Floats) -> Bools:
        """Tell which rows (n, k) lie in it."""
        gap = np.isnan(values)
        within: Bools = np.where(gap, self.missing, (values > self.lower) & (values <= self.upper))
        return np.logical_and.reduce(within, axis=1)


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells on the axes of some columns.

    Attributes
    ----------
    thresholds : tuple of ndarray
        Of each axis, ascending and distinct.
    single_precision : bool
        Whether values are rounded to float32 before they are compared.
    """

    thresholds: tuple[Floats, ...]
    single_precision: bool = False

    @classmethod
    def of_trees(cls, trees: Ensemble, columns: Ints) -> "Grid":
        """Take the thresholds of an ensemble's splits on some columns: in one cell all rows go the same ways."""
        return cls(
            tuple(np.unique(trees.threshold[trees.feature == column]) for column in columns.tolist()),
            trees.single_precision,
        )

    @cached_property
    def n_cells(self) -> Ints:
        """Cells of each axis, with the last one of missing values."""
        return np.array([len(cuts) + 2 for cuts in self.thresholds])

    def cells(self, values: Floats) -> Ints:
        """Find the cell of each value, shape (n, k); the last one of its axis where it is missing."""
        values = values.astype(np.float32).astype(np.float64) if self.single_precision else values
        cells = [np.searchsorted(cuts, values[:, axis], side="left") for axis, cuts in enumerate(self.thresholds)]
        return np.where(np.isnan(values), self.n_cells - 1, np.column_stack(cells))

    def sides(self, box: GridBox, values: Floats, cells: Ints) -> SideBox:
        """Return the ends of a box of cells, moved in to short numbers that tell the same rows apart.

        Parameters
        ----------
        box : GridBox
        values : ndarray of shape (n, k)
            Rows.
        cells : ndarray of int, shape (n, k)
            Their cells.
        """
        lower, upper = np.empty(len(self.thresholds)), np.empty(len(self.thresholds))
        for axis, cuts in enumerate(self.thresholds):
            ends = np.concatenate([[-np.inf], unrounded(cuts) if self.single_precision else cuts, [np.inf]])
            first, last = int(box.first[axis]), min(int(box.last[axis]), len(cuts))
            lower[axis], upper[axis] = np.inf, -np.inf
            if first <= last:
                inside = values[(cells[:, axis] >= first) & (cells[:, axis] <= last), axis]
                lower[axis] = _short_lower(ends[first], inside)
                upper[axis] = _short_upper(ends[last + 1], inside)
        return SideBox(lower, upper, box.last == self.n_cells - 1)


def unrounded(thresholds: Floats) -> Floats:
    """Return the largest number that is at most each threshold once it is rounded to float32.

    Parameters
    ----------
    thresholds : ndarray of shape (m,)

    Returns
    -------
    ndarray of shape (m,)
        Half way from the float32 at or below a threshold to the next, or just below that where half way is rounded up.
    """
    with np.errstate(over="ignore"):
        below = thresholds.astype(np.float32)
        below = np.where(below > thresholds, np.nextafter(below, np.float32(-np.inf)), below)
        following = np.nextafter(below, np.float32(np.inf)).astype(np.float64)
        following = np.where(np.isinf(following) & np.isfinite(below), BEYOND_FLOAT32, following)
        middle = below.astype(np.float64) / 2 + following / 2
        return np.where(middle.astype(np.float32) <= below, middle, np.nextafter(middle, -np.inf))


def simplest_between(low: float, high: float) -> float:
    """Return the number v, low ≤ v < high, that takes fewest digits; of several the least."""
    if low <= 0 < high:
        return 0.0
    exponent = math.floor(math.log10(max(abs(low), abs(high)))) + 1
    for digits in range(-exponent, min(-exponent + 18, 308)):
        scale = 10.0**digits
        value = round(math.ceil(low * scale) / scale, max(digits, 0))
        if low <= value < high:
            return value
    return low


def _short_lower(end: float, inside: Floats) -> float:
    """Return the shortest number from a lower end up to below the least value inside."""
    return simplest_between(end, float(inside.min())) if len(inside) and np.isfinite(end) else end


def _short_upper(end: float, inside: Floats) -> float:
    """Return the shortest number from the largest value inside up to an upper end."""
    if not len(inside) or not np.isfinite(end):
        return end
    return simplest_between(float(inside.max()), float(np.nextafter(end, np.inf)))
