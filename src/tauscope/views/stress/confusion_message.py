"""Which rows are predicted as what, and what they are: the confusion matrix that a page sums over its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.results.stress.numbers.joint_answer import unstressed_metrics
from tauscope.stress.confusion import Confusion, confusion_of, rows_by_place
from tauscope.stress.metrics import Quantities, define_quantities
from tauscope.views.stress.estimate_message import EstimateMessage, estimate_message

if TYPE_CHECKING:
    from tauscope.results.stress.joint import JointStress


class ConfusionMessage(TypedDict):
    """The matrix: names of its rows and columns, and for each cell of the outcomes its place, row by row.

    Columns are classes predicted. Rows are the true classes, or, where the cells do not tell these apart, whether
    the prediction is true. `in_kernel` is there where the page has not the rows.
    """

    rows_are: Literal["truth", "right"]
    rows: list[str]
    columns: list[str]
    place: list[int]
    in_kernel: NotRequired[PlacesMessage]


class PlacesMessage(TypedDict):
    """What the kernel says of each place: how many rows there are, and their share of all as tested."""

    n_rows: list[int]
    unstressed: list[EstimateMessage]


def confusion_message(result: JointStress, made_of: Quantities, *, shipped: bool) -> ConfusionMessage | None:
    """Fill the message, with the places' numbers where the rows are not shipped; None where there is no matrix."""
    confusion = confusion_of(result._outcomes, made_of.cells)
    if confusion is None:
        return None
    names = list(result._outcomes.class_names)
    message: ConfusionMessage = {
        "rows_are": confusion.rows_are,
        "rows": names if confusion.rows_are == "truth" else ["right", "wrong"],
        "columns": names,
        "place": confusion.place.tolist(),
    }
    if not shipped:
        message["in_kernel"] = _places(result, made_of, confusion)
    return message


def _places(result: JointStress, made_of: Quantities, confusion: Confusion) -> PlacesMessage:
    weight = result._columns.sample_weight
    base = np.ones(result.n_rows) if weight is None else weight
    shares = unstressed_metrics(made_of, confusion.metrics(), base, confidence=result.confidence)
    return {
        "n_rows": np.bincount(rows_by_place(made_of, confusion), minlength=confusion.n_places).tolist(),
        "unstressed": [estimate_message(share) for share in shares],
    }


def rows_in_place(result: JointStress, place: int) -> NDArray[np.intp]:
    """Return positions of the rows in a place of the matrix, ascending.

    Raises
    ------
    InputError
        Where there is no such place.
    """
    made_of, _ = define_quantities(result._outcomes, names=result.metric_names)
    confusion = confusion_of(result._outcomes, made_of.cells)
    n_places = 0 if confusion is None else confusion.n_places
    if confusion is None or not 0 <= place < n_places:
        raise InputError(f"A place of the confusion matrix is one of {n_places}, from 0; got {place}.")
    return np.flatnonzero(rows_by_place(made_of, confusion) == place)
