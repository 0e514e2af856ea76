"""From points of the boundary to directions: samples in chunks of starts, fits at each, the best along its path."""

from dataclasses import dataclass, field

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.design import Design, along, normalised, towards
from tauscope.boundary.explainers import Fit, draw_blocks, fit_plane
from tauscope.boundary.inspection import CANDIDATES, Explanation
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.paths import Walk, horizon
from tauscope.boundary.rivals import Pool
from tauscope.boundary.simulation import movable, simulate, unit
from tauscope.boundary.space import Limits, Space
from tauscope.boundary.tuned import HALFWAY, TOWARDS, Plan, choose, plan_samples
from tauscope.weights.arrays import Bools, Floats, Ints

SAMPLE_BYTES = 32 * 2**20
"""Of the samples of one chunk of starts."""


@dataclass(frozen=True, eq=False)
class Explained:
    """Explanations and what their samples tell, for each of n starts; NaN where there is none.

    Attributes
    ----------
    explanation : Explanation
    directions : ndarray of shape (n, n_candidates, p)
        Of every candidate, of length 1 in units of scale.
    balance, faithfulness, stability, r2 : ndarray of shape (n,)
        As in `Diagnostics`.
    """

    explanation: Explanation
    directions: Floats
    balance: Floats
    faithfulness: Floats
    stability: Floats
    r2: Floats


@dataclass(frozen=True, eq=False)
class Problem:
    """Points to explain: m of the starts, those for which a point was found.

    Attributes
    ----------
    space : Space
    pool : Pool
    starts : Starts
    limits : Limits
    points : ndarray of shape (m, p)
    distance : ndarray of shape (m,)
    """

    space: Space
    pool: Pool
    starts: Starts
    limits: Limits
    points: Floats
    distance: Floats

    def take(self, index: Ints) -> "Problem":
        """Take some of them."""
        return Problem(
            self.space,
            self.pool,
            self.starts.take(index),
            self.limits.take(index),
            self.points[index],
            self.distance[index],
        )

    def walk(self, direction: Floats) -> Walk:
        """Set out along a direction from each."""
        return Walk(self.space, self.limits, self.starts, self.points, direction)


