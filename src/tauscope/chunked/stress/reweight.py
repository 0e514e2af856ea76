"""The verb `reweight` of chunks: a joint stress from passes over the rows, the result of the same class."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.stress.requests import check_requests
from tauscope.results.stress.joint_answer import metric_estimates, support_of
from tauscope.results.stress.natural_units import in_numbers, with_readings
from tauscope.results.stress.notes import far_words, rounded_words
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.reweight_tables import by_constraint, metric_table
from tauscope.rows.outputs import no_outcomes
from tauscope.rows.passes import Passes
from tauscope.rows.schema import Schema, over_chunks
from tauscope.rows.score_steps import read_steps
from tauscope.stress.chunked.chunk import MapReduce
from tauscope.stress.chunked.moments import ChunkedMoments, resolve_chunked
from tauscope.stress.chunked.projection import (
    ChunkedTilt,
    SolvedStress,
    Weighted,
    measure_chunked,
    project_chunked,
    regress_chunked,
)
from tauscope.stress.joint.constraints import Moment, Stress
from tauscope.stress.joint.terms import Reading
from tauscope.stress.metric_definitions import definitions, ranks
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.tails import spreads_of
from tauscope.study.stress.bounds import bound_words

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase

Array = NDArray[np.float64]


def solve_stress(study: ChunkedBase, total: MapReduce, schema: Schema, stress: Stress, quantile: float) -> SolvedStress:
    """Find the weights that meet a stress, whose functions are there; the study keeps the last ones."""
    named = study.functions.name_functions(stress)
    key = quantile, *((one.function, one.targets, one.name) if isinstance(one, Moment) else one for one in named)
    if study.solved is None or study.solved[0] != key:
        moments = resolve_chunked(in_numbers(stress, schema.columns), total, quantile, schema.n_rows)
        readings: dict[str, Reading] = {column.name: column.reading for column in schema.columns}
        terms = with_readings(moments.terms, lambda name: readings.get(name, ""))
        columns = zip(moments.columns, terms, strict=True)
        moments = replace(moments, columns=tuple(replace(column, term=term) for column, term in columns))
        study.solved = key, SolvedStress(moments, project_chunked(moments, total))
    return study.solved[1]


def reweight_chunks(
    study: ChunkedBase,
    passes: Passes,
    stress: Stress,
    quantile: float,
    confidence: float,
    names: list[str] | None = None,
) -> Reweighting:
    """Find the reweighting under which a stress holds; see `tauscope.ChunkedStudy.reweight`."""
    schema = study.schema(passes)
    schema = replace(schema, asked=tuple(names or ()))
    scored = no_outcomes(schema.outputs, labelled=schema.labelled, scored=True)
    check_requests(scored, schema.asked)
    if ranks(scored, schema.asked):
        schema = replace(schema, steps=read_steps(passes, schema.outputs, schema.model_name))
    total = over_chunks(passes, schema)
    moments, projection = solve_stress(study, total, schema, stress, quantile)
    tilt = ChunkedTilt.of(moments, projection)
    weights = measure_chunked(tilt, total, weight=moments.total, n_counted=moments.n_counted, n_rows=moments.n_rows)
    low, high = weights.scores
    no_rows = no_outcomes(schema.outputs, labelled=schema.labelled, scored=low <= high, steps=schema.steps)
    probable = low >= 0 and high <= 1
    quantities = define_quantities(no_rows, schema.units, probable, names=schema.asked)[0]
    tails = weights.tails(spreads_of(definitions(no_rows, schema.asked)), quantities, schema.units)
    metrics = choose(define_quantities(no_rows, schema.units, probable, tails, schema.asked)[1], names)
    weighted = Weighted(tilt, moments.unstressed, moments.target_covariance)
    estimates = regress_chunked(weighted, weights, metrics, total)[1]
    support = support_of(moments.n_beyond, moments.in_doubt, weights.pareto_k)
    stressed = metric_estimates(metrics, estimates, support, confidence, moments.n_counted)
    before = [float(metric.evaluate(weights.before[list(metric.columns)])[0]) for metric in metrics]
    bounds = [bound_words(metric, weights.moments.sums, weights.before) for metric in metrics]
    gain = float(projection.multipliers @ (projection.achieved - moments.target)) - projection.log_norm
    return Reweighting(
        stress=stress,
        weights=None,
        before=None,
        carriers=weights.carriers,
        half_share=None,
        features=(),
        n_rows=moments.n_rows,
        terms=moments.terms,
        values=moments.to_quantities(projection.achieved),
        multipliers=by_constraint(projection.multipliers, moments.names),
        residual=projection.residual,
        iterations=projection.iterations,
        ess=weights.ess,
        degrees_of_freedom=weights.degrees_of_freedom,
        kl=max(gain, 0.0),
        tv=weights.tv,
        pareto_k=weights.pareto_k,
        largest_weight=weights.largest * moments.n_rows,
        status=projection.status,
        message=projection.message,
        tau_notes=(*_far_notes(moments, schema), *moments.notes, *(words for words in bounds if words)),
        quantile=quantile,
        confidence=confidence,
        model_name=schema.model_name,
        _metrics=metric_table(metrics, before, stressed),
        source=study.as_source(),
    )


def _far_notes(moments: ChunkedMoments, schema: Schema) -> tuple[str, ...]:
    """Name values far off in the numeric features of a stress, and such as are too large to be told apart."""
    named = {feature for term in moments.terms for feature in term.subject.split(" and ")}
    return tuple(
        f"{column.name}: {words}"
        for column in schema.columns
        if column.kind == "numeric" and column.name in named
        for words in (*far_words(moments.far.get(column.name, ())), *rounded_words(column.lower, column.upper))
    )
