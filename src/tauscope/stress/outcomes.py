"""What the model answered and what was true, as arrays: the rows' side of every metric."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Task = Literal["binary", "multiclass", "regression"]


@dataclass(frozen=True)
class Outcomes:
    """One entry per row; all that the stress engine needs of a model.

    Attributes
    ----------
    task : {"binary", "multiclass", "regression"}
    predicted : ndarray of shape (n_rows,)
        Class codes 0 … n_classes-1, integers of any size, or predicted values (float64) for a regression.
        For a binary task code 1 is the positive class.
    truth : ndarray of shape (n_rows,) or None
        Codes or values as in `predicted`; None where labels are unknown.
    score : ndarray of shape (n_rows,) or None
        Binary tasks: the score of the positive class (a probability or a decision value), else None.
    class_names : tuple of str
        Names in code order; empty for a regression.
    """

    task: Task
    predicted: NDArray[np.integer] | NDArray[np.float64]
    truth: NDArray[np.integer] | NDArray[np.float64] | None = None
    score: NDArray[np.float64] | None = None
    class_names: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.predicted)

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "Outcomes":
        """Return the outcomes of some rows, by position or by mask."""
        truth = None if self.truth is None else self.truth[rows]
        score = None if self.score is None else self.score[rows]
        return replace(self, predicted=self.predicted[rows], truth=truth, score=score)
