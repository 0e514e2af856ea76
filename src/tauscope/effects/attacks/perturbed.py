"""Rows with some columns changed, as rows of their own: what a curve is computed on after an attack."""

from typing import Any

import numpy as np

from tauscope.errors import InputError
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Floats, Ints


class PerturbedRows:
    """Rows that follow another's, but for some columns of some rows.

    Parameters
    ----------
    rows : Rows
        As they were.
    columns : tuple of int
        Columns that changed.
    index : ndarray of shape (m,)
        Rows that changed.
    values : ndarray of shape (m, k)
        What their columns became.
    """

    def __init__(self, rows: Rows, columns: tuple[int, ...], index: Ints, values: Floats) -> None:
        if values.shape != (len(index), len(columns)):
            raise InputError(f"values must have shape ({len(index)}, {len(columns)}), got {values.shape}")
        self._rows = rows
        self._columns = columns
        self._values = np.column_stack([rows.column(column) for column in columns])
        self._values[index] = values

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._rows.n_rows

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self._rows.n_columns

    def column(self, column: int) -> Floats:
        """Values of one column, shape (n_rows,); NaN where missing."""
        if column in self._columns:
            return self._values[:, self._columns.index(column)].copy()
        return self._rows.column(column)

    def substituted(self, index: Ints, columns: tuple[int, ...], values: Floats) -> Any:
        """Copy rows `index`, the perturbed columns as they became and `columns` set to `values`."""
        others = [place for place, column in enumerate(self._columns) if column not in columns]
        all_columns = (*columns, *(self._columns[place] for place in others))
        return self._rows.substituted(index, all_columns, np.column_stack([values, self._values[index][:, others]]))
