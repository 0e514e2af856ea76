"""A nearer point: a search along the directions fitted, and columns put back to the start's one after the other."""

from dataclasses import replace

import numpy as np

from tauscope.boundary.bisection import Brackets, Starts, bisect
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.levels import restore_many
from tauscope.boundary.paths import Walk, halved
from tauscope.boundary.space import Limits, Space
from tauscope.weights.arrays import Bools, Floats, Ints

FRACTIONS = np.append(np.arange(0.1, 0.95, 0.1), 0.999)
"""Of the point's distance, asked about along each direction."""
QUARTERS = np.array([0.25, 0.5, 0.75])
"""Of the change of a column, tried together, and again within the quarter that flips: two calls of the model, where
halving to the same width takes four."""
MOST_STEPS = 32
"""Whole steps and levels tried alone, and again together."""
MOST_BACK = 12
"""Whole numbers and levels put back, those that change least."""
RESIDUE = 1e-4
"""Share of a point's largest change: what changes by less is left over from the way there, and goes if it can."""


def search_line(
    predictor: DecisionPredictor, walk: Walk, directions: Floats, distance: Floats, tolerance: float
) -> tuple[Floats, Floats]:
    """Search along directions for a flip nearer than the points known.

    Parameters
    ----------
    predictor : DecisionPredictor
    walk : Walk
        Starts, and the points known.
    directions : ndarray of shape (n, n_directions, p)
        NaN where there is none.
    distance : ndarray of shape (n,)
        Of the points known.
    tolerance : float

    Returns
    -------
    points : ndarray of shape (n, p)
        The points known where none is nearer.
    distance : ndarray of shape (n,)
    """
    start, which = np.nonzero(np.isfinite(directions).all(axis=2))
    k = len(FRACTIONS)
    if not len(start) or not predictor.affords(len(start) * k):
        return walk.points, distance
    every = walk.take(start)
    along = Walk(every.space, every.limits, every.starts, every.points, directions[start, which], whole=True)
    tried = along.at(distance[start, None] * FRACTIONS)
    flipped, leaning = walk.starts.flipped_by(predictor, np.repeat(start, k), tried.reshape(len(start) * k, -1))
    flipped, leaning = flipped.reshape(-1, k), leaning.reshape(-1, k)
    brackets = _first_crossings(start, tried, flipped, leaning)
    if walk.space.whole.any():  # a shorter walk takes fewer steps, which no part of the way to its end does
        crossing = halved(predictor, along, distance[start, None] * FRACTIONS, flipped, leaning)
        hit = np.flatnonzero(np.isfinite(crossing))
        brackets = Brackets(start[hit], along.take(hit).at(crossing[hit, None])[:, 0])
    crossings = bisect(predictor, walk.space, walk.starts, brackets, tolerance=tolerance)
    return nearer(walk.points, distance, crossings.point, crossings.distance)


def _first_crossings(start: Ints, tried: Floats, flipped: Bools, leaning: Floats) -> Brackets:
    """Bracket where each line first flips, with a guess of where between its fractions that is."""
    hit = np.flatnonzero(flipped.any(axis=1))
    first = flipped[hit].argmax(axis=1)
    before = np.maximum(first - 1, 0)
    near, far = leaning[hit, before], leaning[hit, first]
    with np.errstate(invalid="ignore", divide="ignore"):
        crossing = FRACTIONS[before] + (FRACTIONS[first] - FRACTIONS[before]) * near / (near - far)
    guess = np.where(first > 0, crossing / FRACTIONS[first], np.nan)
    return Brackets(start[hit], tried[hit, first], far, guess)


def nearer(points: Floats, distance: Floats, others: Floats, other_distance: Floats) -> tuple[Floats, Floats]:
    """Take the nearer of two points for each start, the first where they tie."""
    better = other_distance < distance
    return np.where(better[:, None], others, points), np.where(better, other_distance, distance)


