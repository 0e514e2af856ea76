"""From points of the boundary to directions: samples in chunks of starts, fits at each, the best along its path."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.design import Design, normalised, towards
from tauscope.boundary.explainers import Fit, draw_blocks, fit_plane
from tauscope.boundary.inspection import CANDIDATES, Explanation
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.paths import Walk, horizon
from tauscope.boundary.rivals import Pool
from tauscope.boundary.simulation import movable, simulate, unit
from tauscope.boundary.space import Limits, Space
from tauscope.boundary.tuned import TOWARDS, Plan, choose, plan_samples
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
        """Walks along a direction for each."""
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
    return _chosen(predictor, problem, options, result)


@dataclass(eq=False)
class _Result:
    directions: Floats
    intercepts: Floats
    radius: Floats
    balance: Floats
    faithfulness: Floats
    stability: Floats
    r2: Floats
    projection: tuple[Floats, Ints] | None = None


def _empty(n: int, p: int) -> _Result:
    k = len(CANDIDATES)
    return _Result(np.full((n, k, p), np.nan), *(np.full((n, k), np.nan) for _ in range(6)))


def _explain_chunk(
    predictor: DecisionPredictor, problem: Problem, options: SearchOptions, plan: Plan, index: Ints, result: _Result
) -> None:
    chunk = problem.take(index)
    _add_towards(chunk, index, result)
    with_answers = uses_answers(predictor, options)
    each = options.n_samples * (predictor.rows_per_answer if with_answers else 1)
    n = int(min(len(index), predictor.left // each))
    if n:
        few = chunk.take(np.arange(n))
        samples = _samples(few, options, plan)
        flipped, margin = _decided(predictor, few, samples, with_answers)
        for i in range(n):
            _fit_start(
                few, options, plan, i, samples[i], flipped[i], margin[i] if with_answers else None, index, result
            )
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
    n, m, p = samples.shape
    of = np.repeat(np.arange(n), m)
    base, points = chunk.starts.base[of], samples.reshape(n * m, p)
    if not with_answers:
        return chunk.starts.is_flipped(predictor.labels(base, points).reshape(n, m)), np.empty((n, 0))
    labels, answers = predictor.labels_and_answers(base, points)
    return chunk.starts.is_flipped(labels.reshape(n, m)), margin_of(answers, chunk.starts, of).reshape(n, m)


def margin_of(answers: Floats, starts: Starts, of: Ints) -> Floats:
    """By how much answers (m, n_classes) for points tried for start `of` favour no flip: own class over the best other.

    With a class looked for: the best of the others over that one.
    """
    rows = np.arange(len(of))
    goal = starts.labels[of] if starts.target is None else np.full(len(of), starts.target)
    of_goal = answers[rows, goal]
    others = answers.copy()
    others[rows, goal] = -np.inf
    margin = of_goal - others.max(axis=1)
    return margin if starts.target is None else -margin


def _add_towards(chunk: Problem, index: Ints, result: _Result) -> None:
    for i, row in enumerate(index):
        vector = towards(chunk.space, chunk.starts.points[i], chunk.points[i])
        direction = normalised(vector)
        result.directions[row, TOWARDS] = direction
        result.intercepts[row, TOWARDS] = -float(direction @ vector)
        result.radius[row, TOWARDS] = 0.0


def _fit_start(
    chunk: Problem,
    options: SearchOptions,
    plan: Plan,
    i: int,
    samples: Floats,
    flipped: Bools,
    margin: Floats | None,
    index: Ints,
    result: _Result,
) -> None:
    """Fit one start's candidates, and note what its samples tell of each."""
    space, start, point, row = chunk.space, chunk.starts.points[i], chunk.points[i], int(index[i])
    moves = movable(
        space, chunk.limits.take(np.array([i])), chunk.starts.take(np.array([i])), point[None], options.vertices
    )[0]
    groups = options.groups if options.vertices == "groups" else ()
    design = Design.of(space, moves, groups, float(unit(space, chunk.distance[i : i + 1])[0]))
    features = design.features(space, start, point, samples)
    counts = draw_blocks(options.random_state, int(chunk.starts.base[i]), options.n_replicates)
    at_start = design.features(space, start, point, start[None])[0]
    for candidate, part in enumerate(plan.parts):
        x, y = features[part], flipped[part]
        fit = fit_plane(
            x,
            y,
            None if margin is None else margin[part],
            options.explainer,
            n_components=options.n_components,
            n_features=options.n_features,
            counts=counts,
        )
        vector = design.direction(space, start, fit.coefficients)
        norm = float(np.linalg.norm(vector))
        result.balance[row, candidate] = 1 - y.mean()
        result.faithfulness[row, candidate] = balanced_accuracy(y, x @ fit.coefficients + fit.intercept > 0)
        result.stability[row, candidate], result.r2[row, candidate] = fit.stability, fit.r2
        if norm > 0:
            result.directions[row, candidate] = vector / norm
            result.intercepts[row, candidate] = (fit.intercept + float(at_start @ fit.coefficients)) / norm
        spread = np.linalg.norm(np.nan_to_num((samples[part] - point) / space.scale), axis=1)
        result.radius[row, candidate] = np.median(spread)
        _keep_projection(chunk, fit, y, candidate, result)
    _rate_towards(result, features[plan.parts[0]], -at_start, flipped[plan.parts[0]], row)


def _keep_projection(chunk: Problem, fit: Fit, flipped: Bools, candidate: int, result: _Result) -> None:
    if len(chunk.distance) == 1 and fit.scores is not None and candidate == 0:
        result.projection = (fit.scores, flipped.astype(np.int64))


def _rate_towards(result: _Result, features: Floats, way: Floats, flipped: Bools, row: int) -> None:
    """Rate the plane through the point, square to the way there, on the samples nearest."""
    result.balance[row, TOWARDS] = result.balance[row, 0]
    result.faithfulness[row, TOWARDS] = balanced_accuracy(flipped, features @ way > 0)


def balanced_accuracy(flipped: Bools, predicted: Bools) -> float:
    """Mean share found right on either side; NaN where the sample is on one side only."""
    if flipped.all() or not flipped.any():
        return np.nan
    return float((predicted[flipped].mean() + (~predicted[~flipped]).mean()) / 2)


def _chosen(predictor: DecisionPredictor, problem: Problem, options: SearchOptions, result: _Result) -> Explained:
    length = horizon(problem.distance, options.path_step, options.n_path_steps)
    directions = result.directions
    if options.radius == "tuned":
        walk = problem.walk(directions[:, TOWARDS])
        candidate = choose(predictor, walk, directions, length)
    else:
        fitted = np.isfinite(directions[:, 0]).all(axis=1)
        candidate = np.where(fitted, 0, TOWARDS)
    rows = np.arange(len(candidate))
    explanation = Explanation(
        directions[rows, candidate],
        result.intercepts[rows, candidate],
        result.radius[rows, candidate],
        candidate.astype(np.int8),
        result.projection,
    )
    kept = (values[rows, candidate] for values in (result.balance, result.faithfulness, result.stability, result.r2))
    return Explained(explanation, directions, *kept)
