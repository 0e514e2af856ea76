"""Joint stresses of rows in parts: `Study.reweight` for chunks and for Dask DataFrames."""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.chunked.chunks import check_chunks
from tauscope.chunked.options import Fitted, asking
from tauscope.chunked.passes import PartitionPasses, Passes, chunk_passes, on_parts, read_schema
from tauscope.chunked.stress.sketch_plan import TaskOptions, no_outcomes
from tauscope.model.model import ResponseMethod
from tauscope.results.stress.chunked_reweight import SummedReweighting
from tauscope.results.stress.reweighted import by_constraint, metric_table
from tauscope.stress.chunked.moments import resolve_chunked
from tauscope.stress.chunked.projection import estimate_chunked, measure_chunked, project_chunked
from tauscope.stress.joint.constraints import Constraint, Stress, as_stress
from tauscope.stress.metrics import choose
from tauscope.stress.metrics import quantities as quantities_of
from tauscope.study.stress.curves import check_fraction

if TYPE_CHECKING:
    from tauscope.study.study import TaskChoice


def reweight_chunks(
    model: Fitted,
    chunks: Callable[[], Iterable[Any]] | Iterable[Any],
    stress: Constraint | Stress,
    *,
    target: str | None = None,
    prediction: str | None = None,
    score: str | None = None,
    sample_weight: str | None = None,
    quantile: float = 0.05,
    confidence: float = 0.95,
    response_method: ResponseMethod = "auto",
    pos_label: Hashable = None,
    categorical_features: Any = "infer",
    task: TaskChoice = "auto",
    classes: Sequence[Hashable] | None = None,
    batch_rows: int | None = None,
    progress: bool = True,
) -> SummedReweighting:
    """Find the reweighting under which a stress holds, for rows that come in chunks.

    Parameters
    ----------
    model, chunks, target, prediction, score, sample_weight, response_method, pos_label, categorical_features, task, \
classes, batch_rows, progress
        As in `StressSketch.from_chunks`.
    stress : Constraint or Stress
        As in `Study.reweight`; what a `Moment` takes is a function.
    quantile : float
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float
        Level of the intervals of the metrics, in (0, 1).

    Returns
    -------
    SummedReweighting
        The numbers of `Study.reweight` to 1e-9, without the weights.

    Raises
    ------
    InfeasibleTarget
        When no weights meet the targets.
    DependentConstraints
        When one constraint follows from, or contradicts, the others.
    InputError, InputTypeError
        For a target at the edge of what the rows allow, which needs them in memory; and as in
        `StressSketch.from_chunks`.

    Notes
    -----
    Newton's method on the dual, its gradient and Hessian summed over the chunks: a pass for each of its three to
    ten steps, besides some five for ranges, targets and metrics. The model is asked at the last two alone, unless a
    constraint is about its answers; where asking is dear, put them into the rows (`prediction`, `score`).
    """
    check_chunks(chunks)
    reader, asked = asking(
        model,
        target,
        prediction,
        score,
        sample_weight,
        response_method,
        pos_label,
        categorical_features,
        task,
        classes,
        batch_rows,
    )
    with chunk_passes(chunks, reader, shown=progress) as passes:
        return _reweight(passes, asked, stress, quantile, confidence)


def reweight_partitions(
    model: Fitted,
    frame: Any,
    stress: Constraint | Stress,
    *,
    target: str | None = None,
    prediction: str | None = None,
    score: str | None = None,
    sample_weight: str | None = None,
    quantile: float = 0.05,
    confidence: float = 0.95,
    response_method: ResponseMethod = "auto",
    pos_label: Hashable = None,
    categorical_features: Any = "infer",
    task: TaskChoice = "auto",
    classes: Sequence[Hashable] | None = None,
    batch_rows: int | None = None,
) -> SummedReweighting:
    """Find the reweighting under which a stress holds, for the rows of a Dask DataFrame.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        Divisions need not be known. Computed once for every pass: `frame.persist()` first where that is dear.
    model, stress, target, prediction, score, sample_weight, quantile, confidence, response_method, pos_label, \
categorical_features, task, classes, batch_rows
        As in `reweight_chunks`.

    Returns
    -------
    SummedReweighting

    Raises
    ------
    FailedPartition
        Where a partition cannot be computed or the model fails on it: names the partition. Nothing is returned.
    InfeasibleTarget, DependentConstraints, InputError, InputTypeError
        As in `reweight_chunks`.
    """
    reader, asked = asking(
        model,
        target,
        prediction,
        score,
        sample_weight,
        response_method,
        pos_label,
        categorical_features,
        task,
        classes,
        batch_rows,
    )
    return _reweight(PartitionPasses(frame, reader), asked, stress, quantile, confidence)


def _reweight(
    passes: Passes, asked: TaskOptions, stress: Constraint | Stress, quantile: float, confidence: float
) -> SummedReweighting:
    stress = as_stress(stress)
    check_fraction("quantile", quantile, 0.5)
    check_fraction("confidence", confidence, 1.0)
    known = read_schema(passes, asked)
    total = on_parts(passes, known)
    moments = resolve_chunked(stress, total, float(quantile), known.n_rows)
    found = project_chunked(moments, total)
    weights = measure_chunked(moments, found, total)
    low, high = weights.scores
    nobody = no_outcomes(known.reading, labelled=known.labelled, scored=low <= high)
    metrics = choose(quantities_of(nobody, known.units, low >= 0 and high <= 1)[1], None)
    estimates = estimate_chunked(moments, found, weights, metrics, total)
    before = [float(metric.evaluate(weights.before[list(metric.columns)])[0]) for metric in metrics]
    return SummedReweighting(
        stress=stress,
        n_rows=moments.n_rows,
        terms=moments.terms,
        values=moments.measured(found.achieved),
        multipliers=by_constraint(found.multipliers, moments.names),
        residual=found.residual,
        iterations=found.iterations,
        ess=weights.ess,
        kl=max(float(found.multipliers @ (found.achieved - moments.target)) - found.log_norm, 0.0),
        tv=weights.tv,
        pareto_k=weights.pareto_k,
        largest_weight=float(np.exp(weights.largest[-1])) * moments.n_rows,
        status=found.status,
        message=found.message,
        notes=moments.notes,
        quantile=float(quantile),
        confidence=float(confidence),
        model_name=known.model_name,
        _metrics=metric_table(metrics, before, estimates, confidence),
    )
