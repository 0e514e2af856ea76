"""From the user's container to columns: which kind each one is, and its numbers or the codes of its levels."""

# Columns come from any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.data.columns import Column, numbered_place
from tauscope.data.dates import to_decimal_years
from tauscope.data.frames import Table
from tauscope.data.labels import plain
from tauscope.errors import InputError, InputTypeError, UnknownName, place_of

BLOCK_CELLS = 1 << 20
UNREADABLE = {"List", "Array", "Struct", "Time", "Binary"}  # by name: older narwhals lack some of them

Range = tuple[float, float, int]


def read_columns(table: Table, names: Sequence[str], categorical_features: Any = "infer") -> tuple[Column, ...]:
    """Read every column.

    Parameters
    ----------
    table : Table
    names : sequence of str, one per column
    categorical_features : "infer", None, or mask, positions or names of columns
        Columns of text and other objects are categorical whatever is said here, bools are boolean, dates become
        decimal years and durations days. Named columns of numbers or bools are categorical too, one level per
        distinct value. "infer" takes the frame's own categories (pandas category, polars Categorical and Enum) as
        levels; None, or a list without them, takes categories that are numbers as numbers.

    Returns
    -------
    tuple of Column

    Raises
    ------
    InputTypeError
        For a column of lists, records, times of day or complex numbers.
    UnknownName, InputTypeError
        For `categorical_features` that name no column, or are none of the above.
    """
    forced = select_categorical(categorical_features, names)
    infer = isinstance(categorical_features, str)
    if table.kind == "frame":
        return tuple(
            _from_series(name, series, j in forced, infer)
            for j, (name, series) in enumerate(zip(names, table.series(), strict=True))
        )
    X: NDArray[Any] = table.native
    if X.dtype.kind not in "iuf":
        return tuple(_from_array(name, X[:, j], j in forced) for j, name in enumerate(names))
    return tuple(
        _from_array(name, X[:, j], True) if j in forced else _numeric(name, X[:, j], summary)
        for j, (name, summary) in enumerate(zip(names, _ranges(X), strict=True))
    )


def _from_series(name: str, series: nw.Series[Any], forced: bool, infer: bool) -> Column:
    dtype = series.dtype
    if isinstance(dtype, nw.Boolean) and not forced:
        numbers = series.cast(nw.Float64).to_numpy()
        return _levels(name, "boolean", np.where(np.isnan(numbers), -1, numbers), ("False", "True"))
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _from_categories(name, series, forced or infer)
    if dtype.is_numeric():
        whole = dtype.is_integer() and not series.is_null().any()
        wide = isinstance(dtype, nw.Decimal | nw.Int128 | nw.UInt128) or (dtype.is_integer() and not whole)
        return _from_array(name, (series.cast(nw.Float64) if wide else series).to_numpy(), forced)
    if isinstance(dtype, nw.Datetime) and dtype.time_zone is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    if type(dtype).__name__ in UNREADABLE:
        raise _unreadable(name, str(dtype))
    values = series.to_numpy()
    if values.ndim > 1:  # of a type that narwhals does not know, whose values are records
        raise _unreadable(name, str(getattr(series.to_native(), "dtype", dtype)))
    return _from_array(name, values, forced)


def _from_categories(name: str, series: nw.Series[Any], as_levels: bool) -> Column:
    """Levels in the order of the categories where these have one of their own, unused ones included."""
    if series.is_null().all():
        return _from_array(name, np.full(len(series), None), True)
    native = series.to_native()
    ordered = isinstance(series.dtype, nw.Enum) or isinstance(native, pd.Series)
    index: Iterable[Any] | None = getattr(native.dtype, "categories", None) if ordered else None
    if index is None:
        return _from_array(name, series.to_numpy(), True)
    categories = [labels.plain(category) for category in index]
    if not as_levels and categories and all(_is_number(category) for category in categories):
        return _from_array(name, series.to_numpy().astype(np.float64), False)
    if isinstance(native, pd.Series):
        return _levels(name, "categorical", native.cat.codes.to_numpy(), labels.names(categories))
    return _levels(name, "categorical", labels.encode(series.to_numpy(), categories)[0], labels.names(categories))


def _from_array(name: str, values: NDArray[Any], forced: bool) -> Column:
    if values.dtype.kind == "O" or values.dtype.kind not in "biufmM":
        return _from_objects(name, values.astype(object), forced)
    if forced or values.dtype.kind == "b":
        return _from_distinct(name, values, forced)
    if values.dtype.kind in "mM":
        return _from_times(name, values)
    return _numeric(name, values, next(_ranges(values[:, None])))


