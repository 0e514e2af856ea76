"""What a model returned, as arrays whose shape and content have been checked."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.frames import read_vector
from tauscope.errors import InputError
from tauscope.words import count


@dataclass(frozen=True, eq=False)
class ModelOutput:
    """Raw answers for all rows.

    Attributes
    ----------
    first : ndarray of shape (n_rows,) or (n_rows, n_classes)
        What `predict` or the function returned: labels, values, or scores.
    scores : ndarray of shape (n_rows,) or (n_rows, n_classes), or None
        What `predict_proba` or `decision_function` returned.
    """

    first: NDArray[Any]
    scores: NDArray[Any] | None = None


def read_answer(answer: Any, n_rows: int, name: str) -> NDArray[Any]:
    """Turn what a model returned into an array, one entry per row.

    Parameters
    ----------
    answer : array, series, frame or list
    n_rows : int
        Rows the model was asked about.
    name : str
        Of the method, for messages.

    Returns
    -------
    ndarray of shape (n_rows,) or (n_rows, n_classes)

    Raises
    ------
    InputError
        For another shape, or where a value is missing, NaN or infinite (with their number and the first row).
    """
    try:
        array = read_vector(answer, f"What {name} returned")
    except TypeError as error:
        raise InputError(f"A model must return one answer per row. {error}") from None
    if array.ndim not in (1, 2) or len(array) != n_rows or 0 in array.shape:
        raise InputError(
            f"A model must return shape (n_rows,) or (n_rows, n_classes); {name} returned {array.shape} for "
            f"{count(n_rows, 'row')}. Return one answer for each row, in the rows' order."
        )
    bad = ~np.isfinite(array) if array.dtype.kind in "fc" else np.asarray(pd.isna(array))
    if bad.any():
        where = int(np.argwhere(bad)[0][0])
        raise InputError(
            f"A model must answer every row with a label or a finite number; {name} returned "
            f"{int(bad.sum())} missing, NaN or infinite in {count(n_rows, 'row')}, first in row {where} of its batch. "
            "See what it does with missing or extreme values there."
        )
    return array
