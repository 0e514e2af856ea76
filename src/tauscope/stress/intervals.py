"""The interval of a metric under a stress, from sums the sketch already has.

With the target held fixed the influence of row i on a metric is λ_i r_i, r_i = g_i - b (Φ_i - t), g the metric's
own influence and b = Cov_λ(g, Φ) / Var_λ(Φ). Its second moment needs sums of λ² only. Three corrections bring
the coverage of plain 95 % intervals back where the weights are uneven: residuals divided by 1 - h_i with
h_i = w_i (1 + (Φ_i - t)² / Var_λ Φ), to first order a sum of λ³; Student's t with (Σw²)² / Σw⁴ degrees of
freedom; and the logit scale for shares, the log scale for spreads.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, stdtrit

from tauscope.stress.metrics import SummedMetric

Array = NDArray[np.float64]

FEWEST = 3.0
"""Effective rows below which the standard error of a value cannot be estimated."""
EDGE = 1e-12
"""Shares this close to 0 or 1 are taken for it."""
STEEPEST = 1e150
"""Slopes whose squares leave the range of floats: those of a ratio with next to no weight below its line."""
DEGREES = (3, 3, 5, 1)
"""Powers of (Φ - t) summed with w, w², w³ and w⁴."""


class PowerSums(NamedTuple):
    """Σ w^power (Φ - t)^k g of shape (..., n_degrees, Q) for powers 1 to 4, and the missing rows' parts at k = 0.

    Attributes
    ----------
    first, second, third, fourth : ndarray
        With 3, 3, 5 and 1 degrees.
    rest : tuple of ndarray of shape (..., Q)
        What rows without a value add to `first`, `second` and `third` at k = 0.
    """

    first: Array
    second: Array
    third: Array
    fourth: Array
    rest: tuple[Array, Array, Array]


def effective_size(sums: PowerSums) -> Array:
    """Return Kish's effective sample size (Σw)² / Σw², rows."""
    return sums.first[..., 0, 0] ** 2 / sums.second[..., 0, 0]


def degrees_of_freedom(sums: PowerSums) -> Array:
    """Return (Σw²)² / Σw⁴, at least 1: those of Student's t."""
    return np.maximum(sums.second[..., 0, 0] ** 2 / sums.fourth[..., 0, 0], 1.0)


class Estimate(NamedTuple):
    """A metric with what its interval is made of, each of shape (...).

    Attributes
    ----------
    value : ndarray
        NaN where the metric is not defined (no weight left on its denominator).
    error : ndarray
        Standard error, in the metric's unit.
    df : ndarray
        Degrees of freedom of Student's t, at least 1.
    ess : ndarray
        Effective sample size, rows.
    """

    value: Array
    error: Array
    df: Array
    ess: Array


def group_alike(metrics: Sequence[SummedMetric]) -> list[list[int]]:
    """Group the positions of metrics that are functions of the same sums and have intervals on one scale."""
    groups: dict[object, list[int]] = {}
    for i, metric in enumerate(metrics):
        groups.setdefault((metric.columns, metric.squares, metric.kind, metric.scale, metric.unit), []).append(i)
    return list(groups.values())


