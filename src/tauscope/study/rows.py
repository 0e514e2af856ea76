"""Rows as a person has them: positions of a study's rows, or new values, as points that the engines take."""

# Rows come as a person has them.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd

from tauscope.data.frames import Table, read_table, read_vector
from tauscope.data.one_hot import switched_off
from tauscope.data.reading import read_columns
from tauscope.data.sparse import are_sparse, is_sparse
from tauscope.data.table_rows import engine_values
from tauscope.data.validation import check_finite_columns
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.study.columns import column_position
from tauscope.study.sparse_rows import new_sparse_rows
from tauscope.weights.arrays import Floats, Ints
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.data.columns import Column
    from tauscope.study.base import StudyBase


@dataclass(frozen=True, eq=False)
class ChosenRows:
    """Rows that were asked about.

    Attributes
    ----------
    position : ndarray of shape (n,)
        Among the study's rows; −1 for new values.
    points : ndarray or csr of shape (n, p), or None
        New values, CSR where the study's rows are sparse; None for rows of the study.
    key : ndarray of shape (n,) or None
        What the random numbers of new rows are drawn by; None for rows of the study.
    complete : bool
        Whether all columns were given; those that were not stand in `points` as in the study's first row.
    """

    position: Ints
    points: Any = None
    key: Ints | None = None
    complete: bool = True

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.position)

    def take(self, places: Ints) -> ChosenRows:
        """Take some of the rows."""
        points = None if self.points is None else self.points[places]
        return ChosenRows(self.position[places], points, None if self.key is None else self.key[places])

    def without_points(self, i: int) -> ChosenRows:
        """Take one row, known by its place and key alone."""
        return ChosenRows(self.position[[i]], key=None if self.key is None else self.key[[i]])


def row_keys(points: Floats) -> Ints:
    """Return a number for the values of each new row (n, p): the same values draw the same, other values do not.

    Above every position of a study's row.
    """
    values = np.where(np.isnan(points), np.nan, points) + 0.0  # one NaN, and one zero
    digests = (blake2b(row.tobytes(), digest_size=8).digest() for row in values)
    return np.array([int.from_bytes(digest, "little") >> 2 | 1 << 62 for digest in digests], dtype=np.int64)


def is_one_row(study: StudyBase, rows: Any) -> bool:
    """Tell one row, as `choose_row` reads it, from several, as `choose_rows` does.

    Raises
    ------
    InputError
        For as many whole numbers as there are columns, all of them positions, where every column holds whole numbers:
        one row's values, or several rows.
    """
    if isinstance(rows, pd.Series):
        rows = dict(rows) if set(rows.index) & set(study.feature_names) else rows.to_numpy()
    if rows is None or isinstance(rows, slice | range):
        return rows is None
    if nw.dependencies.is_into_dataframe(rows) or is_sparse(rows):
        return bool(rows.shape[0] == 1)
    if isinstance(rows, Mapping) or not isinstance(rows, np.ndarray | list | tuple | pd.Index):
        return not nw.dependencies.is_into_series(rows)
    array = np.asarray(rows, dtype=object)
    if array.ndim != 1:
        return array.ndim == 0 or len(array) == 1
    kinds = {type(value) for value in array.tolist()}
    if kinds <= {bool, np.bool_} and kinds:
        return len(array) != study.n_rows
    if not all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        return True
    values: list[int] = array.tolist()
    if len(values) != len(study._columns):
        return False
    if len(set(values)) == len(values) and all(0 <= value < study.n_rows for value in values):
        if not all(column.integer for column in study._columns):
            return False
        raise InputError(
            f"{values[:10]} may be the positions of {count(len(values), 'row')} or the values of one. Give positions "
            "as a mask or a range, and values as a dict or an array of one row, shape (1, n_columns)."
        )
    return True


def choose_any(study: StudyBase, rows: Any) -> tuple[ChosenRows, bool]:
    """Read one row or several, as `is_one_row` tells; return whether it is one."""
    one = is_one_row(study, rows)
    return (choose_row if one else choose_rows)(study, rows), one


