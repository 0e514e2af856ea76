"""Which rows are predicted as what, and what they are: the confusion matrix that a page sums over its rows."""

from __future__ import annotations

from typing import Literal, TypedDict

import numpy as np

from tauscope.stress.metric_forms import OutcomeCells
from tauscope.stress.outcomes import Outcomes

MOST_CLASSES = 12
"""Classes that a matrix to be read has at most."""


class ConfusionMessage(TypedDict):
    """The matrix: names of its rows and columns, and for each cell of the outcomes its place, row by row.

    Columns are classes predicted. Rows are the true classes, or, where the cells do not tell these apart, whether
    the prediction is true.
    """

    rows_are: Literal["truth", "right"]
    rows: list[str]
    columns: list[str]
    place: list[int]


def confusion_message(outcomes: Outcomes, cells: OutcomeCells | None) -> ConfusionMessage | None:
    """Fill the message; None without labels, for a regression, and for more classes than can be read."""
    names = list(outcomes.class_names)
    if cells is None or cells.right is None or outcomes.task == "regression" or len(names) > MOST_CLASSES:
        return None
    told = cells.true is not None or outcomes.task == "binary"
    row = cells.truth if told else np.where(cells.right, 0, 1)
    return {
        "rows_are": "truth" if told else "right",
        "rows": names if told else ["right", "wrong"],
        "columns": names,
        "place": (row * len(names) + cells.predicted).tolist(),
    }
