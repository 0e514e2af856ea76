"""Walks from a start along a direction: where they lead within the limits, and where the decision first flips."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import DecisionPredictor, Question
from tauscope.boundary.halving import FINE_TRUST, Halving
from tauscope.boundary.planes.inspection import Paths
from tauscope.boundary.space import Limits, Space
from tauscope.weights.arrays import Bools, Floats, Ints

N_HALVINGS = 8
"""Of the step in which a walk crosses: to 1/256 of it."""
ROUNDING = 1e-9
"""Of a length, by which levels and steps may exceed it."""
MOST_ITEMS = 256
"""Levels and whole numbers that take steps one by one: those that gain most."""
ROUNDS = 3
"""Of further steps of whole numbers, one in each column: most have room for one."""


@dataclass(frozen=True, eq=False)
class Walk:
    """Walks along one direction for each start.

    After a length the walk is at the point that far away which lies farthest along the direction: the levels and whole
    steps that gain most for their distance are taken, and what is left of the length goes to the other numbers, which
    move straight. So the walk leads across a plane no later than any point known does, though nothing moves by a part.

    Attributes
    ----------
    space : Space
    limits : Limits
    starts : Starts
    points : ndarray of shape (n, p)
        Whose levels are taken.
    direction : ndarray of shape (n, p)
        Of length 1 in units of scale.
    whole : bool
        Whether fractional columns go by whole steps too.
    """

    space: Space
    limits: Limits
    starts: Starts
    points: Floats
    direction: Floats
    whole: bool = False

    def at(self, lengths: Floats) -> Floats:
        """Points after lengths (n, k) in the space's distance, brought within the limits: shape (n, k, p)."""
        space, start = self.space, self.starts.points
        stepwise = space.whole if self.whole else space.stepwise
        straight = np.where(space.in_block | stepwise, 0.0, self.direction)
        per_step = space.number_length(straight * space.scale)[:, None]
        steps = np.flatnonzero(stepwise)
        if not space.blocks and not len(steps):
            points = self._moved(straight, lengths / space.step_length(straight)[:, None])
            return self.limits.project(space, start, points, between=not self.whole)
        other = self._other_levels()
        each = _over((straight**2).sum(axis=1)[:, None], per_step)
        left, taken = self._taken(lengths, other, steps, each)
        points, columns = self._moved(straight, _over(left, per_step)), space.block_columns
        of_blocks, of_steps = taken[..., : len(space.blocks)] > 0, taken[..., len(space.blocks) :]
        points[..., columns] = np.where(space.of_columns(of_blocks), other[:, None, columns], start[:, None, columns])
        points[..., steps] = start[:, None, steps] + of_steps * np.sign(self.direction)[:, None, steps]
        return self.limits.project(space, start, points, between=not self.whole)

    def _moved(self, direction: Floats, along: Floats) -> Floats:
        return self.starts.points[:, None] + along[:, :, None] * (direction * self.space.scale)[:, None]

    def _other_levels(self) -> Floats:
        """Return the starts with the level in each block that lies farthest along the direction: shape (n, p)."""
        space, start = self.space, self.starts.points
        other = start.copy()
        single = [block[0] for block in space.blocks if len(block) == 1]
        other[:, single] = np.where(self.direction[:, single] > 0, 1.0, 0.0)
        other[:, list(space.nominal)] = self.points[:, list(space.nominal)]
        for block in space.blocks:
            if len(block) > 1:
                group = list(block)
                one_on = np.broadcast_to(np.eye(len(group)), (len(start), len(group), len(group)))
                levels = np.concatenate([start[:, None, group], self.points[:, None, group], one_on], axis=1)
                gain = (levels * (self.direction * space.scale)[:, None, group]).sum(axis=2)
                within = (levels <= self.limits.upper[:, None, group]) & (levels >= self.limits.lower[:, None, group])
                best = np.where(within.all(axis=2), gain, -np.inf).argmax(axis=1)
                other[:, group] = levels[np.arange(len(start)), best]
        return self.limits.project(space, start, other[:, None])[:, 0]

    def _taken(self, lengths: Floats, other: Floats, steps: Ints, each: Floats) -> tuple[Floats, Floats]:
        """Choose which blocks take their other level, and how many steps whole numbers go, after lengths (n, k).

        Parameters
        ----------
        lengths : ndarray of shape (n, k)
        other : ndarray of shape (n, p)
        steps : ndarray
            Columns that go by whole steps.
        each : ndarray of shape (n, 1)
            How far the other numbers lead along the direction for a unit of length.

        Returns
        -------
        left : ndarray of shape (n, k)
            Length that is left for the other numbers.
        taken : ndarray of shape (n, k, n_blocks + n_steps)
        """
        gain, price, room, worth = self._items(other, steps)
        squared, n_blocks = self.space.metric == "euclidean", len(self.space.blocks)
        taken = np.zeros((*lengths.shape, gain.shape[1]))
        # steps start from where a straight way leads, rounded towards the start
        straight = np.abs(self.direction * self.space.scale / self.space.step_length(self.direction)[:, None])[:, steps]
        whole = np.floor(lengths[:, :, None] * straight[:, None] + ROUNDING)
        taken[..., n_blocks:] = np.where(worth[:, None, n_blocks:] > 0, np.minimum(whole, room[:, None, n_blocks:]), 0)
        spent = (price[:, None] * (taken**2 if squared else taken)).sum(axis=2)
        left: Floats = np.maximum(lengths**2 - spent if squared else lengths - spent, 0.0)
        left = np.sqrt(left) if squared else left
        n_items = min(MOST_ITEMS, int((worth > 0).sum(axis=1).max(initial=0)))
        order = np.argsort(-worth, axis=1, kind="stable")[:, :n_items]
        every = np.arange(len(lengths))
        for _ in range(ROUNDS if len(steps) else 1):
            before = left
            for item in order.T:
                had = taken[every, :, item]
                cost = price[every, item][:, None] * (2 * had + 1 if squared else 1.0)
                rest: Floats = left**2 - cost if squared else left - cost
                fits = (rest >= -ROUNDING * lengths) & (had < room[every, item][:, None])
                rest = np.maximum(rest, 0.0)
                rest = np.sqrt(rest) if squared else rest
                takes = fits & (worth[every, item] > 0)[:, None]
                takes &= gain[every, item][:, None] > each * (left - rest)
                left = np.where(takes, rest, left)
                taken[every, :, item] = had + takes
            if (left == before).all():
                break
        return left, taken

    def one_by_one(self, most: int) -> tuple[Ints, Floats, Floats]:
        """Return for each start, one after the other, the blocks and whole steps that gain most, each taken alone.

        Returns
        -------
        of : ndarray of shape (m,)
            Which start.
        points : ndarray of shape (m, p)
        price : ndarray of shape (m,)
            Of the first step, as from `Space.block_saving`.
        """
        other, steps = self._other_levels(), np.flatnonzero(self.space.whole)
        _, price, _, worth = self._items(other, steps)
        order = np.argsort(-worth, axis=1, kind="stable")[:, :most]
        of, place = np.nonzero(np.take_along_axis(worth, order, axis=1) > 0)
        item = order[of, place]
        points = self.starts.points[of]
        n_blocks = len(self.space.blocks)
        stepped = np.flatnonzero(item >= n_blocks)
        columns = steps[item[stepped] - n_blocks]
        points[stepped, columns] += np.sign(self.direction[of[stepped], columns])
        switched = np.zeros((len(of), n_blocks), dtype=np.bool_)
        switched[item < n_blocks, item[item < n_blocks]] = True
        columns = self.space.block_columns
        points[:, columns] = np.where(self.space.of_columns(switched), other[of][:, columns], points[:, columns])
        return of, points, price[of, item]

    def _items(self, other: Floats, steps: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        """Return what each block and step gains along the direction, its price, and how often it can be taken.

        And what it gains for its price, −∞ where it is not taken.
        """
        space, start = self.space, self.starts.points
        far = self.direction * np.where(space.is_nominal, other != start, (other - start) / space.scale)
        gain = price = np.empty((len(start), 0))
        if space.blocks:
            gain = np.add.reduceat(np.nan_to_num(far)[:, space.block_columns], space.block_starts, axis=1)
            price = space.block_saving(start, other)
        if space.metric == "jaccard":
            price = price / np.maximum(np.maximum(start, self.points).sum(axis=1, keepdims=True), 1)
        way, scale, here = self.direction[:, steps], space.scale[steps], start[:, steps]
        unit = {"euclidean": 1 / scale**2, "gower": 1 / scale / space.n_parts}.get(space.metric, 1 / scale)
        room = np.where(way > 0, self.limits.upper[:, steps] - here, here - self.limits.lower[:, steps])
        room = np.concatenate([np.ones_like(price), np.floor(room + ROUNDING)], axis=1)
        gain = np.concatenate([gain, np.abs(way) / scale], axis=1)
        price = np.concatenate([price, np.broadcast_to(unit, way.shape)], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            worth = np.where((gain > 0) & (price > 0) & (room >= 1), gain / price, -np.inf)
        return gain, price, room, worth

    def take(self, index: Ints) -> "Walk":
        """Take the walks of some of the starts."""
        return Walk(
            self.space,
            self.limits.take(index),
            self.starts.take(index),
            self.points[index],
            self.direction[index],
            self.whole,
        )


@dataclass(frozen=True, eq=False)
class Asked:
    """What the model says of points along n walks, each array of shape (n, k).

    Attributes
    ----------
    flipped : ndarray of bool
    leaning : ndarray
        As from `Starts.leanings`; NaN where it was not answered.
    own : ndarray
        Answers for the start's own class; NaN where asking for labels does not tell.
    """

    flipped: Bools
    leaning: Floats
    own: Floats


def ask_with_next(predictor: DecisionPredictor, walk: Walk, lengths: Floats) -> Question:
    """Have points after lengths (n, k) asked about in the call that comes next."""
    of = np.repeat(np.arange(len(lengths)), lengths.shape[1])
    return predictor.ask_with_next(walk.starts.base[of], walk.at(lengths).reshape(len(of), walk.space.n_columns))


def ask_along(
    predictor: DecisionPredictor, walk: Walk, lengths: Floats, question: Question | None = None
) -> Asked | None:
    """Ask about points after lengths (n, k), or settle the question about them; None where the budget has ended."""
    n, k = lengths.shape
    starts, of = walk.starts, np.repeat(np.arange(len(lengths)), k)
    if question is None:
        if not n or not predictor.affords(n * k):
            return None
        points = walk.at(lengths).reshape(n * k, walk.space.n_columns)
        labels, answers = predictor.labels_and_free_answers(starts.base[of], points)
    else:
        settled = predictor.settle(question)
        if settled is None:
            return None
        labels, answers = settled
    flipped = starts.is_flipped(labels.reshape(n, k))
    if answers is None:
        return Asked(flipped, np.full((n, k), np.nan), np.full((n, k), np.nan))
    own = answers[np.arange(n * k), starts.labels[of]].reshape(n, k)
    return Asked(flipped, starts.leanings(answers, of).reshape(n, k), own)


def first_flip(predictor: DecisionPredictor, walk: Walk, lengths: Floats) -> Floats:
    """Find where each walk first meets another decision.

    Parameters
    ----------
    predictor : DecisionPredictor
    walk : Walk
    lengths : ndarray of shape (n, k)
        Ascending, asked about together; the step in which the first of them flips is then halved.

    Returns
    -------
    ndarray of shape (n,)
        ∞ where none flips; NaN where the budget ended first.
    """
    asked = ask_along(predictor, walk, lengths)
    if asked is None:
        return np.full(len(lengths), np.nan)
    return halved(predictor, walk, lengths, asked.flipped, asked.leaning)


def halved(predictor: DecisionPredictor, walk: Walk, lengths: Floats, flipped: Bools, leaning: Floats) -> Floats:
    """Narrow the step in which each walk first crosses; ∞ where it does not."""
    crossing = np.full(len(lengths), np.inf)
    index, first = np.flatnonzero(flipped.any(axis=1)), flipped.argmax(axis=1)
    if not len(index):
        return crossing
    few, first = walk.take(index), first[index]
    before = np.maximum(first - 1, 0)
    at_start = np.full(len(index), np.nan) if few.starts.leaning is None else few.starts.leaning
    ends = np.where(first > 0, leaning[index, before], at_start), leaning[index, first]
    low = np.where(first > 0, lengths[index, before], 0.0)
    width = lengths[index, first] - low
    halving = Halving(np.ones(len(index)), 0.5**N_HALVINGS, ends, FINE_TRUST)
    alive = np.arange(len(index))
    while len(alive):
        middles = halving.middles(alive, halving.guess(alive), predictor.left)
        row, place = np.nonzero(middles.asked)
        of = alive[row]
        if not predictor.affords(len(of)):
            break
        share = halving.shares(of, middles.shares[row, place])
        tried = few.take(of).at((low[of] + width[of] * share)[:, None])[:, 0]
        beyond, lean = np.zeros(middles.asked.shape, dtype=np.bool_), np.full(middles.asked.shape, np.nan)
        beyond[row, place], lean[row, place] = few.starts.flipped_by(predictor, of, tried)
        halving.narrow(alive, middles, beyond, lean)
        alive = alive[halving.is_wide(alive)]
    crossing[index] = low + width * halving.high
    return crossing


def horizon(distance: Floats, path_step: float | None, n_path_steps: int) -> Floats:
    """Length of a path: twice the point's distance, or the steps asked for."""
    return 2 * distance if path_step is None else np.full(len(distance), path_step * n_path_steps)


def path_lengths(length: Floats, n_steps: int) -> Floats:
    """Return how far the points of paths are from their starts, equal steps to lengths (n,): shape (n, n_steps + 1)."""
    return length[:, None] * np.linspace(0, 1, n_steps + 1)


def walk_paths(
    predictor: DecisionPredictor, walk: Walk, length: Floats, n_steps: int, question: Question | None = None
) -> Paths:
    """Ask the model at equal steps along each walk.

    Parameters
    ----------
    predictor : DecisionPredictor
    walk : Walk
    length : ndarray of shape (n,)
        Of the whole path.
    n_steps : int
    question : Question, optional
        About the points after `path_lengths`, where it was put before.

    Returns
    -------
    Paths
        NaN and −1 for all walks where the budget does not do for one point of each.
    """
    n, lengths = len(length), path_lengths(length, n_steps)
    settled = predictor.settle(question or ask_with_next(predictor, walk, lengths)) if n else None
    if settled is None:
        answer, label = np.full(lengths.shape, np.nan), np.full(lengths.shape, -1)
        return Paths(lengths, answer, label, np.full(n, np.nan), np.zeros(n, dtype=np.bool_))
    codes, answers = settled
    of = np.repeat(np.arange(n), n_steps + 1)
    answer, label = answers[np.arange(len(of)), walk.starts.labels[of]].reshape(n, -1), codes.reshape(n, -1)
    flipped = walk.starts.is_flipped(label)
    returns = np.any(np.maximum.accumulate(flipped, axis=1) & ~flipped, axis=1)
    leaning = walk.starts.leanings(answers, of).reshape(n, -1)
    return Paths(lengths, answer, label, halved(predictor, walk, lengths, flipped, leaning), returns)


def _over(a: Floats, b: Floats) -> Floats:
    """Divide, 0 where the divisor is: shapes broadcast."""
    return np.divide(a, b, out=np.zeros(np.broadcast_shapes(a.shape, b.shape)), where=b > 0)
