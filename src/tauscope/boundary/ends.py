"""Every way from a row to its rivals followed to the boundary, for what needs more than the nearest of them."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.bisection import Starts, bisect_each
from tauscope.boundary.decision import Decision, DecisionPredictor
from tauscope.boundary.detection import rival_brackets
from tauscope.boundary.levels import restore_levels
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.planes.explain import Problem
from tauscope.boundary.refine import nearer, restore_columns
from tauscope.boundary.rivals import Pool, nearest_rivals
from tauscope.boundary.space import Limits, Space
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Floats, Ints

RELATIVE_TOLERANCE = 1e-3
"""Of the nearest rival's distance: fine enough to tell stretches apart, at half of the rows."""


@dataclass(frozen=True, eq=False)
class RowProblem:
    """One row whose boundary is searched more than once.

    Attributes
    ----------
    predictor : DecisionPredictor
    space : Space
    pool : Pool
    starts : Starts
        One.
    limits : Limits
    options : SearchOptions
    """

    predictor: DecisionPredictor
    space: Space
    pool: Pool
    starts: Starts
    limits: Limits
    options: SearchOptions

    @classmethod
    def of(
        cls,
        decision: Decision,
        rows: Rows,
        space: Space,
        pool: Pool,
        starts: Starts,
        limits: Limits,
        options: SearchOptions,
        batches: BatchOptions | None,
    ) -> "RowProblem":
        """Set up the calls of the model."""
        if starts.n != 1:
            raise InputError(f"Several answers are searched for one row at a time, got {starts.n}. Loop over the rows.")
        predictor = DecisionPredictor(decision, rows, batches, options.max_model_rows)
        return cls(predictor, space, pool, starts, limits, options)

    def ends(self) -> tuple[Floats, Floats]:
        """Follow the way to every rival: points beyond the boundary (m, p) and their distances (m,)."""
        starts, options = self.starts, self.options
        rivals = nearest_rivals(self.space, self.pool, starts.points, starts.labels, starts.target, options.n_rivals)
        brackets, _ = rival_brackets(self.predictor, self.space, self.pool, starts, self.limits, rivals)
        brackets = restore_levels(self.predictor, self.space, starts, brackets)
        far = self.space.distance(starts.points[brackets.start], brackets.far)
        tolerance = max(options.tolerance, RELATIVE_TOLERANCE * float(far.min(initial=np.inf)))
        return bisect_each(self.predictor, self.space, starts, brackets, tolerance=tolerance)

    def copies(self, points: Floats, distance: Floats) -> Problem:
        """Pair the row with each of some points of the boundary."""
        same = np.zeros(len(points), dtype=np.int64)
        starts, limits = self.starts.take(same), self.limits.take(same)
        return Problem(self.space, self.pool, starts, limits, points, distance)

    def restored(self, points: Floats, distance: Floats) -> tuple[Floats, Floats]:
        """Put columns back to the row's where the decision stays flipped."""
        copies = self.copies(points, distance)
        back = restore_columns(self.predictor, self.space, copies.limits, copies.starts, points)
        return nearer(points, distance, *back)

    def labels(self, points: Floats) -> Ints:
        """Say what is decided at points known to be flipped; −1 where the budget has ended and it is not plain."""
        n = len(points)
        implied = self.starts.implied_labels(self.predictor.decision.n_classes)
        if implied is not None:
            return np.repeat(implied, n)
        if not self.predictor.affords(n):
            return np.full(n, -1)
        return self.predictor.labels(np.repeat(self.starts.base, n), points)
