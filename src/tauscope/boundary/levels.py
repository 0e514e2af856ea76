"""Levels put back to the start's wherever the decision stays flipped: the greedy switching of mixed data."""

import numpy as np

from tauscope.boundary.bisection import Brackets, Starts
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.space import Space


def restore_levels(predictor: DecisionPredictor, space: Space, starts: Starts, brackets: Brackets) -> Brackets:
    """Put the levels at the far ends back to the start's, one block after the other, where the decision stays flipped.

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
    far = brackets.far.copy()
    differing = space.differing(starts.points[brackets.start], far)
    # numbers alone may do: one question instead of one a block
    all_back = np.where(space.in_block, starts.points[brackets.start], far)
    some = np.flatnonzero(differing.any(axis=1))
    if len(some) == 0 or not predictor.affords(len(some)):
        return brackets
    enough = some[starts.flipped(predictor, brackets.start[some], all_back[some])]
    far[enough] = all_back[enough]
    differing[enough] = False
    for position, block in enumerate(space.blocks):
        tried = np.flatnonzero(differing[:, position])
        if len(tried) == 0:
            continue
        if not predictor.affords(len(tried)):
            break
        columns = list(block)
        candidates = far[tried]
        candidates[:, columns] = starts.points[brackets.start[tried]][:, columns]
        flipped = starts.flipped(predictor, brackets.start[tried], candidates)
        far[tried[flipped]] = candidates[flipped]
    return Brackets(brackets.start, far)
