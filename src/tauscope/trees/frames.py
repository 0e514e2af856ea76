# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""Rows between arrays and pandas frames: levels as codes, and numbers under the names of the fit."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tauscope.weights.arrays import Floats


def numbers_of(rows: Any, levels: Sequence[Sequence[Any]] | None = None) -> Floats:
    """Turn rows into numbers.

    Parameters
    ----------
    rows : DataFrame of pandas or 2-D array
    levels : sequence of sequences, optional
        What the library wrote down of each categorical column's levels, in their order; codes are places among them,
        and NaN for what is not there. None: the columns' own codes.

    Returns
    -------
    ndarray of shape (n_rows, n_columns)
    """
    if not (hasattr(rows, "dtypes") and hasattr(rows, "items")):
        return np.array(rows, dtype=np.float64)
    numbers = np.empty(rows.shape)
    kept = iter(levels) if levels is not None else None
    for place, (_, column) in enumerate(rows.items()):
        if hasattr(column.dtype, "categories"):
            numbers[:, place] = _codes(column.cat, None if kept is None else next(kept, ()))
        else:
            numbers[:, place] = column.astype(np.float64)
    return numbers


def as_fitted(estimator: Any, rows: Any) -> Any:
    """Return an array as a frame where an estimator was fitted on names of columns, whose absence it warns of."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None or not isinstance(rows, np.ndarray):
        return rows
    from sklearn.preprocessing import FunctionTransformer  # loads a library of frames, which engines do without

    def own_names(_step: Any, _names: Any) -> Any:
        return names

    naming: Any = FunctionTransformer(feature_names_out=own_names)
    return naming.set_output(transform="pandas").fit_transform(rows)


def _codes(column: Any, known: Sequence[Any] | None) -> Floats:
    """Places of a categorical column's levels among those known, NaN for those missing or unknown."""
    own = list(column.categories)
    place_of = {level: place for place, level in enumerate(own if known is None else known)}
    places = np.array([*(place_of.get(level, np.nan) for level in own), np.nan])
    return places[np.asarray(column.codes, dtype=np.int64)]  # the code of what is missing is −1
