"""Which direction to take: fits at several radii and the way to the point, compared by what they do to the answer."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.paths import Walk
from tauscope.boundary.planes.design import normalised
from tauscope.boundary.planes.inspection import CANDIDATES
from tauscope.weights.arrays import Bools, Floats, Ints

N_POINTS = 10
"""Asked along each candidate's path."""
N_NEAR = 7
"""Of these, those nearer than 1.5 of the distance on a path twice as long."""
N_COMPARED = len(CANDIDATES)
WIDER = 5.0
SHARES = ((1.0, 0.35), (WIDER, 0.45), (2 * WIDER, 0.2))
"""Multiples of the vertices' distance, and the share of the samples at each."""
SILENT = 0.01
"""Share of a fitted direction, squared, that lies in levels, above which the way to the point does not replace it."""
AS_GOOD = 1.05
"""Times the least mean answer up to which the direction fitted nearest is taken where there are counts and levels."""
TOWARDS = CANDIDATES.index("towards the point")
HALFWAY = CANDIDATES.index("between the two best")
PREFERRED_BY_LABELS = np.array([2, 1, 0, TOWARDS, HALFWAY])
"""Where labels alone tell: path area .264 on the breast-cancer forest, against .289 with the nearest samples first."""


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


@lru_cache(maxsize=16)
def plan_samples(radius: Literal["tuned"] | float, n_samples: int) -> Plan:
    """Share the samples out over the radii; a number is one radius for all of them, and one candidate.

    What the comparison of the candidates takes comes out of the samples, unless it were more than half of them.
    """
    if radius != "tuned":
        return Plan(np.full(n_samples, float(radius)), (np.arange(n_samples),))
    n_samples -= min(n_samples // 2, N_COMPARED * N_POINTS)
    ends = np.round(np.cumsum([share for _, share in SHARES]) * n_samples).astype(np.int64)
    which = np.searchsorted(ends, np.arange(n_samples), side="right")
    multiples = np.array([multiple for multiple, _ in SHARES])[which]
    near, wide = np.flatnonzero(which == 0), np.flatnonzero(which == 1)
    return Plan(multiples, (near, wide, np.random.default_rng(0).permutation(n_samples)))


def choose(
    predictor: DecisionPredictor,
    walk: Walk,
    directions: Floats,
    length: Floats,
    few_features: Callable[[Floats], Floats] = lambda vectors: vectors,
) -> tuple[Ints, Ints]:
    """Choose for each start the direction along which the answer for its own class is lowest.

    The mean is taken over points at equal steps, of a model of labels that of being decided as the start: the share of
    the path that is not yet flipped. The two best and the way halfway between them are compared last.

    Parameters
    ----------
    predictor : DecisionPredictor
    walk : Walk
        Whose own direction is not looked at.
    directions : ndarray of shape (n, n_candidates, p)
        NaN where there is none. The last place is filled with the direction halfway between the two best.
    length : ndarray of shape (n,)
        Of the path.
    few_features : callable
        Keeps of vectors (n, p) so many features as a direction may have.

    Returns
    -------
    two : ndarray of shape (n, 2)
        Places of the two best.
    best : ndarray of shape (n,)
        Place of the best of all; the first of those that tie, and the first there is where the budget has ended. Of a
        model of labels, whose shares often tie, those fitted on most samples come first.
    """
    mean, crosses = _walked(predictor, walk, directions[:, :HALFWAY], length)
    discrete = walk.space.in_block | walk.space.stepwise
    if discrete.any():  # the way to the point names the few levels that it switches, and is silent on all others
        of_levels = (directions[:, :TOWARDS, discrete] ** 2).sum(axis=2) > SILENT
        mean[(crosses[:, :TOWARDS] & of_levels).any(axis=1), TOWARDS] = np.inf
    best = np.argsort(mean, axis=1, kind="stable")[:, :2]
    two = np.take_along_axis(directions, best[:, :, None], axis=1)
    directions[:, HALFWAY] = normalised(few_features(two.sum(axis=1)))
    last, _ = _walked(predictor, walk, directions[:, HALFWAY:], length)
    every = np.concatenate([mean, last], axis=1)
    if discrete.any() and walk.space.whole.any():  # wide samples move counts far, and levels no farther
        every[:, 0] = np.where(every[:, 0] <= AS_GOOD * every.min(axis=1), -np.inf, every[:, 0])
    first = np.arange(N_COMPARED) if predictor.decision.answers is not None else PREFERRED_BY_LABELS
    return best, first[every[:, first].argmin(axis=1)]


def _walked(predictor: DecisionPredictor, walk: Walk, directions: Floats, length: Floats) -> tuple[Floats, Bools]:
    """Mean answers along each direction, and whether it meets a flip, both (n, n_candidates).

    ∞ where there is no direction, or the budget has ended.
    """
    there = np.isfinite(directions).all(axis=2)
    mean, crosses = np.where(there, np.finfo(float).max, np.inf), np.zeros(there.shape, dtype=np.bool_)
    start, candidate = np.nonzero(there)
    if len(start) and predictor.affords(len(start) * N_POINTS * predictor.rows_per_answer):
        every = walk.take(start)
        along = Walk(every.space, every.limits, every.starts, every.points, directions[start, candidate])
        points = along.at(length[start, None] * (np.arange(1, N_POINTS + 1) / N_POINTS))
        of = np.repeat(start, N_POINTS)
        labels, answers = predictor.labels_and_answers(walk.starts.base[of], points.reshape(len(of), -1))
        own = answers[np.arange(len(of)), walk.starts.labels[of]].reshape(-1, N_POINTS)
        mean[start, candidate] = own.mean(axis=1)
        crosses[start, candidate] = every.starts.is_flipped(labels.reshape(-1, N_POINTS))[:, :N_NEAR].any(axis=1)
    return mean, crosses