def estimate(metrics: Sequence[SummedMetric], sums: PowerSums) -> Estimate:
    """Return metrics that are alike, their standard errors and the degrees of freedom, along a first axis.

    References
    ----------
    MacKinnon, White, "Some heteroskedasticity-consistent covariance matrix estimators", 1985 (HC3).
    """
    metric = metrics[0]
    columns, squares = list(metric.columns), list(metric.squares)
    linearisations = [linearise(each, sums.first[..., 0, columns]) for each in metrics]
    value, gradient = (
        np.stack([each for each, _, _ in linearisations]),
        np.stack([each for _, each, _ in linearisations]),
    )
    unbounded = np.stack([each for _, _, each in linearisations])
    variance = sums.first[..., 2, 0]
    covariance = _dot(gradient, sums.first[..., 1, columns])
    # without variance left (a target at the column's extreme) nothing can be regressed, and nothing needs to be
    slope = np.where(variance > 0, covariance / np.where(variance > 0, variance, 1.0), 0.0)

    missing = sums.rest[0][..., 0]
    shift = np.zeros_like(slope)
    if np.any(missing > 0):  # rows with a value vary around their own mean, at the share they have
        observed = sums.first[..., 0, columns] - sums.rest[0][..., columns]
        shift = _dot(gradient, observed) / np.maximum(1 - missing, 1e-300)
    centred = gradient - shift[..., None] * metric.one

    def residual(tilted: Array, rest: Array, k: int) -> Array:
        observed_sums = tilted
        if np.any(missing > 0):
            observed_sums = tilted.copy()
            # rows without a value enter at k = 0 alone, not as if they stood at the target
            observed_sums[..., 0, :] -= rest
        inside = (
            _dot(metric.square(centred), observed_sums[..., k, squares])
            - 2 * slope * _dot(centred, observed_sums[..., k + 1, columns])
            + slope**2 * observed_sums[..., k + 2, 0]
        )
        if k:
            return inside
        return inside + _dot(metric.square(gradient), rest[..., squares]) + shift**2 * rest_size(tilted, rest)

    def rest_size(tilted: Array, rest: Array) -> Array:
        return np.zeros_like(shift) if not np.any(shift) else tilted[..., 0, 0] - rest[..., 0]

    second = np.maximum(residual(sums.second, sums.rest[1], 0), 0.0)
    inflation = residual(sums.third, sums.rest[2], 0)
    steep = residual(sums.third, sums.rest[2], 2)
    inflation = inflation + np.where(variance > 0, steep / np.where(variance > 0, variance, 1.0), 0.0)
    # below 1, as where one row holds nearly all weight the residual divided by 1 - h would change its sign
    leverage = np.clip(inflation / np.where(second > 0, second, 1.0), 0.0, 0.9)
    error = np.where(unbounded, np.inf, np.sqrt(second) / (1 - leverage) * metric.unit)
    return Estimate(value, error, degrees_of_freedom(sums), effective_size(sums))


def linearise(metric: SummedMetric, sums: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return a metric, its gradient, and where next to no weight is left on a ratio's denominator.

    There its error is infinite, for any share could be it. The gradient is 0 there, its square being no float, and
    where the metric is not defined.
    """
    value, gradient = metric.evaluate(sums)
    unbounded = np.abs(gradient).max(axis=-1) > STEEPEST
    return value, np.where((np.isnan(value) | unbounded)[..., None], 0.0, gradient), unbounded


def student_interval(metric: SummedMetric, result: Estimate, confidence: float) -> tuple[Array, Array]:
    """Return the two ends of the analytic interval.

    Parameters
    ----------
    metric : SummedMetric
    result : Estimate
    confidence : float
        Nominal coverage in (0, 1).
    """
    t_value = t_quantile(result.df, confidence)
    return interval(metric, result, -t_value, t_value, confidence)


def t_quantile(df: Array, confidence: float) -> Array:
    """Return how many standard errors Student's t leaves on either side."""
    return np.asarray(stdtrit(df, 0.5 + confidence / 2), np.float64)


def interval(metric: SummedMetric, result: Estimate, low: Array, high: Array, confidence: float) -> tuple[Array, Array]:
    """Return the ends at which (estimate - truth) / error, on the metric's scale, is `high` and `low`.

    At a share of 0 or 1, where the error vanishes, they are the exact binomial ones for the effective size. A value
    of fewer than three effective rows has no interval: the ends are NaN.
    """
    centre, error = on_scale(metric, result.value, result.error)
    lower, upper = _from_scale(metric, centre - high * error), _from_scale(metric, centre - low * error)
    if metric.scale == "logit":
        share = result.value
        limit = -np.expm1(np.log(0.5 - confidence / 2) / np.maximum(result.ess, 1.0))
        lower = np.where(share <= EDGE, 0.0, np.where(share >= 1 - EDGE, 1 - limit, lower))
        upper = np.where(share <= EDGE, limit, np.where(share >= 1 - EDGE, 1.0, upper))
    undefined = np.isnan(result.value)
    if metric.kind == "value":
        undefined |= result.ess < FEWEST
    return np.where(undefined, np.nan, lower), np.where(undefined, np.nan, upper)


def on_scale(metric: SummedMetric, value: Array, error: Array) -> tuple[Array, Array]:
    """Return a metric and its standard error on the scale where its interval is symmetric."""
    if metric.scale == "logit":
        share = np.clip(value, EDGE, 1 - EDGE)
        return np.log(share / (1 - share)), error / (share * (1 - share))
    if metric.scale == "log":
        positive = np.maximum(value, np.finfo(float).tiny)
        return np.log(positive), np.where(value > 0, error / positive, 0.0)
    return value, error


def _from_scale(metric: SummedMetric, value: Array) -> Array:
    if metric.scale == "logit":
        return expit(value)
    return np.exp(np.minimum(value, 700.0)) if metric.scale == "log" else value


def _dot(a: Array, b: Array) -> Array:
    return np.einsum("...q,...q->...", a, b)
