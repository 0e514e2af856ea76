"""Rows in the container the user gave them in: pandas stays pandas, polars polars, an array an array."""

# What comes in here is of any container; its type is what is found out.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray

from tauscope.errors import InputError, InputTypeError

HOW_TO_GIVE_ROWS = "Give a pandas or polars DataFrame, or a 2-D array with one row per observation."


@dataclass(frozen=True, eq=False)
class Table:
    """Rows and columns, still in the user's own container.

    Attributes
    ----------
    native : DataFrame, ndarray or sparse matrix
        What the user gave; never written to.
    kind : {"array", "frame", "sparse"}
    names : tuple of str or None
        Column names of a frame as text; None for an array or a sparse matrix.
    n_rows, n_columns : int
    """

    native: Any
    kind: Literal["array", "frame", "sparse"]
    names: tuple[str, ...] | None
    n_rows: int
    n_columns: int

    def rows(self, start: int, stop: int) -> Any:
        """Return rows start … stop-1 in the same kind of container, as a copy that a model may keep or spoil."""
        if self.kind == "array":
            return self.native[start:stop].copy()
        part = _frame(self.native)[start:stop].to_native()
        return part.copy() if isinstance(part, pd.DataFrame) else part

    def same(self, rows: Any, start: int, stop: int) -> bool:
        """Tell whether `rows`, once taken from here, still equal rows start … stop-1."""
        if self.kind == "array":
            return _equal_arrays(rows, self.native[start:stop])
        if nw.dependencies.is_pyarrow_table(rows):
            return True  # cannot be written to, and its `equals` tells NaN from NaN
        original = _frame(self.native)[start:stop].to_native()
        if nw.dependencies.is_polars_dataframe(rows):  # polars says that objects differ from themselves
            objects = [name for name, dtype in original.schema.items() if str(dtype) == "Object"]
            return bool(rows.drop(objects, strict=False).equals(original.drop(objects)))
        return bool(rows.equals(original))

    def series(self) -> Iterator[nw.Series[Any]]:
        """Yield the columns of a frame as narwhals series."""
        frame = _frame(self.native)
        return (frame.get_column(name) for name in frame.columns)


def read_table(X: Any) -> Table:
    """Recognise the container of the rows.

    Parameters
    ----------
    X : DataFrame, ndarray, or nested sequence of numbers, shape (n_rows, n_columns)

    Returns
    -------
    Table

    Raises
    ------
    InputTypeError
        For a container whose rows cannot be read here: lazy, sparse, masked, a series, a dict.
    InputError
        For anything but two dimensions, or a column name used twice.
    """
    if isinstance(X, np.ma.MaskedArray):
        raise InputTypeError("Missing values must be NaN, not a mask; got a masked array. Use X.filled(np.nan).")
    if isinstance(X, list | tuple | np.ndarray):
        return _read_array(_nested(X))
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise InputTypeError(f"Rows must be dense here; got a sparse {type(X).__name__}. Use X.toarray().")
    if isinstance(X, pd.DataFrame) and not X.columns.is_unique:
        twice = [str(name) for name in X.columns[X.columns.duplicated()].unique()]
        raise InputError(f"Column names must be distinct; {twice} come more than once. Rename or drop them.")
    if nw.dependencies.is_into_series(X):
        raise InputError(f"Rows must have two dimensions; got a {type(X).__name__}. Use X.to_frame().")
    if type(X).__name__ == "LazyFrame":
        raise InputTypeError("Rows must be in memory; got a LazyFrame. Use X.collect(), or ChunkedStudy(model, X).")
    if nw.dependencies.is_pyarrow_table(X) and len(set(X.column_names)) < X.num_columns:
        twice = sorted({name for name in X.column_names if X.column_names.count(name) > 1})
        raise InputError(f"Column names must be distinct; {twice} come more than once. Rename or drop them.")
    if nw.dependencies.is_dask_dataframe(X):
        raise InputTypeError(
            "Rows must be in memory; got a Dask DataFrame. Use ChunkedStudy.from_dask(model, X, target='…'), or "
            "X.compute()."
        )
    try:
        frame = _frame(X)
    except TypeError:
        raise InputTypeError(f"Rows must be in a frame or an array; got {_type_name(X)}. {HOW_TO_GIVE_ROWS}") from None
    names = tuple(str(name) for name in frame.columns)
    return Table(X, "frame", names, len(frame), len(names))


