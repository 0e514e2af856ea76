"""The verb `pooled_boundary`: the directions of many rows as one, weighted as the study's rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from tauscope.model.progress_bar import Callback
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.results.boundary.spec import BoundaryOptions
from tauscope.study.boundary.boundaries import boundaries
from tauscope.weights.checks import check_share

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def pooled_boundary(
    self: StudyBase,
    rows: Any = None,
    *,
    confidence: float = 0.95,
    progress: bool = True,
    callback: Callback | None = None,
    **options: Unpack[BoundaryOptions],
) -> PooledBoundary:
    """Pool the directions that flip the decisions of many rows: which features carry them.

    Parameters
    ----------
    rows : positions, mask, frame of new rows, or None
        By default all of the study's rows; `study.errors` for those misclassified.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1): for the chance in drawing these rows, the model held fixed.
    progress, callback
        As in `boundary`.
    **options
        As in `boundary`.

    Returns
    -------
    PooledBoundary
        `.frame`, `.chart()`, `.widget()`, `.under(stress)`, `.boundaries`. The model is not asked along the directions.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `boundaries`, for a confidence outside (0, 1), and where the rows that have a direction have no weight.

    Notes
    -----
    The pooled direction is Σ w_i s_i d_i / ‖d_i‖_∞, scaled to length 1, where d_i is the direction of row i in
    standardised units and w_i its weight in the study: under a stress, `study.under(stress).pooled_boundary(…)`, that
    of the stress. Of two classes s_i turns each direction towards the positive one, so that rows of both can be pooled;
    a `target` is what all directions lead to; else each leads away from the row's own class. Each entry has Student's
    interval of a weighted mean, linearised for the scaling to length 1 (`tauscope.boundary.pooled.pool_directions`).

    References
    ----------
    Vlassopoulos, "Decision boundary approximation", Leiden, 2019, equation 4.1 and figures 4.19 and 4.20.

    Examples
    --------
    >>> pooled = study.pooled_boundary(range(20), random_state=0)
    >>> pooled.frame["feature"].tolist()[:2]
    ['mean radius', 'mean texture']
    """
    check_share(confidence, "confidence", open_low=True, open_high=True)
    found = boundaries(self, rows, paths=False, progress=progress, callback=callback, **options)
    return PooledBoundary.of(found, self.sample_weight, confidence)
