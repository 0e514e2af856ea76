"""What the model answered and what was true, as arrays: the rows' side of every metric."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.score_steps import ScoreSteps

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
    scores : ndarray of shape (n_rows, n_classes) or None
        Tasks of more classes: the score of each, in code order.
    class_names : tuple of str
        Names in code order; empty for a regression.
    in_chunks : bool
        Whether these are some of the rows, and the others come at another time.
    steps : ScoreSteps or None
        Those of all rows' scores, where a metric of ranks is asked for.
    """

    task: Task
    predicted: NDArray[np.integer] | NDArray[np.float64]
    truth: NDArray[np.integer] | NDArray[np.float64] | None = None
    score: NDArray[np.float64] | None = None
    class_names: tuple[str, ...] = ()
    scores: NDArray[np.float64] | None = None
    in_chunks: bool = False
    steps: ScoreSteps | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.predicted)

    @property
    def probable(self) -> bool:
        """Whether there are scores, all in [0, 1]; so too of no rows."""
        score = self.score if self.scores is None else self.scores
        return score is not None and (not score.size or bool(score.min() >= 0 and score.max() <= 1))

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "Outcomes":
        """Return the outcomes of some rows, by position or by mask."""
        truth = None if self.truth is None else self.truth[rows]
        score = None if self.score is None else self.score[rows]
        scores = None if self.scores is None else self.scores[rows]
        return replace(self, predicted=self.predicted[rows], truth=truth, score=score, scores=scores)
