"""The verb `predict_row`: what the model decides for a row, with other values where they are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.sparse import ActiveRows
from tauscope.data.sparse import are_sparse
from tauscope.model.progress_bar import Callback
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.rows import Rows
from tauscope.results.boundary.row_decision import RowDecision
from tauscope.study.boundary.decision import study_decision
from tauscope.study.boundary.fractions import engine_rows
from tauscope.study.columns import column_position
from tauscope.study.rows import ChosenRows, changed_point, choose_row
from tauscope.study.sparse_rows import changed_sparse_point
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def predict_row(
    self: StudyBase,
    row: Any,
    values: Mapping[str, Any] | None = None,
    *,
    threshold: float | None = None,
    callback: Callback | None = None,
) -> RowDecision:
    """Ask the model what it decides for one row, with other values where they are given.

    Parameters
    ----------
    row : int, or new values
        As in `boundary`.
    values : dict, optional
        Feature to the value it has instead; of a sparse row also one that is 0 in it. A level of one-hot columns that
        becomes 1 switches the row's own level off.
    threshold : float, optional
        Of a regression, which has to have one: the decision is whether the prediction lies above.
    callback : callable, optional
        Called as callback(done, total) after the model was asked.

    Returns
    -------
    RowDecision
        `.label`, `.answer`, `.sentence`, `.n_model_rows`.

    Raises
    ------
    UnknownName
        For a feature or level that is not there, with the nearest names.
    InputError, InputTypeError
        For a row that is not there, values that the columns cannot hold, or a study without a model.

    Examples
    --------
    >>> study.predict_row(0, {"mean radius": 12.0}).label
    '1'
    """
    known = study_decision(self, threshold)
    chosen = choose_row(self, row)
    base = np.maximum(chosen.position, 0)
    rows, start, point = (_sparse_point if are_sparse(self._columns) else _point)(self, chosen, values or {})
    decision = known.asking_for_labels().decision if known.inferred else known.decision
    batches = BatchOptions(self._require_model("decides").batch_rows, callback)
    predictor = DecisionPredictor(decision, rows, batches)
    codes, answers = predictor.labels_and_answers(base, point[None])
    code = int(codes[0])
    answer = float(answers[0, code])
    if known.answer == "value":  # a distance to the threshold, on the side of the prediction
        answer = float(threshold or 0.0) + float(answers[0, 1])
    moved: list[int] = np.flatnonzero((point == 0) & (start != 0)).tolist()
    if isinstance(rows, ActiveRows):
        moved = rows.active[moved].tolist()
    named = {column_position(self, name) for name in values or ()}
    switched = tuple(self.feature_names[j] for j in moved if j not in named)
    return RowDecision(known.classes[code], answer, known.answer, predictor.n_model_rows, switched)


def _point(study: StudyBase, chosen: ChosenRows, values: Mapping[str, Any]) -> tuple[Rows, Floats, Floats]:
    """Return what a point is a point of, the row, and the row with its values."""
    start = chosen.points
    if start is None:
        start = np.array(
            [[study._table_rows.column(j)[chosen.position[0]] for j in range(study._table_rows.n_columns)]]
        )
    return engine_rows(study), start[0], changed_point(study, start[0], values)


def _sparse_point(study: StudyBase, chosen: ChosenRows, values: Mapping[str, Any]) -> tuple[Rows, Floats, Floats]:
    """Return the same of a sparse row, in the columns that are not 0 in it or are named."""
    assert are_sparse(study._columns)
    csr = study._columns.table.csr
    row = csr[chosen.position] if chosen.points is None else chosen.points
    active, start, point = changed_sparse_point(study, study._columns, row, values)
    return ActiveRows(csr, active), start, point
