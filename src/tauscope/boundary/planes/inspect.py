"""The whole run for one row or thousands: detection, sample, explanation, refinement, path, diagnostics."""

from dataclasses import dataclass, fields, replace
from typing import TypeVar, cast

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import Decision, DecisionPredictor, Question
from tauscope.boundary.detection import Detection, detect
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.paths import Walk, ask_with_next, horizon, path_lengths, walk_paths
from tauscope.boundary.planes.diagnostics import ask_crossings, diagnose
from tauscope.boundary.planes.explain import Explained, Problem, explain
from tauscope.boundary.planes.inspection import Diagnostics, Explanation, Inspection, Paths
from tauscope.boundary.planes.simulation import check_groups
from tauscope.boundary.refine import drop_residue, nearer, restore_columns, restore_steps, search_line, search_steps
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits, Space
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Bools, Floats, Ints

Record = TypeVar("Record", Explanation, Paths, Diagnostics)


def inspect_boundary(
    decision: Decision,
    rows: Rows,
    space: Space,
    pool: Pool,
    starts: Starts,
    limits: Limits,
    options: SearchOptions,
    *,
    batches: BatchOptions | None = None,
    paths: bool = True,
    detected: Detection | None = None,
) -> Inspection:
    """Search, explain and walk to the boundary from some points.

    Parameters
    ----------
    decision : Decision
    rows : Rows
        In whose container the model is asked.
    space : Space
    pool : Pool
        Rows among which rivals are sought.
    starts : Starts
    limits : Limits
        Every point asked about and returned lies within them.
    options : SearchOptions
    batches : BatchOptions, optional
        Where its progress hook returns something true the run ends with what is known.
    paths : bool, default True
    detected : Detection, optional
        Points detected already, of which the rest is computed.

    Returns
    -------
    Inspection
        No point of it that the model was not seen to decide otherwise; where the budget ended, what is missing is NaN.
    """
    if options.vertices == "groups":
        check_groups(options.groups, space.n_columns)
    run = _Run(DecisionPredictor(decision, rows, batches, _budget(decision, starts, options)), space, pool, options)
    unsteady, own, starts = run.ask_starts(starts)
    detection = detected or detect(
        run.predictor, space, pool, starts, limits, n_rivals=options.n_rivals, tolerance=options.tolerance
    )
    found = np.flatnonzero(np.isfinite(detection.distance) & (detection.distance > 0))
    problem = Problem(
        space, pool, starts.take(found), limits.take(found), detection.point[found], detection.distance[found]
    )
    explained = explain(run.predictor, problem, options)
    crossings = ask_crossings(run.predictor, problem, explained)
    path = run.ask_paths(problem, explained) if paths else None
    point, distance = run.refined(detection, problem, explained, found)
    walked = run.paths(problem, explained, path) if paths else None
    diagnostics = diagnose(run.predictor, problem, explained, own[found], options.random_state, crossings)
    return Inspection(
        options,
        detection,
        point,
        distance,
        run.labels_at(starts, point, distance),
        spread(explained.explanation, found, starts.n),
        None if walked is None else spread(walked, found, starts.n),
        spread(diagnostics, found, starts.n),
        unsteady,
        run.predictor.n_model_rows,
        run.predictor.spent,
    )


def spread(record: Record, index: Ints, n: int) -> Record:
    """Give a record of some starts the shape of all, NaN, −1 or False for the others."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    arrays = {name: cast(Floats, value) for name, value in values.items() if isinstance(value, np.ndarray)}
    return replace(record, **{name: _spread(value, index, n) for name, value in arrays.items()})


def _spread(values: Floats, index: Ints, n: int) -> Floats:
    blank = np.nan if values.dtype.kind == "f" else False if values.dtype.kind == "b" else -1
    wide = np.full((n, *values.shape[1:]), blank, dtype=values.dtype)
    wide[index] = values
    return wide


def _budget(decision: Decision, starts: Starts, options: SearchOptions) -> int | None:
    """Keep a row for each start's point, to say its class, where that is not plain."""
    budget = options.max_model_rows
    if budget is None or starts.implied_labels(decision.n_classes) is not None:
        return budget
    return max(0, budget - starts.n)


@dataclass(frozen=True, eq=False)
class _Run:
    predictor: DecisionPredictor
    space: Space
    pool: Pool
    options: SearchOptions

    def ask_starts(self, starts: Starts) -> tuple[Bools, Floats, Starts]:
        """Ask about the starts: whether they are decided as before, their own class's answer, and how it leans."""
        own = np.full(starts.n, np.nan)
        if not self.predictor.affords(starts.n * self.predictor.rows_per_answer):
            return np.zeros(starts.n, dtype=np.bool_), own, starts
        labels, answers = self.predictor.labels_and_answers(starts.base, starts.points)
        every = np.arange(starts.n)
        if self.predictor.decision.answers is not None:
            own = answers[every, starts.labels]
            starts = replace(starts, leaning=starts.leanings(answers, every))
        return labels != starts.labels, own, starts

    def refined(
        self, detection: Detection, problem: Problem, explained: Explained, found: Ints
    ) -> tuple[Floats, Floats]:
        """Bring the points nearer, as the options say."""
        point, distance = detection.point.copy(), detection.distance.copy()
        if self.options.refine != "none" and len(found):
            point[found], distance[found] = self._refine(problem, explained)
        return point, distance

    def _refine(self, problem: Problem, explained: Explained) -> tuple[Floats, Floats]:
        walk = problem.walk(explained.explanation.direction)
        best = search_line(self.predictor, walk, explained.directions, problem.distance, self.options.tolerance)
        best = search_steps(self.predictor, replace(walk, points=best[0]), best[1])
        best = restore_steps(self.predictor, self.space, problem.starts, *best)
        if self.options.refine == "line":
            return drop_residue(self.predictor, self.space, problem.starts, *best)
        n = len(best[1])
        twice = np.tile(np.arange(n), 2)  # from the point detected and from the nearer one, in the same calls
        points, distance = restore_columns(
            self.predictor,
            self.space,
            problem.limits.take(twice),
            problem.starts.take(twice),
            np.concatenate([problem.points, best[0]]),
        )
        return nearer(*nearer(*best, points[:n], distance[:n]), points[n:], distance[n:])

    def ask_paths(self, problem: Problem, explained: Explained) -> Question | None:
        """Have points along the directions asked about in the call that comes next."""
        if not len(problem.distance):
            return None
        walk, length = self._walks(problem, explained)
        return ask_with_next(self.predictor, walk, path_lengths(length, self.options.n_path_steps))

    def paths(self, problem: Problem, explained: Explained, question: Question | None) -> Paths:
        """Walk along the directions."""
        return walk_paths(
            self.predictor, *self._walks(problem, explained), self.options.n_path_steps, question=question
        )

    def _walks(self, problem: Problem, explained: Explained) -> tuple[Walk, Floats]:
        length = horizon(problem.distance, self.options.path_step, self.options.n_path_steps)
        return problem.walk(explained.explanation.direction), length

    def labels_at(self, starts: Starts, points: Floats, distance: Floats) -> Ints:
        """Say what is decided at the points; −1 where there is none."""
        labels = np.full(starts.n, -1)
        found = np.flatnonzero(np.isfinite(distance))
        implied = starts.implied_labels(self.predictor.decision.n_classes)
        if implied is not None:
            labels[found] = implied[found]
        elif len(found):  # within the budget: its rows were kept
            labels[found] = self.predictor.labels(starts.base[found], points[found])
        return labels
