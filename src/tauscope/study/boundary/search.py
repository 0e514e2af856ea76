"""One run: a study's rows, model and options given to the engine, and what comes back as a record of numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tauscope.boundary.rivals import Pool
from tauscope.data.sparse import are_sparse
from tauscope.model.jobs import one_blas_thread, run_units
from tauscope.model.progress_bar import Bar, Callback
from tauscope.prediction.batches import BatchOptions, Over
from tauscope.study.boundary.certify import ProvedDistances, n_proof_rows, proved_distances
from tauscope.study.boundary.decision import StudyDecision, study_decision
from tauscope.study.boundary.fractions import rows_between
from tauscope.study.boundary.limits import study_limits
from tauscope.study.boundary.options import check_options, settled_spec, target_code
from tauscope.study.boundary.run import Search, SearchRun
from tauscope.study.boundary.space import study_space
from tauscope.study.boundary.sparse_search import SparseSearch
from tauscope.study.rows import ChosenRows
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    from tauscope.results.boundary.spec import BoundarySpec
    from tauscope.study.base import StudyBase

__all__ = ["Search", "search"]


def search(
    study: StudyBase,
    choose: Callable[[], ChosenRows],
    spec: BoundarySpec,
    *,
    progress: bool,
    callback: Callback | None,
    paths: bool = True,
    certify: bool = True,
    n_jobs: int | None = None,
) -> Search:
    """Search the boundary from some rows.

    Parameters
    ----------
    study : Study
    choose : callable
        Reads the rows, after the model and the options were looked at.
    spec : BoundarySpec
    progress, callback
        As in `Study.boundary`.
    paths : bool, default True
        Whether the model is asked along the directions.
    certify : bool, default True
        Whether distances are bounded from below.
    n_jobs : int or None, default None
        As in `Study.boundaries`.

    Returns
    -------
    Search

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.boundary`.
    """
    model = study._require_model("has boundaries")
    check_options(spec)
    decision = study_decision(study, spec.threshold)
    with Bar(f"Asking {study._model_name}", shown=progress, callback=callback) as bar, one_blas_thread():
        batches = BatchOptions(model.batch_rows, bar.update)
        over = partial(run_units, n_jobs=n_jobs)
        if are_sparse(study._columns):
            return SparseSearch(study, study._columns, spec, decision, batches, over)(choose, paths, certify)
        return _search_dense(study, choose, spec, decision, batches, paths, certify, over)


def _search_dense(
    study: StudyBase,
    choose: Callable[[], ChosenRows],
    spec: BoundarySpec,
    decision: StudyDecision,
    batches: BatchOptions,
    paths: bool,
    certify: bool,
    over: Over,
) -> Search:
    measured = study_space(study, spec)
    spec = settled_spec(study, spec, measured.space.metric, measured.one_hot)
    target = target_code(study, spec)
    rows, whole = rows_between(study, measured.columns)
    run = SearchRun(study, spec, measured, decision, batches, rows, over)
    chosen = choose()
    starts = run.starts(chosen, target)
    limits = study_limits(study, spec, measured, starts.points)
    run.measured = measured = run.measured_between(starts, limits, whole, measured.points)

    def prove(decision: StudyDecision, distance: Floats) -> ProvedDistances:
        return proved_distances(study, spec, measured, decision, starts, limits, distance, over)

    pool = Pool(measured.points, decision.labels)
    n_reserved = run.n_model_rows + (n_proof_rows(study, starts.n) if certify else 0)
    if spec.max_model_rows is not None and n_reserved >= spec.max_model_rows:
        certify, n_reserved = False, run.n_model_rows  # a proof alone would pass the budget
    return run(chosen, starts, limits, pool, prove if certify else None, paths, n_reserved=n_reserved)
