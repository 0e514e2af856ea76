"""Walks from a start along a direction: where they lead within the limits, and where the decision first flips."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import DecisionPredictor, Question
from tauscope.boundary.halving import FINE_TRUST, Halving
from tauscope.boundary.planes.design import level_columns
from tauscope.boundary.planes.inspection import Paths
from tauscope.boundary.space import Limits, Space
from tauscope.weights.arrays import Bools, Floats, Ints

N_HALVINGS = 8
"""Of the step in which a walk crosses: to 1/256 of it."""


@dataclass(frozen=True, eq=False)
class Walk:
    """Walks along one direction for each start.

    A block takes the level it has at the point once half a unit of its own part of the direction is walked.

    Attributes
    ----------
    space : Space
    limits : Limits
    starts : Starts
    points : ndarray of shape (n, p)
        Whose levels are taken.
    direction : ndarray of shape (n, p)
        Of length 1 in units of scale.
    """

    space: Space
    limits: Limits
    starts: Starts
    points: Floats
    direction: Floats

    def at(self, lengths: Floats) -> Floats:
        """Points after lengths (n, k) in the space's distance, brought within the limits: shape (n, k, p)."""
        along = lengths / self.space.step_length(self.direction)[:, None]
        moves = np.where(self.space.in_block, 0.0, self.direction * self.space.scale)
        points = self.starts.points[:, None] + along[:, :, None] * moves[:, None]
        if self.space.blocks:
            of_start = level_columns(self.space, self.starts.points)
            part = np.take_along_axis(self.direction, of_start, axis=1)
            left = self.space.of_columns(along[:, :, None] * part[:, None] >= 0.5)
            columns = self.space.block_columns
            points[:, :, columns] = np.where(left, self.points[:, None, columns], points[:, :, columns])
        return self.limits.project(self.space, self.starts.points, points)

    def take(self, index: Ints) -> "Walk":
        """Take the walks of some of the starts."""
        return Walk(
            self.space, self.limits.take(index), self.starts.take(index), self.points[index], self.direction[index]
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
