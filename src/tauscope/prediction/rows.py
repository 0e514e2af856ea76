"""The rows a model is called on, and the one thing the engines do to them: replace columns in copies."""

from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError, InputTypeError
from tauscope.weights.arrays import Floats, Ints
from tauscope.words import count


@runtime_checkable
class Rows(Protocol):
    """Rows of any container: what `substituted` returns is handed to predict as it is.

    An implementation for a data frame encodes categories as codes 0, 1, … and a missing value as NaN, in
    `column` and in the values given to `substituted` alike. Two rows whose columns are all equal must be rows
    the model cannot tell apart.
    """

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        ...

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        ...

    def column(self, column: int) -> Floats:
        """Values of one column, shape (n_rows,); NaN where missing."""
        ...

    def substituted(self, index: Ints, columns: tuple[int, ...], values: Floats) -> Any:
        """Copy rows `index` (repeats allowed), their `columns` set to `values` of shape (len(index), k)."""
        ...


@dataclass(frozen=True)
class ArrayRows:
    """Rows of a 2-D float array, handed to predict as a fresh array of the same dtype.

    Attributes
    ----------
    data : ndarray of shape (n_rows, n_columns)
    """

    data: NDArray[np.floating[Any]]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.data.shape[0]

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.data.shape[1]

    def column(self, column: int) -> Floats:
        """Values of one column as float64."""
        return self.data[:, column].astype(np.float64)

    def substituted(self, index: Ints, columns: tuple[int, ...], values: Floats) -> NDArray[np.floating[Any]]:
        """Copy rows `index` with `columns` set to `values`."""
        copies = self.data.take(index, axis=0)
        for position, column in enumerate(columns):
            copies[:, column] = values[:, position]
        return copies


def as_rows(rows: object) -> Rows:
    """Take a 2-D array of numbers, or anything that already follows the protocol, as rows.

    Raises
    ------
    InputTypeError
        Where it is neither.
    InputError
        Where there are no rows or no columns.
    """
    if isinstance(rows, np.ndarray):
        data = cast("NDArray[Any]", rows)
        if data.ndim != 2 or data.dtype.kind not in "fiub":
            raise InputTypeError(
                f"rows must be a 2-D array of numbers, got {data.ndim}-D of {data.dtype}: "
                "encode text columns first, or pass an object that follows Rows"
            )
        if data.dtype.kind != "f":
            data = data.astype(np.float64)
        table: Rows = ArrayRows(data)
    elif isinstance(rows, Rows):
        table = rows
    else:
        raise InputTypeError(
            f"rows must be a 2-D array or follow the Rows protocol, got {type(rows).__name__}: "
            "pass an array, or give it n_rows, n_columns, column and substituted"
        )
    if table.n_rows == 0 or table.n_columns == 0:
        raise InputError(
            f"rows must not be empty, got {count(table.n_rows, 'row')} of {count(table.n_columns, 'column')}"
        )
    return table


def check_columns(columns: tuple[int, ...], n_columns: int) -> tuple[int, ...]:
    """Check that column numbers exist and differ; return them as a tuple of int."""
    for column in columns:
        if not 0 <= column < n_columns:
            raise InputError(f"column must be one of 0 … {n_columns - 1}, got {column}")
    if len(set(columns)) != len(columns):
        raise InputError(f"columns must differ, got {columns}: name each feature once")
    return tuple(int(column) for column in columns)


_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ divided by the golden ratio, odd: multiplying spreads every bit upwards
_SHIFT = np.uint64(29)
FIRST = 3
"""Columns that tell rows of measured numbers apart already."""


def _fingerprints(rows: Rows, columns: list[int]) -> NDArray[np.uint64]:
    """One 64-bit number per row, equal where the rows' columns are equal."""
    prints = np.zeros(rows.n_rows, dtype=np.uint64)
    for column in columns:
        values = rows.column(column) + 0.0  # -0.0 and 0.0 are one value
        values[np.isnan(values)] = np.nan  # so are all NaNs
        prints = (prints ^ values.view(np.uint64)) * _MIX
        prints ^= prints >> _SHIFT
    return prints


def _all_different(prints: NDArray[np.uint64]) -> bool:
    in_order = np.sort(prints)
    return bool(np.all(in_order[1:] != in_order[:-1]))


def distinct_rows(rows: Rows, substituted: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Find the rows that differ outside the columns about to be replaced: only they need the model.

    Parameters
    ----------
    rows : Rows
    substituted : tuple of int
        Columns whose present values do not matter.

    Returns
    -------
    representatives : ndarray of shape (u,)
        One row of each set of equal ones, ascending.
    slot : ndarray of shape (n_rows,)
        Position of each row's representative.
    """
    n = rows.n_rows
    everyone = np.arange(n, dtype=np.int64)
    columns = [column for column in range(rows.n_columns) if column not in substituted]
    if _all_different(_fingerprints(rows, columns[:FIRST])):
        return everyone, everyone
    prints = _fingerprints(rows, columns)
    if _all_different(prints):
        return everyone, everyone
    _, first, inverse = np.unique(prints, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(first), dtype=np.int64)
    rank[order] = np.arange(len(first))
    representatives, slot = first[order].astype(np.int64), rank[inverse]
    for column in columns:  # two different rows may share a fingerprint
        values = rows.column(column)
        if not np.array_equal(values, values[representatives][slot], equal_nan=True):
            return everyone, everyone
    return representatives, slot


@dataclass(frozen=True)
class DistinctPairs:
    """Pairs (row, group) to call the model on, those of equal rows taken once.

    Attributes
    ----------
    chosen : ndarray of shape (u,)
        Position of each pair to call it on; those of one row, or of equal rows, follow one another.
    unit : ndarray of shape (u,)
        Number of the row, or set of equal rows, of each: 0, 1, …, ascending.
    answer_of : ndarray of shape (m,)
        Which of the u answers each pair has.
    """

    chosen: Ints
    unit: Ints
    answer_of: Ints

    def answered(self, reached: Ints) -> tuple[Ints, Ints]:
        """Pairs answered, given the positions (ascending) of the u that were, and where each finds its answer."""
        place = np.full(len(self.chosen), -1, dtype=np.int64)
        place[reached] = np.arange(len(reached))
        answer = place[self.answer_of]
        index = np.flatnonzero(answer >= 0).astype(np.int64)
        return index, answer[index]


def distinct_pairs(rows: Rows, substituted: tuple[int, ...], row: Ints, group: Ints, n_groups: int) -> DistinctPairs:
    """Find the pairs (row, group) that differ outside the columns about to be replaced: only they need the model.

    Parameters
    ----------
    rows, substituted
        As in `distinct_rows`.
    row : ndarray of shape (m,)
        Ascending.
    group : ndarray of shape (m,)
        0 … n_groups-1: what decides the values put in; a pair occurs once.
    n_groups : int
    """
    _, slot = distinct_rows(rows, substituted)
    if slot[-1] == len(slot) - 1:  # all rows differ
        every = np.arange(len(row), dtype=np.int64)
        starts = np.concatenate([[False], row[1:] != row[:-1]])[: len(row)]
        return DistinctPairs(every, np.cumsum(starts).astype(np.int64), every)
    code, chosen, answer_of = np.unique(slot[row] * n_groups + group, return_index=True, return_inverse=True)
    _, unit = np.unique(code // n_groups, return_inverse=True)
    return DistinctPairs(chosen.astype(np.int64), unit.astype(np.int64), answer_of.astype(np.int64))
