"""The verb `pooled_boundary`: the directions of many rows as one, weighted as the study's rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from tauscope.boundary.pooled import pool_directions, pool_sparse_directions, present
from tauscope.model.progress_bar import Callback
from tauscope.results.boundary.boundaries import Boundaries
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.results.boundary.sparse import SparseNumbers
from tauscope.results.boundary.spec import BoundaryOptions
from tauscope.study.boundary.boundaries import boundaries
from tauscope.weights.arrays import Floats

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
    The pooled direction is Σ w_i s_i d_i / ‖d_i‖_∞, scaled to length 1, where d_i is the direction of row i in
    standardised units and w_i its weight in the study: under a stress, `study.under(stress).pooled_boundary(…)`, that
    of the stress. Of two classes s_i turns each direction towards the positive one, so that rows of both can be pooled;
    a `target` is what all directions lead to; else each leads away from the row's own class.

    References
    ----------
    Vlassopoulos, "Decision boundary approximation", Leiden, 2019, equation 4.1 and figures 4.19 and 4.20.
    """
    found = boundaries(self, rows, paths=False, progress=progress, callback=callback, **options)
    return pool(found, self.sample_weight)


def pool(found: Boundaries, sample_weight: Floats | None) -> PooledBoundary:
    """Pool boundaries by weights of the study's rows, shape (n_rows,); None, and new rows: all alike."""
    numbers = found.numbers
    weight = np.ones(numbers.n) if sample_weight is None else np.where(numbers.row < 0, 1.0, sample_weight[numbers.row])
    sign, towards = _sign(found)
    if isinstance(numbers, SparseNumbers):
        return _pool_sparse(found, numbers, weight, sign, towards, weighted=sample_weight is not None)
    oriented = sign[:, None] * numbers.inspection.explanation.direction
    has_any_level = np.array([column.kind == "levels" and not column.boolean for column in numbers.columns])
    start = np.where(has_any_level & ~np.isnan(numbers.start), 1.0, numbers.start)
    pooled = pool_directions(oriented, start, weight)
    usable = np.isfinite(oriented).all(axis=1)
    return PooledBoundary(
        found,
        weight,
        towards,
        pooled.direction,
        pooled.present,
        pooled.absent,
        n_rows=pooled.n,
        n_present=(present(start) & (usable & (weight > 0))[:, None]).sum(axis=0),
        weighted=sample_weight is not None,
        source=found.source,
    )


def _pool_sparse(
    found: Boundaries, numbers: SparseNumbers, weight: Floats, sign: Floats, towards: str | None, *, weighted: bool
) -> PooledBoundary:
    """Pool directions that have columns of their own each."""
    directions = [s * part.inspection.explanation.direction[0] for s, part in zip(sign, numbers.parts, strict=True)]
    starts = [part.start[0] for part in numbers.parts]
    pooled, n_present = pool_sparse_directions(directions, starts, numbers.places, weight, len(numbers.columns))
    return PooledBoundary(
        found,
        weight,
        towards,
        pooled.direction,
        pooled.present,
        pooled.absent,
        n_rows=pooled.n,
        n_present=n_present,
        weighted=weighted,
        source=found.source,
    )


def _sign(found: Boundaries) -> tuple[Floats, str | None]:
    """Return what turns each direction towards one class, where there is one to turn them to."""
    numbers = found.numbers
    as_they_are = np.ones(numbers.n)
    if found.spec.target is not None:
        return as_they_are, numbers.classes[int(numbers.inspection.label.max())]
    if len(numbers.classes) == 2:
        return np.where(numbers.label == 1, -1.0, 1.0), numbers.classes[1]
    return as_they_are, None
