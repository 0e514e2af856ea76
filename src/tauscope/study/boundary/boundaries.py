"""The verb `boundaries`: the smallest changes that flip the decisions of many rows, in one batched run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from tauscope.errors import InputError
from tauscope.model.jobs import check_n_jobs
from tauscope.model.progress_bar import Callback
from tauscope.results.boundary.boundaries import Boundaries
from tauscope.results.boundary.spec import BoundaryOptions, BoundarySpec
from tauscope.study.boundary.search import search
from tauscope.study.rows import ChosenRows, choose_rows

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def boundaries(
    self: StudyBase,
    rows: Any = None,
    *,
    paths: bool = True,
    certify: bool = False,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    **options: Unpack[BoundaryOptions],
) -> Boundaries:
    """Find the smallest changes that flip the model's decisions for many rows, in one batched run.

    Parameters
    ----------
    rows : positions, mask, frame of new rows, or None
        By default all of the study's rows.
    paths : bool, default True
        Whether the model is asked along each direction; without, `path` is empty and each row costs about a hundred
        model rows less.
    certify : bool, default False
        Whether each distance is bounded from below too, as that of one row is: at once for a linear model, a fraction
        of a second for each row of a forest.
    n_jobs : int, optional
        Workers, processes of their own, for blocks of 128 rows, for each row of a sparse matrix, and for the proofs of
        trees. -1 means all cores; None means 1 unless in a `joblib.parallel_config` context. The same numbers come of
        any. With `max_model_rows` the search takes one core.
    progress, callback
        As in `boundary`.
    **options
        As in `boundary`; `n`, `n_regions` and `keep_sample` are for one row. `max_model_rows` is for all rows together.

    Returns
    -------
    Boundaries
        `.frame`, `.directions`, `.points`, `.chart()`, and each `Boundary` by its place.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `boundary`, and for no rows or an option that is none.

    Notes
    -----
    Rows of a sparse matrix are searched each by itself, in its own few columns; `.directions` and `.points`
    are then frames of sparse columns, over the features that any of the rows is about.

    Examples
    --------
    >>> study.boundaries(study.errors[:2]).frame.shape
    (2, 17)
    """
    check_one_row_options(options)
    check_n_jobs(n_jobs)
    choose = partial(choose_rows, self, rows)
    spec = BoundarySpec(**options)
    return find_boundaries(
        self, choose, spec, paths=paths, certify=certify, progress=progress, callback=callback, n_jobs=n_jobs
    )


def find_boundaries(
    study: StudyBase,
    choose: Callable[[], ChosenRows],
    spec: BoundarySpec,
    *,
    paths: bool,
    certify: bool,
    progress: bool,
    callback: Callback | None,
    n_jobs: int | None = None,
) -> Boundaries:
    """Search from some rows by a record of the options; `choose` reads them once these were looked at."""
    found = search(
        study, choose, spec, progress=progress, callback=callback, paths=paths, certify=certify, n_jobs=n_jobs
    )
    return Boundaries(found.spec, found.numbers, study._model_name, found.notes, source=study._as_source())


def check_one_row_options(options: BoundaryOptions) -> None:
    """Refuse what only the boundary of one row has."""
    for name, usual in (("n", 1), ("n_regions", 1), ("keep_sample", False)):
        if options.get(name, usual) != usual:
            raise InputError(f"{name} is for one row; got {name}={options.get(name)!r}. Use boundary for each.")
