"""What the view of one row's boundary ships once: the model, the classes, the rows to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

import numpy as np

from tauscope.views.wire import Block, Layout, OrNaN, finite, float32, layout_of
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.boundary.boundary import Boundary
    from tauscope.results.boundary.pictures import ImageShape
    from tauscope.weights.arrays import Floats, Ints

ROW_BUDGET = 1_000_000
"""Bytes of predictions that a page takes along; with more rows the kernel lists them."""
WINDOW = 60
"""Rows of a list that the kernel sends."""
RowFilter = Literal["all", "errors"]
NO_KERNEL = "This page has no kernel: another row, other values, locks and another search need one."
NO_STUDY = "This boundary has left its study: another row, other values, locks and another search need it."
NO_MODEL = "The model was left behind when this boundary was pickled: another search needs it; see with_source."


class BoundaryMessage(TypedDict):
    """What `BoundaryView` carries besides its answers.

    `targets` are the classes that can be searched for, where there are more than two; `offline` says why no kernel
    can be asked, "" where one can. `labels` are by the codes of `rows`, float32 as `layout` says, −1 and NaN where
    there is none. `image` is height, width and channels (1 or 3) of the pictures, where features are pixels.
    """

    version: Literal[1]
    title: str
    model: str
    n_rows: int
    targets: list[str]
    labels: list[str]
    response: str
    response_kind: Literal["share", "value"]
    labelled: bool
    live: bool
    offline: str
    rows_shipped: bool
    image: list[int] | None
    layout: Layout


class BoundaryListedRowMessage(TypedDict):
    """One row of a list; `truth` is −1 where there is none."""

    row: int
    predicted: int
    truth: int
    answer: OrNaN


class BoundaryListedMessage(TypedDict):
    """The first of the rows that a query finds, and how many there are."""

    filter: RowFilter
    text: str
    n: int
    rows: list[BoundaryListedRowMessage]


class RowTable(NamedTuple):
    """What a list of rows shows, each of shape (n_rows,)."""

    predicted: Ints
    truth: Ints
    answer: Floats

    def bytes(self) -> bytes:
        """Write the three one after the other."""
        return float32(np.stack([self.predicted, self.truth, self.answer]).astype(np.float64))


def row_table(result: Boundary) -> RowTable | None:
    """Return the decisions for the study's rows; None where there is no study."""
    source = result.source
    if source is None:
        return None
    outcomes = source._outcomes
    nothing = np.full(outcomes.n_rows, -1)
    if outcomes.task == "regression":
        threshold = 0.0 if result._spec.threshold is None else result._spec.threshold
        predicted = (outcomes.predicted > threshold).astype(np.int64)
        truth = nothing if outcomes.truth is None else (outcomes.truth > threshold).astype(np.int64)
        return RowTable(predicted, truth, outcomes.predicted.astype(np.float64))
    truth = nothing if outcomes.truth is None else outcomes.truth.astype(np.int64)
    answer = np.full(outcomes.n_rows, np.nan) if outcomes.score is None else outcomes.score
    return RowTable(outcomes.predicted.astype(np.int64), truth, answer)


def list_rows(table: RowTable, labels: list[str], row_filter: RowFilter, text: str) -> BoundaryListedMessage:
    """List rows by a filter and a text: the beginning of a row's number, or part of one of its labels.

    The rule of the page, for rows beyond its budget.
    """
    sought = text.strip().lower()
    keep = np.ones(len(table.predicted), dtype=np.bool_)
    if row_filter == "errors":
        keep &= table.predicted != table.truth
    if sought.isdecimal() and sought.isascii():
        keep &= np.char.startswith(np.arange(len(keep)).astype(np.str_), sought)
    elif sought:
        codes = [code for code, label in enumerate(labels) if sought in label.lower()]
        keep &= np.isin(table.predicted, codes) | np.isin(table.truth, codes)
    found = np.flatnonzero(keep)
    rows: list[BoundaryListedRowMessage] = [
        {
            "row": int(row),
            "predicted": int(table.predicted[row]),
            "truth": int(table.truth[row]),
            "answer": finite(float(table.answer[row])),
        }
        for row in found[:WINDOW]
    ]
    return {"filter": row_filter, "text": text, "n": len(found), "rows": rows}


def offline_words(source: Study | None, kernel: bool) -> str:
    """Say why nothing more can be searched; "" where it can."""
    if source is None:
        return NO_STUDY
    if not source._has_model:
        return NO_MODEL
    return "" if kernel else NO_KERNEL


def boundary_message(
    result: Boundary, table: RowTable | None, *, kernel: bool, shape: ImageShape | None = None
) -> BoundaryMessage:
    """Fill the message.

    Parameters
    ----------
    result : Boundary
    table : RowTable or None
    kernel : bool
        Whether the page will have one.
    shape : ImageShape or None
        Of the image whose pixels the features are.

    Returns
    -------
    BoundaryMessage
    """
    offline = offline_words(result.source, kernel)
    classes = list(result._numbers.classes)
    n_rows = 0 if table is None else len(table.predicted)
    rows = f", {count(n_rows, 'row')}" if n_rows else ""
    response, kind = _response(result)
    return {
        "version": 1,
        "title": "Boundary of one row",
        "model": f"{result.model_name}{rows}",
        "n_rows": n_rows,
        "targets": classes if len(classes) > 2 else [],
        "labels": classes,
        "response": response,
        "response_kind": kind,
        "labelled": table is not None and bool((table.truth >= 0).any()),
        "live": not offline,
        "offline": offline,
        "rows_shipped": not offline and table is not None and 12 * n_rows <= ROW_BUDGET,
        "image": None if shape is None else [shape.height, shape.width, shape.n_shown],
        "layout": layout_of([Block(RowTable._fields, "field row", (len(RowTable._fields), n_rows))]),
    }


def _response(result: Boundary) -> tuple[str, Literal["share", "value"]]:
    """Name the answer of a list of rows: of the positive class, or the prediction."""
    classes = result._numbers.classes
    match result._numbers.answer:
        case "probability" if len(classes) == 2:
            return f"probability of {classes[1]}", "share"
        case "score" if len(classes) == 2:
            return f"score of {classes[1]}", "value"
        case "value":
            return "prediction", "value"
        case _:
            return "", "share"
