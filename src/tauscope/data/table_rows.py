"""The user's rows as the effects engine takes them: copies of some rows, a column or two changed in its own type."""

# Rows are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from functools import cached_property
from typing import Any, cast

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.dates import to_dates
from tauscope.data.frames import Table, read_table
from tauscope.data.one_hot import OneHotGroup, groups_of_rows
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
    one_hot : tuple of OneHotGroup, optional
        Columns that are levels of one; found in the rows where they are not given.
    """

    def __init__(
        self, table: Table, columns: tuple[Column, ...], one_hot: tuple[OneHotGroup, ...] | None = None
    ) -> None:
        self.table = table
        self.columns = columns
        self._column_values: dict[int, ColumnValues] = {}
        self._one_hot = one_hot

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

    @property
    def one_hot(self) -> tuple[OneHotGroup, ...]:
        """Groups of 0/1 columns that are levels of one column."""
        if self._one_hot is None:
            binary = [j for j, column in enumerate(self.columns) if column.reading == "0/1" or column.kind == "boolean"]
            values = {j: column for j in binary if not np.isnan(column := self.column(j)).all()}
            self._one_hot = groups_of_rows([column.name for column in self.columns], values)
        return self._one_hot

    def group_of(self, column: int) -> OneHotGroup | None:
        """Return the group that a column is a level of."""
        return next((group for group in self.one_hot if column in group.columns), None)

    @property
    def plain(self) -> bool:
        """Whether there are no dates and, but in frames of pandas, no levels, of which others are not read by trees."""
        of_levels = ("boolean", "categorical") if isinstance(self.table.native, pd.DataFrame) else ("boolean",)
        numeric = (column.kind == "numeric" and not column.unit for column in self.columns)
        return all(each or column.kind in of_levels for each, column in zip(numeric, self.columns, strict=True))

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
            In the container of the study's rows; a pandas index is 0, 1, …. Where some columns of a one-hot group are
            set, the others follow, so that no row has two levels of one.
        """
        native = self.table.native
        columns, values = self._with_groups(index, columns, values)
        if isinstance(native, pd.DataFrame) and columns == tuple(range(self.n_columns)):  # nothing is left of the rows
            return self._frame_of(values)
        put = {column: self._values_of(column).values(values[:, k]) for k, column in enumerate(columns)}
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

    def _with_groups(self, index: Ints, columns: tuple[int, ...], values: Floats) -> tuple[tuple[int, ...], Floats]:
        """Add what the columns set ask of the others of their one-hot groups."""
        if len(columns) == self.n_columns:
            return columns, values
        for group in self.one_hot:
            put = [group.columns.index(column) for column in columns if column in group.columns]
            if not 0 < len(put) < len(group.columns):
                continue
            levels = np.column_stack([engine_values(self.columns[j], index) for j in group.columns])
            levels[:, put] = values[:, [columns.index(group.columns[place]) for place in put]]
            kept = [k for k, column in enumerate(columns) if column not in group.columns]
            values = np.column_stack([values[:, kept], group.with_put(levels, put)])
            columns = (*(columns[k] for k in kept), *group.columns)
        return columns, values

    def _frame_of(self, values: Floats) -> pd.DataFrame:
        """Make a pandas frame of rows given altogether, columns of one type cast together where all values fit."""
        together = [(dtype, columns) for dtype, columns in self._types if _all_fit(values[:, columns], dtype)]
        parts = [pd.DataFrame(values[:, columns].astype(dtype), columns=columns) for dtype, columns in together]
        cast_already = {int(column) for _, columns in together for column in columns}
        rest = [column for column in range(self.n_columns) if column not in cast_already]
        if rest:
            parts.append(pd.DataFrame({column: self._values_of(column).values(values[:, column]) for column in rest}))
        whole = parts[0] if len(parts) == 1 else pd.concat(parts, axis=1)[list(range(self.n_columns))]
        whole.columns = self.table.native.columns
        return whole

    @cached_property
    def _types(self) -> list[tuple[np.dtype[Any], Ints]]:
        """Types of NumPy that columns of a pandas frame have, and which have each: numbers, and bools of both kinds."""
        of_type: dict[np.dtype[Any], list[int]] = {}
        for j, dtype in enumerate(self.table.native.dtypes):
            is_bool = self.columns[j].kind == "boolean" and len(self.columns[j].levels) == 2
            if isinstance(dtype, np.dtype) and (is_bool or self._values_of(j).castable):
                of_type.setdefault(dtype, []).append(j)
        return [(dtype, np.array(columns)) for dtype, columns in of_type.items() if dtype.kind in "fiub"]

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
            whole = frame[:, column]
            # a cast refuses whole numbers beyond 2⁵³ in Arrow
            reals = nw.new_series(whole.name, self.column(column), nw.Float64, backend=whole.implementation)
            real = frame.with_columns(reals).to_native()
        return TableRows(read_table(real), self.columns, self.one_hot)

    def takes_any_number(self, column: int) -> bool:
        """Whether a column holds plain numbers, so that any that fits its type can be put into it."""
        return self._values_of(column).castable

    def number_limits(self, column: int) -> tuple[float, float]:
        """Return the least and greatest number that a column's type holds; infinite for fractions."""
        return self._values_of(column).limits

    def check_values(self, column: int, values: Floats) -> None:
        """Refuse values that the column's own type cannot hold.

        Raises
        ------
        InputError
            For a fraction in a column of whole numbers, or a missing value, level or date that no row has.
        """
        self._values_of(column).values(values)

    def _values_of(self, column: int) -> "ColumnValues":
        if column not in self._column_values:
            self._column_values[column] = ColumnValues(self.table, self.columns[column], column)
        return self._column_values[column]


