"""Rows made up from ranges, where there is a model and no data: the neutral uniform distribution."""

# Ranges are what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.labels import distinct
from tauscope.errors import InputError, InputTypeError, UnknownName


def sample_ranges(ranges: Any, n: int, seed: int) -> dict[str, NDArray[Any]]:
    """Draw each column independently and uniformly.

    Parameters
    ----------
    ranges : mapping of column name to tuple (low, high) or list of levels
        Two whole numbers: integers from low to high, both included. Two numbers otherwise: reals in [low, high).
        A list, or another sequence or set: its entries, all as likely.
    n : int
        Rows.
    seed : int

    Returns
    -------
    dict of str to ndarray of shape (n,)

    Raises
    ------
    InputError, InputTypeError
        For an empty mapping, fewer rows than one, a range that is not low < high and finite, or no level.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Remark 2.1.
    """
    if not isinstance(ranges, Mapping) or not ranges:
        raise InputTypeError(f"ranges must map column names to ranges; got {ranges!r}. Try {{'age': (18, 90)}}.")
    if isinstance(n, bool) or not isinstance(n, Integral) or n < 1:
        raise InputError(f"n must be a number of rows, at least 1; got {n!r}.")
    rng = np.random.default_rng(seed)
    return {name: _draw(name, spec, int(n), rng) for name, spec in ranges.items()}


def build_rows(columns: Mapping[str, NDArray[Any]], model: Any, as_frame: bool | None) -> Any:
    """Put drawn columns in the container and order the model was fitted on.

    Parameters
    ----------
    columns : mapping of str to ndarray of shape (n,)
    model : object
    as_frame : bool or None
        Whether the model gets a pandas DataFrame or an array; None gives an array only to an estimator that was
        fitted on one (`n_features_in_` and no `feature_names_in_`).

    Returns
    -------
    DataFrame or ndarray of shape (n, n_columns)
        An array of objects where columns hold text.
    """
    fitted = getattr(model, "feature_names_in_", None)
    if as_frame is None:
        as_frame = fitted is not None or getattr(model, "n_features_in_", None) is None
    if not as_frame:
        arrays = [np.asarray(column) for column in columns.values()]
        numeric = all(column.dtype.kind in "biuf" for column in arrays)
        return np.column_stack(arrays if numeric else [column.astype(object) for column in arrays])
    if fitted is None:
        return pd.DataFrame(dict(columns))
    order = [str(name) for name in fitted]
    for name in columns:
        if name not in order:
            raise UnknownName(f"ranges must name columns of the model. {UnknownName.among('column', name, order)}")
    return pd.DataFrame({name: columns[name] for name in order if name in columns})


def _draw(name: str, spec: Any, n: int, rng: np.random.Generator) -> NDArray[Any]:
    if isinstance(spec, tuple) and len(spec) == 2 and all(_is_number(end) for end in spec):
        return _uniform(name, spec[0], spec[1], n, rng)
    if isinstance(spec, str) or not isinstance(spec, Sequence | set | frozenset | np.ndarray):
        raise InputTypeError(f"A range must be a tuple (low, high) or a list of levels; {name!r} got {spec!r}.")
    levels = list(distinct(list(spec)) if isinstance(spec, set | frozenset) else spec)
    if not levels:
        raise InputError(f"A list of levels must have one at least; {name!r} got none.")
    pool = np.asarray(levels)
    choices = pool if pool.dtype.kind in "biuf" else np.array(levels, dtype=object)
    return choices[rng.integers(len(levels), size=n)]


def _uniform(name: str, low: Any, high: Any, n: int, rng: np.random.Generator) -> NDArray[Any]:
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise InputError(f"A range must go from a finite low to a greater high; {name!r} got ({low}, {high}).")
    if isinstance(low, Integral) and isinstance(high, Integral):
        return rng.integers(int(low), int(high), size=n, endpoint=True)
    return rng.uniform(float(low), float(high), size=n)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)