def explain(predictor: DecisionPredictor, problem: Problem, options: SearchOptions) -> Explained:
    """Explain points of the boundary, in chunks of starts so that the samples take bounded memory.

    Parameters
    ----------
    predictor : DecisionPredictor
    problem : Problem
    options : SearchOptions

    Returns
    -------
    Explained
        The way to the point is left where the budget does not do for a start's samples.
    """
    n, p = problem.points.shape
    plan = plan_samples(options.radius, options.n_samples)
    result = _empty(n, p)
    size = max(1, SAMPLE_BYTES // (8 * p * options.n_samples))
    for first in range(0, n, size):
        index = np.arange(first, min(first + size, n))
        _explain_chunk(predictor, problem, options, plan, index, result)
    return _explained(result)


@dataclass(eq=False)
class _Result:
    directions: Floats
    intercepts: Floats
    radius: Floats
    balance: Floats
    faithfulness: Floats
    stability: Floats
    r2: Floats
    candidate: Ints
    projections: dict[int, tuple[Floats, Ints]] = field(default_factory=dict[int, tuple[Floats, Ints]])


def _empty(n: int, p: int) -> _Result:
    k = len(CANDIDATES)
    return _Result(
        np.full((n, k, p), np.nan),
        intercepts=np.full((n, k), np.nan),
        radius=np.full((n, k), np.nan),
        balance=np.full((n, k), np.nan),
        faithfulness=np.full((n, k), np.nan),
        stability=np.full((n, k), np.nan),
        r2=np.full((n, k), np.nan),
        candidate=np.full(n, TOWARDS),
    )


def _explain_chunk(
    predictor: DecisionPredictor, problem: Problem, options: SearchOptions, plan: Plan, index: Ints, result: _Result
) -> None:
    chunk = problem.take(index)
    _add_towards(chunk, index, result)
    with_answers = uses_answers(predictor, options)
    each = len(plan.radius) * (predictor.rows_per_answer if with_answers else 1)
    n = int(min(len(index), predictor.left // each))
    if n:
        few = chunk.take(np.arange(n))
        samples = _samples(few, options, plan)
        flipped, margin = _decided(predictor, few, samples, with_answers)
        moves = movable(few.space, few.limits, few.starts, few.points, options.vertices)
        for i in range(n):
            fitter = _Fitter(few, options, i, moves[i])
            fitter.fit(plan, samples[i], flipped[i], margin[i] if with_answers else None, result, int(index[i]))
        _choose(predictor, few, options, result, index[:n])
        for i in np.flatnonzero(result.candidate[index[:n]] >= TOWARDS).tolist():
            target = -margin[i] if with_answers else flipped[i].astype(np.float64)
            _rate(few, plan, i, samples[i], flipped[i], target, result, int(index[i]))
    if n < len(index):
        predictor.affords(each)  # says that the run is over


def uses_answers(predictor: DecisionPredictor, options: SearchOptions) -> bool:
    """Tell whether answers are fitted, rather than labels."""
    return options.fitted_on != "labels" and predictor.decision.answers is not None


def _samples(chunk: Problem, options: SearchOptions, plan: Plan) -> Floats:
    return simulate(
        chunk.space,
        chunk.limits,
        chunk.starts,
        chunk.points,
        chunk.distance,
        chunk.pool,
        plan.radius,
        vertices=options.vertices,
        groups=options.groups,
        random_state=options.random_state,
    )


def _decided(predictor: DecisionPredictor, chunk: Problem, samples: Floats, with_answers: bool) -> tuple[Bools, Floats]:
    """Ask which samples are flipped, and by what margin the answers favour the start's decision: both (n, m)."""
    n, m, p = len(samples), samples.shape[1], samples.shape[2]
    of = np.repeat(np.arange(n), m)
    base, points = chunk.starts.base[of], samples.reshape(n * m, p)
    if not with_answers:
        return chunk.starts.is_flipped(predictor.labels(base, points).reshape(n, m)), np.empty((n, 0))
    labels, answers = predictor.labels_and_answers(base, points)
    return chunk.starts.is_flipped(labels.reshape(n, m)), chunk.starts.margins(answers, of).reshape(n, m)


def _add_towards(chunk: Problem, index: Ints, result: _Result) -> None:
    for i, row in enumerate(index):
        vector = towards(chunk.space, chunk.starts.points[i], chunk.points[i])
        direction = normalised(vector)
        result.directions[row, TOWARDS] = direction
        result.intercepts[row, TOWARDS] = -float(direction @ vector)
        result.radius[row, TOWARDS] = 0.0


class _Fitter:
    """The fits of one start."""

    def __init__(self, chunk: Problem, options: SearchOptions, i: int, moves: Bools) -> None:
        self.space, self.options, self.key = chunk.space, options, chunk.starts.key_of(i)
        self.start, self.point = chunk.starts.points[i], chunk.points[i]
        groups = options.groups if options.vertices == "groups" else ()
        one = float(unit(chunk.space, chunk.distance[i : i + 1])[0])
        self.design = Design.of(chunk.space, moves, groups, one)
        self.at_start = self._features(self.start[None])[0]

    def fit(
        self, plan: Plan, samples: Floats, flipped: Bools, margin: Floats | None, result: _Result, row: int
    ) -> None:
        """Fit the candidates, and note what the samples tell of each."""
        features = self._features(samples)
        away = np.linalg.norm(np.nan_to_num((samples - self.point) / self.space.scale), axis=1)
        counts = draw_blocks(self.options.random_state, self.key, self.options.n_replicates)
        for candidate, part in enumerate(plan.parts):
            fit = self._plane(features[part], flipped[part], None if margin is None else margin[part], counts)
            self._note(result, (row, candidate), fit, features[part], flipped[part])
            result.radius[row, candidate] = np.median(away[part])

    def _features(self, samples: Floats) -> Floats:
        return self.design.features(self.space, self.start, self.point, samples)

    def _plane(self, x: Floats, flipped: Bools, margin: Floats | None, counts: Floats | None) -> Fit:
        options = self.options
        return fit_plane(
            x,
            flipped,
            margin,
            options.explainer,
            n_components=options.n_components,
            n_features=options.n_features,
            counts=counts,
        )

    def _note(self, result: _Result, at: tuple[int, int], fit: Fit, x: Floats, flipped: Bools) -> None:
        result.balance[at] = 1 - flipped.mean()
        result.faithfulness[at] = balanced_accuracy(flipped, x @ fit.coefficients + fit.intercept > 0)
        result.stability[at], result.r2[at] = fit.stability, fit.r2
        vector = self.design.direction(self.space, self.start, fit.coefficients)
        norm = float(np.linalg.norm(vector))
        if norm > 0:
            result.directions[at] = vector / norm
            result.intercepts[at] = (fit.intercept + float(self.at_start @ fit.coefficients)) / norm
        if len(result.radius) == 1 and fit.scores is not None:
            result.projections[at[1]] = (fit.scores, flipped.astype(np.int64))


def balanced_accuracy(flipped: Bools, predicted: Bools) -> float:
    """Mean share found right on either side; NaN where the sample is on one side only."""
    if flipped.all() or not flipped.any():
        return np.nan
    return float((predicted[flipped].mean() + (~predicted[~flipped]).mean()) / 2)


def _choose(predictor: DecisionPredictor, chunk: Problem, options: SearchOptions, result: _Result, index: Ints) -> None:
    """Choose among the candidates of some starts, and complete the one that is halfway between two."""
    directions = result.directions[index]
    if options.radius != "tuned":
        result.candidate[index] = np.where(np.isfinite(directions[:, 0]).all(axis=1), 0, TOWARDS)
        return
    length = horizon(chunk.distance, options.path_step, options.n_path_steps)
    best, chosen = choose(predictor, chunk.walk(directions[:, TOWARDS]), directions, length)
    result.directions[index], result.candidate[index] = directions, chosen
    result.stability[index, HALFWAY] = np.fmin(*np.take_along_axis(result.stability[index], best, axis=1).T)
    for i, row in enumerate(index):
        way = towards(chunk.space, chunk.starts.points[i], chunk.points[i])
        result.intercepts[row, HALFWAY] = -float(directions[i, HALFWAY] @ way)


def _rate(
    chunk: Problem,
    plan: Plan,
    i: int,
    samples: Floats,
    flipped: Bools,
    target: Floats,
    result: _Result,
    row: int,
) -> None:
    """Rate a plane through the point that was not fitted, on the samples nearest or, if it is of two fits, on all."""
    at = row, int(result.candidate[row])
    part = plan.parts[0] if at[1] == TOWARDS else np.arange(len(samples))
    far = along(chunk.space, chunk.starts.points[i], chunk.points[i], samples[part], result.directions[at])
    result.balance[at] = 1 - flipped[part].mean()
    result.faithfulness[at] = balanced_accuracy(flipped[part], far > 0)
    spread = float(far.std() * target[part].std())
    if spread > 0:
        result.r2[at] = (float(((far - far.mean()) * (target[part] - target[part].mean())).mean()) / spread) ** 2
    away = np.nan_to_num((samples[part] - chunk.points[i]) / chunk.space.scale)
    result.radius[at] = np.median(np.linalg.norm(away, axis=1))


def _explained(result: _Result) -> Explained:
    candidate = result.candidate
    rows = np.arange(len(candidate))
    projections = result.projections
    explanation = Explanation(
        result.directions[rows, candidate],
        result.intercepts[rows, candidate],
        result.radius[rows, candidate],
        candidate,
        projections.get(int(candidate[0]), projections.get(0)) if len(candidate) == 1 else None,
    )
    return Explained(
        explanation,
        result.directions,
        balance=result.balance[rows, candidate],
        faithfulness=result.faithfulness[rows, candidate],
        stability=result.stability[rows, candidate],
        r2=result.r2[rows, candidate],
    )
