"""What is pooled of many boundaries: directions turned one way, and which features each row has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tauscope.boundary.pooled import PooledDirection, pool_directions, present
from tauscope.boundary.pooled_rows import DirectionTable, SparseDirections
from tauscope.results.boundary.sparse import SparseNumbers
from tauscope.weights.arrays import Floats, Ints

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.boundary.boundaries import Boundaries


class PooledRows(NamedTuple):
    """Of n rows.

    Attributes
    ----------
    directions : DirectionTable or SparseDirections
        Each turned towards one class where there is one to turn it to, but where it has a size alone. Present are
        numbers that are neither 0 nor missing, and levels that are not missing.
    towards : str or None
        The class that all directions lead to; None: away from each row's own.
    """

    directions: DirectionTable | SparseDirections
    towards: str | None

    def pool(self, weight: Floats, confidence: float) -> PooledDirection:
        """Pool the rows under weights of shape (n,)."""
        return pool_directions(self.directions, weight, confidence)


def pooled_rows(found: Boundaries) -> PooledRows:
    """Make of boundaries what is pooled of them."""
    numbers = found._numbers
    sign, towards = _sign(found)
    if isinstance(numbers, SparseNumbers):
        directions = [s * part.inspection.explanation.direction[0] for s, part in zip(sign, numbers.parts, strict=True)]
        is_present = [present(part.start[0]) for part in numbers.parts]
        sparse = SparseDirections.scaled(directions, is_present, numbers.places, len(numbers.columns))
        return PooledRows(sparse, towards)
    has_any_level = np.array([column.kind == "levels" and not column.boolean for column in numbers.columns])
    start = np.where(has_any_level & ~np.isnan(numbers.start), 1.0, numbers.start)
    turned = np.where(numbers.space.is_nominal, 1.0, sign[:, None])
    directions = turned * numbers.inspection.explanation.direction
    return PooledRows(DirectionTable.scaled(directions, present(start)), towards)


def weight_of_starts(found: Boundaries, sample_weight: Floats | None) -> Floats:
    """Return the weight of each boundary's row, shape (n,), from those of the study's; new rows count 1."""
    row = found._numbers.row
    return np.ones(len(row)) if sample_weight is None else np.where(row < 0, 1.0, sample_weight[row])


def misclassified(source: Study) -> Ints:
    """Return the positions of the rows that a study's model misclassifies; none where that cannot be known."""
    outcomes = source._outcomes
    if outcomes.truth is None or outcomes.task == "regression":
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(outcomes.truth != outcomes.predicted)


def _sign(found: Boundaries) -> tuple[Floats, str | None]:
    """Return what turns each direction towards one class, where there is one to turn them to."""
    numbers = found._numbers
    as_they_are = np.ones(numbers.n)
    if found._spec.target is not None:
        return as_they_are, numbers.classes[int(numbers.inspection.label.max())]
    if len(numbers.classes) == 2:
        return np.where(numbers.label == 1, -1.0, 1.0), numbers.classes[1]
    return as_they_are, None
