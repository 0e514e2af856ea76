"""Our side of the boundary cases: a fitted model and standardised rows handed to the engine as arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from boundary_inputs import Counted
from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import Decision, DecisionPredictor
from tauscope.boundary.detection import Detection, detect
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.planes.inspect import inspect_boundary
from tauscope.boundary.planes.inspection import Inspection
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
    decision : Decision
    rows : ArrayRows
    space : Space
    pool : Pool
        All rows, as the model labels them.
    starts : Starts
    limits : Limits
    """

    counted: Counted
    decision: Decision
    rows: ArrayRows
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
        return cls(counted, decision, ArrayRows(X), space, Pool(X, labels), starts, Limits.none(n, p))

    def inspect(self, **options: Any) -> Inspection:
        """Run the whole inspection of these rows, options as in `SearchOptions`; no paths for the eye."""
        parts = self.decision, self.rows, self.space, self.pool, self.starts, self.limits
        return inspect_boundary(*parts, SearchOptions(**options), paths=False)

    def detect(self, **options: Any) -> Detection:
        """Detect their nearest points only."""
        predictor = DecisionPredictor(self.decision, self.rows)
        return detect(predictor, self.space, self.pool, self.starts, self.limits, **options)

    def flips(self, of: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Tell whether points, each of start `of`, are decided otherwise."""
        return self.counted.model.predict(points) != self.starts.labels[of]
