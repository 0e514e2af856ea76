"""The confusion matrix: in which of its places the rows are, and the share of all rows in each as a metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.metric_forms import OutcomeCells
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.outcomes import Outcomes

MOST_CLASSES = 12
"""Classes that a matrix to be read has at most."""


@dataclass(frozen=True, eq=False)
class Confusion:
    """The matrix as places, row by row.

    Attributes
    ----------
    rows_are : {"truth", "right"}
        True classes, or, where the cells do not tell these apart, whether the prediction is true.
    n_classes : int
        Classes predicted: its columns.
    place : ndarray of int of shape (n_cells,)
        Where the rows of each cell are.
    """

    rows_are: Literal["truth", "right"]
    n_classes: int
    place: NDArray[np.intp]

    @property
    def n_places(self) -> int:
        """Number of places."""
        return self.n_classes * (self.n_classes if self.rows_are == "truth" else 2)

    def metrics(self) -> tuple[SummedMetric, ...]:
        """Return the share of all rows in each place."""
        columns = tuple(range(1, 1 + len(self.place)))
        every = np.ones(len(self.place))
        return tuple(
            SummedMetric(
                f"place {place}",
                "",
                "share",
                "ratio",
                columns,
                columns,
                "logit",
                np.asarray(self.place == place, np.float64),
                every,
                events=("rows there", "other rows"),
            )
            for place in range(self.n_places)
        )


def confusion_of(outcomes: Outcomes, cells: OutcomeCells | None) -> Confusion | None:
    """Lay out the matrix; None without labels, for a regression, and for more classes than can be read."""
    n_classes = len(outcomes.class_names)
    if cells is None or cells.right is None or outcomes.task == "regression" or n_classes > MOST_CLASSES:
        return None
    told = cells.true is not None or outcomes.task == "binary"
    row = cells.truth if told else np.where(cells.right, 0, 1)
    return Confusion("truth" if told else "right", n_classes, np.asarray(row * n_classes + cells.predicted, np.intp))


def rows_by_place(quantities: Quantities, confusion: Confusion) -> NDArray[np.intp]:
    """Return the place of every row."""
    return confusion.place[quantities.cell]
