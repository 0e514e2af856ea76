"""Places where an edge of a rule can stand, and the cell between two of them that each row lies in.

Cells are whole numbers, so that the page tells the same rows apart as Python does, whatever a float32 rounds to.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.results.rules.columns import Condition
from tauscope.rules.grid import simplest_between
from tauscope.weights.arrays import Floats

MOST_CUTS = 200
"""Places on an axis, beside the rule's own two."""
MOST_LEVELS = 40
"""Levels that are toggled one by one; of more, cell 0 holds those of the rule and cell 1 the others."""
MISSING = 255


class Cells(NamedTuple):
    """An axis in cells.

    Attributes
    ----------
    cuts : list of float
        Ascending; cell c reaches from above cut c − 1 up to cut c. Empty for levels.
    inside : list of bool
        Of each cell, whether it is in the rule.
    of_rows : ndarray of uint8, shape (n,)
        `MISSING` where a row has no value.
    """

    cuts: list[float]
    inside: list[bool]
    of_rows: NDArray[np.uint8]


def find_cells(condition: Condition, values: Floats) -> Cells:
    """Cut the axis of a condition.

    Parameters
    ----------
    condition : Condition
    values : ndarray of shape (n,)
        Of the rows; codes of levels.

    Returns
    -------
    Cells
    """
    return _level_cells(condition, values) if condition.column.kind == "levels" else _number_cells(condition, values)


def toggled(condition: Condition) -> bool:
    """Tell whether there are few enough levels to be toggled one by one."""
    return len(condition.column.levels) <= MOST_LEVELS


def _level_cells(condition: Condition, values: Floats) -> Cells:
    codes = np.arange(len(condition.column.levels))
    within = (codes > condition.lower) & (codes <= condition.upper)
    missing = np.isnan(values)
    known = np.where(missing, 0, values).astype(np.int64)
    cells = known if toggled(condition) else np.where(within[known], 0, 1)
    inside: list[bool] = within.tolist() if toggled(condition) else [True, False]
    return Cells([], inside, np.where(missing, MISSING, cells).astype(np.uint8))


def _number_cells(condition: Condition, values: Floats) -> Cells:
    cuts = _cuts(condition, values)
    cells = np.where(np.isnan(values), MISSING, np.searchsorted(cuts, values, side="left"))
    ends = np.concatenate([cuts, [np.inf]])
    inside = (ends > condition.lower) & (ends <= condition.upper)
    return Cells(cuts, inside.tolist(), cells.astype(np.uint8))


def _cuts(condition: Condition, values: Floats) -> list[float]:
    """Return the rule's own ends, and short numbers between the values of rows that these leave together."""
    seen = np.unique(values[~np.isnan(values)])
    own = [end for end in (condition.lower, condition.upper) if math.isfinite(end)]
    taken = set(np.searchsorted(seen, own, side="right").tolist())
    places: list[int] = np.unique(np.linspace(0, max(len(seen) - 2, 0), MOST_CUTS).round().astype(np.int64)).tolist()
    between = [
        simplest_between(float(seen[place]), float(seen[place + 1]))
        for place in places
        if place + 1 < len(seen) and place + 1 not in taken
    ]
    return sorted({*own, *between})