def drop_residue(
    predictor: DecisionPredictor, space: Space, starts: Starts, points: Floats, distance: Floats
) -> tuple[Floats, Floats]:
    """Put all columns that hardly change back to the start's at once, where the decision stays flipped.

    Parameters
    ----------
    predictor : DecisionPredictor
    space : Space
    starts : Starts
    points : ndarray of shape (n, p)
        Decided otherwise.
    distance : ndarray of shape (n,)

    Returns
    -------
    points : ndarray of shape (n, p)
        Decided otherwise still.
    distance : ndarray of shape (n,)
    """
    sizes = _sizes(space, starts.points, points)
    small = (sizes > 0) & (sizes < RESIDUE * sizes.max(axis=1, keepdims=True))
    index = np.flatnonzero(small.any(axis=1))
    if not len(index) or not predictor.affords(len(index)):
        return points, distance
    start = starts.points[index]
    tried = np.where(small[index][:, _part_of(space)], start, points[index])
    flipped = starts.flipped(predictor, index, tried)
    points, distance = points.copy(), distance.copy()
    points[index[flipped]] = tried[flipped]
    distance[index[flipped]] = space.distance(start[flipped], tried[flipped])
    return points, distance


def search_steps(predictor: DecisionPredictor, walk: Walk, distance: Floats) -> tuple[Floats, Floats]:
    """Search whole numbers and levels alone for a flip nearer than the points known, by what single steps gain.

    Each step is tried alone; then they are taken together, those first by which the answers change most for their
    distance.

    Parameters
    ----------
    predictor : DecisionPredictor
    walk : Walk
        Starts, the points known, and a direction that says which way a step goes.
    distance : ndarray of shape (n,)
        Of the points known.

    Returns
    -------
    points : ndarray of shape (n, p)
        The points known where none is nearer.
    distance : ndarray of shape (n,)
    """
    # docs/decisions/0048
    starts, space = walk.starts, walk.space
    if not space.whole.any() or starts.leaning is None or not len(distance):
        return walk.points, distance
    either = np.where(walk.direction == 0, np.finfo(float).tiny, walk.direction)  # unknown ones are tried upwards
    of, single, price = replace(walk, direction=either).one_by_one(MOST_STEPS)
    if not len(of) or not predictor.affords(len(of)):
        return walk.points, distance
    _, leaning = starts.flipped_by(predictor, of, single)
    gain, change = starts.leaning[of] - leaning, single - starts.points[of]
    again = (change[:, space.whole] != 0).any(axis=1)
    tried: list[Floats] = []
    start: list[int] = []
    for i in range(starts.n):
        own, point = np.flatnonzero((of == i) & (gain > 0)), starts.points[i]
        n_taken = np.zeros(len(own))
        for _ in range(MOST_STEPS if len(own) else 0):
            times = 2 * n_taken + 1 if space.metric == "euclidean" else 1.0
            worth = np.where(again[own] | (n_taken == 0), gain[own] / (price[own] * times), -np.inf)
            best = int(worth.argmax())
            n_taken[best] += 1
            point = walk.limits.take(np.array([i])).project(
                space, starts.points[[i]], (point + change[own[best]])[None, None]
            )[0, 0]
            if worth[best] <= 0 or space.distance(starts.points[i], point) >= distance[i]:
                break
            tried.append(point)
            start.append(i)
    index, points = np.array(start, dtype=np.int64), np.array(tried).reshape(-1, space.n_columns)
    if not len(index) or not predictor.affords(len(index)):
        return walk.points, distance
    flipped = np.flatnonzero(starts.flipped(predictor, index, points))
    found, first = np.unique(index[flipped], return_index=True)
    others, other_distance = walk.points.copy(), np.full(len(distance), np.inf)
    others[found] = points[flipped[first]]
    other_distance[found] = space.distance(starts.points[found], others[found])
    return nearer(walk.points, distance, others, other_distance)


def restore_steps(
    predictor: DecisionPredictor, space: Space, starts: Starts, points: Floats, distance: Floats
) -> tuple[Floats, Floats]:
    """Put whole numbers and levels back, the cheapest first, where the decision stays flipped.

    First the smallest changes to the start's, then whole numbers one step nearer to it.

    Parameters
    ----------
    predictor : DecisionPredictor
    space : Space
    starts : Starts
    points : ndarray of shape (n, p)
        Decided otherwise.
    distance : ndarray of shape (n,)

    Returns
    -------
    points : ndarray of shape (n, p)
        Decided otherwise still.
    distance : ndarray of shape (n,)
    """
    # docs/decisions/0048
    columns = np.flatnonzero(space.whole).tolist()
    if not columns or not len(points):
        return points, distance
    each = replace(space, blocks=(*space.blocks, *((column,) for column in columns)))
    for altogether in (True, False):
        change = points - starts.points
        size = np.abs(np.nan_to_num(change / space.scale))[:, each.block_columns]
        size = np.add.reduceat(size, each.block_starts, axis=1)
        rank = np.where(size > 0, size, np.inf).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
        back = starts.points if altogether else np.where(space.whole, points - np.sign(change), starts.points)
        near = points.copy()
        of_smallest = each.of_columns(rank < MOST_BACK)
        near[:, each.block_columns] = np.where(of_smallest, back[:, each.block_columns], points[:, each.block_columns])
        points, _ = restore_many(predictor, each, replace(starts, points=near), np.arange(len(points)), points)
    return points, space.distance(starts.points, points)


