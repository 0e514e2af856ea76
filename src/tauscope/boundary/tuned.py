"""Which direction to take: fits at several radii and the way to the point, compared by what they do to the answer."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.inspection import CANDIDATES
from tauscope.boundary.paths import Walk
from tauscope.weights.arrays import Floats, Ints

N_POINTS = 12
"""Asked along each candidate's path."""
WIDER = 4.0
SHARES = ((1.0, 0.4), (WIDER, 0.3), (2.0, 0.15), (2 * WIDER, 0.15))
"""Multiples of the vertices' distance, and the share of the samples at each."""
TOWARDS = CANDIDATES.index("towards the point")


@dataclass(frozen=True, eq=False)
class Plan:
    """How far each sample lies, and which samples each candidate is fitted on.

    Attributes
    ----------
    radius : ndarray of shape (m,)
    parts : tuple of ndarray
        Samples of each candidate but the way to the point, in the order of `CANDIDATES`.
    """

    radius: Floats
    parts: tuple[Ints, ...]


def plan_samples(radius: Literal["tuned"] | float, n_samples: int) -> Plan:
    """Share the samples out over the radii; a number is one radius for all of them, and one candidate."""
    if radius != "tuned":
        return Plan(np.full(n_samples, float(radius)), (np.arange(n_samples),))
    ends = np.round(np.cumsum([share for _, share in SHARES]) * n_samples).astype(np.int64)
    which = np.searchsorted(ends, np.arange(n_samples), side="right")
    multiples = np.array([multiple for multiple, _ in SHARES])[which]
    # in turn, so that any run of samples holds every radius
    near, wide = np.flatnonzero(which == 0), np.flatnonzero(which == 1)
    return Plan(multiples, (near, wide, np.random.default_rng(0).permutation(n_samples)))


def choose(predictor: DecisionPredictor, walk: Walk, directions: Floats, length: Floats) -> Ints:
    """Choose for each start the direction along which the answer for its own class is lowest.

    The mean is taken over points at equal steps, of a model of labels that of being decided as the start: the share of
    the path that is not yet flipped.

    Parameters
    ----------
    predictor : DecisionPredictor
    walk : Walk
        Whose own direction is not looked at.
    directions : ndarray of shape (n, n_candidates, p)
        NaN where there is none.
    length : ndarray of shape (n,)
        Of the path.

    Returns
    -------
    ndarray of shape (n,)
        Place of the best; the first of those that tie, and the first there is where the budget has ended.
    """
    n, n_candidates, p = directions.shape
    there = np.isfinite(directions).all(axis=2)
    mean = np.where(there, 0.0, np.inf)
    if there.sum(axis=1).max(initial=0) > 1:
        start, candidate = np.nonzero(there)
        if predictor.affords(len(start) * N_POINTS * predictor.rows_per_answer):
            every = walk.take(start)
            along = Walk(every.space, every.limits, every.starts, every.points, directions[start, candidate])
            steps = np.arange(1, N_POINTS + 1) / N_POINTS
            points = along.at(length[start, None] * steps).reshape(-1, p)
            of = np.repeat(start, N_POINTS)
            _, answers = predictor.labels_and_answers(walk.starts.base[of], points)
            own = answers[np.arange(len(of)), walk.starts.labels[of]].reshape(-1, N_POINTS)
            mean[start, candidate] = own.mean(axis=1)
    return mean.argmin(axis=1)
