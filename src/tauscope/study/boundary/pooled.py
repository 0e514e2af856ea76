"""The verb `pooled_boundary`: the directions of many rows as one, weighted as the study's rows are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from tauscope.errors import InputError
from tauscope.model.progress_bar import Callback
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.results.boundary.spec import BoundaryOptions, BoundarySpec
from tauscope.study.boundary.boundaries import check_one_row_options, find_boundaries
from tauscope.study.rows import ChosenRows, choose_rows
from tauscope.weights.arrays import Ints
from tauscope.weights.checks import check_share
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def pooled_boundary(
    self: StudyBase,
    rows: Any = None,
    *,
    max_rows: int | None = None,
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
    max_rows : int, optional
        Most rows: of more, so many are drawn by `random_state`, each as likely, and `.notes` say so. Each row costs the
        model about a thousand rows.
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
        As `boundaries`, for a confidence outside (0, 1), `max_rows` below 1, and where the rows that have a direction
        have no weight.

    Notes
    -----
    The pooled direction is Σ w_i s_i d_i / ‖d_i‖_∞, scaled to length 1, where d_i is the direction of row i in
    standardised units and w_i its weight in the study: under a stress, `study.under(stress).pooled_boundary(…)`, that
    of the stress. Of two classes s_i turns each direction towards the positive one, so that rows of both can be pooled;
    a `target` is what all directions lead to; else each leads away from the row's own class. An entry without a sign,
    of three levels or more without an order, is not turned. Each entry has Student's
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
    check_one_row_options(options)
    spec = BoundarySpec(**options)
    return pooled_boundary_from(
        self, rows, spec, max_rows=max_rows, confidence=confidence, progress=progress, callback=callback
    )


def pooled_boundary_from(
    self: StudyBase,
    rows: Any,
    spec: BoundarySpec,
    *,
    max_rows: int | None = None,
    confidence: float = 0.95,
    progress: bool = True,
    callback: Callback | None = None,
) -> PooledBoundary:
    """Pool by a record of the options, such as that of another pooled boundary's `.boundaries`.

    Parameters
    ----------
    rows, max_rows, confidence
        As in `pooled_boundary`.
    spec : BoundarySpec
    progress, callback
        As in `boundary`.

    Returns
    -------
    PooledBoundary

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `pooled_boundary`.
    """
    check_share(confidence, "confidence", open_low=True, open_high=True)
    if max_rows is not None and max_rows < 1:
        raise InputError(f"max_rows must be at least 1; got {max_rows}. Leave it out to pool all.")
    seed = seed_of(spec.random_state)
    given = np.empty(0, dtype=np.int64)

    def choose() -> ChosenRows:
        nonlocal given
        chosen = choose_rows(self, rows)
        given = chosen.position
        return chosen if max_rows is None or chosen.n <= max_rows else chosen.take(drawn_rows(chosen.n, max_rows, seed))

    found = find_boundaries(
        self,
        choose,
        replace(spec, random_state=seed),
        paths=False,
        certify=False,
        progress=progress,
        callback=callback,
    )
    return PooledBoundary._of(found, self.sample_weight, confidence, given)


def drawn_rows(n: int, n_drawn: int, seed: int) -> Ints:
    """Draw some of n places, ascending."""
    return np.sort(np.random.default_rng([seed, n]).permutation(n)[:n_drawn])
