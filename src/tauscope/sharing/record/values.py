"""Values as JSON and back: what has a form in JSON as it is, all else as an object whose first key says what it is."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from numbers import Integral, Real
from typing import Any, Literal, Union, cast, get_args, get_origin

import numpy as np
import pandas as pd

from tauscope.arguments import describe
from tauscope.errors import InputError, TauscopeError
from tauscope.results.base import Result
from tauscope.sharing.record.arrays import NOT_FINITE, read_array, read_scalar, write_array, write_scalar
from tauscope.sharing.record.classes import build, class_named, field_kinds, field_names, name_of
from tauscope.sharing.record.frames import read_frame, read_index, read_series, write_frame, write_index, write_series

OWN, OTHER = "own", "other"
"""What a result was made of: the study of the whole record, or another one."""


class Writer:
    """Writes values; what is in two places is written once, among `shared`.

    Parameters
    ----------
    source : Study or None
        That of the whole record.

    Attributes
    ----------
    shared : list
        What is in two places or more, by its number.
    """

    def __init__(self, source: object) -> None:
        self.source = source
        self.shared: list[Any] = []
        self._written: dict[int, tuple[object, dict[str, Any]]] = {}

    def write(self, value: Any) -> Any:
        """Return a value as JSON.

        Raises
        ------
        InputError
            For a value of a class that a record cannot hold.
        """
        if value is None or isinstance(value, bool) or type(value) in (int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"$float": str(value)}
        if isinstance(value, tuple):
            several = cast(tuple[Any, ...], value)
            return (
                self._write_fields(several) if hasattr(several, "_fields") else [self.write(each) for each in several]
            )
        return self._write_once(value) if self._is_shareable(value) else self._write_tagged(value)

    def _is_shareable(self, value: object) -> bool:
        return isinstance(value, np.ndarray | pd.DataFrame) or dataclasses.is_dataclass(value)

    def _write_once(self, value: Any) -> dict[str, Any]:
        """Write an object when it is first met, and move it to `shared` when it is met again."""
        if id(value) not in self._written:
            made = self._write_tagged(value)
            self._written[id(value)] = (value, made)
            return made
        made = self._written[id(value)][1]
        if "$shared" not in made:
            self.shared.append(dict(made))
            made.clear()
            made["$shared"] = len(self.shared) - 1
        return made

    def _write_tagged(self, value: Any) -> dict[str, Any]:
        if value is pd.NaT or value is pd.NA:
            return {"$missing": str(value)}
        if isinstance(value, pd.Timestamp | pd.Timedelta):
            return {f"${type(value).__name__.lower()}": value.isoformat(), "unit": value.unit}
        if isinstance(value, np.generic):
            return write_scalar(cast("np.generic[Any]", value))
        if isinstance(value, np.ndarray):
            return write_array(cast("np.ndarray[Any, np.dtype[Any]]", value), self.write)
        if isinstance(value, pd.DataFrame):
            return write_frame(value, self.write)
        if isinstance(value, pd.Series):
            return write_series(cast("pd.Series[Any]", value), self.write)
        if isinstance(value, pd.Index):
            return {"$index": write_index(cast("pd.Index[Any]", value), self.write)}
        return self._write_object(value)

    def _write_object(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Mapping):
            pairs = cast(Mapping[Any, Any], value).items()
            return {"$mapping": [[self.write(key), self.write(each)] for key, each in pairs]}
        if isinstance(value, list):
            return {"$list": [self.write(each) for each in cast(list[Any], value)]}
        if isinstance(value, frozenset | set):
            name = "$frozenset" if isinstance(value, frozenset) else "$set"
            return {name: [self.write(each) for each in sorted(cast(set[Any], value), key=repr)]}
        if isinstance(value, datetime):
            return {"$datetime": value.isoformat()}
        if isinstance(value, date):
            return {"$date": value.isoformat()}
        if isinstance(value, timedelta):
            return {"$timedelta": [value.days, value.seconds, value.microseconds]}
        return self._write_fields(value)

    def _write_fields(self, value: Any) -> dict[str, Any]:
        kind = cast(type[Any], type(value))
        name = name_of(kind)
        if name is None:
            raise InputError(f"a {kind.__module__}.{kind.__qualname__} has no form in JSON here")
        made = {"$class": name, **{each: self.write(getattr(value, each)) for each in field_names(kind)}}
        if isinstance(value, Result) and value.source is not None:
            made["$source"] = OWN if value.source is self.source else OTHER
        return made


class Reader:
    """Reads what a `Writer` wrote.

    Parameters
    ----------
    shared : list
    source : Study or None
        What results are made of whose source was that of the record.
    """

    def __init__(self, shared: list[Any], source: Any) -> None:
        self.shared = shared
        self.source = source
        self._read: dict[int, Any] = {}
        self._open: set[int] = set()

    def read(self, value: Any) -> Any:
        """Return the value that was written.

        Raises
        ------
        InputError
            For anything that no `Writer` wrote; says what, as the end of a sentence.
        """
        if isinstance(value, list):
            return tuple(self.read(each) for each in cast(list[Any], value))
        if not isinstance(value, dict):
            return value
        fields = cast(dict[str, Any], value)
        tag = next(iter(fields), "")
        try:
            if tag in _READ:
                return _READ[tag](self, fields)
        except TauscopeError as error:
            raise InputError(str(error)) from None
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError) as error:
            raise InputError(f"what stands under {tag!r} cannot be read: {error}") from None
        raise InputError(f"it has an object that begins with {tag!r:.60}, which is none of a record's")

    def read_shared(self, place: object) -> Any:
        """Return what is in several places, the same object at each."""
        if type(place) is not int or not 0 <= place < len(self.shared) or place in self._open:
            raise InputError(f"there is no shared value {place!r:.60}")
        if place not in self._read:
            self._open.add(place)
            self._read[place] = self.read(self.shared[place])
            self._open.discard(place)
        return self._read[place]

    def read_object(self, fields: dict[str, Any]) -> Any:
        """Return an object of a class of the table, by its fields."""
        kind = class_named(fields["$class"])
        names = field_names(kind)
        given = {name: each for name, each in fields.items() if name not in ("$class", "$source")}
        for name in names:
            if name not in given:
                raise InputError(f"a {kind.__name__} has {name}, which is missing")
        for name in given:
            if name not in names:
                raise InputError(f"a {kind.__name__} has no {name!r:.60}")
        values = {name: self.read(given[name]) for name in names}
        for name, value in values.items():
            if not fits(value, field_kinds(kind)[name]):
                raise InputError(f"{kind.__name__}.{name} cannot be {_told(value)}")
        if issubclass(kind, Result):
            values["source"] = self.source if fields.get("$source") == OWN else None
        return build(kind, values)


def _told(value: Any) -> str:
    return describe(value)


def _missing(name: str) -> Any:
    return {"NaT": pd.NaT, "<NA>": pd.NA}[name]


def _timestamp(fields: dict[str, Any]) -> pd.Timestamp:
    return pd.Timestamp(fields["$timestamp"]).as_unit(fields["unit"])


def _timedelta(fields: dict[str, Any]) -> timedelta:
    if isinstance(fields["$timedelta"], list):
        days, seconds, microseconds = cast(list[int], fields["$timedelta"])
        return timedelta(days, seconds, microseconds)
    return pd.Timedelta(fields["$timedelta"]).as_unit(fields["unit"])


_READ: dict[str, Callable[[Reader, dict[str, Any]], Any]] = {
    "$float": lambda _, f: NOT_FINITE[f["$float"]],
    "$missing": lambda _, f: _missing(f["$missing"]),
    "$scalar": lambda _, f: read_scalar(f),
    "$array": lambda r, f: read_array(f, r.read),
    "$frame": lambda r, f: read_frame(f, r.read),
    "$series": lambda r, f: read_series(f, r.read),
    "$index": lambda r, f: read_index(f["$index"], r.read),
    "$mapping": lambda r, f: {r.read(key): r.read(each) for key, each in f["$mapping"]},
    "$list": lambda r, f: [r.read(each) for each in f["$list"]],
    "$set": lambda r, f: {r.read(each) for each in f["$set"]},
    "$frozenset": lambda r, f: frozenset(r.read(each) for each in f["$frozenset"]),
    "$timestamp": lambda _, f: _timestamp(f),
    "$datetime": lambda _, f: datetime.fromisoformat(f["$datetime"]),
    "$date": lambda _, f: date.fromisoformat(f["$date"]),
    "$timedelta": lambda _, f: _timedelta(f),
    "$shared": lambda r, f: r.read_shared(f["$shared"]),
    "$class": lambda r, f: r.read_object(f),
}


def fits(value: Any, kind: Any) -> bool:
    """Tell whether a value is of a kind, as far as an annotation says.

    Numbers of NumPy are numbers, a whole number is a float, and a list is a sequence; the values of a `Literal` are
    asked for by their type. What an annotation leaves open, fits.

    Parameters
    ----------
    value : object
    kind : annotation
        As `typing.get_type_hints` gives it.
    """
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return any(fits(value, each) for each in get_args(kind))
    if origin is Literal:
        return any(type(value) is type(each) for each in get_args(kind))
    if origin is tuple:
        return _fits_tuple(value, get_args(kind))
    if origin is not None and isinstance(origin, type):
        return _fits_mapping(value, get_args(kind)) if issubclass(origin, Mapping) else isinstance(value, origin)
    if kind is None or kind is type(None):
        return value is None
    return kind is Any or not isinstance(kind, type) or _is_a(value, kind)


def _is_a(value: Any, kind: Any) -> bool:
    if kind is bool:
        return isinstance(value, bool | np.bool_)
    if kind is int:
        return isinstance(value, Integral | np.bool_)
    if kind is float:
        return isinstance(value, Real | np.bool_)
    if getattr(kind, "_is_protocol", False) or isinstance(value, kind):
        return True
    of_data = hasattr(kind, "__dataclass_fields__") and hasattr(value, "__dataclass_fields__")
    return of_data and issubclass(kind, type(value))  # said closer than it is


def _fits_tuple(given: Any, kinds: tuple[Any, ...]) -> bool:
    if not isinstance(given, tuple):
        return False
    value = cast(tuple[Any, ...], given)
    if len(kinds) == 2 and kinds[1] is ...:
        return all(fits(each, kinds[0]) for each in value)
    return len(value) == len(kinds) and all(fits(each, kind) for each, kind in zip(value, kinds, strict=True))


def _fits_mapping(given: Any, kinds: tuple[Any, ...]) -> bool:
    if not isinstance(given, Mapping):
        return False
    value = cast(Mapping[Any, Any], given)
    return len(kinds) != 2 or all(fits(key, kinds[0]) and fits(each, kinds[1]) for key, each in value.items())
