"""Points around a point of the boundary: samples of the convex hull of vertices, within the limits."""

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.options import Vertices
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits, Space
from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.words import count

START_SHARE, POINT_SHARE = 0.4, 0.4
"""Of the samples, those whose level is the start's and the point's; the others take any of the pool's, each as likely,
so that the effect of a rare level is known as well as another's."""


def simulate(
    space: Space,
    limits: Limits,
    starts: Starts,
    points: Floats,
    distance: Floats,
    pool: Pool,
    radius: Floats,
    *,
    vertices: Vertices = "distant",
    groups: tuple[tuple[int, ...], ...] = (),
    random_state: int = 0,
) -> Floats:
    """Sample the hull of vertices around each point with the spacings of uniform order statistics as weights.

    A start's samples depend on `random_state` and its key alone, not on the starts beside it.

    Parameters
    ----------
    space : Space
    limits : Limits
        Every sample lies within them.
    starts : Starts
    points : ndarray of shape (n, p)
        Around which to sample.
    distance : ndarray of shape (n,)
        Of each from its start.
    pool : Pool
        Whose levels are drawn.
    radius : ndarray of shape (m,)
        Multiple of the vertices' distance, for each sample.
    vertices : {"distant", "axis", "groups", "sparse"}
        As in `SearchOptions`. All but "axis" lie so far away that a sample is .71 distances from the point, whatever
        the number of columns that move.
    groups : tuple of tuple of int
        Of "groups".
    random_state : int

    Returns
    -------
    ndarray of shape (n, m, p)
        Missing where the start is, and nowhere else.
    """
    axis_of, length = _axes(space, vertices, groups)
    free = movable(space, limits, starts, points, vertices)
    samples = np.empty((starts.n, len(radius), space.n_columns))
    for i in range(starts.n):
        random = np.random.default_rng((random_state, starts.key_of(i)))
        samples[i] = points[i] + _moves(space, vertices, axis_of, length, free[i], distance[i], radius, random)
        _switch(space, samples[i], starts.points[i], points[i], pool, free[i], random)
    return limits.project(space, starts.points, samples)


def movable(space: Space, limits: Limits, starts: Starts, points: Floats, vertices: Vertices) -> Bools:
    """Tell which columns the samples of each start change: shape (n, p)."""
    free = limits.free(space) & ~np.isnan(starts.points) & ~np.isnan(points)
    if vertices == "sparse":
        other = (points != 0) | (space.in_block & (points != starts.points))
        other[:, space.block_columns] = space.of_columns(space.in_any(other))
        free &= other
    return free


def unit(space: Space, distance: Floats) -> Floats:
    """Give the change of one column, in its scale, that makes this distance."""
    if space.metric == "jaccard":
        return np.ones_like(distance)
    return distance * space.n_parts if space.metric == "gower" else distance


def check_groups(groups: tuple[tuple[int, ...], ...], n_columns: int) -> None:
    """Raise unless groups are a partition of the columns."""
    named = sorted(column for group in groups for column in group)
    if named != list(range(n_columns)):
        wrong = sorted(set(range(n_columns)) ^ set(named)) or [c for c in set(named) if named.count(c) > 1]
        raise InputError(
            f"groups must hold each of the {count(n_columns, 'column')} exactly once; not so for {wrong[:5]}. "
            "Put every column left over in a group of its own."
        )


def _axes(space: Space, vertices: Vertices, groups: tuple[tuple[int, ...], ...]) -> tuple[Ints, int]:
    """Give each column the axis that moves it."""
    if vertices != "groups":
        return np.arange(space.n_columns), space.n_columns
    check_groups(groups, space.n_columns)
    axis_of = np.empty(space.n_columns, dtype=np.int64)
    for axis, group in enumerate(groups):
        axis_of[list(group)] = axis
    return axis_of, len(groups)


def _moves(
    space: Space,
    vertices: Vertices,
    axis_of: Ints,
    n_axes: int,
    free: Bools,
    distance: float,
    radius: Floats,
    random: np.random.Generator,
) -> Floats:
    """Move the numbers: reach · (w⁺ − w⁻) along each axis, w⁺ and w⁻ together uniform on the simplex."""
    moving = np.flatnonzero(free & ~space.in_block)
    moves = np.zeros((len(radius), space.n_columns))
    if len(moving) == 0:
        return moves
    axes, position = np.unique(axis_of[moving], return_inverse=True)
    spacings = random.standard_exponential((len(radius), 2 * len(axes)))
    columns_of_axis = np.bincount(axis_of[moving], minlength=n_axes)[axis_of[moving]]
    reach = _reach(space, vertices, len(axes)) * float(unit(space, np.asarray(distance))) * radius
    along = spacings[:, : len(axes)] - spacings[:, len(axes) :]
    along *= (reach / spacings.sum(axis=1))[:, None]
    if vertices == "groups":
        along = along[:, position]
    along *= space.scale[moving] / np.sqrt(columns_of_axis)
    if len(moving) == space.n_columns:
        return along
    moves[:, moving] = along
    return moves


def _reach(space: Space, vertices: Vertices, n_axes: int) -> float:
    if vertices == "axis":
        return 1.0
    # Σ|w⁺ − w⁻| is about a half whatever their number, √Σ(w⁺ − w⁻)² about √(1 / 2n)
    return float(np.sqrt(n_axes)) if space.metric == "euclidean" else float(np.sqrt(2))


def _switch(
    space: Space, samples: Floats, start: Floats, point: Floats, pool: Pool, free: Bools, random: np.random.Generator
) -> None:
    """Give each free block the start's level, the point's or one of the pool's, in place."""
    for block in space.blocks:
        columns = list(block)
        if not free[columns].all():
            continue
        chance, known = random.random(len(samples)), pool.levels(block)
        drawn = known[random.integers(len(known), size=len(samples))] if len(known) else point[columns]
        levels = np.where((chance < START_SHARE)[:, None], start[columns], point[columns])
        samples[:, columns] = np.where((chance < START_SHARE + POINT_SHARE)[:, None], levels, drawn)
