"""A column of few different values, or of levels, as sums over its rows: exact, with no layout needed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.binned_rows import sums_where
from tauscope.stress.bins.heaviest_rows import HeaviestRows
from tauscope.stress.bins.weight_powers import count_columns, weight_powers
from tauscope.stress.metrics import Quantities

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ValueCounts:
    """Sums over the rows that have each value.

    Attributes
    ----------
    values : ndarray of shape (K,)
        Ascending; codes 0 … K-1 for levels.
    sums : ndarray of shape (K, Q), or (K, 5Q) where rows are weighted
        See `tauscope.stress.bins.weight_powers` for how those of weighted rows lie.
    rest : ndarray of shape (Q,) or (5Q,)
        Over rows without a value.
    heaviest : HeaviestRows or None
        None where rows are not weighted.
    n_heaviest : int
        Rows of each value among `heaviest`.
    """

    values: Array
    sums: Array
    rest: Array
    heaviest: HeaviestRows | None = None
    n_heaviest: int = 0

    @property
    def weighted(self) -> bool:
        """Whether rows are weighted."""
        return self.heaviest is not None

    @property
    def n(self) -> int:
        """Rows that have a value."""
        return int(self.sums[:, 0].sum())

    @property
    def n_missing(self) -> int:
        """Rows without a value."""
        return int(self.rest[0])

    def __add__(self, other: "ValueCounts") -> "ValueCounts":
        """Return the sums over both row sets; values of either are kept."""
        values = np.union1d(self.values, other.values)
        sums = np.zeros((len(values), self.sums.shape[1]))
        for counts in (self, other):
            sums[np.searchsorted(values, counts.values)] += counts.sums
        heaviest = (
            None
            if self.heaviest is None or other.heaviest is None
            else (self.heaviest + other.heaviest).keep_by_value(self.n_heaviest)
        )
        return ValueCounts(values, sums, self.rest + other.rest, heaviest, self.n_heaviest)

    def rename_values(self, values: Array) -> "ValueCounts":
        """Return the same with values renamed; `values` (K,) need not ascend."""
        order = np.argsort(values, kind="stable")
        heaviest = None if self.heaviest is None else self.heaviest.rename_values(self.values, values)
        return ValueCounts(values[order], self.sums[order], self.rest, heaviest, self.n_heaviest)


def empty_counts(n_sums: int, n_heaviest: int) -> ValueCounts:
    """Return the sums over no rows; `n_heaviest` is 0 where rows are not weighted."""
    none, width = np.zeros(0), count_columns(n_sums, n_heaviest > 0)
    return ValueCounts(
        none, np.zeros((0, width)), np.zeros(width), HeaviestRows.of(none, none) if n_heaviest else None, n_heaviest
    )


def count_values(
    values: Array, quantities: Quantities, weight: Array | None = None, n_heaviest: int = 0
) -> ValueCounts:
    """Sum over a chunk of rows.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN where a row has no value.
    quantities : Quantities
        Of the same rows.
    weight : ndarray of shape (n_rows,), optional
        Of the same rows, non-negative.
    n_heaviest : int
        Heaviest rows of each value to keep, where rows are weighted.
    """
    missing = np.isnan(values)
    distinct, code = np.unique(values[~missing], return_inverse=True)
    n, n_cells, n_sums = len(distinct), quantities.n_cells, quantities.n_sums
    all_sums = np.zeros((n, count_columns(n_sums, weight is not None)))
    cells = quantities.cell[~missing].astype(np.int64)
    reals = [g[~missing] for g in quantities.reals(slice(0, len(values)))]
    for block, power in enumerate(weight_powers(None if weight is None else weight[~missing])):
        sums = all_sums[:, block * n_sums : (block + 1) * n_sums]
        sums[:, 0] = np.bincount(code, power, n)
        sums[:, 1 : 1 + n_cells] = np.bincount(code * n_cells + cells, power, n * n_cells).reshape(n, n_cells)
        for j, g in enumerate(reals, 1 + n_cells):
            sums[:, j] = np.bincount(code, g if power is None else power * g, n)
    heaviest = None if weight is None else HeaviestRows.of(values, weight).keep_by_value(n_heaviest)
    return ValueCounts(distinct, all_sums, sums_where(missing, quantities, weight), heaviest, n_heaviest)
