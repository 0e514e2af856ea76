"""The columns that a view's locks, bounds and values may name: those of its boundary, or any of a sparse matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from tauscope.data.sparse import SparseColumns, are_sparse
from tauscope.results.boundary.columns import BoundaryColumn

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.boundary.boundary import Boundary


class MatrixColumns(Mapping[str, BoundaryColumn]):
    """The columns of a sparse matrix by name, each made when it is asked for."""

    def __init__(self, columns: SparseColumns) -> None:
        self._matrix = columns

    def __getitem__(self, name: str) -> BoundaryColumn:
        whole = bool(self._matrix.table.whole[self._matrix.places[name]])
        return BoundaryColumn(name, "number", integer=whole)

    def __iter__(self) -> Iterator[str]:
        return iter(self._matrix.names)

    def __len__(self) -> int:
        return len(self._matrix)


def columns_by_name(result: Boundary) -> Mapping[str, BoundaryColumn]:
    """Return the columns that may be named; a sparse row's boundary lists few of its matrix' columns."""
    if result.source is not None and are_sparse(result.source._columns):
        return MatrixColumns(result.source._columns)
    named = (str(name) for name in (*result._spec.fixed, *(result._spec.bounds or {})))
    elsewhere = {name: BoundaryColumn(name, "number") for name in named} if result._numbers.own_units else {}
    return elsewhere | {column.name: column for column in result._numbers.columns}


def row_values(source: Study, row: int) -> dict[str, float]:
    """Return a row of the study as numbers and codes by feature; of a sparse row what is not 0."""
    columns = source._columns
    if are_sparse(columns):
        stored = columns.table.csr[[row]]
        return {columns.names[j]: float(value) for j, value in zip(stored.indices, stored.data, strict=True) if value}
    rows = source._table_rows
    return {name: float(rows.column(j)[row]) for j, name in enumerate(source.feature_names)}