def choose_part(study: StudyBase, rows: Any, needed: Collection[str]) -> ChosenRows:
    """Read one row or several; new values, in a frame, a series or a dict, may lack columns that are not `needed`.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `choose_row` and `choose_rows`.
    """
    if isinstance(rows, int | np.integer) and not isinstance(rows, bool):
        return choose_row(study, rows)
    if isinstance(rows, pd.Series) and set(rows.index) & set(study.feature_names):
        rows = dict(rows)
    if isinstance(rows, Mapping):
        rows = pd.DataFrame({str(name): [value] for name, value in cast(Mapping[Any, Any], rows).items()})
    if nw.dependencies.is_into_dataframe(rows):
        return _new_rows(study, read_table(rows), needed)
    return choose_rows(study, rows)


def choose_row(study: StudyBase, row: Any) -> ChosenRows:
    """Read one row: a position, or new values in a frame of one row, a series, a dict or an array of p numbers.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        For a position that is not there, other columns, values the columns cannot hold, or several rows.
    """
    if isinstance(row, int | np.integer) and not isinstance(row, bool):
        return ChosenRows(_positions(study, np.array([row])))
    if are_sparse(study._columns):
        return _one(_new_sparse(study, row))
    if isinstance(row, Mapping | pd.Series):
        values = dict(cast(Mapping[Any, Any], row))
        return _new_rows(study, read_table(pd.DataFrame({str(name): [value] for name, value in values.items()})))
    if isinstance(row, np.ndarray | list | tuple) and np.asarray(row, dtype=object).ndim == 1:
        row = np.asarray(row, dtype=object)[None]
    if isinstance(row, str | bool | float) or row is None:
        raise InputTypeError(
            f"A row is a position among the study's {count(study.n_rows, 'row')}, or new values in a frame of one "
            "row, a "
            f"series or a dict; got {row!r}."
        )
    return _one(_new_rows(study, read_table(row)))


def _one(chosen: ChosenRows) -> ChosenRows:
    if chosen.n != 1:
        raise InputError(
            f"One row is asked about; got {chosen.n}. Give one; `boundaries`, `sufficient`, `rules` and "
            "`distribution` take several."
        )
    return chosen


def choose_rows(study: StudyBase, rows: Any) -> ChosenRows:
    """Read several rows: None for all, a mask, positions, or new values in a frame or a 2-D array.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `choose_row`, for no rows, and for a mask of another length.
    """
    if rows is None:
        return ChosenRows(np.arange(study.n_rows))
    if isinstance(rows, slice):
        rows = np.arange(study.n_rows)[rows]
    if are_sparse(study._columns) and (is_sparse(rows) or (isinstance(rows, np.ndarray) and rows.ndim == 2)):
        return _new_sparse(study, rows)
    is_table = nw.dependencies.is_into_dataframe(rows) or (isinstance(rows, np.ndarray) and rows.ndim == 2)
    if is_table:
        return _new_rows(study, read_table(rows))
    array = read_vector(list(rows) if isinstance(rows, range) else rows, "rows")
    if array.dtype.kind == "b":
        if array.shape != (study.n_rows,):
            raise InputError(
                f"A mask of rows has one bool a row; got shape {array.shape} for {count(study.n_rows, 'row')}. Give "
                "positions, or a mask of the study's rows."
            )
        array = np.flatnonzero(array)
    if array.ndim == 1 and not len(array):
        raise InputError("Rows to inspect must be one at least; got none. Give positions, a mask, or None for all.")
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputTypeError(f"rows takes positions, a mask, or a frame of new rows; got {array.dtype} values.")
    return ChosenRows(_positions(study, array))


def changed_point(study: StudyBase, point: Floats, values: Mapping[str, Any]) -> Floats:
    """Return a point (p,) with other values of some columns, each as the column has it; a level switches others off.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        For a column or level that is not there, or a value the column cannot hold.
    """
    changed, names = point.copy(), study.feature_names
    for name, value in values.items():
        j = column_position(study, name)
        table = read_table(pd.DataFrame({names[j]: [value]}))
        new = read_columns(table, (names[j],), [0] if study._columns[j].kind == "categorical" else [])
        check_finite_columns(new)
        changed[[j]] = _point_values(study, j, new[0])
        study._table_rows.check_values(j, changed[[j]])
    own, new = dict(zip(names, point, strict=True)), dict(zip(names, changed, strict=True))
    put = {names[j]: new[names[j]] for j in (column_position(study, name) for name in values)}
    changed[[names.index(name) for name in switched_off(study._one_hot_groups, names, own, put)]] = 0.0
    return changed


