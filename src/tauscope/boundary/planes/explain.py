"""From points of the boundary to directions: samples in chunks of starts, fits at each, the best along its path."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.paths import Walk, horizon
from tauscope.boundary.planes.design import largest, normalised, towards
from tauscope.boundary.planes.inspection import CANDIDATES, Explanation, Sample
from tauscope.boundary.planes.simulation import axes_of, movable, simulate
from tauscope.boundary.planes.start_fits import StartFits
from tauscope.boundary.planes.tuned import HALFWAY, TOWARDS, Plan, choose, plan_samples
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits, Space
from tauscope.weights.arrays import Floats, Ints

SAMPLE_BYTES = 32 * 2**20
"""Of the samples of one chunk of starts; what is made of them takes about as much again."""


@dataclass(frozen=True, eq=False)
class Explained:
    """Explanations and what their samples tell, for each of n starts; NaN where there is none.

    Attributes
    ----------
    explanation : Explanation
    directions : ndarray of shape (n, n_candidates, p)
        Of every candidate, of length 1 in units of scale.
    balance, faithfulness, balanced_accuracy, stability, r2 : ndarray of shape (n,)
        As in `Diagnostics`.
    """

    explanation: Explanation
    directions: Floats
    balance: Floats
    faithfulness: Floats
    balanced_accuracy: Floats
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
    candidate: Ints
    radius: Floats
    balance: Floats
    faithfulness: Floats
    balanced_accuracy: Floats
    stability: Floats
    r2: Floats
    projection: tuple[Floats, Ints] | None = None
    sample: Sample | None = None


def _empty(n: int, p: int) -> _Result:
    k = len(CANDIDATES)
    return _Result(
        np.full((n, k, p), np.nan),
        np.full((n, k), np.nan),
        candidate=np.full(n, TOWARDS),
        radius=np.zeros(n),
        balance=np.full(n, np.nan),
        faithfulness=np.full(n, np.nan),
        balanced_accuracy=np.full(n, np.nan),
        stability=np.full(n, np.nan),
        r2=np.full(n, np.nan),
    )


def _explain_chunk(
    predictor: DecisionPredictor, problem: Problem, options: SearchOptions, plan: Plan, index: Ints, result: _Result
) -> None:
    chunk = problem.take(index)
    ways = towards(chunk.space, chunk.starts.points, chunk.points)
    directions = result.directions[index, TOWARDS] = normalised(
        _few_features(_along_axes(ways, chunk, options), options)
    )
    result.intercepts[index, TOWARDS] = -(directions * ways).sum(axis=1)
    with_answers = uses_answers(predictor, options)
    each = len(plan.radius) * (predictor.rows_per_answer if with_answers else 1)
    n = int(min(len(index), predictor.left // each))
    if n:
        few, index, ways = chunk.take(np.arange(n)), index[:n], ways[:n]
        fits = _fit(predictor, few, options, plan, with_answers)
        for row, fitted in zip(index, fits, strict=True):
            n_fits = len(fitted.fits)
            result.directions[row, :n_fits], result.intercepts[row, :n_fits] = fitted.planes()
        two = _choose(predictor, few, options, result, index, ways)
        for i, row in enumerate(index.tolist()):
            chosen = int(result.candidate[row])
            rating = fits[i].rate(chosen, result.directions[row, chosen], two[i])
            result.radius[row], result.balance[row], result.faithfulness[row] = rating[:3]
            result.balanced_accuracy[row], result.stability[row], result.r2[row] = rating[3:]
        if len(result.candidate) == 1:
            result.projection = fits[0].projection(int(result.candidate[0]))
            result.sample = fits[0].sample(int(result.candidate[0])) if options.keep_sample else None
    if n < len(chunk.points):
        predictor.affords(each)  # says that the run is over


def _fit(
    predictor: DecisionPredictor, chunk: Problem, options: SearchOptions, plan: Plan, with_answers: bool
) -> list[StartFits]:
    """Sample around the points, ask the model, and fit the candidates of each start."""
    samples = _samples(chunk, options, plan)
    labels, margin = _decided(predictor, chunk, samples, with_answers)
    flipped = chunk.starts.is_flipped(labels)
    moves = movable(chunk.space, chunk.limits, chunk.starts, chunk.points, options.vertices, options.axes)
    return [
        StartFits(
            chunk.space,
            options,
            plan,
            chunk.starts.take(np.array([i])),
            chunk.points[i],
            float(chunk.distance[i]),
            moves[i],
            samples[i],
            labels[i],
            flipped[i],
            margin[i] if with_answers else None,
        )
        for i in range(len(samples))
    ]


def uses_answers(predictor: DecisionPredictor, options: SearchOptions) -> bool:
    """Tell whether answers are fitted, rather than labels, which alone a logit link takes."""
    if options.explainer == "logistic_pls":
        return False
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
        axes=options.axes,
        random_state=options.random_state,
    )


def _decided(predictor: DecisionPredictor, chunk: Problem, samples: Floats, with_answers: bool) -> tuple[Ints, Floats]:
    """Ask what is decided at samples, and by what margin the answers favour the start's decision: both (n, m)."""
    n, m, p = len(samples), samples.shape[1], samples.shape[2]
    of = np.repeat(np.arange(n), m)
    base, points = chunk.starts.base[of], samples.reshape(n * m, p)
    if not with_answers:
        return predictor.labels(base, points).reshape(n, m), np.empty((n, 0))
    labels, answers = predictor.labels_and_answers(base, points)
    return labels.reshape(n, m), chunk.starts.margins(answers, of).reshape(n, m)


