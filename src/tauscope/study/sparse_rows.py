"""Rows of a sparse matrix as a person has them: positions, or new sparse rows."""

# Rows come as a person has them; SciPy's sparse containers carry no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
from scipy import sparse

from tauscope.arguments import describe
from tauscope.boundary.sparse import columns_used, dense_part
from tauscope.data.one_hot import switched_off
from tauscope.data.sparse import SparseColumns, is_sparse, read_sparse
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.weights.arrays import Floats, Ints
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def new_sparse_rows(study: StudyBase, columns: SparseColumns, rows: Any) -> Any:
    """Read new rows as CSR of the study's family and type.

    Parameters
    ----------
    study : Study
    columns : SparseColumns
        Of the study.
    rows : sparse matrix of p columns, array of p numbers a row, or dict or series
        A dict or series names what is not 0.

    Raises
    ------
    UnknownName
        For a feature that is not there.
    InputError, InputTypeError
        For another number of columns, or anything that is no row.
    """
    if isinstance(rows, Mapping | pd.Series):
        rows = _named(columns, dict(cast(Mapping[Any, Any], rows)))
    elif isinstance(rows, np.ndarray | list | tuple):
        try:
            rows = sparse.csr_array(np.atleast_2d(np.asarray(rows, dtype=np.float64)))
        except (TypeError, ValueError, OverflowError):
            raise InputTypeError(f"A new row must be numbers; got {describe(rows)}. Give one a column.") from None
    if not is_sparse(rows):
        raise InputTypeError(
            f"A row is a position among the study's {count(study.n_rows, 'row')}, or a new row as a sparse matrix "
            "or a dict "
            f"of what is not 0; got a {type(rows).__name__}."
        )
    own = columns.table.csr
    csr = read_sparse(rows).csr
    if csr.shape[1] != own.shape[1]:
        raise InputError(f"A row has a value for each of the {count(own.shape[1], 'column')}; got {csr.shape[1]}.")
    if own.dtype.kind != "f" and (csr.data != csr.data.astype(own.dtype)).any():
        raise InputError(f"A new row must fit the matrix' type, {own.dtype}; got other values. Give what it holds.")
    return type(own)(csr.astype(own.dtype))


def changed_sparse_point(
    study: StudyBase, columns: SparseColumns, row: Any, values: Mapping[str, Any]
) -> tuple[Ints, Floats, Floats]:
    """Return a sparse row (1, p) with other values of some columns, in the columns not 0 in it or named.

    Returns
    -------
    active : ndarray of shape (k,)
        These columns; one at least.
    start, point : ndarray of shape (k,)
        The row itself, and with the other values; a level switches others off.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `new_sparse_rows`.
    """
    new = new_sparse_rows(study, columns, dict(values))
    named = np.array([columns.places[str(name)] for name in values], dtype=np.int64)
    active = np.union1d(columns_used(row), named)
    if not len(active):
        active = np.zeros(1, dtype=np.int64)
    start, put = dense_part(row, active)[0], dense_part(new, active)[0]
    point = np.where(np.isin(active, named), put, start)
    own = dict(zip(map(columns.names.__getitem__, active), start, strict=True))
    switched = switched_off(
        study._one_hot_groups,
        columns.names,
        own,
        {name: put[active == columns.places[name]][0] for name in map(str, values)},
    )
    point[np.isin(active, [columns.places[name] for name in switched])] = 0.0
    return active, start, point


def _named(columns: SparseColumns, values: dict[Any, Any]) -> Any:
    unknown = [name for name in values if str(name) not in columns.places]
    if unknown:
        raise UnknownName.among("column", str(unknown[0]), columns.names)
    places = np.array([columns.places[str(name)] for name in values], dtype=np.int64)
    numbers = [0.0 if value is None else value for value in values.values()]
    for name, value in zip(values, numbers, strict=True):
        if isinstance(value, str) or not np.isscalar(value):
            raise InputTypeError(f"{str(name)!r} holds numbers; got {value!r}. Give a number.")
    stored = np.array(numbers, dtype=np.float64)
    return sparse.csr_array((stored, (np.zeros(len(places), dtype=np.int64), places)), shape=(1, len(columns)))
