"""Means of the same rows' values when a share of their mass moves: one sort, then any share."""

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Floats


class SortedMeans:
    """Values sorted once, with the mass and the sum below each.

    Parameters
    ----------
    values : ndarray of shape (n, m)
        m quantities of the same rows.
    base : ndarray of shape (n,)
        Non-negative weights the moves start from.

    Attributes
    ----------
    mass : ndarray of shape (m, n + 1)
        Mass of the rows up to each, in ascending order of value: 0 … 1.
    lowest, highest : ndarray of shape (m,)
        Extremes of the values.
    """

    def __init__(self, values: Floats, base: Floats) -> None:
        total = float(base.sum())
        if total <= 0:
            raise InputError("bounds need rows with weight, got none")
        mass = base / total
        rows = np.ascontiguousarray(values.T)
        order = np.argsort(rows, axis=1, kind="stable")
        ascending = np.take_along_axis(rows, order, axis=1)
        self.lowest, self.highest = ascending[:, 0].copy(), ascending[:, -1].copy()
        # sums about the lowest value, so that a large offset costs no digits
        self._offset = self.lowest
        ascending -= self._offset[:, None]
        self.mass = np.zeros((rows.shape[0], rows.shape[1] + 1))
        self._sum = np.zeros_like(self.mass)
        np.cumsum(mass[order], axis=1, out=self.mass[:, 1:])
        np.cumsum(mass[order] * ascending, axis=1, out=self._sum[:, 1:])
        self.mass[:, -1] = 1.0

    def sum_below(self, share: Floats) -> Floats:
        """Sum over the lowest `share` of the mass, per unit of all: shape (len(share), m)."""
        columns = [np.interp(share, *pair) for pair in zip(self.mass, self._sum, strict=True)]
        return np.stack(columns, axis=1) + share[:, None] * self._offset

    def mean(self) -> Floats:
        """Means before any move: shape (m,)."""
        return self._sum[:, -1] + self._offset

    def tv_range(self, epsilon: Floats, extremes: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
        """Lowest and highest means once a mass of at most `epsilon` moves: each (len(epsilon), m).

        It moves to the rows' own extremes, or to `extremes` where these lie beyond them.
        """
        lowest, highest = self.lowest, self.highest
        if extremes is not None:
            lowest, highest = np.minimum(lowest, extremes[0]), np.maximum(highest, extremes[1])
        lower = self.sum_below(1 - epsilon) + epsilon[:, None] * lowest
        upper = self.mean() - self.sum_below(epsilon) + epsilon[:, None] * highest
        return lower, upper

    def ratio_range(self, cap: Floats) -> tuple[Floats, Floats]:
        """Lowest and highest means when no row's mass grows more than `cap` times: each (len(cap), m)."""
        lower = cap[:, None] * self.sum_below(1 / cap)
        upper = cap[:, None] * (self.mean() - self.sum_below(1 - 1 / cap))
        return lower, upper
