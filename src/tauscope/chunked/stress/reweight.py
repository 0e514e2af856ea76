"""The verb `reweight` of chunks: a joint stress from passes over the rows, the result of the same class."""

import numpy as np

from tauscope.chunked.outputs import no_outcomes
from tauscope.chunked.passes import Passes
from tauscope.chunked.schema import Schema, over_chunks
from tauscope.results.base import Source
from tauscope.results.stress.joint_answer import metric_estimates, support_of
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.reweight_tables import by_constraint, metric_table
from tauscope.stress.chunked.moments import resolve_chunked
from tauscope.stress.chunked.projection import estimate_chunked, measure_chunked, project_chunked
from tauscope.stress.joint.constraints import Stress
from tauscope.stress.metric_definitions import definitions
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.tails import spreads_of


def reweight_chunks(
    passes: Passes, schema: Schema, stress: Stress, quantile: float, confidence: float, source: Source
) -> Reweighting:
    """Find the reweighting under which a stress holds; see `tauscope.ChunkedStudy.reweight`."""
    total = over_chunks(passes, schema)
    moments = resolve_chunked(stress, total, quantile, schema.n_rows)
    projection = project_chunked(moments, total)
    weights = measure_chunked(moments, projection, total)
    low, high = weights.scores
    no_rows = no_outcomes(schema.outputs, labelled=schema.labelled, scored=low <= high)
    probable = low >= 0 and high <= 1
    quantities = define_quantities(no_rows, schema.units, probable)[0]
    tails = weights.tails(spreads_of(definitions(no_rows)), quantities, schema.units)
    metrics = choose(define_quantities(no_rows, schema.units, probable, tails)[1], None)
    estimates = estimate_chunked(moments, projection, weights, metrics, total)
    support = support_of(moments.n_beyond, moments.in_doubt, weights.pareto_k)
    stressed = metric_estimates(metrics, estimates, support, confidence, moments.n_counted)
    before = [float(metric.evaluate(weights.before[list(metric.columns)])[0]) for metric in metrics]
    gain = float(projection.multipliers @ (projection.achieved - moments.target)) - projection.log_norm
    return Reweighting(
        stress=stress,
        weights=None,
        before=None,
        half_share=None,
        features=(),
        n_rows=moments.n_rows,
        terms=moments.terms,
        values=moments.to_quantities(projection.achieved),
        multipliers=by_constraint(projection.multipliers, moments.names),
        residual=projection.residual,
        iterations=projection.iterations,
        ess=weights.ess,
        kl=max(gain, 0.0),
        tv=weights.tv,
        pareto_k=weights.pareto_k,
        largest_weight=float(np.exp(weights.largest[-1])) * moments.n_rows,
        status=projection.status,
        message=projection.message,
        tau_notes=moments.notes,
        quantile=quantile,
        confidence=confidence,
        model_name=schema.model_name,
        _metrics=metric_table(metrics, before, stressed),
        source=source,
    )