def _from_objects(name: str, values: NDArray[Any], forced: bool) -> Column:
    inferred = pd.api.types.infer_dtype(values, skipna=True)
    missing = np.asarray(pd.isna(values))
    if inferred in ("datetime64", "datetime", "date", "timedelta64", "timedelta") and not forced:
        lasting = inferred.startswith("timedelta")
        times = pd.to_timedelta(values) if lasting else pd.to_datetime(values, utc=True).tz_localize(None)
        return _from_times(name, times.to_numpy())
    numeric = inferred in ("integer", "floating", "mixed-integer-float", "decimal") or missing.all()
    if numeric and not forced:
        numbers = np.where(missing, np.nan, values).astype(np.float64)
        return _numeric(name, numbers, next(_ranges(numbers[:, None])))
    if inferred in ("complex", "time"):
        raise _unreadable(name, inferred)
    return _from_distinct(name, values, forced or inferred != "boolean")


def _from_distinct(name: str, values: NDArray[Any], categorical: bool) -> Column:
    if not categorical:
        codes = labels.encode(values, (False, True))[0]
        return _levels(name, "boolean", codes, ("False", "True"))
    try:
        levels = labels.distinct(values)
        return _levels(name, "categorical", labels.encode(values, levels)[0], labels.names(levels))
    except TypeError:
        raise _unreadable(name, "lists, dicts or other objects without a hash") from None


def _from_times(name: str, values: NDArray[Any]) -> Column:
    """Dates as decimal years, durations as days."""
    dated = values.dtype.kind == "M"
    numbers = to_decimal_years(values) if dated else values / np.timedelta64(1, "D")
    return _numeric(name, numbers, next(_ranges(numbers[:, None])), "year" if dated else "days")


def _numeric(name: str, numbers: NDArray[Any], summary: Range, unit: str = "") -> Column:
    lower, upper, n_missing = summary
    return Column(name, "numeric", numbers=numbers, lower=lower, upper=upper, n_missing=n_missing, unit=unit)


def _levels(name: str, kind: Any, codes: NDArray[Any], levels: tuple[str, ...]) -> Column:
    codes = codes.astype(np.int32)
    return Column(name, kind, codes=codes, levels=levels, n_missing=int(np.count_nonzero(codes < 0)))


def _ranges(X: NDArray[Any]) -> Iterator[Range]:
    """Least and greatest number and count of NaN per column, in blocks of rows that stay in the cache."""
    lower, upper = np.full(X.shape[1], np.nan), np.full(X.shape[1], np.nan)
    n_missing = np.zeros(X.shape[1], dtype=np.int64)
    step = max(1, BLOCK_CELLS // max(1, X.shape[1]))
    for start in range(0, len(X), step):
        block = X[start : start + step]
        lower = np.fmin(lower, np.fmin.reduce(block, axis=0))
        upper = np.fmax(upper, np.fmax.reduce(block, axis=0))
        if X.dtype.kind == "f":
            n_missing += np.isnan(block).sum(axis=0)
    return zip(lower.tolist(), upper.tolist(), n_missing.tolist(), strict=True)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unreadable(name: str, inferred: str) -> InputTypeError:
    return InputTypeError(
        f"Columns must hold numbers, bools, dates, text or levels; column {name!r} holds {inferred}. "
        "Give the model a function that makes it from columns which do, or leave it out."
    )


def select_categorical(categorical_features: Any, names: Sequence[str]) -> set[int]:
    """Return the positions of the columns that are named.

    Parameters
    ----------
    categorical_features : "infer", None, or mask, positions or names of columns
    names : sequence of str
        The columns' names in order.

    Returns
    -------
    set of int
        Empty for "infer" and None.

    Raises
    ------
    InputError
        For a lone name, or a mask of another length.
    UnknownName, InputTypeError
        For a name or position that is not there, or anything else.
    """
    if categorical_features is None or isinstance(categorical_features, str):
        if categorical_features in (None, "infer"):
            return set()
        raise InputError(
            f"categorical_features must be 'infer', None, or a list of names; got {categorical_features!r}. "
            f"Try categorical_features=[{categorical_features!r}]."
        )
    if not isinstance(categorical_features, Iterable):
        raise _strange(categorical_features)
    requested = [plain(entry) for entry in cast(Iterable[Any], categorical_features)]
    if requested and all(isinstance(entry, bool) for entry in requested):
        if len(requested) != len(names):
            raise InputError(
                f"A mask of categorical_features must have one entry per column; got {len(requested)} for {len(names)}."
            )
        return {j for j, entry in enumerate(requested) if entry}
    return {_position(entry, names) for entry in requested}


def _position(entry: object, names: Sequence[str]) -> int:
    if not isinstance(entry, str | int) or isinstance(entry, bool):
        raise _strange(entry)
    try:
        return place_of("column", entry, names) if isinstance(entry, str) else numbered_place(entry, names)
    except UnknownName as unknown:
        raise UnknownName(f"In categorical_features: {unknown}") from None


def _strange(entry: object) -> InputTypeError:
    return InputTypeError(f"categorical_features takes names, positions or a mask of bools; got {entry!r}.")
