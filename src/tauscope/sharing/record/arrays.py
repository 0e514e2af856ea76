"""Arrays and NumPy's scalars as JSON: short ones as lists, long ones as their bytes in base64."""

from __future__ import annotations

import math
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError

LONGEST_LIST = 1_000
"""Numbers that are written one by one; more are written as bytes."""
NUMBERS = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)|(datetime64|timedelta64)(\[\d*[a-zA-Zμ]+\])?")
NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
Write = Callable[[Any], Any]


def write_array(array: NDArray[Any], write: Write) -> dict[str, Any]:
    """Return an array as `{"$array": dtype, "shape": […], "values": […] or "base64": "…"}`, in C order.

    Numbers that are not finite are "nan", "inf" and "-inf"; dates and durations are counts of their unit; bytes are
    little-endian. Text is an array of "str"; of "object" every entry is written as a value of its own, by `write`.
    """
    kind = array.dtype.kind
    head = {"$array": {"U": "str", "O": "object"}.get(kind, array.dtype.name), "shape": list(array.shape)}
    if kind == "O":
        return head | {"values": [write(each) for each in array.ravel().tolist()]}
    if kind == "U":
        return head | {"values": array.ravel().tolist()}
    if not NUMBERS.fullmatch(array.dtype.name):
        raise InputError(f"an array of {array.dtype} has no form in JSON here")
    if array.size > LONGEST_LIST:
        flat = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        return head | {"base64": b64encode(flat.tobytes()).decode("ascii")}
    return head | {"values": _write_numbers(array)}


def read_array(fields: dict[str, Any], read: Write) -> NDArray[Any]:
    """Return the array of what `write_array` gave.

    Raises
    ------
    InputError
        For what it did not give: another type, a shape of another size, bytes beside it.
    """
    name, shape = fields["$array"], list_of(fields.get("shape"), "the shape of an array is")
    if not all(type(n) is int and n >= 0 for n in shape):
        raise InputError(f"the shape of an array is a list of lengths; got {shape!r:.60}")
    if name not in ("str", "object") and not (isinstance(name, str) and NUMBERS.fullmatch(name)):
        raise InputError(f"an array of {name!r:.60} is none that a record has")
    flat = _read_flat(name, fields, read)
    if math.prod(shape) != len(flat):
        raise InputError(f"an array of shape {tuple(shape)} has {math.prod(shape):,} entries; got {len(flat):,}")
    return flat.reshape(shape)


def write_scalar(value: np.generic) -> dict[str, Any]:
    """Return a scalar of NumPy as `{"$scalar": dtype, "value": …}`."""
    if isinstance(value, np.str_):
        return {"$scalar": "str", "value": str(value)}
    if not NUMBERS.fullmatch(value.dtype.name):
        raise InputError(f"a number of {value.dtype} has no form in JSON here")
    return {"$scalar": value.dtype.name, "value": _write_numbers(np.asarray(value))[0]}


def read_scalar(fields: dict[str, Any]) -> Any:
    """Return the scalar of what `write_scalar` gave."""
    name = fields["$scalar"]
    array = read_array({"$array": name, "shape": [1], "values": [fields.get("value")]}, lambda value: value)
    return np.str_(array[0]) if name == "str" else array[0]


def _write_numbers(array: NDArray[Any]) -> list[Any]:
    flat = array.ravel()
    if flat.dtype.kind in "mM":
        return flat.view(np.int64).tolist()
    numbers = flat.tolist()
    if flat.dtype.kind != "f" or np.isfinite(flat).all():
        return numbers
    return [each if math.isfinite(each) else str(each) for each in numbers]


def _read_flat(name: str, fields: dict[str, Any], read: Write) -> NDArray[Any]:
    if "base64" in fields:
        return _read_bytes(name, fields["base64"])
    values = list_of(fields.get("values"), "the values of an array are")
    if name == "object":
        made = np.empty(len(values), dtype=object)
        made[:] = [read(each) for each in values]
        return made
    if name == "str":
        if not all(isinstance(each, str) for each in values):
            raise InputError("an array of text has text alone; got something else in it")
        return np.array(values, dtype=np.str_)
    return _read_numbers(np.dtype(name), values)


def _read_numbers(dtype: np.dtype[Any], values: list[Any]) -> NDArray[Any]:
    allowed = {"b": bool, "f": (int, float)}.get(dtype.kind, int)
    numbers = [NOT_FINITE.get(each, each) if isinstance(each, str) and dtype.kind == "f" else each for each in values]
    if not all(isinstance(each, allowed) and isinstance(each, bool) == (dtype.kind == "b") for each in numbers):
        raise InputError(f"an array of {dtype} has numbers of it alone; got something else in it")
    try:
        if dtype.kind in "mM":
            return np.array(numbers, dtype=np.int64).view(dtype)
        return np.array(numbers, dtype=dtype)
    except OverflowError:
        raise InputError(f"a number in an array of {dtype} is too large for it") from None


def _read_bytes(name: str, text: object) -> NDArray[Any]:
    dtype = np.dtype(name) if name not in ("str", "object") else None
    try:
        data = b64decode(text, validate=True) if isinstance(text, str) else None
    except ValueError:
        data = None
    if dtype is None or data is None or len(data) % dtype.itemsize:
        raise InputError(f"the bytes of an array of {name} are not whole")
    return np.frombuffer(data, dtype.newbyteorder("<")).astype(dtype)  # a copy of its own, to be written into


def list_of(value: object, what: str) -> list[Any]:
    """Return a list, refusing anything else; `what` names it, as the beginning of a sentence."""
    if not isinstance(value, list):
        raise InputError(f"{what} a list; got {value!r:.60}")
    return cast(list[Any], value)


def mapping_of(value: object, what: str) -> dict[str, Any]:
    """Return an object, refusing anything else; `what` names it, as the beginning of a sentence."""
    if not isinstance(value, dict):
        raise InputError(f"{what} a mapping; got {value!r:.60}")
    return cast(dict[str, Any], value)
