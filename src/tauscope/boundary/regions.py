"""Several stretches of the boundary around one row: the ways to its rivals, clustered by direction."""

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import Decision
from tauscope.boundary.ends import RowProblem
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.planes.design import normalised, towards
from tauscope.boundary.planes.explain import explain
from tauscope.boundary.refine import search_line
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits, Space
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Floats, Ints, sums_by

SAME = 0.15
"""One minus the mean cosine between the directions of two clusters, under which they are one stretch."""


@dataclass(frozen=True, eq=False)
class Regions:
    """Stretches of the boundary around one row, the nearest first.

    Attributes
    ----------
    point : ndarray of shape (r, p)
        The nearest point found on each; decided otherwise and within the limits.
    distance : ndarray of shape (r,)
    label : ndarray of shape (r,)
        Code of what is decided there; −1 where the budget ended before it was asked.
    direction : ndarray of shape (r, p)
        Fitted around each, as in `Explanation`.
    share : ndarray of shape (r,)
        Of the ways to rivals, those that meet the boundary on this stretch.
    n_model_rows : int
    spent : bool
    """

    point: Floats
    distance: Floats
    label: Ints
    direction: Floats
    share: Floats
    n_model_rows: int
    spent: bool


def find_regions(
    decision: Decision,
    rows: Rows,
    space: Space,
    pool: Pool,
    starts: Starts,
    limits: Limits,
    options: SearchOptions,
    *,
    n_regions: int,
    batches: BatchOptions | None = None,
) -> Regions:
    """Find up to so many stretches of the boundary, each with its nearest point and a direction.

    Parameters
    ----------
    decision, rows, space, pool, starts, limits, options, batches
        As in `inspect_boundary`; one start.
    n_regions : int
        Fewer come out where the directions are alike, within some 30 degrees of one another.

    Returns
    -------
    Regions
        Empty where nothing was found.
    """
    if n_regions < 1:
        raise InputError(f"n_regions must be at least 1, got {n_regions}.")
    row = RowProblem.of(decision, rows, space, pool, starts, limits, options, batches)
    points, distance = row.ends()
    moved = distance > 0
    points, distance = points[moved], distance[moved]
    cluster = cluster_directions(space, starts.points[0], points, n_regions)
    nearest = [np.flatnonzero(cluster == c)[distance[cluster == c].argmin()] for c in np.unique(cluster)]
    first = np.array(nearest, dtype=np.int64)
    share = np.bincount(cluster)[cluster[first]] / max(len(cluster), 1)
    problem = row.copies(points[first], distance[first])
    explained = explain(row.predictor, problem, options)
    found = problem.points, problem.distance
    if options.refine != "none" and len(first):
        walk = problem.walk(explained.explanation.direction)
        found = search_line(row.predictor, walk, explained.directions, problem.distance, options.tolerance)
    if options.refine == "coordinate" and len(first):
        found = row.restored(*found)
    kept, share = _merged(space, starts.points[0], *found, share)
    point = found[0][kept]
    return Regions(
        point,
        found[1][kept],
        row.labels(point),
        explained.explanation.direction[kept],
        share,
        row.predictor.n_model_rows,
        row.predictor.spent,
    )


def _merged(space: Space, start: Floats, points: Floats, distance: Floats, share: Floats) -> tuple[Ints, Floats]:
    """Join stretches whose nearest points turned out to lie the same way; the nearest of each first, and its share."""
    cluster = cluster_directions(space, start, points, len(points))
    order = np.argsort(distance, kind="stable")
    _, first = np.unique(cluster[order], return_index=True)
    kept = order[np.sort(first)]
    if not len(kept):
        return kept.astype(np.int64), share
    return kept.astype(np.int64), sums_by(cluster, share, int(cluster.max()) + 1)[cluster[kept]]


def cluster_directions(space: Space, start: Floats, points: Floats, n_clusters: int) -> Ints:
    """Cluster points (m, p) by their direction from a start: average linkage on 1 − cosine, cut at `SAME` at least."""
    if len(points) < 2:
        return np.zeros(len(points), dtype=np.int64)
    directions = normalised(towards(space, np.broadcast_to(start, points.shape), points))
    tree = linkage(directions, method="average", metric="cosine")
    by_number = fcluster(tree, n_clusters, criterion="maxclust")
    by_angle = fcluster(tree, SAME, criterion="distance")
    chosen = by_number if by_number.max() <= by_angle.max() else by_angle
    return chosen.astype(np.int64) - 1
