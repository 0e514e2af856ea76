"""Whether a few rows carry the weight that a stress moved: what effective size and Pareto k̂ do not see of two weights.

Thirteen of 16,281 rows pushed to a quarter of all weight leave 206 effective rows, and a tail of equal weights has no
shape: both are content. Carriers are the fewest rows that together hold half of the weight moved, rows that are alike
taken together.
"""

from typing import NamedTuple

import numpy as np

from tauscope.weights.arrays import Floats, Ints
from tauscope.weights.measures import total_variation_of_shares
from tauscope.weights.pareto import STANDS_OUT, TIED, tail_size

MIN_CARRIERS, MIN_CARRIERS_WIDE = 30, 10
"""Carriers: enough from the first, some from the second. A mean of 30 rows is the fewest that people trust by habit; 10
is where `tauscope.stress.reliability` has rows at or beyond a target begin to count."""
GROWN = 5.0
"""Carriers hold at least so many times what they did. Nine of 90 normal rows hold half of what moves their mean by half
a standard deviation, and twice what they did; 44 rows decide the width of intervals there."""


class Carriers(NamedTuple):
    """The fewest rows that hold half of the weight moved, where they are few.

    Attributes
    ----------
    n : int
        Below 30; 0 where they are more, hold less than 5 points of all weight more than before, or less than five
        times as much as before.
    share : float
        Of all weight; 0 where n is 0.
    """

    n: int
    share: float


NO_FEW = Carriers(0, 0.0)


def few_carriers(weights: Floats, base: Floats | None = None) -> Carriers:
    """Find the few rows that carry the weight moved.

    Parameters
    ----------
    weights : ndarray of shape (n_rows,)
        Non-negative, of any sum.
    base : ndarray of shape (n_rows,), optional
        What they were moved from, of any sum; None: all alike.
    """
    total, n_rows = float(weights.sum()), len(weights)
    if not total > 0 or n_rows < 2:
        return NO_FEW
    share = weights / total
    before = np.full(n_rows, 1 / n_rows) if base is None else base / base.sum()
    order = most_gained(share - before, most_carriers(int(np.count_nonzero(before))))
    return carriers_of_gains(share[order] - before[order], share[order], total_variation_of_shares(share, before))


def most_gained(gain: Floats, most: int) -> Ints:
    """Return the rows that gained most by falling gain: so many, and the next one."""
    largest = np.argpartition(-gain, most)[: most + 1] if most < len(gain) else np.arange(len(gain))
    return largest[np.argsort(-gain[largest], kind="stable")]


def carriers_of_gains(gain: Floats, share: Floats, moved: float) -> Carriers:
    """Find them among the rows that gained most.

    Parameters
    ----------
    gain : ndarray of shape (k + 1,)
        What each gained, of all weight, falling: of as many as can be carriers, and the next one.
    share : ndarray of shape (k + 1,)
        What each has, of all weight.
    moved : float
        Total variation from the weights before.
    """
    n, held = _count(gain[None], np.cumsum(share)[None], np.array([moved]))
    return Carriers(int(n[0]), float(held[0]))


def carriers_of_tails(log_excess: Floats, cut: Floats, moved: Floats, n_rows: int) -> tuple[Ints, Floats]:
    """Find them among the largest weights of several tilts, of rows that had equal ones.

    Parameters
    ----------
    log_excess : ndarray of shape (T, m)
    cut : ndarray of shape (T,)
        The largest weights as `tauscope.weights.pareto.pareto_k` takes them.
    moved : ndarray of shape (T,)
        Total variation from equal weights.
    n_rows : int

    Returns
    -------
    n : int ndarray of shape (T,)
    share : ndarray of shape (T,)
        As `Carriers`.
    """
    logs = np.concatenate([log_excess[:, ::-1], np.zeros((len(cut), 1))], axis=1)[:, : most_carriers(n_rows) + 1]
    with np.errstate(divide="ignore"):
        share = np.exp(np.minimum(logs + np.log(cut)[:, None], 0.0))
    return _count(share - 1 / n_rows, np.cumsum(share, axis=1), moved)


def carriers_at_end(n_left: Floats, n_rows: int) -> tuple[Ints, Floats]:
    """Do so where only the rows at an extreme are left, that many of them."""
    n, all_of_it = np.maximum(np.round(n_left), 1), np.ones(len(n_left))
    few = (n <= most_carriers(n_rows)) & _stand_out(all_of_it, all_of_it - n / n_rows)
    return np.where(few, n, 0).astype(np.int64), np.where(few, all_of_it, 0.0)


def most_carriers(n_rows: int) -> int:
    """Return how many rows are few: fewer than 30, and of those whose tail is looked at."""
    return max(min(MIN_CARRIERS - 1, tail_size(n_rows), n_rows - 1), 1)


def _stand_out(share: Floats, gain: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return (gain >= STANDS_OUT) & (share >= GROWN * (share - gain))


def _count(gain: Floats, held: Floats, moved: Floats) -> tuple[Ints, Floats]:
    """Count carriers among rows by falling gain; the last is there to tell whether those before tie with it.

    Parameters
    ----------
    gain : ndarray of shape (T, k + 1)
        What each row gained, of all weight.
    held : ndarray of shape (T, k + 1)
        Share that the rows up to each hold.
    moved : ndarray of shape (T,)
    """
    together = np.cumsum(gain, axis=1)
    apart = gain[:, :-1] - gain[:, 1:] > TIED * np.abs(gain[:, :-1])
    enough = apart & (together[:, :-1] >= 0.5 * moved[:, None] * (1 - TIED))
    last = enough.argmax(1)[:, None]
    gained, share = (np.take_along_axis(sums, last, 1)[:, 0] for sums in (together, held))
    few = enough.any(1) & (moved >= STANDS_OUT) & _stand_out(share, gained)
    return np.where(few, last[:, 0] + 1, 0), np.where(few, share, 0.0)
