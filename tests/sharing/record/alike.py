"""Whether two values are the same to the last digit, and of the same kinds all the way down."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from tauscope.results.base import Result


def same(one: Any, other: Any, path: str = "") -> None:
    """Assert it, field by field; a result's source aside, and how wide an array of text is."""
    assert type(one) is type(other), path
    if isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    elif isinstance(one, pd.Series):
        pd.testing.assert_series_equal(one, other, check_exact=True)
    elif isinstance(one, pd.Index):
        pd.testing.assert_index_equal(one, other, exact=True)
    elif isinstance(one, np.ndarray):
        assert one.shape == other.shape, path
        assert one.dtype == other.dtype or one.dtype.kind == other.dtype.kind == "U", path
        if one.dtype == object:
            same(one.ravel().tolist(), other.ravel().tolist(), path)
        else:
            np.testing.assert_array_equal(one, other, err_msg=path)
    elif isinstance(one, tuple | list):
        assert len(one) == len(other), path
        for k, (a, b) in enumerate(zip(one, other, strict=True)):
            same(a, b, f"{path}[{k}]")
    elif isinstance(one, Mapping):
        assert list(map(repr, one)) == list(map(repr, other)), path
        for k, (a, b) in enumerate(zip(one.values(), other.values(), strict=True)):
            same(a, b, f"{path}[{k}]")
    elif dataclasses.is_dataclass(one):
        for item in dataclasses.fields(one):
            if not (item.name == "source" and isinstance(one, Result)):
                same(getattr(one, item.name), getattr(other, item.name), f"{path}.{item.name}")
    elif type(one).__module__.startswith("tauscope.") and not isinstance(one, tuple):
        same(vars(one), vars(other), path)
    else:
        assert one is other or one == other or (one != one and other != other), path
