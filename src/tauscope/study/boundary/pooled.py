"""The verb `pooled_boundary`: the directions of many rows as one, weighted as the study's rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from tauscope.errors import InputError
from tauscope.model.progress_bar import Callback
from tauscope.results.boundary.boundaries import Boundaries
from tauscope.results.boundary.numbers import BoundaryNumbers
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.results.boundary.spec import BoundaryOptions
from tauscope.study.boundary.boundaries import boundaries
from tauscope.weights.arrays import Bools, Floats

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def pooled_boundary(
    self: StudyBase,
    rows: Any = None,
    *,
    progress: bool = True,
    callback: Callback | None = None,
    **options: Unpack[BoundaryOptions],
) -> PooledBoundary:
    """Pool the directions that flip the decisions of many rows: which features carry them.

    Parameters
    ----------
    rows : positions, mask, frame of new rows, or None
        By default all of the study's rows; `study.errors` for those misclassified.
    progress, callback
        As in `boundary`.
    **options
        As in `boundary`.

    Returns
    -------
    PooledBoundary
        `.frame`, `.chart()`, `.boundaries`. The model is not asked along the directions.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `boundaries`, and where the rows that have a direction have no weight.

    Notes
    -----
    The pooled direction is Σ w_i s_i d_i / ‖d_i‖_∞ over Σ w_i, where d_i is the direction of row i in standardised
    units and w_i its weight in the study: under a stress, `study.under(stress).pooled_boundary(…)`, that of the
    stress. Of two classes s_i turns each direction towards the positive one, so that rows of both can be pooled; a
    `target` is what all directions lead to; else each leads away from the row's own class.

    References
    ----------
    Vlassopoulos, "Decision boundary approximation", Leiden, 2019, equation 4.1 and figures 4.19 and 4.20.
    """
    found = boundaries(self, rows, paths=False, progress=progress, callback=callback, **options)
    return pool(found, self.sample_weight)


def pool(found: Boundaries, sample_weight: Floats | None) -> PooledBoundary:
    """Pool boundaries by weights of the study's rows, shape (n_rows,); None, and new rows: all alike."""
    numbers = found.numbers
    is_new = numbers.row < 0
    weight = np.ones(numbers.n) if sample_weight is None else np.where(is_new, 1.0, sample_weight[numbers.row])
    oriented, towards = _oriented(found)
    largest = np.abs(oriented).max(axis=1)
    usable = np.isfinite(largest) & (largest > 0)
    if not (weight[usable] > 0).any():
        raise InputError(
            f"A pooled boundary needs a row with a direction and a weight; of {numbers.n:,} rows {int(usable.sum()):,} "
            "have a direction. Loosen the constraints, or give other rows."
        )
    share = np.where(usable, weight, 0.0)
    share /= share.sum()
    parts = np.where(usable[:, None], oriented / np.where(usable, largest, 1.0)[:, None], 0.0) * share[:, None]
    present = _present(numbers)
    return PooledBoundary(
        found,
        weight,
        towards,
        direction=parts.sum(axis=0),
        present=np.where(present, parts, 0.0).sum(axis=0),
        absent=np.where(present, 0.0, parts).sum(axis=0),
        n_present=(present & usable[:, None]).sum(axis=0).astype(np.float64),
        weighted=sample_weight is not None,
        source=found.source,
    )


def _oriented(found: Boundaries) -> tuple[Floats, str | None]:
    """Turn directions towards one class where there is one to turn them to."""
    numbers, direction = found.numbers, found.numbers.inspection.explanation.direction
    if found.spec.target is not None:
        return direction, numbers.classes[int(numbers.inspection.label.max())]
    if len(numbers.classes) == 2:
        return np.where(numbers.label == 1, -1.0, 1.0)[:, None] * direction, numbers.classes[1]
    return direction, None


def _present(numbers: BoundaryNumbers) -> Bools:
    """Whether each row has each feature: not 0 and not missing; of categories not missing."""
    levels = np.array([column.kind == "levels" and not column.boolean for column in numbers.columns])
    return ~np.isnan(numbers.start) & ((numbers.start != 0) | levels)
