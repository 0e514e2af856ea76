"""How good an explanation is: what the walk along it meets, what the sample tells, how far the point is."""

import numpy as np
from scipy.spatial.distance import pdist

from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.design import normalised, towards
from tauscope.boundary.explain import Explained, Problem
from tauscope.boundary.inspection import Diagnostics
from tauscope.boundary.paths import first_flip
from tauscope.boundary.rivals import METRICS, Pool
from tauscope.boundary.space import Space
from tauscope.weights.arrays import Floats

CROSSING = np.linspace(0.1, 1.5, 15)
"""Of the point's distance: how far the direction is walked, and where it is asked first."""
DERIVATIVE_STEP = 0.01
"""Of the point's distance."""
MAX_ROWS = 150
"""Of the pool, whose mean distance from one another is taken: some 11,000 pairs."""


def diagnose(
    predictor: DecisionPredictor, problem: Problem, explained: Explained, own: Floats, random_state: int
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

    Returns
    -------
    Diagnostics
    """
    direction = explained.explanation.direction
    way = np.array(
        [
            towards(problem.space, start, point)
            for start, point in zip(problem.starts.points, problem.points, strict=True)
        ]
    ).reshape(direction.shape)
    return Diagnostics(
        explained.balance,
        explained.faithfulness,
        (direction * normalised(way)).sum(axis=1),
        _crossing_ratio(predictor, problem, direction),
        problem.distance / mean_distance(problem.space, problem.pool, random_state),
        _derivative(predictor, problem, direction, own),
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
    return float(pdist(space.embedded(pool.points[rows]), METRICS[space.metric]).mean()) or np.nan


def _crossing_ratio(predictor: DecisionPredictor, problem: Problem, direction: Floats) -> Floats:
    walk = problem.walk(direction)
    return first_flip(predictor, walk, problem.distance[:, None] * CROSSING) / problem.distance


def _derivative(predictor: DecisionPredictor, problem: Problem, direction: Floats, own: Floats) -> Floats:
    n = len(own)
    if np.isnan(own).all() or not predictor.affords(n * predictor.rows_per_answer):
        return np.full(n, np.nan)
    step = DERIVATIVE_STEP * problem.distance
    points = problem.walk(direction).at(step[:, None])[:, 0]
    _, answers = predictor.labels_and_answers(problem.starts.base, points)
    return (answers[np.arange(n), problem.starts.labels] - own) / step
