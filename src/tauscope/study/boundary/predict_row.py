"""The verb `predict_row`: what the model decides for a row, with other values where they are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.boundary.decision import DecisionPredictor
from tauscope.model.progress_bar import Callback
from tauscope.prediction.batches import BatchOptions
from tauscope.results.boundary.row_decision import RowDecision
from tauscope.study.boundary.decision import study_decision
from tauscope.study.boundary.search import engine_rows
from tauscope.study.boundary.starts import changed_point, choose_row

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
        Feature to the value it has instead.
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
    """
    known = study_decision(self, threshold)
    chosen = choose_row(self, row)
    base = np.maximum(chosen.position, 0)
    start = chosen.points
    if start is None:
        start = np.array([[self.rows.column(j)[base[0]] for j in range(self.rows.n_columns)]])
    point = changed_point(self, start[0], values or {})
    decision = known.asking_for_labels().decision if known.inferred else known.decision
    batches = BatchOptions(self.require_model("decides").batch_rows, callback)
    predictor = DecisionPredictor(decision, engine_rows(self), batches)
    codes, answers = predictor.labels_and_answers(base, point[None])
    code = int(codes[0])
    answer = float(answers[0, code])
    if known.answer == "value":  # a distance to the threshold, on the side of the prediction
        answer = float(threshold or 0.0) + float(answers[0, 1])
    return RowDecision(known.classes[code], answer, known.answer, predictor.n_model_rows)
