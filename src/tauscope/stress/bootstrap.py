"""Studentised bootstrap intervals of stress curves: slower than the analytic ones, more accurate where curves bend."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tauscope.prediction.batches import Over
from tauscope.stress.curves import Curves, stress_curves
from tauscope.stress.intervals import EDGE, on_scale, studentised_interval
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.outcomes import Outcomes

Array = NDArray[np.float64]

N_REPLICATES = 300


def bootstrap_t(
    columns: Sequence[Array],
    outcomes: Outcomes,
    curves: Curves,
    *,
    quantile: float | None = None,
    n_replicates: int = N_REPLICATES,
    confidence: float = 0.95,
    sample_weight: Array | None = None,
    random_state: int = 0,
    over: Over = map,
) -> Curves:
    """Replace the intervals of curves by studentised bootstrap ones.

    Rows are drawn with replacement; each replicate is reweighted to its own targets at the same τ, or to the same
    targets where these are given in units, and studentised by its own analytic error, on the scale where the metric's
    interval is symmetric.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_rows,)
        The columns that `curves` were computed of.
    outcomes : Outcomes
    curves : Curves
        Of metrics that follow from sums.
    quantile : float or None
        That of the curves along τ, in (0, 0.5); None for targets given in units.
    n_replicates : int
    confidence : float
        Nominal coverage in (0, 1).
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative; drawn with its row.
    random_state : int
    over : callable
        Applies a function to the replicates as `map` does; it can show them, stop, and work on several cores.

    Returns
    -------
    Curves
        The same values with other intervals. Where fewer than half of the replicates can meet a target, or all
        agree, no bootstrap interval can be computed and the analytic one is kept.

    References
    ----------
    Efron, Tibshirani, "An Introduction to the Bootstrap", 1993, §12.5.
    """
    rng = np.random.default_rng(random_state)
    names = [metric.name for metric in curves.metrics]
    drawn: Iterator[NDArray[np.integer]] = (
        rng.integers(0, outcomes.n_rows, outcomes.n_rows) for _ in range(n_replicates)
    )
    studentise = partial(_studentise, columns, outcomes, curves, names, quantile, sample_weight)
    replicates: list[Array] = list(over(studentise, drawn))
    statistics = np.sort(np.stack(replicates or [np.full(curves.value.shape, np.nan)]), 0)
    n_finite = np.isfinite(statistics).sum(0)
    low = _quantile(statistics, n_finite, 0.5 - confidence / 2)
    high = _quantile(statistics, n_finite, 0.5 + confidence / 2)
    lower, upper = curves.lower.copy(), curves.upper.copy()
    usable = (n_finite >= max(n_replicates / 2, 20)) & (high > low)
    for i, metric in enumerate(curves.metrics):
        assert isinstance(metric, SummedMetric)
        value, error = curves.value[:, i], curves.error[:, i]
        ends = studentised_interval(metric, value, error, curves.ess, low[:, i], high[:, i])
        # a rate of 0 or 1 has no error to divide by
        inside = usable[:, i] & ~(metric.is_rate & ((value <= EDGE) | (value >= 1 - EDGE)))
        lower[:, i] = np.where(inside, ends[0], lower[:, i])
        upper[:, i] = np.where(inside, ends[1], upper[:, i])
    return replace(curves, lower=lower, upper=upper)


def _studentise(
    columns: Sequence[Array],
    outcomes: Outcomes,
    curves: Curves,
    names: Sequence[str],
    quantile: float | None,
    sample_weight: Array | None,
    rows: NDArray[np.integer],
) -> Array:
    """Return (replicate - estimate) / replicate's error, NaN where a replicate cannot meet its target."""
    out = np.full(curves.value.shape, np.nan)
    weight = None if sample_weight is None else sample_weight[rows]
    varied = [j for j, column in enumerate(columns) if _varies(column[rows], weight)]
    if not varied:
        return out
    replicate = stress_curves(
        (columns[j][rows] for j in varied),
        outcomes.take(rows),
        taus=curves.taus,
        targets=curves.target[varied] if quantile is None else None,
        quantile=quantile or 0.05,
        metrics=names,
        sample_weight=weight,
    )
    for i, metric in enumerate(replicate.metrics):
        assert isinstance(metric, SummedMetric)
        centre, error = on_scale(metric, replicate.value[:, i], replicate.error[:, i])
        origin, _ = on_scale(metric, curves.value[varied, i], curves.error[varied, i])
        # a replicate whose rows all agree has no error but rounding: divided by it, it would be an outlier
        usable = error > 1e-12 * np.maximum(1.0, np.abs(centre))
        out[varied, i] = np.where(usable, (centre - origin) / np.where(usable, error, 1.0), np.nan)
    return out


def _varies(values: Array, weight: Array | None) -> bool:
    observed = ~np.isnan(values) if weight is None else ~np.isnan(values) & (weight > 0)
    present = values[observed]
    return bool(len(present) and present.min() < present.max())


def _quantile(ascending: Array, n_finite: NDArray[np.integer], level: float) -> Array:
    """Return a quantile over the first axis of sorted values whose NaN stand last."""
    rank = np.maximum((n_finite + 1) * level - 1, 0)
    below = np.minimum(rank.astype(np.intp), np.maximum(n_finite - 1, 0))
    above = np.minimum(below + 1, np.maximum(n_finite - 1, 0))
    share = rank - below
    first = np.take_along_axis(ascending, below[None], 0)[0]
    second = np.take_along_axis(ascending, above[None], 0)[0]
    return first + np.clip(share, 0, 1) * (second - first)
