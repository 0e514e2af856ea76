"""The study's rows in their own units, beside what the model said of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import pandas as pd

from tauscope.results import show
from tauscope.results.base import Result
from tauscope.results.workspace.row_column import RowColumn, feature_column, free_name, outcome_columns
from tauscope.weights.arrays import Floats
from tauscope.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tauscope.data.columns import Column
    from tauscope.stress.outcomes import Outcomes, Task

NEAR = 0.05
"""Share of the rows that count as near the threshold."""
FIRST = 5


@dataclass(frozen=True, repr=False, eq=False)
class RowTable(Result):
    """The study's rows in their own units, with prediction, truth, score and weight.

    Made by `Study.table`.

    Attributes
    ----------
    columns : tuple of RowColumn
        What the model said of each row, then the features chosen.
    weight : ndarray of shape (n_rows,) or None
        The study's sample weights, mean 1; None where all rows count alike.
    task : {"binary", "multiclass", "regression"}
    score_kind : {"share", "value"}
        Whether scores are probabilities.
    threshold : float or None
        Of two classes, where they have scores: the score above which the positive one is predicted.
    n_rows : int
    n_features : int
        Those of the study.
    model_name : str

    Examples
    --------
    >>> table = study.table(["mean radius"])
    >>> table.frame.columns.tolist()
    ['row', 'predicted', 'truth', 'score', 'mean radius', 'weight']
    """

    _has_picture: ClassVar[bool] = False

    columns: tuple[RowColumn, ...]
    weight: Floats | None
    task: Task
    score_kind: Literal["share", "value"]
    threshold: float | None
    n_rows: int
    n_features: int
    model_name: str

    @classmethod
    def _of(cls, columns: Sequence[Column], outcomes: Outcomes, **told: Any) -> Self:
        """Put what the model said before the features, each under a name of its own."""
        score_name, binary = "", outcomes.task == "binary"
        if outcomes.task != "regression":
            of_class = outcomes.class_names[1] if binary else "the class predicted"
            score_name = f"{'probability' if outcomes.probable else 'score'} of {of_class}"
        taken: list[str] = ["row", "weight"]
        features: list[RowColumn] = []
        for column in columns:
            features.append(feature_column(column, free_name(column.name, taken)))
            taken.append(features[-1].name)
        said: list[RowColumn] = []
        for one in outcome_columns(outcomes, score_name):
            said.append(replace(one, name=free_name(one.name, taken)))
            taken.append(said[-1].name)
        threshold = _threshold(outcomes) if binary and outcomes.score is not None else None
        score_kind = "share" if outcomes.probable else "value"
        return cls((*said, *features), task=outcomes.task, score_kind=score_kind, threshold=threshold, **told)

    @property
    def title(self) -> str:
        """Of which model: "Rows of LogisticRegression"."""
        return f"Rows of {self.model_name}"

    @property
    def _caption(self) -> str:
        """The title, and how many there are."""
        return f"{self.title}: {count(self.n_rows, 'row')}"

    @property
    def notes(self) -> tuple[str, ...]:
        """How many of the study's features are not among the columns."""
        shown = sum(column.role == "feature" for column in self.columns)
        return () if shown == self.n_features else (f"{shown:,} of {count(self.n_features, 'feature')}.",)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per row of the study.

        Columns: row (position); predicted and truth (names of classes, or values); of a regression error (predicted −
        truth); score, of the positive class of two or of the class predicted; the features in their own units, dates
        as dates and levels by name; weight, mean 1. A name that a feature has already gets a number: "score (2)".
        """
        return self._some(slice(None))

    def _some(self, rows: slice) -> pd.DataFrame:
        """Return some rows of the frame."""
        positions = np.arange(self.n_rows)[rows]
        weight = np.ones(len(positions)) if self.weight is None else self.weight[rows].copy()
        values = {column.name: column.series(rows) for column in self.columns}
        return pd.DataFrame({"row": positions, **values, "weight": weight})

    def _column(self, role: str) -> RowColumn | None:
        """Return what the model said in one role; None where it said nothing."""
        return next((column for column in self.columns if column.role == role), None)

    def widget(self, **traits: Any) -> show.RowTableView:
        """Make the widget: the rows to search, sort, filter and choose from.

        Parameters
        ----------
        **traits
            First values of its traits; see `RowTableView`.

        Returns
        -------
        RowTableView
        """
        return show.view(self, **traits)

    def __repr__(self) -> str:
        lines = self._some(slice(FIRST)).to_string(index=False, max_cols=10, max_colwidth=24)
        more = [f"and {self.n_rows - FIRST:,} more, in .frame"] if self.n_rows > FIRST else []
        return "\n".join([self._caption, *self.notes, lines, *more])


def _threshold(outcomes: Outcomes) -> float:
    """Return the score between the two classes: half, or 0, unless labels and scores say another."""
    score, positive = outcomes.score, outcomes.predicted == 1
    usual = 0.5 if outcomes.probable else 0.0
    if score is None or not positive.any() or positive.all():
        return usual
    highest, lowest = float(score[~positive].max()), float(score[positive].min())
    if highest <= usual <= lowest or highest > lowest:
        return usual
    return (highest + lowest) / 2
