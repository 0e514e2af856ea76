"""The user's rows as the effects engine takes them: copies of some rows, a column or two changed in its own type."""

# Rows are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from functools import cached_property
from typing import Any, cast

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.dates import to_dates
from tauscope.data.frames import Table, read_table
from tauscope.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class TableRows:
    """Rows of any container, their levels as codes and what is missing as NaN.

    A value that some row has is put into another by taking it from there, so that dates, categories, text and the
    container's own missing value stay what they are. A number that no row has is cast to the column's type.

    Parameters
    ----------
    table : Table
    columns : tuple of Column
        As the study reads them.
    """

    def __init__(self, table: Table, columns: tuple[Column, ...]) -> None:
        self.table = table
        self.columns = columns
        self._sources: dict[int, Source] = {}

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.table.n_rows

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.table.n_columns

    @cached_property
    def categorical(self) -> frozenset[int]:
        """Positions of the columns whose values are codes of levels."""
        return frozenset(j for j, column in enumerate(self.columns) if column.codes is not None)

    @property
    def drawn(self) -> frozenset[int]:
        """Columns that take only values that occur: levels, dates, whole numbers, those with missing values."""
        return frozenset(
            j
            for j, column in enumerate(self.columns)
            if not self.takes_any_number(j) or column.integer or column.n_missing
        )

    def column(self, column: int) -> Floats:
        """Values of one column, shape (n_rows,): numbers or codes; NaN where missing."""
        return engine_values(self.columns[column])

    def ordered(self, column: int) -> bool:
        """Whether the container itself says that the levels of a column have an order; bools have."""
        if self.columns[column].kind == "boolean":
            return True
        if self.table.kind == "array":
            return False
        series = nw.from_native(self.table.native, eager_only=True)[:, column]
        return isinstance(series.dtype, nw.Enum)

    def substituted(self, index: Ints, columns: tuple[int, ...], values: Floats) -> Any:
        """Copy rows `index` with some columns set.

        Parameters
        ----------
        index : ndarray of shape (m,)
            Rows, repeats allowed.
        columns : tuple of int
        values : ndarray of shape (m, k)
            Numbers or codes; NaN stands for missing.

        Returns
        -------
        DataFrame or ndarray of m rows
            In the container of the study's rows; a pandas index is 0, 1, ….
        """
        put = {column: self._source(column).values(values[:, k]) for k, column in enumerate(columns)}
        native = self.table.native
        if isinstance(native, np.ndarray):
            copies = cast("NDArray[Any]", native).take(index, axis=0)
            for column, new in put.items():
                copies[:, column] = new
            return copies
        if isinstance(native, pd.DataFrame):
            part = native.take(index).copy(deep=False)
            part.index = pd.RangeIndex(len(index))
            for column, new in put.items():
                part.isetitem(column, new)
            return part
        frame = nw.from_native(native, eager_only=True)
        return frame[index].with_columns(*put.values()).to_native()

    def part(self, index: Ints) -> "TableRows":
        """Return some of the rows as rows of their own, into which values that only others have can still be put."""
        return PartOfRows(self, index)

    def with_reals(self, column: int) -> "TableRows":
        """Return the same rows with a column of whole numbers as float64, so that small steps fit into it."""
        if not self.takes_any_number(column) or not self.columns[column].integer:
            return self
        native = self.table.native
        if isinstance(native, np.ndarray):
            real: Any = cast("NDArray[Any]", native).astype(np.float64, copy=False)
        elif isinstance(native, pd.DataFrame):
            real = native.copy(deep=False)
            real.isetitem(column, self.column(column))
        else:
            frame = nw.from_native(native, eager_only=True)
            real = frame.with_columns(frame[:, column].cast(nw.Float64)).to_native()
        return TableRows(read_table(real), self.columns)

    def takes_any_number(self, column: int) -> bool:
        """Whether a column holds plain numbers, so that any that fits its type can be put into it."""
        return self._source(column).castable

    def check_values(self, column: int, values: Floats) -> None:
        """Refuse values that the column's own type cannot hold.

        Raises
        ------
        InputError
            For a fraction in a column of whole numbers, or a missing value, level or date that no row has.
        """
        self._source(column).values(values)

    def _source(self, column: int) -> "Source":
        if column not in self._sources:
            self._sources[column] = Source(self.table, self.columns[column], column)
        return self._sources[column]


class PartOfRows(TableRows):
    """Some rows of a table, by position."""

    def __init__(self, whole: TableRows, index: Ints) -> None:
        super().__init__(whole.table, whole.columns)
        self._whole, self._index = whole, index

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self._index)

    def column(self, column: int) -> Floats:
        """Values of one column, shape (n_rows,): numbers or codes; NaN where missing."""
        return self._whole.column(column)[self._index]

    def with_reals(self, column: int) -> TableRows:
        """Return the same part with a column of whole numbers as float64."""
        return PartOfRows(self._whole.with_reals(column), self._index)

    def substituted(self, index: Ints, columns: tuple[int, ...], values: Floats) -> Any:
        """Copy rows `index` of the part with some columns set."""
        return self._whole.substituted(self._index[index], columns, values)


