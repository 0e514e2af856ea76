"""What is pooled of many boundaries: directions turned one way, and which features each row has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tauscope.boundary.pooled import PooledDirection, pool_directions, present
from tauscope.weights.arrays import Bools, Floats

if TYPE_CHECKING:
    from tauscope.results.boundary.boundaries import Boundaries


class PooledRows(NamedTuple):
    """Of n rows.

    Attributes
    ----------
    direction : ndarray of shape (n, p)
        Turned towards one class where there is one to turn it to; NaN in rows without one.
    is_present : ndarray of bool, shape (n, p)
        Which features each row has: numbers that are neither 0 nor missing, levels that are not missing.
    towards : str or None
        The class that all directions lead to; None: away from each row's own.
    """

    direction: Floats
    is_present: Bools
    towards: str | None

    def pool(self, weight: Floats, confidence: float) -> PooledDirection:
        """Pool the rows under weights of shape (n,)."""
        return pool_directions(self.direction, self.is_present, weight, confidence)


def pooled_rows(found: Boundaries) -> PooledRows:
    """Make of boundaries what is pooled of them."""
    numbers = found.numbers
    has_any_level = np.array([column.kind == "levels" and not column.boolean for column in numbers.columns])
    start = np.where(has_any_level & ~np.isnan(numbers.start), 1.0, numbers.start)
    direction, towards = _oriented(found)
    return PooledRows(direction, present(start), towards)


def weight_of_starts(found: Boundaries, sample_weight: Floats | None) -> Floats:
    """Return the weight of each boundary's row, shape (n,), from those of the study's; new rows count 1."""
    row = found.numbers.row
    return np.ones(len(row)) if sample_weight is None else np.where(row < 0, 1.0, sample_weight[row])


def _oriented(found: Boundaries) -> tuple[Floats, str | None]:
    """Turn directions towards one class where there is one to turn them to."""
    numbers, direction = found.numbers, found.numbers.inspection.explanation.direction
    if found.spec.target is not None:
        return direction, numbers.classes[int(numbers.inspection.label.max())]
    if len(numbers.classes) == 2:
        return np.where(numbers.label == 1, -1.0, 1.0)[:, None] * direction, numbers.classes[1]
    return direction, None
