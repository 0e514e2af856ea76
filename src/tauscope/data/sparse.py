"""Rows in a SciPy sparse matrix, read from what is stored: a column at a time, never as a whole made dense."""

# Decided in docs/decisions/0022-a-sparse-matrix-is-never-made-dense.md.

# SciPy's sparse containers are of two families and carry no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeGuard, overload

import numpy as np
from numpy.typing import NDArray

from tauscope.arguments import LARGEST
from tauscope.data.columns import Column
from tauscope.data.frames import Table, read_table
from tauscope.errors import InputError, InputTypeError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def is_sparse(X: Any) -> bool:
    """Tell a SciPy sparse matrix or array, of any format, without importing SciPy."""
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


@dataclass(frozen=True, eq=False)
class SparseTable(Table):
    """Rows and columns of a sparse matrix.

    Attributes
    ----------
    csr : csr_matrix or csr_array
        The same rows, indices in order and none twice: what a model is asked in. The matrix given itself, where it is
        one of these.
    """

    csr: Any

    def rows(self, start: int, stop: int) -> Any:
        """Return rows start … stop-1 as CSR of the same family, as a copy that a model may keep or spoil."""
        return self.csr[start:stop]

    def same(self, rows: Any, start: int, stop: int) -> bool:
        """Tell whether `rows`, once taken from here, still equal rows start … stop-1."""
        original = self.csr[start:stop]
        return rows.shape == original.shape and (rows != original).nnz == 0

    def take(self, rows: NDArray[np.int64]) -> "SparseTable":
        """Return some of the rows."""
        return read_sparse(self.csr[rows])

    @property
    def described(self) -> str:
        """Name the container: "csr_matrix of shape (5572, 8713)"."""
        return f"{type(self.native).__name__} of shape {self.native.shape}"

    @cached_property
    def csc(self) -> Any:
        """The same matrix by columns, made when a column is first read."""
        return self.csr.tocsc()

    @cached_property
    def lower(self) -> Floats:
        """Least value of each column, zeros that are not stored included."""
        return _dense_line(self.csr.astype(np.float64).min(axis=0))

    @cached_property
    def upper(self) -> Floats:
        """Greatest value of each column."""
        return _dense_line(self.csr.astype(np.float64).max(axis=0))

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """Whether a column holds whole numbers alone."""
        if self.csr.dtype.kind != "f":
            return np.ones(self.n_columns, dtype=np.bool_)
        fractions = self.csr.indices[self.csr.data != np.floor(self.csr.data)]
        return np.bincount(fractions, minlength=self.n_columns) == 0

    def column(self, column: int) -> NDArray[Any]:
        """Values of one column, shape (n_rows,); bools as 0 and 1."""
        first, last = self.csc.indptr[column], self.csc.indptr[column + 1]
        dtype = np.dtype(np.uint8) if self.csr.dtype.kind == "b" else self.csr.dtype
        values = np.zeros(self.n_rows, dtype=dtype)
        values[self.csc.indices[first:last]] = self.csc.data[first:last]
        return values


class SparseColumns(Sequence[Column]):
    """The columns of a sparse matrix, each read when it is asked for.

    Parameters
    ----------
    table : SparseTable
    names : tuple of str
    """

    def __init__(self, table: SparseTable, names: tuple[str, ...]) -> None:
        self.table, self.names = table, names

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, index: int) -> Column: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Column, ...]: ...
    def __getitem__(self, index: int | slice) -> Column | tuple[Column, ...]:
        if isinstance(index, slice):
            return tuple(self[j] for j in range(*index.indices(len(self))))
        j = range(len(self))[index]
        lower, upper = float(self.table.lower[j]), float(self.table.upper[j])
        return Column(self.names[j], "numeric", numbers=self.table.column(j), lower=lower, upper=upper)

    @cached_property
    def places(self) -> dict[str, int]:
        """Position of each name."""
        return {name: j for j, name in enumerate(self.names)}


def read_rows(X: Any) -> Table:
    """Recognise the container of the rows, sparse ones included; see `read_table` and `read_sparse`."""
    return read_sparse(X) if is_sparse(X) else read_table(X)


def read_sparse(X: Any) -> SparseTable:
    """Read a SciPy sparse matrix or array of any format.

    Raises
    ------
    InputError
        For anything but two dimensions, or values that are missing or infinite.
    InputTypeError
        For values that are no real numbers.
    """
    if len(X.shape) != 2:
        raise InputError(f"Rows must have two dimensions; got a {type(X).__name__} of shape {X.shape}. Use X.reshape.")
    if X.dtype.kind not in "biuf":
        raise InputTypeError(f"A sparse matrix must hold real numbers; got dtype {X.dtype}. Use X.astype(float).")
    csr = X.tocsr()
    if not csr.has_canonical_format:
        csr = csr.copy()  # what the user gave is never written to
        csr.sum_duplicates()
    strange = int(np.count_nonzero(~np.isfinite(csr.data)))
    if strange:
        raise InputError(
            f"Values of a sparse matrix must be finite; {strange:,} of {csr.nnz:,} stored ones are missing or "
            "infinite. Leave them out of the matrix, or give dense rows, where NaN stands for missing."
        )
    size = np.abs(csr.data.astype(np.float64))  # float32 cannot hold the bounds themselves
    odd = int(np.count_nonzero((size > LARGEST) | ((size > 0) & (size < 1 / LARGEST))))
    if odd:
        raise InputError(
            f"Values of a sparse matrix must be 0 or lie between {1 / LARGEST:g} and {LARGEST:g} in size; {odd:,} do "
            "not. Leave them out of the matrix, or take another unit."
        )
    return SparseTable(X, "sparse", None, int(X.shape[0]), int(X.shape[1]), csr)


def check_dense(columns: Sequence[Column], what: str) -> None:
    """Refuse sparse rows where all columns would have to be made dense.

    Parameters
    ----------
    columns : sequence of Column
    what : str
        What takes dense rows, as the beginning of a sentence: "Effects take".

    Raises
    ------
    InputError
    """
    if are_sparse(columns):
        raise InputError(
            f"{what} rows in a frame or a dense array; got a {columns.table.described}. On sparse rows use boundary, "
            "boundaries and pooled_boundary, or name the columns to stress: stress_curves(features=[…])."
        )


def are_sparse(columns: Sequence[Column]) -> TypeGuard[SparseColumns]:
    """Tell whether columns are those of a sparse matrix."""
    return isinstance(columns, SparseColumns)


def _dense_line(line: Any) -> Floats:
    return np.asarray(line.toarray(), dtype=np.float64).ravel()
