"""Several points beyond the boundary that differ in what they change, with how plain and how plausible each is."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import Decision
from tauscope.boundary.ends import RowProblem
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits, Space
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Floats, Ints

MORE = 4
"""Candidates refined for each point wanted."""
FARTHEST = 2.0
"""Times the nearest point's distance that another may lie away, if enough are nearer."""
N_NEIGHBOURS = 10
"""Rows of the pool that a local density is taken over."""


@dataclass(frozen=True, eq=False)
class DiverseRows:
    """Points beyond the boundary for one row: the nearest first, then each as far from those before it as can be.

    Attributes
    ----------
    point : ndarray of shape (k, p)
        Decided otherwise and within the limits.
    distance : ndarray of shape (k,)
    label : ndarray of shape (k,)
        Code of what is decided there; −1 where the budget ended before it was asked.
    n_changed : ndarray of shape (k,)
        Numbers and blocks that differ from the row.
    nearest : ndarray of shape (k,)
        Distance to the nearest row of the pool that is decided as the point.
    density : ndarray of shape (k,)
        Mean distance of the nearest such rows from their own neighbours, over the point's from them: above 1 where the
        point stands closer than they do, far below 1 where it stands apart.
    n_model_rows : int
    spent : bool
    """

    point: Floats
    distance: Floats
    label: Ints
    n_changed: Ints
    nearest: Floats
    density: Floats
    n_model_rows: int
    spent: bool


def find_diverse(
    decision: Decision,
    rows: Rows,
    space: Space,
    pool: Pool,
    starts: Starts,
    limits: Limits,
    options: SearchOptions,
    *,
    n: int,
    batches: BatchOptions | None = None,
) -> DiverseRows:
    """Find points beyond the boundary that differ from one another.

    Parameters
    ----------
    decision, rows, space, pool, starts, limits, options, batches
        As in `inspect_boundary`; one start.
    n : int
        Points wanted; fewer come out where there are fewer.

    Returns
    -------
    DiverseRows
    """
    if n < 1:
        raise InputError(f"n must be at least 1, got {n}.")
    row = RowProblem.of(decision, rows, space, pool, starts, limits, options, batches)
    points, distance = row.ends()
    few = spread_out(space, points, distance, MORE * n)
    points, distance = points[few], distance[few]
    if options.refine != "none" and len(few):
        points, distance = _restored(row, points, distance, n)
    chosen = spread_out(space, points, distance, n)
    points, distance = points[chosen], distance[chosen]
    labels = row.labels(points)
    changed = space.changed(starts.points[0], points)
    nearest, density = plausibility(space, pool, points, labels)
    n_model_rows, spent = row.predictor.n_model_rows, row.predictor.spent
    return DiverseRows(points, distance, labels, changed.sum(axis=1), nearest, density, n_model_rows, spent)


def _restored(row: RowProblem, points: Floats, distance: Floats, n: int) -> tuple[Floats, Floats]:
    """Put columns back; where too few different points are left, keep those with all their changes beside them."""
    back, back_distance = row.restored(points, distance)
    if len(spread_out(row.space, back, back_distance, n)) == n:
        return back, back_distance
    return np.concatenate([back, points]), np.concatenate([back_distance, distance])


def spread_out(space: Space, points: Floats, distance: Floats, n: int) -> Ints:
    """Choose up to n points: the nearest, then each time the one farthest from those chosen; no point twice."""
    if not len(points):
        return np.empty(0, dtype=np.int64)
    order = np.argsort(distance, kind="stable")
    near = int(np.count_nonzero(distance <= FARTHEST * distance[order[0]]))
    candidates = order[: max(n, near)]
    chosen = [int(candidates[0])]
    apart = space.distance(points[candidates[0]], points[candidates])
    while len(chosen) < n and apart.max() > 0:
        chosen.append(int(candidates[apart.argmax()]))
        apart = np.minimum(apart, space.distance(points[chosen[-1]], points[candidates]))
    return np.array(chosen, dtype=np.int64)


def plausibility(space: Space, pool: Pool, points: Floats, labels: Ints) -> tuple[Floats, Floats]:
    """Measure how near rows of the pool with the same decision are, and how dense they are there: both (m,)."""
    nearest, density = np.full(len(points), np.nan), np.full(len(points), np.nan)
    for i, (point, label) in enumerate(zip(points, labels, strict=True)):
        same = pool.points[pool.labels == label]
        if not len(same):
            continue
        away = space.distance(point, same)
        nearest[i] = away.min()
        k = min(N_NEIGHBOURS, len(same) - 1)
        if k < 1:
            continue
        around = np.argsort(away, kind="stable")[:k]
        theirs = [np.sort(space.distance(same[j], same))[1 : k + 1].mean() for j in around]
        own = away[around].mean()
        density[i] = np.mean(theirs) / own if own > 0 else np.inf
    return nearest, density