class PartOfRows(TableRows):
    """Some rows of a table, by position."""

    def __init__(self, whole: TableRows, index: Ints) -> None:
        super().__init__(whole.table, whole.columns)
        self._whole, self._index = whole, index

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self._index)

    @property
    def one_hot(self) -> tuple[OneHotGroup, ...]:
        """Groups of 0/1 columns that are levels of one column, in all of the rows."""
        return self._whole.one_hot

    def column(self, column: int) -> Floats:
        """Values of one column, shape (n_rows,): numbers or codes; NaN where missing."""
        return self._whole.column(column)[self._index]

    def with_reals(self, column: int) -> TableRows:
        """Return the same part with a column of whole numbers as float64."""
        return PartOfRows(self._whole.with_reals(column), self._index)

    def substituted(self, index: Ints, columns: tuple[int, ...], values: Floats) -> Any:
        """Copy rows `index` of the part with some columns set."""
        return self._whole.substituted(self._index[index], columns, values)


def engine_values(column: Column, index: Ints | None = None) -> Floats:
    """Numbers of a column, or codes of its levels, of all rows or some, as float64 with NaN where missing."""
    if column.codes is None:
        if index is None:
            values = column.values  # converted at each call
            assert values is not None
            return values
        assert column.numbers is not None
        return column.numbers[index].astype(np.float64)
    codes = column.codes if index is None else column.codes[index]
    return np.where(codes < 0, np.nan, codes)


