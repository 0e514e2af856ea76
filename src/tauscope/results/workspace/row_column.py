"""One column of the table of rows: what the model said of each, or a feature in its own unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.dates import to_dates
from tauscope.stress.outcomes import Outcomes

Role = Literal["predicted", "truth", "score", "error", "feature"]
Kind = Literal["number", "levels", "date", "duration"]
UNITS: dict[str, Kind] = {"year": "date", "days": "duration"}


@dataclass(frozen=True, eq=False)
class RowColumn:
    """A column of the table.

    Attributes
    ----------
    name : str
        No other column has it.
    label : str
        What stands over it.
    role : {"predicted", "truth", "score", "error", "feature"}
        Scores are of the positive class of two, or of the class predicted; the error of a regression is the
        prediction less the truth.
    kind : {"number", "levels", "date", "duration"}
    values : ndarray of shape (n_rows,)
        Codes of `levels`, −1 for a missing one; else numbers, NaN for a missing one: dates as decimal years,
        durations as days.
    levels : tuple of str
        Names in the order of their codes; empty for other kinds.
    whole : bool
        Whether every number is whole.
    """

    name: str
    label: str
    role: Role
    kind: Kind
    values: NDArray[Any]
    levels: tuple[str, ...] = ()
    whole: bool = False

    def series(self, rows: slice) -> pd.Series[Any]:
        """Return some of its values as a person has them: levels by name, dates as dates; None, NaN or NaT missing."""
        values = self.values[rows]
        match self.kind:
            case "levels":
                names = np.array([*self.levels, None], dtype=object)
                return pd.Series(names[values], dtype=object)
            case "date":
                return pd.Series(to_dates(values.astype(np.float64)))
            case "duration":
                return pd.Series(pd.to_timedelta(values.astype(np.float64), unit="D"))
            case "number":
                return pd.Series(values.copy())


def feature_column(column: Column, name: str) -> RowColumn:
    """Return a column of the study's rows, under a name of its own."""
    if column.numbers is None:
        codes = np.zeros(0, dtype=np.int32) if column.codes is None else column.codes
        return RowColumn(name, column.name, "feature", "levels", codes, column.levels)
    kind = UNITS.get(column.unit, "number")
    return RowColumn(name, column.name, "feature", kind, column.numbers, whole=column.integer)


def outcome_columns(outcomes: Outcomes, score_name: str) -> list[RowColumn]:
    """Return what the model said of each row, what is true of it where that is known, and how sure it was."""
    predicted, truth, names = outcomes.predicted, outcomes.truth, outcomes.class_names
    kind: Kind = "number" if outcomes.task == "regression" else "levels"
    found = [RowColumn("predicted", "predicted", "predicted", kind, predicted, names, _are_whole(predicted))]
    if truth is not None:
        found.append(RowColumn("truth", "true", "truth", kind, truth, names, _are_whole(truth)))
        if kind == "number":
            error = predicted - truth
            found.append(RowColumn("error", "error", "error", kind, error, whole=_are_whole(error)))
    score = outcomes.score
    if outcomes.scores is not None:
        score = np.take_along_axis(outcomes.scores, predicted.astype(np.int64)[:, None], axis=1)[:, 0]
    if score is not None:
        found.append(RowColumn("score", score_name, "score", "number", score))
    return found


def _are_whole(values: NDArray[Any]) -> bool:
    return values.dtype.kind == "f" and bool(np.all(values == np.floor(values)))


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return a name that no column has yet: "score", "score (2)"."""
    found, k = name, 2
    while found in taken:
        found, k = f"{name} ({k})", k + 1
    return found