def _choose(
    predictor: DecisionPredictor, chunk: Problem, options: SearchOptions, result: _Result, index: Ints, ways: Floats
) -> Ints:
    """Choose among the candidates of some starts, and complete the one that is halfway between two: these, (n, 2)."""
    directions = result.directions[index]
    if options.radius != "tuned":
        result.candidate[index] = np.where(np.isfinite(directions[:, 0]).all(axis=1), 0, TOWARDS)
        return np.zeros((len(index), 2), dtype=np.int64)
    length = horizon(chunk.distance, options.path_step, options.n_path_steps)
    few = partial(_few_features, options=options)
    two, chosen = choose(predictor, chunk.walk(directions[:, TOWARDS]), directions, length, few)
    result.directions[index], result.candidate[index] = directions, chosen
    result.intercepts[index, HALFWAY] = -(directions[:, HALFWAY] * ways).sum(axis=1)
    return two


def _along_axes(vectors: Floats, chunk: Problem, options: SearchOptions) -> Floats:
    """Keep of vectors (n, p) what the axes of "own" vertices are made of."""
    if options.vertices != "own":
        return vectors
    moves = movable(chunk.space, chunk.limits, chunk.starts, chunk.points, options.vertices, options.axes)
    kept = np.zeros(vectors.shape)
    for one, vector, free in zip(kept, vectors, moves, strict=True):
        basis = axes_of(chunk.space, options.vertices, (), options.axes, free)
        if basis is not None:
            one[:] = vector @ np.linalg.pinv(basis) @ basis
    return kept


def _few_features(vectors: Floats, options: SearchOptions) -> Floats:
    """Keep so many features of directions that are not fitted as the fits have at most."""
    return largest(vectors, options.n_features, options.groups if options.vertices == "groups" else ())


def _explained(result: _Result) -> Explained:
    candidate = result.candidate
    rows = np.arange(len(candidate))
    explanation = Explanation(
        result.directions[rows, candidate],
        result.intercepts[rows, candidate],
        result.radius,
        candidate,
        result.projection,
        result.sample,
    )
    rated = (result.balance, result.faithfulness, result.balanced_accuracy, result.stability, result.r2)
    return Explained(explanation, result.directions, *rated)
