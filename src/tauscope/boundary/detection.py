"""From points to the nearest points beyond the boundary: rivals within the limits, levels, bisection."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tauscope.boundary.bisection import TOLERANCE, Brackets, Crossings, Starts, bisect
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.levels import restore_levels
from tauscope.boundary.rivals import Pool, nearest_rivals
from tauscope.boundary.space import Limits, Space
from tauscope.weights.arrays import Bools, Floats, Ints

Status = Literal["found", "no_rival", "none_within_constraints", "nothing_to_move", "budget"]
STATUSES: tuple[Status, ...] = ("found", "no_rival", "none_within_constraints", "nothing_to_move", "budget")
"""What came out for a start: a point beyond the boundary; no row of the pool decided otherwise; rows decided otherwise,
none of which is so any more once it is brought within the limits; no column free; the budget ended before any."""
MORE_RIVALS = 5
"""Times as many rivals as asked for that are tried where none of the nearest stands the limits."""


@dataclass(frozen=True, eq=False)
class Detection:
    """The nearest point found beyond the boundary for each start.

    Attributes
    ----------
    status : ndarray of int8, shape (n,)
        Place among `STATUSES`.
    point : ndarray of shape (n, p)
        Decided otherwise, within the limits; NaN where none was found.
    distance : ndarray of shape (n,)
        ∞ where none was found.
    rival : ndarray of shape (n,)
        Position in the pool of the row whose bracket gave the point; −1 for none.
    n_rivals : ndarray of shape (n,)
        Rivals that stood the limits and were searched.
    settled : ndarray of bool, shape (n,)
        False where the budget ended the bisection: the point is valid, a nearer one on the same way not ruled out.
    """

    status: Ints
    point: Floats
    distance: Floats
    rival: Ints
    n_rivals: Ints
    settled: Bools


def detect(
    predictor: DecisionPredictor,
    space: Space,
    pool: Pool,
    starts: Starts,
    limits: Limits,
    *,
    n_rivals: int = 100,
    tolerance: float = TOLERANCE,
    prune: bool = True,
) -> Detection:
    """Find for each start the nearest of the points where the ways to its rivals meet the boundary.

    Parameters
    ----------
    predictor : DecisionPredictor
    space : Space
    pool : Pool
        Rows among which rivals are sought.
    starts : Starts
    limits : Limits
        Every point asked about and returned lies within them.
    n_rivals : int, default 100
        Rivals for each start: the nearest that stand the limits.
    tolerance, prune
        As in `bisect`.

    Returns
    -------
    Detection
    """
    rivals = nearest_rivals(space, pool, starts.points, starts.labels, starts.target, n_rivals)
    brackets, pool_row = rival_brackets(predictor, space, pool, starts, limits, rivals)
    lacking = np.setdiff1d(
        [i for i, order in enumerate(rivals) if len(order) == n_rivals], brackets.start, assume_unique=False
    ).astype(np.int64)
    if len(lacking):  # farther rivals may stand what the nearest do not
        few = starts.take(lacking)
        more = nearest_rivals(space, pool, few.points, few.labels, few.target, MORE_RIVALS * n_rivals)
        rest = [np.empty(0, dtype=np.int64)] * starts.n
        for position, order in zip(lacking, more, strict=True):
            rest[position] = order[n_rivals:]
        farther, farther_row = rival_brackets(predictor, space, pool, starts, limits, rest)
        order = np.argsort(np.concatenate([brackets.start, farther.start]), kind="stable")
        pool_row = np.concatenate([pool_row, farther_row])[order]
        brackets = Brackets(
            np.concatenate([brackets.start, farther.start])[order], np.concatenate([brackets.far, farther.far])[order]
        )
    brackets = restore_levels(predictor, space, starts, brackets)
    crossings = bisect(predictor, space, starts, brackets, tolerance=tolerance, prune=prune)
    return _detection(predictor, space, starts, limits, rivals, brackets, pool_row, crossings)


def rival_brackets(
    predictor: DecisionPredictor, space: Space, pool: Pool, starts: Starts, limits: Limits, rivals: list[Ints]
) -> tuple[Brackets, Ints]:
    """Bring rivals within the limits; keep those that are decided otherwise still."""
    start = np.repeat(np.arange(starts.n), [len(order) for order in rivals])
    row = np.concatenate(rivals) if rivals else np.empty(0, dtype=np.int64)
    far = pool.points[row]
    projected = limits.take(start).project(space, starts.points[start], far[:, None])[:, 0]
    differs = projected != far
    if differs.any():
        differs &= ~(np.isnan(projected) & np.isnan(far))
    changed = np.flatnonzero(differs.any(axis=1))
    keep = np.ones(len(row), dtype=np.bool_)
    if len(changed):
        keep[changed] = False
        if predictor.affords(len(changed)):
            keep[changed] = starts.flipped(predictor, start[changed], projected[changed])
    return Brackets(start[keep], projected[keep]), row[keep]


def _detection(
    predictor: DecisionPredictor,
    space: Space,
    starts: Starts,
    limits: Limits,
    rivals: list[Ints],
    brackets: Brackets,
    pool_row: Ints,
    crossings: Crossings,
) -> Detection:
    n_rivals = np.bincount(brackets.start, minlength=starts.n)
    status = np.zeros(starts.n, dtype=np.int8)
    none = n_rivals == 0
    status[none] = STATUSES.index("budget" if predictor.spent else "none_within_constraints")
    status[none & np.array([len(order) == 0 for order in rivals])] = STATUSES.index("no_rival")
    status[none & ~limits.free(space).any(axis=1)] = STATUSES.index("nothing_to_move")
    rival = np.where(crossings.bracket >= 0, np.append(pool_row, -1)[crossings.bracket], -1)
    return Detection(status.astype(np.int64), crossings.point, crossings.distance, rival, n_rivals, crossings.settled)