def restore_columns(
    predictor: DecisionPredictor,
    space: Space,
    limits: Limits,
    starts: Starts,
    points: Floats,
) -> tuple[Floats, Floats]:
    """Put columns and blocks back to the start's one after the other, smallest change first, while flipped.

    A number that cannot go back altogether goes back to a sixteenth of its change; a block goes back or stays.

    Parameters
    ----------
    predictor : DecisionPredictor
    space : Space
    limits : Limits
    starts : Starts
    points : ndarray of shape (n, p)
        Decided otherwise.

    Returns
    -------
    points : ndarray of shape (n, p)
        Decided otherwise still.
    distance : ndarray of shape (n,)
    """
    points = points.copy()
    part_of = _part_of(space)
    sizes = _sizes(space, starts.points, points)
    order = np.argsort(sizes, axis=1, kind="stable")
    for rank in range(space.n_parts):
        part = order[:, rank]
        index = np.flatnonzero(np.take_along_axis(sizes, part[:, None], axis=1)[:, 0] > 0)
        mask = part_of == part[index][:, None]
        if len(index) and not _restore(predictor, space, limits, starts, points, index, mask):
            break
    return points, space.distance(starts.points, points)


def _part_of(space: Space) -> Ints:
    """Which part each column belongs to, shape (p,): numbers come first, then blocks."""
    part = np.empty(space.n_columns, dtype=np.int64)
    part[space.numbers] = np.arange(len(space.numbers))
    part[space.block_columns] = len(space.numbers) + space.of_columns(np.arange(len(space.blocks)))
    return part


def _sizes(space: Space, start: Floats, points: Floats) -> Floats:
    """How far each part of each point is from the start's: shape (n, n_parts); 1 for a block that differs."""
    change = np.abs(np.nan_to_num((points - start) / space.scale))
    numbers = change[:, space.numbers]
    differing = space.differing(start, points).astype(np.float64)
    return np.concatenate([numbers, differing], axis=1)


def _restore(
    predictor: DecisionPredictor,
    space: Space,
    limits: Limits,
    starts: Starts,
    points: Floats,
    index: Ints,
    mask: Bools,
) -> bool:
    """Put one part of each of some points back as far as it goes, in place; False once the budget has ended."""
    far = points[index]
    number: Bools = ~np.any(mask & space.in_block, axis=1)
    low, high = np.zeros(len(index)), np.ones(len(index))
    for at in (np.append(0.0, QUARTERS), QUARTERS):
        share = low[:, None] + (high - low)[:, None] * at
        row, place = np.nonzero((number[:, None] | (share == 0)) & (high[:, None] > 0))
        if not len(row):
            break
        if not predictor.affords(len(row)):
            return False
        start = starts.points[index[row]]
        moved = np.where(mask[row], start + share[row, place, None] * (far[row] - start), far[row])
        tried = limits.take(index[row]).project(space, start, moved[:, None])[:, 0]
        back = share[row, place] == 0
        tried[back] = np.where(mask[row[back]], start[back], far[row[back]])
        flipped = np.zeros(share.shape, dtype=np.bool_)
        flipped[row, place] = starts.flipped(predictor, index[row], tried)
        best = np.flatnonzero(flipped.any(axis=1))
        first = flipped.argmax(axis=1)
        chosen = np.zeros(share.shape, dtype=np.int64)
        chosen[row, place] = np.arange(len(row))
        points[index[best]] = tried[chosen[best, first[best]]]
        low, high = _narrowed(share, flipped, first, low, high)
        high[~number] = 0
    return True


def _narrowed(share: Floats, flipped: Bools, first: Ints, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Narrow to the step in which each change, shares (n, k) ascending, first flips."""
    rows, any_ = np.arange(len(share)), flipped.any(axis=1)
    before = share[rows, np.maximum(first - 1, 0)]
    low = np.where(any_, np.where(first > 0, before, low), share[:, -1])
    return low, np.where(any_, share[rows, first], high)
