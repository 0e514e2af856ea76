"""Rows by bin: sums over the rows of each bin and cell, and which rows these are.

Where many sums are needed the rows are sorted by their bin once: a sum is then one over runs, half the work of
counting, and the rows of a bin are found without a search.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.integer]

RUN = 8
"""Rows of a bin and cell on average below which cells are counted."""


@dataclass(frozen=True)
class Counts:
    """Rows as they come, each with the group it belongs to.

    Attributes
    ----------
    group : ndarray of shape (n_rows,)
    n_groups : int
    """

    group: Ints
    n_groups: int

    def sum(self, values: Array | None) -> NDArray[np.float64] | NDArray[np.intp]:
        """Return the sum over the rows of each group, shape (n_groups,); their number for None."""
        return np.bincount(self.group, values, self.n_groups)


@dataclass(frozen=True)
class Runs:
    """Rows sorted by group.

    Attributes
    ----------
    length : ndarray of shape (n_groups,)
        Rows of each group; may be 0.
    """

    length: NDArray[np.intp]

    @cached_property
    def _filled(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        filled = np.flatnonzero(self.length)
        return filled, (np.cumsum(self.length) - self.length)[filled]

    def sum(self, values: Array | None) -> NDArray[np.float64] | NDArray[np.intp]:
        """Return the sum over the rows of each group, shape (n_groups,); their number for None."""
        if values is None:
            return self.length
        filled, first = self._filled
        out = np.zeros(len(self.length))
        out[filled] = np.add.reduceat(values, first)
        return out


@dataclass(frozen=True)
class RowsByBin:
    """Rows of a chunk by bin and cell.

    Attributes
    ----------
    order : ndarray of shape (n_rows,) or slice
        The order in which values of the rows are summed.
    bins, cells : Counts or Runs
        Groups are bins, and places `bin * n_cells + cell`.
    """

    order: NDArray[np.intp] | slice
    bins: Counts | Runs
    cells: Counts | Runs


def spread_over(groups: Counts | Runs, of_groups: NDArray[Any]) -> NDArray[Any]:
    """Give each row, in the order of `RowsByBin`, what an array has for its group."""
    if isinstance(groups, Runs):
        return np.repeat(of_groups, groups.length)
    return of_groups[groups.group]


def count_rows(code: Ints, cell: Ints, n_bins: int, n_cells: int) -> RowsByBin:
    """Group rows as they come, from the bin and the cell of each."""
    return RowsByBin(slice(None), Counts(code, n_bins), Counts(code * n_cells + cell, n_bins * n_cells))


def sort_rows(code: Ints, cell: Ints, n_bins: int, n_cells: int) -> RowsByBin:
    """Group at most 65,536 rows by sorting them, parameters as in `count_rows`; 16 bits are sorted digit by digit."""
    code = code.astype(np.uint16, copy=False)
    n_groups = n_bins * n_cells
    # runs of a few rows cost more to add up than to count: then only bins are sorted, and cells are counted
    if n_groups * RUN > len(code):
        order = np.argsort(code, kind="stable")
        bin_and_cell = code[order].astype(np.intp) * n_cells + cell[order]
        return RowsByBin(order, Runs(np.bincount(code, minlength=n_bins)), Counts(bin_and_cell, n_groups))
    bin_and_cell = code * np.uint16(n_cells) + cell.astype(np.uint16)
    in_cells = np.bincount(bin_and_cell, minlength=n_groups)
    in_bins = in_cells.reshape(n_bins, n_cells).sum(1)
    return RowsByBin(np.argsort(bin_and_cell, kind="stable"), Runs(in_bins), Runs(in_cells))
