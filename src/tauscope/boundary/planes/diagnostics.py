"""How good an explanation is: what the walk along it meets, what the sample tells, how far the point is."""

import numpy as np

from tauscope.boundary.decision import DecisionPredictor, Question
from tauscope.boundary.paths import ask_along, ask_with_next, first_flip, halved
from tauscope.boundary.planes.design import normalised, towards
from tauscope.boundary.planes.explain import Explained, Problem
from tauscope.boundary.planes.inspection import Diagnostics
from tauscope.boundary.rivals import Pool, pairwise
from tauscope.boundary.space import Space
from tauscope.weights.arrays import Floats

CROSSING = np.linspace(0.1, 1.5, 15)
"""Of the point's distance: how far the direction is walked, and where it is asked first."""
DERIVATIVE_STEP = 0.01
"""Of the point's distance."""
WALKED = np.append(DERIVATIVE_STEP, CROSSING)
MAX_ROWS = 150
"""Of the pool, whose mean distance from one another is taken: some 11,000 pairs."""


def ask_crossings(predictor: DecisionPredictor, problem: Problem, explained: Explained) -> Question | None:
    """Have the way along the directions asked about in the call that comes next; None where answers tell no labels."""
    if not predictor.answers_are_free or not len(problem.distance):
        return None
    return ask_with_next(predictor, problem.walk(explained.explanation.direction), problem.distance[:, None] * WALKED)


def diagnose(
    predictor: DecisionPredictor,
    problem: Problem,
    explained: Explained,
    own: Floats,
    random_state: int,
    question: Question | None = None,
) -> Diagnostics:
    """Compute the diagnostics of m explanations.

    Parameters
    ----------
    predictor : DecisionPredictor
    problem : Problem
    explained : Explained
    own : ndarray of shape (m,)
        The answer for the start's own class at the start; NaN for a model of labels.
    random_state : int
    question : Question, optional
        As from `ask_crossings`.

    Returns
    -------
    Diagnostics
    """
    direction = explained.explanation.direction
    if predictor.answers_are_free:
        crossing_ratio, derivative = _walked(predictor, problem, direction, own, question)
    else:
        crossing_ratio, derivative = _walked_twice(predictor, problem, direction, own)
    return Diagnostics(
        explained.balance,
        explained.faithfulness,
        explained.balanced_accuracy,
        (direction * normalised(towards(problem.space, problem.starts.points, problem.points))).sum(axis=1),
        crossing_ratio,
        _plane_ratio(problem, direction),
        problem.distance / mean_distance(problem.space, problem.pool, random_state),
        derivative,
        explained.stability,
        explained.r2,
    )


def mean_distance(space: Space, pool: Pool, random_state: int) -> float:
    """Mean distance between rows of the pool, or between some of many rows; NaN of fewer than two rows."""
    n = len(pool.points)
    if n < 2:
        return np.nan
    random = np.random.default_rng(random_state)
    rows = np.arange(n) if n <= MAX_ROWS else random.choice(n, MAX_ROWS, replace=False)
    embedded = space.embedded(pool.points[rows])
    return float(pairwise(space, embedded, embedded)[np.triu_indices(len(rows), 1)].mean()) or np.nan


def _plane_ratio(problem: Problem, direction: Floats) -> Floats:
    """Return the crossing ratio along directions of planes through the points; 0 where no number moves."""
    space = problem.space
    across = (direction * towards(space, problem.starts.points, problem.points)).sum(axis=1)
    straight = np.where(space.in_block, 0.0, direction)
    per_length = (straight**2).sum(axis=1) * problem.distance
    return np.divide(
        across * space.number_length(straight * space.scale),
        per_length,
        out=np.zeros_like(across),
        where=per_length > 0,
    )


def _walked(
    predictor: DecisionPredictor, problem: Problem, direction: Floats, own: Floats, question: Question | None
) -> tuple[Floats, Floats]:
    """Walk along the directions: crossing ratios, and derivatives at the start, in one call."""
    walk, distance = problem.walk(direction), problem.distance[:, None]
    asked = ask_along(predictor, walk, distance * WALKED, question)
    if asked is None:
        return np.full(len(own), np.nan), np.full(len(own), np.nan)
    flipped, leaning = asked.flipped[:, 1:], asked.leaning[:, 1:]
    ratio = halved(predictor, walk, distance * CROSSING, flipped, leaning) / problem.distance
    return ratio, (asked.own[:, 0] - own) / (DERIVATIVE_STEP * problem.distance)


def _walked_twice(
    predictor: DecisionPredictor, problem: Problem, direction: Floats, own: Floats
) -> tuple[Floats, Floats]:
    """Walk along the directions where answers do not tell labels: these first, an answer for the derivatives after."""
    walk, n = problem.walk(direction), len(own)
    ratio = first_flip(predictor, walk, problem.distance[:, None] * CROSSING) / problem.distance
    if np.isnan(own).all() or not predictor.affords(n * predictor.rows_per_answer):
        return ratio, np.full(n, np.nan)
    step = DERIVATIVE_STEP * problem.distance
    _, answers = predictor.labels_and_answers(problem.starts.base, walk.at(step[:, None])[:, 0])
    return ratio, (answers[np.arange(n), problem.starts.labels] - own) / step
