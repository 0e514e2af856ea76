"""Levels put back to the start's wherever the decision stays flipped: the greedy switching of mixed data."""

from __future__ import annotations

import numpy as np

from tauscope.boundary.bisection import Brackets, Starts
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.space import Space
from tauscope.weights.arrays import Bools, Floats, Ints


def restore_levels(predictor: DecisionPredictor, space: Space, starts: Starts, brackets: Brackets) -> Brackets:
    """Put the levels at the far ends back to the start's, one block after the other, where the decision stays flipped.

    Where many blocks differ, several at once; the last of them one by one again, so that none is left that could go
    back alone.

    Parameters
    ----------
    predictor : DecisionPredictor
    space : Space
    starts : Starts
    brackets : Brackets

    Returns
    -------
    Brackets
        The same brackets, their far ends decided otherwise still.
    """
    if not space.blocks:
        return brackets
    far = brackets.far.copy()
    near = starts.points[brackets.start]
    differing = space.differing(near, far)
    # numbers alone may do: one question instead of one a block
    all_back = np.where(space.in_block, near, far)
    some = np.flatnonzero(differing.any(axis=1))
    if len(some) == 0 or not predictor.affords(len(some)):
        return brackets
    enough = some[starts.flipped(predictor, brackets.start[some], all_back[some])]
    far[enough] = all_back[enough]
    differing[enough] = False
    many = np.flatnonzero(differing.sum(axis=1) > MANY)
    if len(many):
        far[many], left = restore_many(predictor, space, starts, brackets.start[many], far[many])
        differing[many] = space.differing(near[many], far[many]) & left[:, None]
    _restore_in_turn(predictor, space, starts, brackets.start, far, differing)
    return Brackets(brackets.start, far)


def _restore_in_turn(
    predictor: DecisionPredictor, space: Space, starts: Starts, start: Ints, far: Floats, differing: Bools
) -> None:
    """Put back the blocks that differ, each bracket its first one, then its second, and so on; in place."""
    near, n_differing = starts.points[start], differing.sum(axis=1)
    order = np.argsort(~differing, axis=1, kind="stable")
    for rank in range(int(n_differing.max(initial=0))):
        tried = np.flatnonzero(n_differing > rank)
        if not predictor.affords(len(tried)):
            break
        chosen = np.zeros((len(tried), len(space.blocks)), dtype=np.bool_)
        chosen[np.arange(len(tried)), order[tried, rank]] = True
        candidates = put_back(space, near, far, tried, chosen)
        flipped = starts.flipped(predictor, start[tried], candidates)
        far[tried[flipped]] = candidates[flipped]


MANY = 12
"""Blocks that differ, from which on more than one is put back in a call."""
ROUNDS = 10
CHUNK_CELLS = 8_000_000
"""Values of the points asked about together."""
QUARTERS = np.array([0.25, 0.5, 0.75])


def restore_many(
    predictor: DecisionPredictor, space: Space, starts: Starts, start: Ints, far: Floats
) -> tuple[Floats, Bools]:
    """Put levels back in rounds: each block alone, then as many as the decision stands, the cheapest first.

    Cheap is a block that takes little of what the answers hold against the start's decision for each piece of distance
    that it saves; where there are labels alone, one that saves most among those that can go back alone.

    Parameters
    ----------
    predictor : DecisionPredictor
    space : Space
    starts : Starts
    start : ndarray of shape (m,)
        Which start each point belongs to.
    far : ndarray of shape (m, p)
        Decided otherwise than their start.

    Returns
    -------
    points : ndarray of shape (m, p)
        Decided otherwise still.
    left : ndarray of bool, shape (m,)
        Where the rounds have ended before no block could go back alone.
    """
    far, left = far.copy(), np.zeros(len(far), dtype=np.bool_)
    size = max(1, CHUNK_CELLS // (space.n_columns * len(space.blocks)))
    for first in range(0, len(far), size):
        part = np.arange(first, min(first + size, len(far)))
        for _ in range(ROUNDS):
            part = part[_round(predictor, space, starts, start[part], far, part)]
            if not len(part):
                break
        left[part] = True
    return far, left


def put_back(space: Space, near: Floats, far: Floats, row: Ints, chosen: Bools) -> Floats:
    """Copy points far[row], each with the levels of near[row] in the blocks chosen, (len(row), n_blocks)."""
    points = far[row]
    copy, position = np.nonzero(space.of_columns(chosen))
    column = space.block_columns[position]
    points[copy, column] = near[row[copy], column]
    return points


def _round(predictor: DecisionPredictor, space: Space, starts: Starts, start: Ints, far: Floats, part: Ints) -> Bools:
    """Put levels of some points back, in place; tell for which a next round may do more."""
    near, here = starts.points[start], far[part]
    differing = space.differing(near, here)
    row, block = np.nonzero(np.concatenate([differing, np.ones((len(part), 1), dtype=np.bool_)], axis=1))
    if not predictor.affords(len(row)):
        return np.zeros(len(part), dtype=np.bool_)
    flipped, leaning = np.empty(len(row), dtype=np.bool_), np.empty(len(row))
    size = max(1, CHUNK_CELLS // space.n_columns)
    for first in range(0, len(row), size):
        few = slice(first, first + size)
        alone = np.arange(len(space.blocks)) == block[few, None]  # of the last, which is none, all stay
        points = put_back(space, near, here, row[few], alone)
        flipped[few], leaning[few] = starts.flipped_by(predictor, start[row[few]], points)
    price = np.full((len(part), len(space.blocks)), np.inf)
    one = block < len(space.blocks)
    lost = leaning[one] - leaning[~one][row[one]]
    at = row[one], block[one]
    price[at] = np.where(flipped[one], _prices(space.block_saving(near, here)[at], lost), np.inf)
    order = np.argsort(price, axis=1, kind="stable")
    n_kept = _longest(predictor, space, starts, start, here, order, np.isfinite(price).sum(axis=1))
    far[part] = put_back(space, near, here, np.arange(len(part)), _first(order, n_kept))
    return n_kept > 0


def _prices(saving: Floats, lost: Floats) -> Floats:
    """Price each block: by what the decision loses for each piece saved; where that is not known, by what is saved."""
    return np.where(np.isnan(lost), -saving, lost / saving)


def _first(order: Ints, n: Ints) -> Bools:
    """Mark the first n blocks of each order: shape (m, n_blocks)."""
    chosen = np.zeros(order.shape, dtype=np.bool_)
    is_first = np.arange(len(order.T)) < n[:, None]
    np.put_along_axis(chosen, order, is_first, axis=1)
    return chosen


def _longest(
    predictor: DecisionPredictor, space: Space, starts: Starts, start: Ints, far: Floats, order: Ints, n: Ints
) -> Ints:
    """Find how many blocks in order can go back together: narrowed between a number that can and one that cannot."""
    low, high = np.minimum(n, 1), n + 1
    near = starts.points[start]
    while True:
        tried = low[:, None] + np.ceil((high - low)[:, None] * QUARTERS).astype(np.int64)
        row, place = np.nonzero((tried < high[:, None]) & (np.diff(tried, axis=1, prepend=-1) > 0))
        if not len(row) or not predictor.affords(len(row)):
            return low
        number = tried[row, place]
        points = put_back(space, near, far, row, _first(order[row], number))
        flipped = starts.flipped(predictor, start[row], points)
        np.maximum.at(low, row[flipped], number[flipped])
        failed = ~flipped & (number > low[row])
        np.minimum.at(high, row[failed], number[failed])
