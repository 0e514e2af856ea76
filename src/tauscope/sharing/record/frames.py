"""Frames, series and their indices as JSON: column by column, each with its dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from tauscope.errors import InputError
from tauscope.sharing.record.arrays import Write, list_of, mapping_of, read_array, write_array
from tauscope.words import count

MASKED = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64", "boolean")
TEXTS = ("str", "string")


def write_frame(frame: pd.DataFrame, write: Write) -> dict[str, Any]:
    """Return a frame as `{"$frame": [column, …], "names": index, "index": index}`."""
    columns = [_write_values(frame.iloc[:, k], write) for k in range(frame.shape[1])]
    return {"$frame": columns, "names": write_index(frame.columns, write), "index": write_index(frame.index, write)}


def read_frame(fields: dict[str, Any], read: Write) -> pd.DataFrame:
    """Return the frame of what `write_frame` gave."""
    index, names = read_index(fields.get("index"), read), read_index(fields.get("names"), read)
    columns = [_series(each, index, read) for each in list_of(fields["$frame"], "the columns of a frame are")]
    if len(columns) != len(names):
        raise InputError(f"a frame of {count(len(columns), 'column')} has as many names; got {len(names)}")
    frame = pd.DataFrame(dict(enumerate(columns)), index=index)
    frame.columns = names
    return frame


def write_series(series: pd.Series[Any], write: Write) -> dict[str, Any]:
    """Return a series as `{"$series": column, "name": …, "index": index}`."""
    return {
        "$series": _write_values(series, write),
        "name": write(series.name),
        "index": write_index(series.index, write),
    }


def read_series(fields: dict[str, Any], read: Write) -> pd.Series[Any]:
    """Return the series of what `write_series` gave."""
    series = _series(fields["$series"], read_index(fields.get("index"), read), read)
    series.name = read(fields.get("name"))
    return series


def write_index(index: pd.Index[Any], write: Write) -> dict[str, Any]:
    """Return an index by its values, one of positions by its ends, one of several levels by the levels."""
    if isinstance(index, pd.RangeIndex):
        return {"range": [index.start, index.stop, index.step], "name": write(index.name)}
    if isinstance(index, pd.MultiIndex):
        levels = [write_index(index.get_level_values(k), write) for k in range(index.nlevels)]
        return {"levels": levels}
    return {"values": _write_values(pd.Series(index.array, dtype=index.dtype), write), "name": write(index.name)}


def read_index(fields: Any, read: Write) -> pd.Index[Any]:
    """Return the index of what `write_index` gave."""
    fields = mapping_of(fields, "an index is")
    if "levels" in fields:
        levels = [read_index(each, read) for each in list_of(fields["levels"], "the levels of an index are")]
        return pd.MultiIndex.from_arrays(levels, names=[each.name for each in levels])
    name: Any = read(fields.get("name"))
    if "range" in fields:
        ends = list_of(fields["range"], "positions are")
        if not (len(ends) == 3 and all(type(each) is int for each in ends) and ends[2]):
            raise InputError(f"positions run from a start to a stop by a step; got {ends!r:.60}")
        return pd.RangeIndex(*ends, name=name)
    values = _read_values(fields.get("values"), read)
    return pd.Index(values, dtype=values.dtype, name=name)


def _write_values(series: pd.Series[Any], write: Write) -> dict[str, Any]:
    dtype: Any = series.dtype
    if isinstance(dtype, np.dtype):
        return write_array(series.to_numpy(), write)
    if isinstance(dtype, pd.CategoricalDtype):
        codes = write_array(series.cat.codes.to_numpy(), write)
        levels = write_index(dtype.categories, write)
        return {"$dtype": "category", "codes": codes, "categories": levels, "ordered": bool(dtype.ordered)}
    if isinstance(dtype, pd.DatetimeTZDtype):
        moments = series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
        return {"$dtype": "zoned", "zone": str(dtype.tz), "moments": write_array(moments, write)}
    name = str(dtype).split("[")[0]
    if name not in (*MASKED, *TEXTS):
        raise InputError(f"a column of {dtype} has no form in JSON here")
    missing = series.isna().to_numpy()
    values = [None if gone else write(each) for each, gone in zip(series.tolist(), missing, strict=True)]
    return {"$dtype": name, "values": values}


def _read_values(fields: Any, read: Write) -> Any:
    fields = mapping_of(fields, "the values of a column are")
    if "$array" in fields:
        return read_array(fields, read)
    name = fields.get("$dtype")
    if name == "category":
        codes, levels = read_array(fields.get("codes", {}), read), read_index(fields.get("categories"), read)
        return pd.Categorical.from_codes(codes, levels, ordered=fields.get("ordered") is True)
    if name == "zoned":
        moments: Any = pd.Series(read_array(fields.get("moments", {}), read))
        return moments.dt.tz_localize("UTC").dt.tz_convert(fields.get("zone")).array
    if name not in (*MASKED, *TEXTS):
        raise InputError(f"a column of {name!r:.60} is none that a record has")
    values = [read(each) for each in list_of(fields.get("values"), "the values of a column are")]
    kinds = str if name in TEXTS else bool if name == "boolean" else int if "nt" in name else (int, float)
    if not all(each is None or isinstance(each, kinds) for each in values):
        raise InputError(f"a column of {name} has values of it alone; got something else in it")
    # None in a column of text that marks what is missing by NaN
    return pd.array(values, dtype=name)


def _series(fields: Any, index: pd.Index[Any], read: Write) -> pd.Series[Any]:
    values = _read_values(fields, read)
    if np.ndim(values) != 1 or len(values) != len(index):
        raise InputError(f"a column beside {len(index):,} entries of an index has as many; got {len(values):,}")
    return pd.Series(values, index=index, dtype=values.dtype)
