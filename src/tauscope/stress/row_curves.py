"""Curves of metrics that take all rows at once: a tilt and one pass for each column and τ, with the interval."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tauscope.prediction.batches import Over
from tauscope.stress.column.target import tau_range
from tauscope.stress.curves import NOTHING, OF_METRICS, Curves
from tauscope.stress.intervals import analytic_interval
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.reliability import judge
from tauscope.stress.weighted_metrics import support_of_tau, tilted_weights
from tauscope.weights.measures import divergence_ratio

Array = NDArray[np.float64]


def row_curves(
    columns: Iterable[Array],
    curves: Curves,
    quantities: Quantities,
    metrics: tuple[SummedMetric, ...],
    *,
    quantile: float,
    sample_weight: Array | None = None,
    confidence: float = 0.95,
    over: Over = map,
) -> Curves:
    """Add metrics that take all rows at once to curves that are there already, under the same weights.

    Parameters
    ----------
    columns : iterable of ndarray of shape (n_rows,)
        The columns that `curves` were computed of, in the same order.
    curves : Curves
        Along τ.
    quantities : Quantities
        What the metrics read, by name.
    metrics : tuple of SummedMetric
        Of the form "by_rows".
    quantile : float
        Probability in (0, 0.5) that τ = ±1 stands for.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative.
    confidence : float
        Nominal coverage in (0, 1).
    over : callable
        Applies a function to the columns as `map` does; it can show them, stop, and work on several cores.

    Returns
    -------
    Curves
        With these after the metrics that were there. Rows without a value count as they are under every τ, and their
        share of the weight as drawn with them.
    """
    ranked = replace(quantities, cell=np.zeros(len(quantities.cell), np.uint8), n_cells=1, powers=())
    along = partial(_curves_of_column, curves.taus, ranked, metrics, quantile, sample_weight, confidence)
    tilts = zip(curves.target, curves.multiplier, curves.pareto_k, curves.kl, curves.tv, strict=True)
    by_column = list(over(along, ((column, *tilt) for column, tilt in zip(columns, tilts, strict=True))))
    found = {name: np.stack([result[i] for result in by_column]) for i, name in enumerate(OF_METRICS)}
    both = {
        name: np.concatenate([(old := getattr(curves, name)), part.astype(old.dtype)], 1)
        for name, part in found.items()
    }
    return replace(curves, metrics=curves.metrics + metrics, **both)


def _curves_of_column(
    taus: Array,
    quantities: Quantities,
    metrics: tuple[SummedMetric, ...],
    quantile: float,
    sample_weight: Array | None,
    confidence: float,
    unit: tuple[Array, Array, Array, Array, Array, Array],
) -> Array:
    """Return the fields `OF_METRICS` of one column, shape (6, I, T); a unit is its values, targets, ξ, k̂, KL and TV."""
    column, targets, multipliers, pareto_k, kl, tv = unit
    found = np.empty((len(OF_METRICS), len(metrics), len(taus)))
    found[:] = np.array([NOTHING.get(name, np.nan) for name in OF_METRICS])[:, None, None]
    v = np.ones(len(column)) if sample_weight is None else sample_weight
    observed = ~np.isnan(column) & (v > 0)
    around = tau_range(column[observed], quantile, None if sample_weight is None else v[observed])
    errors = around.target_error(taus)
    ratio = divergence_ratio(kl, tv, v[observed].sum() / v.sum())
    for t, tau in enumerate(taus.tolist()):
        target = float(targets[t])
        weights = tilted_weights(column, target, float(multipliers[t]), v)
        if weights is None:
            continue
        seen = float(weights[observed].sum() / weights.sum())
        distance = np.where(observed, column - target, 0.0)[:, None]
        estimates = joint_estimates(
            quantities,
            metrics,
            distance,
            np.zeros(1),
            weights,
            np.array([[(seen * errors[t]) ** 2]]),
            unstressed=tau == 0,
        )
        support = support_of_tau(column[observed], target, tau, around, float(pareto_k[t]), ratio[t])
        n_rows = int(np.count_nonzero(v))
        for i, (metric, estimate) in enumerate(zip(metrics, estimates, strict=True)):
            ends = analytic_interval(metric, estimate, confidence, n_rows)
            found[:, i, t] = (estimate.value, estimate.error, *ends, *judge(metric, estimate, support))
    return found
