"""Predictive bisection: every bracket between a point and its rivals at once, those that cannot win dropped."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.halving import FINE_TRUST, FIRST_TRUST, Halving, Middles
from tauscope.boundary.rivals import flips
from tauscope.boundary.space import Space
from tauscope.weights.arrays import Bools, Floats, Ints

TOLERANCE = 1e-6
ROUNDING = 1e-9
SUM_TO_ONE, LEAST_PROBABILITY = 1e-6, 1e-16


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
    leaning : ndarray of shape (n,) or None
        By how much the model favours what is decided there, as from `leanings`; None where it was not asked.
    """

    points: Floats
    labels: Ints
    base: Ints
    target: int | None
    key: Ints | None = None
    leaning: Floats | None = None

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.points)

    def take(self, index: Ints) -> "Starts":
        """Take some of them, repeats allowed."""
        key = None if self.key is None else self.key[index]
        leaning = None if self.leaning is None else self.leaning[index]
        return Starts(self.points[index], self.labels[index], self.base[index], self.target, key=key, leaning=leaning)

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

    def flipped_by(self, predictor: DecisionPredictor, of: Ints, points: Floats) -> tuple[Bools, Floats]:
        """Ask the same, and how answers lean there, as in `leanings`; NaN where labels are all there is."""
        labels, answers = predictor.labels_and_free_answers(self.base[of], points)
        flipped = flips(labels, self.labels[of], self.target)
        return flipped, np.full(len(of), np.nan) if answers is None else self.leanings(answers, of)

    def margins(self, answers: Floats, of: Ints) -> Floats:
        """By how much answers (m, n_classes) at points tried for start `of` favour no flip.

        That of its own class over the best other; with a class looked for, the best of the others over that one.
        """
        rows = np.arange(len(of))
        goal = self.labels[of] if self.target is None else np.full(len(of), self.target)
        of_goal = answers[rows, goal]
        if answers.shape[1] == 2:
            margin = of_goal - answers[rows, 1 - goal]
            return margin if self.target is None else -margin
        others = answers.copy()
        others[rows, goal] = -np.inf
        margin = of_goal - others.max(axis=1)
        return margin if self.target is None else -margin

    def leanings(self, answers: Floats, of: Ints) -> Floats:
        """Return margins on a scale on which models tend to be straight: of probabilities that of their logarithms."""
        if answers.min(initial=0) >= 0 and (np.abs(answers.sum(axis=1) - 1) < SUM_TO_ONE).all():
            answers = np.log(np.maximum(answers, LEAST_PROBABILITY))
        return self.margins(answers, of)

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
    leaning, guess : ndarray of shape (m,) or None
        What is known already of use to a search: how the model leans at the far end, and at which share of the way it
        may change its decision.
    """

    start: Ints
    far: Floats
    leaning: Floats | None = None
    guess: Floats | None = None


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
    segments, high, alive = _narrowed(predictor, space, starts, brackets, tolerance, prune)
    crossings = _nearest(segments, starts, brackets, high)
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
    segments, high, _ = _narrowed(predictor, space, starts, brackets, tolerance, False)
    every = np.arange(len(high))
    return segments.at(every, high), segments.distance(every, high)


def _narrowed(
    predictor: DecisionPredictor, space: Space, starts: Starts, brackets: Brackets, tolerance: float, prune: bool
) -> "tuple[_Segments, Floats, Ints]":
    """Return the segments, the share of each at which it is beyond, and those not yet narrow."""
    segments = _Segments(space, starts, brackets)
    every = np.arange(len(brackets.start))
    at_start = np.full(starts.n, np.nan) if starts.leaning is None else starts.leaning
    at_far = np.full(len(every), np.nan) if brackets.leaning is None else brackets.leaning
    halving = Halving(
        segments.length,
        tolerance,
        (at_start[brackets.start], at_far),
        FIRST_TRUST if brackets.guess is None else FINE_TRUST,
    )
    best = np.full(starts.n, np.inf)
    np.minimum.at(best, brackets.start, segments.reached(every, halving.high))
    alive = every
    guess = np.full(len(every), np.nan) if brackets.guess is None else brackets.guess
    while len(alive):
        open_ = halving.is_wide(alive)
        if prune:
            open_ &= segments.lower(alive, halving.low[alive]) < best[brackets.start[alive]]
        alive, guess = alive[open_], guess[open_]
        if len(alive) == 0:
            break
        enough = _enough(segments, brackets.start[alive], alive, halving.shares(alive, guess), best) if prune else None
        middles = halving.middles(alive, guess, predictor.left, enough)
        answered = _ask(predictor, segments, starts, brackets.start[alive], alive, halving, middles)
        if answered is None:
            break
        halving.narrow(alive, middles, *answered)
        np.minimum.at(best, brackets.start[alive], segments.reached(alive, halving.high[alive]))
        guess = halving.guess(alive)
    return segments, halving.high, alive


def _enough(segments: "_Segments", start: Ints, alive: Ints, guessed: Floats, best: Floats) -> Floats:
    """Return the share of each bracket from which on it loses to the nearest crossing known or guessed."""
    nearest = best.copy()
    np.fmin.at(nearest, start, segments.lower(alive, guessed))
    return segments.share_at(alive, nearest[start])


def _ask(
    predictor: DecisionPredictor,
    segments: "_Segments",
    starts: Starts,
    start: Ints,
    alive: Ints,
    halving: Halving,
    middles: Middles,
) -> tuple[Bools, Floats] | None:
    """Ask about points of brackets: whether they are beyond, how answers lean; None where the budget has ended."""
    row, place = np.nonzero(middles.asked)
    of, low, high = alive[row], halving.low[alive], halving.high[alive]
    points = segments.at(of, low[row] + (high - low)[row] * middles.shares[row, place])
    if not segments.any_whole:
        if not predictor.affords(len(of)):
            return None
        flipped, lean = starts.flipped_by(predictor, start[row], points)
    else:
        flipped, known = segments.known(of, points, low[row], high[row])
        asked, lean = np.flatnonzero(~known), np.full(len(row), np.nan)
        if not predictor.affords(len(asked)):
            return None
        if len(asked):
            flipped[asked], lean[asked] = starts.flipped_by(predictor, start[row[asked]], points[asked])
    beyond, leaning = np.zeros(middles.asked.shape, dtype=np.bool_), np.full(middles.asked.shape, np.nan)
    beyond[row, place], leaning[row, place] = flipped, lean
    return beyond, leaning


class _Segments:
    """Where the points of each bracket lie, and how far from the start."""

    def __init__(self, space: Space, starts: Starts, brackets: Brackets) -> None:
        self.space = space
        self.near = starts.points[brackets.start]
        self.far = brackets.far
        self.difference = self.far - self.near
        self.difference[:, space.block_columns] = 0.0
        self.length = space.number_length(self.difference)
        self.levels = space.block_length(self.near, self.far)
        self.whole = space.whole
        self.any_whole = bool(self.whole.any())

    def at(self, index: Ints, share: Floats) -> Floats:
        """Points at shares of the way: shape (len(index), p)."""
        difference = self.difference[index]
        if not self.any_whole and not self.space.blocks:
            points, whole = np.multiply(difference, share[:, None], out=difference), share == 1
            points += self.near[index]
            points[whole] = self.far[index[whole]]
            return points
        step = share[:, None] * difference
        if self.any_whole:
            # not towards the start: the distance then grows along the way, and pruning loses nothing
            rounded = np.where(step < 0, np.floor(step), np.ceil(step))
            step = np.where(self.whole, np.clip(rounded, -np.abs(difference), np.abs(difference)), step)
        point = self.near[index] + step
        # the far end itself is met exactly: a sum may round to the other side of a threshold
        return np.where(self.space.in_block | (share[:, None] == 1), self.far[index], point)

    def known(self, index: Ints, points: Floats, low: Floats, high: Floats) -> tuple[Bools, Bools]:
        """Tell which points are beyond the boundary, and of which that is known: those equal to an end, by rounding."""
        as_high = _same(points, self.at(index, high))
        return as_high, as_high | _same(points, self.at(index, low))

    def distance(self, index: Ints, share: Floats) -> Floats:
        """Distance from the start of the points at these shares."""
        return self.space.distance(self.near[index], self.at(index, share))

    def reached(self, index: Ints, share: Floats) -> Floats:
        """Return the distance of the points at these shares to within rounding, without them where they need not be."""
        return self.distance(index, share) if self.any_whole else self.lower(index, share)

    def lower(self, index: Ints, share: Floats) -> Floats:
        """No point farther along lies nearer than this."""
        length = share * self.length[index]
        return self.space.total(length, self.levels[index]) if self.space.blocks else length

    def share_at(self, index: Ints, distance: Floats) -> Floats:
        """Share from which on points lie no nearer than a distance; not above 0 where all lie farther."""
        levels, length = self.levels[index], np.maximum(self.length[index], np.finfo(float).tiny)
        if self.space.metric != "euclidean":
            return (distance - levels) / length
        return np.sqrt(np.maximum(distance**2 - levels**2, 0.0)) / length


def _nearest(segments: _Segments, starts: Starts, brackets: Brackets, high: Floats) -> Crossings:
    n, p = starts.points.shape
    point, distance = np.full((n, p), np.nan), np.full(n, np.inf)
    chosen, settled = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.bool_)
    if len(high):
        about, best = segments.reached(np.arange(len(high)), high), np.full(n, np.inf)
        np.minimum.at(best, brackets.start, about)
        near = np.flatnonzero(about <= best[brackets.start] * (1 + ROUNDING))  # the others cannot be nearest
        start, reached = brackets.start[near], segments.distance(near, high[near])
        order = np.lexsort((near, reached, start))
        first = order[np.unique(start[order], return_index=True)[1]]
        at = start[first]
        point[at], distance[at], chosen[at] = segments.at(near[first], high[near[first]]), reached[first], near[first]
        settled[at] = True
    return Crossings(point, distance, chosen, settled)


def _same(a: Floats, b: Floats) -> Bools:
    return ((a == b) | (np.isnan(a) & np.isnan(b))).all(axis=1)
