"""What a model returned, as arrays whose shape and content have been checked."""

# Frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.frames import read_vector
from tauscope.data.labels import plain
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
    names : tuple or None
        Of the columns of `scores`, or of `first` where there are none, if they came as a frame with names.
    """

    first: NDArray[Any]
    scores: NDArray[Any] | None = None
    names: tuple[Hashable, ...] | None = None

    @classmethod
    def join(cls, parts: Sequence["ModelOutput"], name: str) -> "ModelOutput":
        """Return the answers of several batches as one, named columns in the order of the first batch.

        Raises
        ------
        InputError
            For batches whose columns have other names.
        """
        parts = [part if part.names == parts[0].names else part._ordered_as(parts[0], name) for part in parts]
        scores = [part.scores for part in parts if part.scores is not None]
        first = np.concatenate([part.first for part in parts])
        return cls(first, np.concatenate(scores) if scores else None, parts[0].names)

    def _ordered_as(self, other: "ModelOutput", name: str) -> "ModelOutput":
        mine, theirs = self.names or (), other.names or ()
        if len({*mine}) != len(mine) or {*mine} != {*theirs}:
            raise InputError(
                f"A model must name its columns of scores alike for all rows; {name} returned {list(theirs)} and then "
                f"{list(mine)}. Return the same columns each time."
            )
        places = [mine.index(each) for each in theirs]
        if self.scores is None:
            return ModelOutput(self.first[:, places], None, theirs)
        return ModelOutput(self.first, self.scores[:, places], theirs)


def column_names(answer: Any) -> tuple[Hashable, ...] | None:
    """Return the names of a frame's columns; None where it is no frame, or pandas only numbered them."""
    if not nw.dependencies.is_into_dataframe(answer) or isinstance(getattr(answer, "columns", None), pd.RangeIndex):
        return None
    return tuple(plain(name) for name in nw.from_native(answer, eager_only=True).columns)


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
