"""Our side of the boundary cases: a fitted model and standardised rows handed to the engine as arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from boundary_inputs import Counted
from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import Decision, DecisionPredictor
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits, Space
from tauscope.prediction.rows import ArrayRows


@dataclass
class Inspected:
    """What the engine needs, of some rows of a table of standardised numbers.

    Attributes
    ----------
    counted : Counted
        The model, with its own count of rows.
    predictor : DecisionPredictor
    space : Space
    pool : Pool
        All rows, as the model labels them.
    starts : Starts
    limits : Limits
    """

    counted: Counted
    predictor: DecisionPredictor
    space: Space
    pool: Pool
    starts: Starts
    limits: Limits

    @classmethod
    def of(cls, model: Any, X: np.ndarray, index: np.ndarray, labels_only: bool = False) -> "Inspected":
        """Set up a run for rows `index` of X; `labels_only` hides the probabilities."""
        counted = Counted(model)
        answers = None if labels_only else counted.predict_proba
        label_of = None if labels_only else lambda answer: answer.argmax(axis=1)
        decision = Decision(counted.predict, answers, label_of, 2)
        labels = model.predict(X).astype(np.int64)
        n, p = len(index), X.shape[1]
        space = Space("euclidean", np.ones(p), (), np.zeros(p, dtype=np.bool_))
        starts = Starts(X[index], labels[index], index, None)
        predictor = DecisionPredictor(decision, ArrayRows(X))
        return cls(counted, predictor, space, Pool(X, labels), starts, Limits.none(n, p))
