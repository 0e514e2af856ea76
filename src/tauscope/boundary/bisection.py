"""Predictive bisection: every bracket between a point and its rivals at once, those that cannot win dropped."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.rivals import flips
from tauscope.boundary.space import Space
from tauscope.weights.arrays import Bools, Floats, Ints

TOLERANCE = 1e-6
LEVELS, FEW = 2, 4
"""Halvings that one call answers, and brackets up to which it does: of a single row the calls cost more than rows."""


@dataclass(frozen=True, eq=False)
class Starts:
    """Points whose decision is to be flipped.

    Attributes
    ----------
    points : ndarray of shape (n, p)
    labels : ndarray of shape (n,)
        What is decided there.
    base : ndarray of shape (n,)
        The row each is a copy of, or stands nearest to in type: what the model is asked in.
    target : int or None
        The class looked for; None: any other.
    key : ndarray of shape (n,) or None
        What the random numbers of each are drawn by, beside the seed; None: its `base`.
    """

    points: Floats
    labels: Ints
    base: Ints
    target: int | None
    key: Ints | None = None

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.points)

    def take(self, index: Ints) -> "Starts":
        """Take some of them, repeats allowed."""
        key = None if self.key is None else self.key[index]
        return Starts(self.points[index], self.labels[index], self.base[index], self.target, key=key)

    def key_of(self, i: int) -> int:
        """Return what the random numbers of one are drawn by."""
        return int(self.base[i] if self.key is None else self.key[i])

    def implied_labels(self, n_classes: int) -> Ints | None:
        """Return what is decided beyond the boundary where that is plain, shape (n,): one class is left, or chosen."""
        if self.target is not None:
            return np.full(self.n, self.target)
        return 1 - self.labels if n_classes == 2 else None

    def flipped(self, predictor: DecisionPredictor, of: Ints, points: Floats) -> Bools:
        """Ask whether points (m, p), each tried for start `of`, are decided otherwise."""
        return flips(predictor.labels(self.base[of], points), self.labels[of], self.target)

    def is_flipped(self, labels: Ints) -> Bools:
        """Tell which labels (n, k), given to points tried for each start, are decided otherwise."""
        return flips(labels, self.labels[:, None], self.target)


@dataclass(frozen=True, eq=False)
class Brackets:
    """Segments from a start to a point on the other side of the boundary.

    Attributes
    ----------
    start : ndarray of shape (m,)
        Which start, ascending.
    far : ndarray of shape (m, p)
        The other end, decided otherwise.
    """

    start: Ints
    far: Floats


@dataclass(frozen=True, eq=False)
class Crossings:
    """The nearest point found beyond the boundary for each start.

    Attributes
    ----------
    point : ndarray of shape (n, p)
        Decided otherwise; NaN where there was no bracket.
    distance : ndarray of shape (n,)
        From the start; ∞ where there was none.
    bracket : ndarray of shape (n,)
        The bracket it lies on; −1 where there was none.
    settled : ndarray of bool, shape (n,)
        Whether the boundary is known to the tolerance along that bracket; False where the budget ended first.
    """

    point: Floats
    distance: Floats
    bracket: Ints
    settled: Bools


def bisect(
    predictor: DecisionPredictor,
    space: Space,
    starts: Starts,
    brackets: Brackets,
    *,
    tolerance: float = TOLERANCE,
    prune: bool = True,
) -> Crossings:
    """Bisect all brackets together, one call of the model a step, down to a tolerance.

    A bracket whose near end is already farther than another's far end of the same start cannot hold the nearest
    point. It is dropped, and the answer stays what it would have been, bit for bit.

    Parameters
    ----------
    predictor : DecisionPredictor
    space : Space
        Levels along a bracket are those of its far end; whole numbers are rounded away from the start.
    starts : Starts
    brackets : Brackets
    tolerance : float, default 1e-6
        Length, in the space's distance, to which a bracket is narrowed.
    prune : bool, default True

    Returns
    -------
    Crossings
    """
    segments, high, reached, alive = _narrowed(predictor, space, starts, brackets, tolerance, prune)
    crossings = _nearest(segments, starts, brackets, high, reached)
    crossings.settled[brackets.start[alive]] = False  # what is left here the budget kept from being narrowed
    return crossings


def bisect_each(
    predictor: DecisionPredictor, space: Space, starts: Starts, brackets: Brackets, *, tolerance: float = TOLERANCE
) -> tuple[Floats, Floats]:
    """Bisect all brackets together, none of them dropped.

    Parameters
    ----------
    predictor, space, starts, brackets, tolerance
        As in `bisect`.

    Returns
    -------
    points : ndarray of shape (m, p)
        The end of each bracket beyond the boundary.
    distance : ndarray of shape (m,)
        Of each from its start.
    """
    segments, high, reached, _ = _narrowed(predictor, space, starts, brackets, tolerance, False)
    return segments.at(np.arange(len(high)), high), reached


def _narrowed(
    predictor: DecisionPredictor, space: Space, starts: Starts, brackets: Brackets, tolerance: float, prune: bool
) -> "tuple[_Segments, Floats, Floats, Ints]":
    """Return the segments, the share of each at which it is beyond, the distance there, and those not yet narrow."""
    segments = _Segments(space, starts, brackets)
    low, high = np.zeros(len(brackets.start)), np.ones(len(brackets.start))
    best = np.full(starts.n, np.inf)
    reached = segments.distance(np.arange(len(high)), high)
    np.minimum.at(best, brackets.start, reached)
    alive = np.arange(len(high))
    while len(alive):
        open_ = (high[alive] - low[alive]) * segments.length[alive] > tolerance
        if prune:
            open_ &= segments.lower(alive, low[alive]) < best[brackets.start[alive]]
        alive = alive[open_]
        n_levels = look_ahead(len(alive), predictor.left)
        ends = low[alive], high[alive]
        beyond = _ask_ahead(predictor, segments, starts, brackets.start[alive], alive, ends, n_levels)
        if beyond is None:
            break
        descend(beyond, alive, low, high, segments.length, tolerance)
        reached[alive] = segments.distance(alive, high[alive])
        np.minimum.at(best, brackets.start[alive], reached[alive])
    return segments, high, reached, alive


def look_ahead(n_alive: int, left: float) -> int:
    """Return how many halvings one call answers: of a few brackets two, by three points each instead of two."""
    return LEVELS if n_alive <= FEW and left >= n_alive * (2**LEVELS - 1) else 1


def inner_shares(n_levels: int) -> Floats:
    """Return the shares that cut a bracket into 2^n_levels equal parts."""
    n_parts = 2**n_levels
    return np.arange(1, n_parts, dtype=np.float64) / n_parts


def descend(beyond: Bools, alive: Ints, low: Floats, high: Floats, length: Floats, tolerance: float) -> None:
    """Halve brackets as often as the answers at hand allow, in place.

    Parameters
    ----------
    beyond : ndarray of bool, shape (m, 2^n_levels - 1)
        Whether the points that cut each bracket into equal parts are beyond the boundary, the nearest first.
    alive : ndarray of shape (m,)
        Which brackets they are of.
    low, high : ndarray of shape (n,)
        Ends of all brackets, as shares.
    length : ndarray of shape (n,)
        Of the whole of each.
    tolerance : float
        Length of a bracket that is narrow enough.
    """
    first, width = np.zeros(len(alive), dtype=np.int64), beyond.shape[1] + 1
    while width > 1:
        wide = (high[alive] - low[alive]) * length[alive] > tolerance
        middle = (low[alive] + high[alive]) / 2
        width //= 2
        is_beyond = beyond[np.arange(len(alive)), first + width - 1]
        high[alive] = np.where(wide & is_beyond, middle, high[alive])
        low[alive] = np.where(wide & ~is_beyond, middle, low[alive])
        first = np.where(is_beyond, first, first + width)


def _ask_ahead(
    predictor: DecisionPredictor,
    segments: "_Segments",
    starts: Starts,
    start: Ints,
    alive: Ints,
    ends: tuple[Floats, Floats],
    n_levels: int,
) -> Bools | None:
    """Ask about the points that cut each bracket into 2^n_levels equal parts; None where the budget has ended."""
    n_points, (low, high) = 2**n_levels - 1, ends
    shares = low[:, None] + (high - low)[:, None] * inner_shares(n_levels)
    of = np.repeat(alive, n_points)
    points = segments.at(of, shares.ravel())
    beyond, known = segments.known(of, points, np.repeat(low, n_points), np.repeat(high, n_points))
    asked = np.flatnonzero(~known)
    if len(asked) and not predictor.affords(len(asked)):
        return None
    if len(asked):
        beyond[asked] = starts.flipped(predictor, np.repeat(start, n_points)[asked], points[asked])
    return beyond.reshape(-1, n_points)


class _Segments:
    """Where the points of each bracket lie, and how far from the start."""

    def __init__(self, space: Space, starts: Starts, brackets: Brackets) -> None:
        self.space = space
        self.near = starts.points[brackets.start]
        self.far = brackets.far
        self.difference = np.where(space.in_block, 0.0, self.far - self.near)
        self.length = space.number_length(self.difference)
        self.levels = space.block_length(self.near, self.far)
        self.whole = space.integer & ~space.in_block

    def at(self, index: Ints, share: Floats) -> Floats:
        """Points at shares of the way: shape (len(index), p)."""
        difference = self.difference[index]
        step = share[:, None] * difference
        if self.whole.any():
            # not towards the start: the distance then grows along the way, and pruning loses nothing
            rounded = np.where(step < 0, np.floor(step), np.ceil(step))
            step = np.where(self.whole, np.clip(rounded, -np.abs(difference), np.abs(difference)), step)
        point = self.near[index] + step
        # the far end itself is met exactly: a sum may round to the other side of a threshold
        return np.where(self.space.in_block | (share[:, None] == 1), self.far[index], point)

    def known(self, index: Ints, points: Floats, low: Floats, high: Floats) -> tuple[Bools, Bools]:
        """Tell which points are beyond the boundary, and of which that is known: those equal to an end, by rounding."""
        if not self.whole.any():
            nothing = np.zeros(len(index), dtype=np.bool_)
            return nothing, nothing.copy()
        as_high = _same(points, self.at(index, high))
        return as_high, as_high | _same(points, self.at(index, low))

    def distance(self, index: Ints, share: Floats) -> Floats:
        """Distance from the start of the points at these shares."""
        return self.space.distance(self.near[index], self.at(index, share))

    def lower(self, index: Ints, share: Floats) -> Floats:
        """No point farther along lies nearer than this."""
        return self.space.total(share * self.length[index], self.levels[index])


def _nearest(segments: _Segments, starts: Starts, brackets: Brackets, high: Floats, reached: Floats) -> Crossings:
    n, p = starts.points.shape
    point, distance = np.full((n, p), np.nan), np.full(n, np.inf)
    chosen, settled = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.bool_)
    if len(high):
        order = np.lexsort((np.arange(len(high)), reached, brackets.start))
        first = order[np.unique(brackets.start[order], return_index=True)[1]]
        at = brackets.start[first]
        point[at], distance[at], chosen[at] = segments.at(first, high[first]), reached[first], first
        settled[at] = True
    return Crossings(point, distance, chosen, settled)


def _same(a: Floats, b: Floats) -> Bools:
    return ((a == b) | (np.isnan(a) & np.isnan(b))).all(axis=1)
