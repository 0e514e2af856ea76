"""Sufficient rules: the largest box around a row in which the decision stays as probable as asked for.

A rule is known at the training rows inside it: at each of them the same-decision probability of the projected forest is
at least π. Between them the forest says nothing new inside a cell, and a cell without rows is taken along where no row
speaks against it. Coverage and precision are counted, on rows the forest has seen and on others.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from tauscope.rules.grid import Grid, SideBox
from tauscope.rules.growth import N_ORDERS, GridBox, grow_box
from tauscope.trees.ensemble import Compared
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class GrownRule:
    """A box in the columns of a sufficient subset.

    Attributes
    ----------
    columns : ndarray of int, shape (k,)
    box : SideBox
    inside : ndarray of bool, shape (n,)
        The training rows it holds for.
    sdp : float
        Same-decision probability at the row it was grown around.
    sdp_min : float
        The least at a training row inside.
    row_sdp : ndarray of shape (n,)
        Of the same decision, at every training row.
    """

    columns: Ints
    box: SideBox
    inside: Bools
    sdp: float
    sdp_min: float
    row_sdp: Floats


def grow_rule(
    columns: Ints,
    grid: Grid,
    rows: Floats,
    row: Floats,
    sdp: Floats,
    sdp_of_row: float,
    pi: float,
    weight: Floats,
    *,
    n_orders: int = N_ORDERS,
    seed: int = 0,
) -> GrownRule:
    """Grow the rule of a row.

    Parameters
    ----------
    columns : ndarray of int, shape (k,)
        Of the sufficient subset; those of the grid.
    grid : Grid
    rows : ndarray of shape (n, k)
        Training rows in these columns.
    row : ndarray of shape (k,)
    sdp : ndarray of shape (n,)
        Probability, at each training row, of the decision of `row`.
    sdp_of_row : float
        At `row` itself: that of any training row in the same cell.
    pi : float
        Least probability, in (0, 1].
    weight : ndarray of shape (n,)
        Of the training rows; those of weight 0 are as if they were not there.
    n_orders, seed
        As in `grow_box`.

    Returns
    -------
    GrownRule
        `row` lies in it even where no training row does.
    """
    cells, start = grid.cells(rows), grid.cells(row[None])[0]
    allowed = sdp >= pi
    allowed |= (cells == start).all(axis=1)  # the same path in every tree: equal but for rounding
    grown = grow_box(cells, allowed, weight, GridBox(start, start), grid.n_cells, n_orders=n_orders, seed=seed)
    inside = grown.inside(cells)
    least = float(sdp[inside & (weight > 0)].min(initial=sdp_of_row))
    counted = weight > 0
    seen = np.concatenate([rows[counted], row[None]]), np.concatenate([cells[counted], start[None]])
    return GrownRule(columns, grid.sides(grown, *seen), inside, sdp_of_row, least, sdp)


@dataclass(frozen=True)
class RuleCounts:
    """How much a rule covers, and how often it is right.

    Attributes
    ----------
    n_rows : int
        Rows of positive weight.
    n_inside : int
        Of these, those it holds for.
    coverage : float
        Their share of the weight.
    precision : float
        Share of the weight inside that is decided as the rule says; NaN where no row is inside.
    ess : float
        Effective rows inside, (Σw)² / Σw².
    """

    n_rows: int
    n_inside: int
    coverage: float
    precision: float
    ess: float


def count_rule(inside: Bools, agrees: Bools, weight: Floats) -> RuleCounts:
    """Count coverage and precision.

    Parameters
    ----------
    inside : ndarray of bool, shape (n,)
        Rows the rule holds for.
    agrees : ndarray of bool, shape (n,)
        Rows that are decided as the rule says.
    weight : ndarray of shape (n,)
    """
    own = weight[inside]
    total = float(own.sum())
    precision = float(weight[inside & agrees].sum()) / total if total > 0 else np.nan
    ess = total**2 / float(np.square(own).sum()) if total > 0 else 0.0
    coverage = total / float(weight.sum())
    return RuleCounts(int((weight > 0).sum()), int((own > 0).sum()), coverage, precision, ess)


def precision_interval(counts: RuleCounts, confidence: float = 0.95) -> tuple[float, float]:
    """Return Clopper and Pearson's interval of a precision at the effective number of rows inside.

    It is that of rows the rule was not made on: on the others it promises too much. NaN where no row is inside.
    """
    if not counts.n_inside:
        return np.nan, np.nan
    return proportion_interval(counts.precision, counts.ess, confidence)


def proportion_interval(share: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return Clopper and Pearson's interval of a share of n rows, which need not be whole."""
    right, wrong = share * n, (1 - share) * n
    tail = 0.5 - confidence / 2
    lower = float(betaincinv(right, wrong + 1, tail)) if right > 0 else 0.0
    upper = float(betaincinv(right + 1, wrong, 1 - tail)) if wrong > 0 else 1.0
    return lower, upper


def measure_box(box: SideBox, lowest: Floats, highest: Floats) -> float:
    """Return the share of the columns' observed ranges that a box takes up, the product over columns.

    Parameters
    ----------
    box : SideBox
    lowest, highest : ndarray of shape (k,)
        Of the training rows.
    """
    span = np.where(highest > lowest, highest - lowest, 1.0)
    length = np.clip(np.minimum(box.upper, highest) - np.maximum(box.lower, lowest), 0.0, span)
    return float(np.prod(length / span))


def nearest_swing(
    row: Compared, rows: Compared, sdp: Floats, others: Bools, pi: float, scale: Floats, weight: Floats
) -> int:
    """Find the nearest training row at which another decision is as probable as asked for.

    Parameters
    ----------
    row : ndarray of shape (k,)
    rows : ndarray of shape (n, k)
        Missing values lie one unit from any other.
    sdp : ndarray of shape (n,)
        At each row the probability of the decision of that row.
    others : ndarray of bool, shape (n,)
        Rows decided otherwise.
    pi : float
    scale : ndarray of shape (k,)
        Unit of distance of each column, above 0.
    weight : ndarray of shape (n,)

    Returns
    -------
    int
        Its place; −1 where there is none.
    """
    candidates = np.flatnonzero(others & (sdp >= pi) & (weight > 0))
    if not len(candidates):
        return -1
    gaps = np.isnan(rows[candidates]) != np.isnan(row)
    both = np.isnan(rows[candidates]) & np.isnan(row)
    distance = np.abs(rows[candidates] - row) / scale
    distance = np.where(gaps, 1.0, np.where(both, 0.0, distance))
    return int(candidates[np.square(distance).sum(axis=1).argmin()])
