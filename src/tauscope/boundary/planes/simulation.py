"""Points around a point of the boundary: samples of the convex hull of vertices, within the limits."""

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.options import Vertices
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits, Metric, Space
from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats
from tauscope.words import count

START_SHARE, POINT_SHARE = 0.4, 0.4
"""Of the samples, those whose level is the start's and the point's; the others take any of the pool's, each as likely,
so that the effect of a rare level is known as well as another's."""


LEAST: dict[Metric, float] = {"euclidean": 0.1, "manhattan": 0.1, "gower": 0.03}
"""Of a standard deviation; of the range, which is three to six of them."""
STEP_SHARE = 0.2
"""Of the samples, those in which a whole number goes one step further, up or down: a short move would round to none."""


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
    axes: tuple[tuple[float, ...], ...] = (),
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
    vertices : {"distant", "axis", "groups", "sparse", "own"}
        As in `SearchOptions`. All but "axis" lie so far away that a sample is .71 distances from the point, whatever
        the number of columns that move.
    groups : tuple of tuple of int
        Of "groups".
    axes : tuple of tuple of float
        Of "own".
    random_state : int

    Returns
    -------
    ndarray of shape (n, m, p)
        Missing where the start is, and nowhere else.
    """
    if vertices == "groups":
        check_groups(groups, space.n_columns)
    free = movable(space, limits, starts, points, vertices, axes)
    samples = np.empty((starts.n, len(radius), space.n_columns))
    for i in range(starts.n):
        random = np.random.default_rng((random_state, starts.key_of(i)))
        basis = axes_of(space, vertices, groups, axes, free[i])
        samples[i] = points[i] + _moves(space, vertices, basis, free[i], distance[i], radius, random)
        if vertices not in ("own", "groups"):  # a step of one column alone is no way of theirs
            _step(space, samples[i], free[i], random)
        _switch(space, samples[i], starts.points[i], points[i], pool, free[i], random)
    return limits.project(space, starts.points, samples, between=True)


def movable(
    space: Space,
    limits: Limits,
    starts: Starts,
    points: Floats,
    vertices: Vertices,
    axes: tuple[tuple[float, ...], ...] = (),
) -> Bools:
    """Tell which columns the samples of each start change: shape (n, p)."""
    free = limits.free(space) & ~np.isnan(starts.points) & ~np.isnan(points)
    if vertices == "own":
        free &= (np.array(axes) != 0).any(axis=0) & ~space.in_block
    if vertices == "sparse":
        other = (points != 0) | (points != starts.points)
        other[:, space.block_columns] = space.of_columns(space.in_any(other))
        free &= other
    return free


def unit(space: Space, distance: Floats) -> Floats:
    """Give the change of one column, in its scale, that makes this distance.

    Beside levels and whole numbers, which change by no part, others do so by no less than `LEAST`: within less nothing
    would be known of them.
    """
    if space.metric == "jaccard":
        return np.ones_like(distance)
    change = distance * space.n_parts if space.metric == "gower" else distance
    return np.maximum(change, LEAST[space.metric]) if space.blocks or space.stepwise.any() else change


def check_groups(groups: tuple[tuple[int, ...], ...], n_columns: int) -> None:
    """Raise unless groups are a partition of the columns."""
    named = sorted(column for group in groups for column in group)
    if named != list(range(n_columns)):
        wrong = sorted(set(range(n_columns)) ^ set(named)) or [c for c in set(named) if named.count(c) > 1]
        raise InputError(
            f"groups must hold each of the {count(n_columns, 'column')} exactly once; not so for {wrong[:5]}. "
            "Put every column left over in a group of its own."
        )


def axes_of(
    space: Space,
    vertices: Vertices,
    groups: tuple[tuple[int, ...], ...],
    axes: tuple[tuple[float, ...], ...],
    free: Bools,
) -> Floats | None:
    """Return the axes along which vertices lie, of length 1 in units of scale: (k, p); None: each number that moves.

    What does not move is left out of them, and an axis of which nothing is left.
    """
    if vertices not in ("groups", "own"):
        return None
    if vertices == "own":
        basis = np.array(axes) / space.scale
    else:
        basis = np.zeros((len(groups), space.n_columns))
        for axis, group in zip(basis, groups, strict=True):
            axis[list(group)] = 1.0
    basis[:, ~free | space.in_block] = 0.0
    length = np.linalg.norm(basis, axis=1, keepdims=True)
    return (basis / np.where(length > 0, length, 1.0))[length[:, 0] > 0]


def _moves(
    space: Space,
    vertices: Vertices,
    basis: Floats | None,
    free: Bools,
    distance: float,
    radius: Floats,
    random: np.random.Generator,
) -> Floats:
    """Move the numbers: reach · (w⁺ − w⁻) along each axis, w⁺ and w⁻ together uniform on the simplex."""
    moving = np.flatnonzero(free & ~space.in_block)
    n_axes = len(moving) if basis is None else len(basis)
    moves = np.zeros((len(radius), space.n_columns))
    if n_axes == 0:
        return moves
    spacings = random.standard_exponential((len(radius), 2 * n_axes))
    along = spacings[:, :n_axes] - spacings[:, n_axes:]
    along *= (_reach(space, vertices, n_axes, distance) * radius / spacings.sum(axis=1))[:, None]
    if basis is not None:
        return along @ (basis * space.scale)
    along *= space.scale[moving]
    if len(moving) == space.n_columns:
        return along
    moves[:, moving] = along
    return moves


def vertex_steps(space: Space, vertices: Vertices, basis: Floats | None, free: Bools, distance: float) -> Floats:
    """Return what takes a point to the vertices around it, at a radius of 1 and along each axis: shape (k, p)."""
    if basis is None:
        basis = np.eye(space.n_columns)[free & ~space.in_block]
    return _reach(space, vertices, len(basis), distance) * basis * space.scale


def _reach(space: Space, vertices: Vertices, n_axes: int, distance: float) -> float:
    """How far the vertices lie from a point at this distance, in units of scale."""
    size = float(unit(space, np.asarray(distance)))
    if vertices == "axis":
        return size
    # Σ|w⁺ − w⁻| is about a half whatever their number, √Σ(w⁺ − w⁻)² about √(1 / 2n)
    return size * float(np.sqrt(n_axes if space.metric == "euclidean" else 2))


def _step(space: Space, samples: Floats, free: Bools, random: np.random.Generator) -> None:
    """Move free columns that go from whole number to whole number one step more in some of the samples, in place."""
    columns = np.flatnonzero(space.stepwise & free)
    if len(columns):
        chance = random.random((len(samples), len(columns)))
        samples[:, columns] += np.where(chance < STEP_SHARE, np.sign(chance - STEP_SHARE / 2), 0.0)


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
