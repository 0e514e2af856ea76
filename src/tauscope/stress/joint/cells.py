"""Squared residuals of many metrics of the same cells, from sums over the rows of each cell."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEFT = 1e-13
"""Share of a sum of squares that rounding leaves of what its parts cancel to."""


@dataclass(frozen=True)
class CellSums:
    """What squares of G_c - ⟨b, d⟩ sum to, with G of a row's cell c, d its Φ less the target, and any weight v.

    Attributes
    ----------
    weight : ndarray of shape (n_cells,)
        Σ v over the rows of a cell.
    first : ndarray of shape (n_cells, k)
        Σ v d.
    second : ndarray of shape (k, k)
        Σ v d dᵀ over all rows.
    """

    weight: Array
    first: Array
    second: Array

    @classmethod
    def of(cls, cell: NDArray[np.integer], n_cells: int, distance: Array, weight: Array) -> "CellSums":
        """Sum over the rows; those of no cell, -1, have a G of 0.

        Parameters
        ----------
        cell : ndarray of shape (n_rows,)
        n_cells : int
        distance : ndarray of shape (n_rows, k)
        weight : ndarray of shape (n_rows,)
        """
        place = cell.astype(np.intp) + 1
        weighted = distance * weight[:, None]
        totals = np.zeros((n_cells, 1 + distance.shape[1]))
        for j, column in enumerate((weight, *weighted.T)):
            totals[:, j] = np.bincount(place, column, n_cells + 1)[1:]
        return cls(totals[:, 0], totals[:, 1:], weighted.T @ distance)

    def squares(self, values: Array, slopes: Array) -> Array:
        """Return Σ v (G_c - ⟨b, d⟩)² of each metric, 0 where rounding alone is left.

        Parameters
        ----------
        values : ndarray of shape (n_cells, n_metrics)
            G.
        slopes : ndarray of shape (k, n_metrics)
            b.
        """
        own = self.weight @ values**2
        mixed = np.einsum("cm,ck,km->m", values, self.first, slopes, optimize=True)
        found = own - 2 * mixed + np.einsum("km,kl,lm->m", slopes, self.second, slopes, optimize=True)
        return np.where(found > LEFT * own, found, 0.0)

    def products(self, values: Array, slopes: Array) -> Array:
        """Return Σ v (G_c - ⟨b, d⟩) (G'_c - ⟨b', d⟩) of every two metrics, shape (n_metrics, n_metrics)."""
        mixed = values.T @ self.first @ slopes
        return (values * self.weight[:, None]).T @ values - mixed - mixed.T + slopes.T @ self.second @ slopes