def _positions(study: StudyBase, array: Any) -> Ints:
    outside = array[(array < 0) | (array >= study.n_rows)]
    if len(outside):
        raise InputError(f"Rows are numbered 0 to {study.n_rows - 1:,}; got {outside[0]}. Give a position among them.")
    return array.astype(np.int64)


def _new_sparse(study: StudyBase, rows: Any) -> ChosenRows:
    assert are_sparse(study._columns)
    new = new_sparse_rows(study, study._columns, rows)
    if not new.shape[0]:
        raise InputError("Rows to inspect must be one at least; got none.")
    keys = [row_keys(new[[i]].toarray().astype(np.float64)) for i in range(new.shape[0])]  # as the same row dense has
    return ChosenRows(np.full(new.shape[0], -1), new, np.concatenate(keys))


def read_points(self: StudyBase, X: Any) -> Floats:
    """Read new rows as the engines take the study's own: numbers, and levels as its codes.

    Parameters
    ----------
    X : DataFrame, or array of shape (n, p)
        In the study's columns.

    Returns
    -------
    ndarray of shape (n, p)
        NaN where missing.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        For other columns, a level that is not known, or values of another kind.
    """
    return _read_points(self, read_table(X))


def _read_points(study: StudyBase, table: Table, needed: Collection[str] | None = None) -> Floats:
    if not table.n_rows:
        raise InputError("Rows to inspect must be one at least; got none.")
    return np.column_stack(
        [
            np.full(table.n_rows, study._table_rows.column(j)[0]) if column is None else _point_values(study, j, column)
            for j, column in enumerate(_columns_of(study, table, needed))
        ]
    )


def _new_rows(study: StudyBase, table: Table, needed: Collection[str] | None = None) -> ChosenRows:
    points = _read_points(study, table, needed)
    for j in range(points.shape[1]):
        study._table_rows.check_values(j, points[:, j])
    complete = table.names is None or set(study.feature_names) <= set(table.names)
    return ChosenRows(np.full(table.n_rows, -1), points, row_keys(points), complete)


def _columns_of(study: StudyBase, table: Table, needed: Collection[str] | None = None) -> tuple[Column | None, ...]:
    """Read the columns of new rows in the study's order, as the study reads its own; None for one not `needed`."""
    names = study.feature_names
    own = table.names
    if own is None:
        if table.n_columns != len(names):
            raise InputError(f"A row has a value for each of the {count(len(names), 'column')}; got {table.n_columns}.")
        own = names
    for name in own:
        if name not in names:
            raise UnknownName.among("column", name, names)
    missing = [name for name in (names if needed is None else needed) if name not in own]
    if missing:
        columns = "all columns of the study" if needed is None else "the columns whose values are given"
        raise InputError(f"New rows have {columns}; {missing[:5]} are not there. Add them.")
    levels = [
        own.index(name)
        for name, column in zip(names, study._columns, strict=True)
        if column.kind == "categorical" and name in own
    ]
    columns = read_columns(table, own, levels)
    check_finite_columns(columns)
    return tuple(columns[own.index(name)] if name in own else None for name in names)


def _point_values(study: StudyBase, j: int, new: Column) -> Floats:
    """Return new values of a column as numbers, or as codes of the study's levels."""
    column, values = study._columns[j], engine_values(new)
    if column.codes is None:
        if new.codes is not None and not np.isnan(values).all():
            raise InputTypeError(f"{column.name!r} holds numbers; got {new.levels[0]!r}. Give a number.")
        if new.unit != column.unit and not np.isnan(values).all():
            raise InputTypeError(f"{column.name!r} holds {_unit(column)}; got {_unit(new)}. Give what it holds.")
        return values
    if new.codes is None:
        if np.isnan(values).all():
            return values
        if column.kind == "boolean" and np.isin(values, (0, 1)).all():
            return values
        raise InputTypeError(f"{column.name!r} holds levels; got numbers. Give one of {list(column.levels)[:10]}.")
    code = np.full(len(new.levels), -1.0)
    for k, level in enumerate(new.levels):
        if level not in column.levels and (new.codes == k).any():
            raise UnknownName.among(f"level of {column.name!r}", level, column.levels)
        code[k] = column.levels.index(level) if level in column.levels else -1
    return np.where(np.isnan(values), np.nan, code[np.nan_to_num(values).astype(np.int64)]) if len(code) else values


def _unit(column: Column) -> str:
    return {"year": "dates", "days": "durations"}.get(column.unit, "numbers")