class ColumnValues:
    """What a column's values look like in its container: cast where it holds plain numbers, else taken from rows."""

    def __init__(self, table: Table, column: Column, position: int) -> None:
        self._column = column
        native = table.native
        self._array: Any
        if isinstance(native, np.ndarray):
            self._array = cast("NDArray[Any]", native)[:, position]
        elif isinstance(native, pd.DataFrame):
            self._array = native.iloc[:, position].array
        else:
            self._array = nw.from_native(native, eager_only=True)[:, position]
        self.castable = column.codes is None and not column.unit and _holds_plain_numbers(self._array)

    @property
    def limits(self) -> tuple[float, float]:
        """Least and greatest number the type holds."""
        whole = _whole_limits(self._array) if self.castable else None
        return (-np.inf, np.inf) if whole is None else (float(whole.min), _greatest(whole))

    def values(self, values: Floats) -> Any:
        """Return numbers or codes (m,) as a column of the container's own type."""
        if self.castable:
            return self._cast(values)
        row = self._row_with(values)
        if (row < 0).any():
            raise self._no_such_row(values[row < 0])
        return self._array[row] if isinstance(self._array, nw.Series) else self._array.take(row)

    def _cast(self, values: Floats) -> Any:
        array, missing = self._array, np.isnan(values)
        if (limits := _whole_limits(array)) is not None:
            fits = missing | ((values == np.floor(values)) & (values >= limits.min) & (values <= limits.max))
            if not fits.all():
                raise InputError(
                    f"Values put into {self._column.name!r} must fit its type, {array.dtype}; got "
                    f"{values[~fits][0]:g}. Give whole numbers, or hold the column as float in the study's rows."
                )
            if missing.any() and not self._column.n_missing:
                raise self._no_such_row(values[missing])
            if (values > _greatest(limits)).any():
                return self._cast_greatest(values, limits)
        if isinstance(array, nw.Series):
            filled = np.where(missing, 0.0, values)
            new = nw.new_series(array.name, filled, backend=array.implementation).cast(array.dtype)
            if not missing.any():
                return new
            filler = array[self._row_with(values[missing])[:1].repeat(len(values))]
            return new.zip_with(nw.new_series("present", ~missing, backend=array.implementation), filler)
        if isinstance(array.dtype, np.dtype):
            return values.astype(array.dtype)
        return pd.array(values, dtype=array.dtype)

    def _cast_greatest(self, values: Floats, limits: "np.iinfo[Any]") -> Any:
        """Cast whole numbers, that beyond the type's greatest float to the type's greatest number."""
        array, beyond = self._array, values > _greatest(limits)
        missing = np.isnan(values)
        whole = np.where(beyond | missing, 0, values).astype(limits.dtype)
        whole[beyond] = limits.max
        if isinstance(array, nw.Series):
            new = nw.new_series(array.name, whole, backend=array.implementation).cast(array.dtype)
            if not missing.any():
                return new
            filler = array[self._row_with(values[missing])[:1].repeat(len(values))]
            return new.zip_with(nw.new_series("present", ~missing, backend=array.implementation), filler)
        if isinstance(array.dtype, np.dtype):
            return whole
        new = pd.array(whole, dtype=array.dtype)
        if missing.any():
            new[missing] = pd.NA
        return new

    @cached_property
    def _distinct_rows(self) -> tuple[Floats, Ints, int]:
        """Distinct values, a row that has each, and one without a value (-1 where there is none)."""
        values = engine_values(self._column)
        distinct, first = np.unique(values, return_index=True)
        missing = np.isnan(distinct)
        missing_row = int(first[missing][0]) if missing.any() else -1
        return distinct[~missing], first[~missing].astype(np.int64), missing_row

    def _row_with(self, values: Floats) -> Ints:
        distinct, first, missing_row = self._distinct_rows
        if not len(distinct):
            return np.where(np.isnan(values), missing_row, -1).astype(np.int64)
        at = np.minimum(np.searchsorted(distinct, np.nan_to_num(values)), len(distinct) - 1)
        row = np.where(distinct[at] == values, first[at], -1)
        return np.where(np.isnan(values), missing_row, row).astype(np.int64)

    def _no_such_row(self, values: Floats) -> InputError:
        column = self._column
        if np.isnan(values[0]):
            what = "a missing value"
        elif column.levels:
            what = f"the level {column.levels[int(values[0])]!r}"
        else:
            what = str(to_dates(values)[0]) if column.unit == "year" else f"{values[0]:g}"
        return InputError(
            f"Only a value that some row has can be put into {column.name!r}, in its own type; "
            f"no row has {what}. Give one that a row has."
        )


def _holds_plain_numbers(array: Any) -> bool:
    """Tell whether any number that fits can be written into a column."""
    if isinstance(array, nw.Series):
        return array.dtype.is_numeric() and not isinstance(array.dtype, nw.Decimal)
    if isinstance(array.dtype, np.dtype):
        return array.dtype.kind in "fiu"
    plain = pd.api.types.is_numeric_dtype(array.dtype) and not pd.api.types.is_bool_dtype(array.dtype)
    return plain and not str(array.dtype).startswith("decimal")


def _all_fit(values: Floats, dtype: np.dtype[Any]) -> bool:
    """Tell whether all numbers can be cast to a type of NumPy as they are; any can to one of fractions."""
    if dtype.kind == "f":
        return True
    least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, _greatest(np.iinfo(dtype)))
    return bool(((values == np.floor(values)) & (values >= least) & (values <= most)).all())


def _greatest(limits: "np.iinfo[Any]") -> float:
    """Return the greatest float that a type of whole numbers holds: 2⁶³ − 1 as a float is 2⁶³, which it does not."""
    most = float(limits.max)
    return most if int(most) <= int(limits.max) else float(np.nextafter(most, 0))


def _whole_limits(array: Any) -> "np.iinfo[Any] | None":
    """Least and greatest number of a column of whole numbers; None for others."""
    if isinstance(array, nw.Series):
        # of 128 bits NumPy has none; what 64 hold is what any study's numbers come to
        name = str(array.dtype).lower().replace("128", "64")
        return np.iinfo(name) if array.dtype.is_integer() else None
    if not pd.api.types.is_integer_dtype(array.dtype):
        return None
    return np.iinfo(getattr(array.dtype, "subtype", getattr(array.dtype, "numpy_dtype", array.dtype)))
