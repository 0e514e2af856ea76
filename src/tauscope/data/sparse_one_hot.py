"""Groups of one-hot columns of a sparse matrix, read from what is stored."""

import numpy as np

from tauscope.data.one_hot import OneHotGroup, groups_by_name
from tauscope.data.sparse import SparseColumns, SparseTable
from tauscope.weights.arrays import Bools, Ints


def find_sparse_groups(columns: SparseColumns) -> tuple[OneHotGroup, ...]:
    """Find groups of columns of 0 and 1 of which each row has at most one at 1, as `find_groups` does."""
    table = columns.table
    binary = binary_columns(table)
    if not binary.any():
        return ()
    by_name = groups_by_name(
        {j: str(columns.names[j]) for j in np.flatnonzero(binary).tolist()},
        lambda group: most_in_a_row(table, group) == 1,
    )
    binary[[j for group in by_name for j in group]] = False
    groups = sorted([*by_name, *_adjacent_groups(table, binary)])
    n_ones = np.bincount(table.csr.indices[table.csr.data != 0], minlength=len(columns))
    return tuple(OneHotGroup.counted(group, n_ones[list(group)].tolist(), table.n_rows) for group in groups)


def binary_columns(table: SparseTable) -> Bools:
    """Tell which columns hold 0 and 1 alone."""
    return table.whole & (table.lower >= 0) & (table.upper <= 1)


def _adjacent_groups(table: SparseTable, binary: Bools) -> tuple[tuple[int, ...], ...]:
    """Find runs of adjacent 0/1 columns of which one is 1 in every row, the shortest from each place on."""
    if not binary.any():
        return ()
    stored = np.bincount(table.csr.indices[table.csr.data != 0], minlength=len(binary))
    filled = np.concatenate([[0], np.cumsum(stored)])
    breaks = np.concatenate([[0], np.cumsum(~binary)])
    first = np.flatnonzero(binary)
    full = filled[first] + table.n_rows
    last = np.minimum(np.searchsorted(filled, full), len(binary))  # before this column are as many ones as rows
    fits = (first + 1 < last) & (breaks[last] == breaks[first]) & (filled[last] == full)
    groups: list[tuple[int, ...]] = []
    taken = 0
    for start, stop in zip(first[fits].tolist(), last[fits].tolist(), strict=True):
        if start >= taken and _fills_rows(table, list(range(start, stop))):
            groups.append(tuple(range(start, stop)))
            taken = stop
    return tuple(groups)


def _fills_rows(table: SparseTable, group: list[int]) -> bool:
    return bool((_counts(table, group) == 1).all())


def most_in_a_row(table: SparseTable, group: list[int]) -> int:
    """Return how many of 0/1 columns are 1 in the row that has most of them."""
    return int(_counts(table, group).max(initial=0))


def _counts(table: SparseTable, group: list[int]) -> Ints:
    part = table.csc[:, group]
    return np.bincount(part.indices[part.data != 0], minlength=table.n_rows)
