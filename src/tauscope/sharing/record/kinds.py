"""Whether a value that was read is what its field is said to be."""

from __future__ import annotations

import types
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Literal, Union, cast, get_args, get_origin

import numpy as np


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
