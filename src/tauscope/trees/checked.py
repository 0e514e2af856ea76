"""Trees read from an estimator and checked, beside the rows as they compare them: what is walked is read here.

How a version of a library stores its trees is not documented. What was read is therefore compared with the model's
own answers each time, on some rows, and refused where they differ.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions, BatchPredictor
from tauscope.prediction.outputs import Predict
from tauscope.prediction.rows import Rows
from tauscope.trees.ensemble import Compared, Ensemble
from tauscope.trees.ties import at_thresholds
from tauscope.trees.tree_model import TreeModel, UnreadableModel, check_trees
from tauscope.weights.arrays import Floats, Ints
from tauscope.words import count

CHECKED_ROWS = 256
"""Rows compared with the model's answers, over all columns together."""
FEWEST, MOST_GAPPED = 16, 16
"""Fewest rows compared for each column, and most of those beside them that have a missing value."""


class CheckedTrees:
    """An ensemble whose answers on some of the rows are the model's.

    Parameters
    ----------
    model : TreeModel
        As `read_trees` reads an estimator.
    predict : callable
        The responses wanted.
    rows : Rows
        In the order of the columns the estimator was fitted on; levels as it takes them itself.
    points : mapping of int to ndarray
        For each column that will be changed, the values it will take: they are tried on the rows compared.
    batch_rows : int, optional
        Most rows in one call of predict.
    most_checked : int
        Rows compared, over all columns together; some more for each.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, n_columns)
        As compared with thresholds.
    n_model_rows : int
        Rows the model was asked about.

    Raises
    ------
    UnreadableModel
        Where the estimator was fitted on other columns, or answers otherwise.
    """

    def __init__(
        self,
        model: TreeModel,
        predict: Predict,
        rows: Rows,
        points: Mapping[int, Floats],
        *,
        batch_rows: int | None = None,
        most_checked: int = CHECKED_ROWS,
    ) -> None:
        self._model = _of_codes(model, rows)
        self.n_model_rows = 0
        self._values = np.column_stack([rows.column(column) for column in range(rows.n_columns)])
        if len(self._model.column_of) != rows.n_columns:
            raise UnreadableModel(
                f"it was fitted on {count(len(self._model.column_of), 'column')}, not {rows.n_columns}"
            )
        n_checked = max(FEWEST, most_checked // max(1, len(points)))
        for column, values in points.items():
            self._check(predict, rows, column, values, n_checked, batch_rows)
        self.rows: Compared = self.trees.compared(self._model.encode(self._values))

    @property
    def trees(self) -> Ensemble:
        """The trees."""
        return self._model.trees

    def column_of(self, column: int) -> int:
        """Return the trees' column for a column as given."""
        return self._model.column_of[column]

    def points(self, column: int, values: Floats) -> tuple[Compared, Ints]:
        """Give values of a column as compared with thresholds, ascending and distinct, and the place of each there."""
        copies = np.repeat(self._values[:1], len(values), axis=0)
        copies[:, column] = values
        encoded = self._model.encode(copies)[:, self.column_of(column)]
        distinct, place = np.unique(self.trees.compared(encoded), return_inverse=True)
        return distinct, place.astype(np.int64)

    def _check(
        self, predict: Predict, rows: Rows, column: int, values: Floats, n_checked: int, batch_rows: int | None
    ) -> None:
        """Compare with the model's own answers on rows spread over the data, with missing values and on thresholds."""
        spread = np.arange(0, rows.n_rows, max(1, rows.n_rows // n_checked), dtype=np.int64)[:n_checked]
        gapped = np.flatnonzero(np.isnan(self._values).any(axis=1))[:MOST_GAPPED]
        index = np.concatenate([spread, gapped]).astype(np.int64)
        index = np.concatenate([index, np.resize(spread, len(ties := self._ties(rows, column)))])
        tried = np.concatenate([np.resize(values, len(index) - len(ties)), ties])
        predictor = BatchPredictor(predict, rows, (column,), BatchOptions(batch_rows), total=len(index))
        answers = predictor.predict(index, tried[:, None])
        self.n_model_rows += predictor.n_model_rows
        copies = self._values[index]
        copies[:, column] = tried
        check_trees(self._model, copies, answers)

    def _ties(self, rows: Rows, column: int) -> Floats:
        """Give values on the column's thresholds, unless its container can hold only those that occur."""
        ties = at_thresholds(self.trees, self.column_of(column), self._values[:, column])
        try:
            rows.substituted(np.zeros(len(ties), dtype=np.int64), (column,), ties[:, None])
        except InputError:
            return np.empty(0)
        return ties


def _of_codes(model: TreeModel, rows: Rows) -> TreeModel:
    """Let a model take codes of levels for rows that have some: they are put back into their container."""
    if not any(column.kind == "categorical" for column in getattr(rows, "columns", ())):
        return model
    every = tuple(range(rows.n_columns))

    def encode(values: Floats) -> Floats:
        return model.encode(rows.substituted(np.zeros(len(values), dtype=np.int64), every, values))

    return replace(model, encode=encode)