def engine_values(column: Column) -> Floats:
    """Numbers of a column, or codes of its levels, as float64 with NaN where missing."""
    if column.codes is None:
        values = column.values  # converted at each call
        assert values is not None
        return values
    return np.where(column.codes < 0, np.nan, column.codes)


class Source:
    """What a column's values look like in its container: cast where it holds plain numbers, else taken from rows."""

    def __init__(self, table: Table, column: Column, position: int) -> None:
        self._column = column
        native = table.native
        self._held: Any
        if isinstance(native, np.ndarray):
            self._held = cast("NDArray[Any]", native)[:, position]
        elif isinstance(native, pd.DataFrame):
            self._held = native.iloc[:, position].array
        else:
            self._held = nw.from_native(native, eager_only=True)[:, position]
        self.castable = column.codes is None and not column.unit and _holds_plain_numbers(self._held)

    def values(self, values: Floats) -> Any:
        """Return numbers or codes (m,) as a column of the container's own type."""
        if self.castable:
            return self._cast(values)
        row = self._row_with(values)
        if (row < 0).any():
            raise self._unheld(values[row < 0])
        return self._held[row] if isinstance(self._held, nw.Series) else self._held.take(row)

    def _cast(self, values: Floats) -> Any:
        held, missing = self._held, np.isnan(values)
        if (limits := _whole_limits(held)) is not None:
            fits = missing | ((values == np.floor(values)) & (values >= limits.min) & (values <= limits.max))
            if not fits.all():
                raise InputError(
                    f"Values put into {self._column.name!r} must fit its type, {held.dtype}; got "
                    f"{values[~fits][0]:g}. Give whole numbers, or hold the column as float in the study's rows."
                )
            if missing.any() and not self._column.n_missing:
                raise self._unheld(values[missing])
        if isinstance(held, nw.Series):
            new = nw.new_series(held.name, np.where(missing, 0.0, values), backend=held.implementation).cast(held.dtype)
            if not missing.any():
                return new
            lacking = held[self._row_with(values[missing])[:1].repeat(len(values))]
            return new.zip_with(nw.new_series("given", ~missing, backend=held.implementation), lacking)
        if isinstance(held.dtype, np.dtype):
            return values.astype(held.dtype)
        return pd.array(values, dtype=held.dtype)

    @cached_property
    def _known(self) -> tuple[Floats, Ints, int]:
        """Distinct values, a row that has each, and one without a value (-1 where there is none)."""
        values = engine_values(self._column)
        distinct, first = np.unique(values, return_index=True)
        missing = np.isnan(distinct)
        lacking = int(first[missing][0]) if missing.any() else -1
        return distinct[~missing], first[~missing].astype(np.int64), lacking

    def _row_with(self, values: Floats) -> Ints:
        distinct, first, lacking = self._known
        if not len(distinct):
            return np.where(np.isnan(values), lacking, -1).astype(np.int64)
        at = np.minimum(np.searchsorted(distinct, np.nan_to_num(values)), len(distinct) - 1)
        row = np.where(distinct[at] == values, first[at], -1)
        return np.where(np.isnan(values), lacking, row).astype(np.int64)

    def _unheld(self, values: Floats) -> InputError:
        column = self._column
        if np.isnan(values[0]):
            what = "a missing value"
        elif column.levels:
            what = f"the level {column.levels[int(values[0])]!r}"
        else:
            what = str(to_dates(values)[0]) if column.unit == "year" else f"{values[0]:g}"
        return InputError(
            f"Only a value that some row has can be put into {column.name!r}, in its own type; "
            f"no row has {what}. Leave it out of the grid."
        )


def _holds_plain_numbers(held: Any) -> bool:
    """Tell whether any number that fits can be written into a column."""
    if isinstance(held, nw.Series):
        return held.dtype.is_numeric() and not isinstance(held.dtype, nw.Decimal)
    if isinstance(held.dtype, np.dtype):
        return held.dtype.kind in "fiu"
    plain = pd.api.types.is_numeric_dtype(held.dtype) and not pd.api.types.is_bool_dtype(held.dtype)
    return plain and not str(held.dtype).startswith("decimal")


def _whole_limits(held: Any) -> np.iinfo[Any] | None:
    """Least and greatest number of a column of whole numbers; None for others."""
    if isinstance(held, nw.Series):
        return np.iinfo(str(held.dtype).lower()) if held.dtype.is_integer() else None
    if not pd.api.types.is_integer_dtype(held.dtype):
        return None
    return np.iinfo(getattr(held.dtype, "numpy_dtype", held.dtype))
