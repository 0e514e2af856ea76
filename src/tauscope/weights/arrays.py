"""The array types of the engine and the checks an array passes at its door."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Predict = Callable[[Any], Any]


def as_outputs(answer: object, n_rows: int) -> Floats:
    """Give a model's answer one row per response.

    Parameters
    ----------
    answer : array-like of shape (n_rows,) or (n_rows, q)
        Probabilities, scores, margins or values.
    n_rows : int
        Rows the model was asked about.

    Returns
    -------
    ndarray of shape (q, n_rows)
        float64, finite.

    Raises
    ------
    InputError
        Where the shape is another, or an answer is not a finite number.
    """
    try:
        values = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"predict must return numbers, got {type(answer).__name__}: return a probability, score or value"
        ) from error
    if values.ndim not in (1, 2) or values.shape[0] != n_rows or values.size < n_rows:
        raise InputError(
            f"predict must return one answer per row, shape ({n_rows},) or ({n_rows}, q); "
            f"got shape {values.shape}: check the callable on a few rows"
        )
    n_bad = int(values.size - np.count_nonzero(np.isfinite(values)))
    if n_bad:
        raise InputError(
            f"predict must return finite numbers, got {n_bad} NaN or infinite of {values.size}: "
            "check what the model answers on the grid's values"
        )
    return np.atleast_2d(values.T)


def sums_by(group: Ints, values: Floats, n_groups: int) -> Floats:
    """Sum the values of each group: shape (n_groups,)."""
    return np.bincount(group, values, minlength=n_groups).astype(np.float64, copy=False)


def check_share(value: float, name: str, *, open_low: bool = False, open_high: bool = False) -> float:
    """Check that a number lies in [0, 1], without an end where that end is open; return it as a float."""
    number = float(value)
    low = number > 0 if open_low else number >= 0
    high = number < 1 if open_high else number <= 1
    if not (low and high):
        left, right = "(" if open_low else "[", ")" if open_high else "]"
        raise InputError(f"{name} must lie in {left}0, 1{right}, got {value}: give a share, such as 0.05 for 5 %")
    return number
