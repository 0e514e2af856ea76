"""Levels put back to the start's wherever the decision stays flipped: the greedy switching of mixed data."""

import numpy as np

from tauscope.boundary.bisection import Brackets, Starts
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.many_levels import MANY, put_back, restore_many
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
