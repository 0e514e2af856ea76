"""A column of few different values, or of levels, as sums over its rows: exact, with no layout needed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.chunks.binned import sums_where
from tauscope.stress.indices import Quantities

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Tallied:
    """Sums over the rows that have each value.

    Attributes
    ----------
    values : ndarray of shape (K,)
        Ascending; codes 0 … K-1 for levels.
    sums : ndarray of shape (K, Q)
    rest : ndarray of shape (Q,)
        Over rows without a value.
    """

    values: Array
    sums: Array
    rest: Array

    @property
    def n(self) -> int:
        """Rows that have a value."""
        return int(self.sums[:, 0].sum())

    @property
    def n_missing(self) -> int:
        """Rows without a value."""
        return int(self.rest[0])

    def __add__(self, other: "Tallied") -> "Tallied":
        """Return the sums over both row sets; values of either are kept."""
        values = np.union1d(self.values, other.values)
        sums = np.zeros((len(values), self.sums.shape[1]))
        for part in (self, other):
            sums[np.searchsorted(values, part.values)] += part.sums
        return Tallied(values, sums, self.rest + other.rest)

    def moved(self, values: Array) -> "Tallied":
        """Return the same with values renamed; `values` (K,) need not ascend."""
        order = np.argsort(values, kind="stable")
        return Tallied(values[order], self.sums[order], self.rest)


def tally(values: Array, quantities: Quantities) -> Tallied:
    """Sum over a chunk of rows.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN where a row has no value.
    quantities : Quantities
        Of the same rows.
    """
    missing = np.isnan(values)
    distinct, code = np.unique(values[~missing], return_inverse=True)
    n, n_cells = len(distinct), quantities.n_cells
    sums = np.zeros((n, quantities.n_sums))
    sums[:, 0] = np.bincount(code, minlength=n)
    cells = quantities.cell[~missing].astype(np.int64)
    sums[:, 1 : 1 + n_cells] = np.bincount(code * n_cells + cells, minlength=n * n_cells).reshape(n, n_cells)
    for j, g in enumerate(quantities.reals(slice(0, len(values))), 1 + n_cells):
        sums[:, j] = np.bincount(code, g[~missing], n)
    return Tallied(distinct, sums, sums_where(missing, quantities))
