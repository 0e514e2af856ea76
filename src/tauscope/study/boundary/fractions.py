"""Rows into which fractions of whole numbers can be put, and whether a model takes them."""

# Decided in docs/decisions/0048-a-plane-is-fitted-between-whole-numbers-the-point-is-whole.md.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.space import Limits
from tauscope.prediction.rows import ArrayRows, Rows
from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.weights.arrays import Floats, Ints

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

FEW_VALUES, MOST_NAMES = 32, 16
"""A column of more different whole numbers is not taken for names; of more columns, those of fewest are looked at."""
LEAST_BUDGET = 1000
"""Model rows under which it is not asked whether it reads fractions."""
SAME = 1e-6
"""Answers that differ by less are alike."""
BETWEEN = 0.4
"""How far past a whole number a model is asked whether it reads fractions."""


@dataclass(frozen=True)
class WholeRows:
    """Rows whose whole numbers keep their type, unless fractions are put in.

    Attributes
    ----------
    rows, real : Rows
        The same, and with every column of whole numbers as reals.
    whole : tuple of int
        Those columns.
    """

    rows: Rows
    real: Rows
    whole: tuple[int, ...]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.rows.n_rows

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.rows.n_columns

    def column(self, column: int) -> Floats:
        """Values of one column."""
        return self.rows.column(column)

    def substituted(self, index: Ints, columns: tuple[int, ...], values: Floats) -> Any:
        """Copy rows with columns set, in the rows' own types where the values are whole."""
        put = values[:, [k for k, column in enumerate(columns) if column in self.whole]]
        has_fractions = (put != np.round(put))[~np.isnan(put)].any()
        return (self.real if has_fractions else self.rows).substituted(index, columns, values)


def rows_between(study: StudyBase, columns: Sequence[BoundaryColumn]) -> tuple[Rows, tuple[int, ...]]:
    """Return rows into which fractions can be put, and the columns that are searched in whole numbers all the same."""
    rows = engine_rows(study)
    numbers = [j for j, one in enumerate(columns) if one.kind == "number" and one.block < 0 and not one.held]
    whole = tuple(j for j in numbers if columns[j].integer)
    if isinstance(rows, ArrayRows):
        return rows, whole
    real = study._table_rows
    for j in numbers:
        real = real.with_reals(j)
    return WholeRows(rows, real, tuple(numbers)), whole


def reads_fractions(
    predictor: DecisionPredictor, points: Floats, starts: Starts, limits: Limits, whole: Sequence[int]
) -> tuple[int, ...]:
    """Tell of which columns of whole numbers the model can be asked about fractions, by asking it near the first start.

    Not of one whose numbers it reads as names: between them it answers alike, and at them it does not.

    Parameters
    ----------
    predictor : DecisionPredictor
    points : ndarray of shape (n_rows, p)
        The rows.
    starts : Starts
    limits : Limits
        Every point asked about lies within them.
    whole : sequence of int
    """
    start, lower, upper = starts.points[0], limits.lower[0], limits.upper[0]
    whole = [j for j in whole if upper[j] - lower[j] >= 1 and not np.isnan(start[j])]
    if not whole:
        return ()
    within = (points >= lower) & (points <= upper)
    values = {j: np.unique(points[within[:, j], j]) for j in whole}
    order = sorted((j for j, each in values.items() if 1 < len(each) <= FEW_VALUES), key=lambda j: len(values[j]))
    few = {j: values[j][[0, -1]] for j in order[:MOST_NAMES]}
    column = np.arange(len(start))
    tried = [start + np.where(start + BETWEEN <= upper, BETWEEN, -BETWEEN) * np.isin(column, whole)]
    for j, (least, most) in few.items():
        tried += [np.where(column == j, value, start) for value in (least, most, least + BETWEEN, most - BETWEEN)]
    try:
        _, answers = predictor.labels_and_answers(np.full(len(tried), starts.base[0]), np.array(tried))
    except Exception:  # whatever a person's function raises about fractions, whole numbers it takes
        return ()
    ends = answers[1:].reshape(len(few), 2, 2, answers.shape[1])
    at, between = np.ptp(ends, axis=2).max(axis=2, initial=0).T
    names = [j for j, at_ends, beside in zip(few, at, between, strict=True) if at_ends > SAME and beside == 0]
    return tuple(j for j in whole if j not in names)


def engine_rows(study: StudyBase) -> Rows:
    """Return a study's rows as the engine asks about them: an array of fractions as it is, which is faster."""
    X: Any = study.X
    numeric = all(column.codes is None for column in study._columns)
    if not numeric or not isinstance(X, np.ndarray):
        return study._table_rows
    array = cast("NDArray[Any]", X)
    return ArrayRows(array) if array.dtype.kind == "f" else study._table_rows
