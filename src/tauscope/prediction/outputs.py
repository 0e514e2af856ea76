"""What a predict callable is to the engines, and the shape its answers are given."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Floats

LARGEST = 1e150

Predict = Callable[[Any], Any]
"""Rows in their container → one answer per row, or one per row and response."""


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
        Where the shape is another, or an answer is not a finite number within ±1e150.
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
    largest = float(np.abs(values).max(initial=0.0))
    if largest > LARGEST:
        raise InputError(
            f"predict must return numbers within ±{LARGEST:g}, whose squares are numbers; got {largest:g}: take "
            "another unit, or the logarithm"
        )
    return np.atleast_2d(values.T)