def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Return rows by position, in the container they came in."""
    if hasattr(X, "tocsr"):
        return X.tocsr()[rows]
    return X[rows] if isinstance(X, np.ndarray) else _frame(X)[rows].to_native()


def join_rows(parts: list[Any]) -> Any:
    """Return rows of several containers as one, in that of all where it is the same, else in pandas.

    Columns of several types get one that holds the values of all: int and float are float, categories and text are
    text.
    """
    if all(isinstance(one, np.ndarray) for one in parts):
        return np.concatenate(parts)
    kind = next(type(one) for one in parts if not isinstance(one, np.ndarray))
    if not issubclass(kind, pd.DataFrame) and all(isinstance(one, kind) for one in parts):
        return _join_frames([nw.from_native(one, eager_only=True) for one in parts])
    return _join_pandas([_as_pandas(one) for one in parts])


def _as_pandas(rows: Any) -> pd.DataFrame:
    if isinstance(rows, np.ndarray):
        return pd.DataFrame(rows, columns=[f"x{j}" for j in range(rows.shape[1])])
    return nw.from_native(rows, eager_only=True).to_pandas()


def _join_frames(frames: list[nw.DataFrame[Any]]) -> Any:
    """Join frames of one container, which refuses columns of several types."""
    common = {name: _common_type([frame.schema[name] for frame in frames]) for name in frames[0].columns}
    cast = [nw.col(name).cast(dtype) for name, dtype in common.items() if dtype is not None]
    return nw.concat([frame.with_columns(*cast) for frame in frames]).to_native()


def _common_type(types: list[Any]) -> Any:
    """Return the type that holds the values of several; None where all are of one."""
    known = {dtype for dtype in types if dtype != nw.Unknown}
    if not known or (len(set(types)) == 1 and known != {nw.String()}):  # Arrow has two types of text
        return None
    if len(known) == 1:
        return known.pop()
    if all(dtype.is_integer() and dtype != nw.UInt64 for dtype in known):
        return nw.Int64()
    if all(dtype.is_numeric() for dtype in known):
        return nw.Float64()
    if all(isinstance(dtype, nw.Date | nw.Datetime) for dtype in known):
        zones = {getattr(dtype, "time_zone", None) for dtype in known}
        return nw.Datetime("us", zones.pop() if len(zones) == 1 else "UTC")
    return nw.String()


def _join_pandas(frames: list[pd.DataFrame]) -> pd.DataFrame:
    # pandas 2 warns where a column without a value meets another type
    empty = {name for one in frames for name in one if one[name].dtype == object and one[name].isna().all()}
    whole = pd.concat([one.astype(dict.fromkeys(empty & set(one), object)) for one in frames], ignore_index=True)
    # chunks of a file have each the categories they saw
    apart = [name for name in whole if not isinstance(whole[name].dtype, pd.CategoricalDtype)]
    levels = [name for name in apart if all(isinstance(one[name].dtype, pd.CategoricalDtype) for one in frames)]
    return whole.astype(dict.fromkeys(levels, "category"))


def read_vector(values: Any, what: str) -> NDArray[Any]:
    """Return a column given beside the rows (labels, weights, scores) as an array.

    Parameters
    ----------
    values : series, array, list, or frame of one column
    what : str
        Its name in messages.

    Returns
    -------
    ndarray of shape (n_rows,) or (n_rows, n_columns)
        A trailing dimension of length one is dropped; text and mixed values come as objects.

    Raises
    ------
    InputTypeError
        When it is not a column of values.
    """
    if isinstance(values, np.ndarray):  # first, for every answer of a model passes here
        array: NDArray[Any] = np.asarray(values)
    elif nw.dependencies.is_into_series(values):
        array = nw.from_native(values, series_only=True).to_numpy()
    elif nw.dependencies.is_into_dataframe(values):
        array = _frame_values(values, what)
    elif isinstance(values, str | bytes | dict) or not (hasattr(values, "__len__") or hasattr(values, "__array__")):
        raise InputTypeError(f"{what} must hold one value per row; got {_type_name(values)}. Give a 1-D array.")
    else:
        try:
            array = np.asarray(values)
            # of text beside numbers or NaN NumPy makes text: "1" of 1, and a class "nan" of what is missing
            array = np.asarray(values, dtype=object) if array.dtype.kind in "US" else array
        except ValueError:
            raise InputTypeError(f"{what} must hold one value per row; got rows of unequal length.") from None
        if array.ndim == 0:  # a set or a sparse matrix, which NumPy takes for one object
            raise InputTypeError(f"{what} must hold one value per row; got {_type_name(values)}. Give a 1-D array.")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.dtype.kind == "O":
        array = _plain_numbers(array)
        _check_plain_values(array, what)
    return array.astype(object) if array.dtype.kind not in "biufcO" else array


def _frame_values(frame: Any, what: str) -> NDArray[Any]:
    try:
        return nw.from_native(frame, eager_only=True).to_numpy()
    except DuplicateError:
        raise InputError(f"{what} must have columns of different names; got {list(frame.columns)!r}.") from None


def _plain_numbers(array: NDArray[Any]) -> NDArray[Any]:
    """Return objects that are all bools or all numbers as such, others as they are; None in numbers is NaN."""
    inferred = pd.api.types.infer_dtype(array.ravel(), skipna=True)
    missing = bool(pd.isna(array).any())
    if inferred == "boolean" and not missing:
        return array.astype(bool)
    if inferred == "integer" and not missing:
        try:
            return array.astype(np.int64)
        except OverflowError:
            return array
    if inferred in ("integer", "floating", "mixed-integer-float", "decimal"):
        return np.where(pd.isna(array), np.nan, array).astype(np.float64)
    return array


def _check_plain_values(array: NDArray[Any], what: str) -> None:
    """Refuse lists, records and sets in place of values."""
    if array.dtype.kind == "O" and pd.api.types.infer_dtype(array.ravel(), skipna=True).startswith("mixed"):
        for row, value in enumerate(array.ravel()):
            if isinstance(value, list | dict | set | np.ndarray):
                raise InputTypeError(
                    f"{what} must hold one value per row; got {_type_name(value)} in row {row}. Give a 1-D array."
                )


def same_order(X: Any, values: Any) -> bool:
    """Tell whether a pandas series or frame beside pandas rows has its index in another order; others pass."""
    if not (isinstance(X, pd.DataFrame) and isinstance(values, pd.Series | pd.DataFrame)):
        return True
    if len(X) != len(values) or X.index.equals(values.index) or not X.index.is_unique:
        return True
    return not (values.index.is_unique and values.index.isin(X.index).all())


def n_other_rows(X: Any, values: Any) -> int:
    """Count the rows of a pandas series or frame that, by its index, are none of the pandas rows it stands beside.

    Parameters
    ----------
    X : object
        Rows as given.
    values : object
        A column given beside them.

    Returns
    -------
    int
        0 where one of the two is not pandas, where their lengths differ, and where one has pandas' default index
        0, 1, …, which says nothing about rows.
    """
    if not (isinstance(X, pd.DataFrame) and isinstance(values, pd.Series | pd.DataFrame)) or len(X) != len(values):
        return 0
    rows, others, default = X.index, values.index, pd.RangeIndex(len(X))
    if rows.equals(others) or rows.equals(default) or others.equals(default):
        return 0
    if rows.nlevels != others.nlevels:
        return len(others)
    return int(np.count_nonzero(~others.isin(rows)))


def _frame(X: Any) -> nw.DataFrame[Any]:
    return nw.from_native(X, eager_only=True)


def _nested(X: Any) -> NDArray[Any]:
    try:
        return np.asarray(X)
    except ValueError:
        raise InputError(f"Rows must all have the same length; they do not. {HOW_TO_GIVE_ROWS}") from None


def _read_array(X: NDArray[Any]) -> Table:
    if X.ndim != 2 or X.dtype.names is not None:
        received = f"shape {X.shape}" if X.dtype.names is None else "a structured array"
        raise InputError(f"Rows must have two dimensions; got {received}. {HOW_TO_GIVE_ROWS}")
    if X.dtype.kind in "cV":
        raise InputTypeError(f"Columns must hold real numbers, text or levels; got dtype {X.dtype}.")
    return Table(X, "array", None, X.shape[0], X.shape[1])


def _equal_arrays(a: Any, b: NDArray[Any]) -> bool:
    if not isinstance(a, np.ndarray) or a.shape != b.shape:
        return False
    if b.dtype.kind == "O":
        return pd.DataFrame(a).equals(pd.DataFrame(b))
    return bool(np.array_equal(a, b, equal_nan=b.dtype.kind in "fmM"))


def _type_name(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
