"""The two ends of a metric's interval, from its estimate.

The upper end of a rate p with squared error e² is a quantile of the beta distribution that has the mean
p + fc (1 - p) / (1 + c) and the variance (e² + fc² (1 - p)) / ((1 + c)² (1 + 2c)). Here c is 1 over the effective rows
below the line, which is what an unseen event of typical weight would add. The lower end is that of 1 - p. With f = 1
and e² = c p (1 - p) both are the exact ends of Clopper and Pearson; e² is the rate's own error, which is far smaller
where the rate follows the column that is moved. Unequal weights leave a count no steps, so that half an event is
enough, f = ½, as in mid-P intervals; equal weights need it whole, and f = (1 + (effective rows / rows)²) / 2 lies
between. Both e² and c are multiplied by (t_df / t_n)² for the uncertainty of e.

Other metrics have Student's t, on the logit scale where they are mean probabilities and on the log scale where they are
spreads. Only the part of the error that is left where the targets are known has few degrees of freedom: with a share s
of the squared error from the targets, those of the whole are df / (1 - s)².

A ranking without a misordered row has the exact end of a share of the rarer class that no row was seen of: about 3 in
its effective rows.

References
----------
Clopper, Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", 1934.
Fay, Feuer, "Confidence intervals for directly standardized rates: a method based on the gamma distribution", Statistics
in Medicine 16, 1997.
Satterthwaite, "An approximate distribution of estimates of variance components", Biometrics Bulletin 2, 1946.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from tauscope.stress.estimates import Estimate
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.quantiles import beta_quantile, t_quantile

Array = NDArray[np.float64]

FEWEST = 3.0 * (1 - 1e-9)
"""Effective rows below which the standard error of a value cannot be estimated.

Three, with room for rounding: three equal ones are 2.9999999999999996 by some orders of adding up.
"""
EDGE = 1e-12
"""Shares this close to 0 or 1 are taken for it."""
ROWS_PER_DF = 5.0
"""Effective rows of a spread for a degree of freedom. Its kurtosis would need eighth powers and gains .003 at most."""
RANKED_TARGETS = 0.69
"""Added to the variance of a ranking, times the share of it that targets make up: their standard error is 1.3 times."""
SCALED_DF = 0.5
"""On a scale other than the metric's own, standard errors move with the value: half the degrees keep the coverage."""
LEAST_SHARE = 1e-3
"""Share of a squared error below which a part no longer counts."""
LEAST_SIZE = 1e-9
"""Effective rows that stand for none: any share could be it, and the ends are 0 and 1."""


def analytic_interval(metric: SummedMetric, estimate: Estimate, confidence: float, n_rows: int) -> tuple[Array, Array]:
    """Return the two ends of the analytic interval.

    Parameters
    ----------
    metric : SummedMetric
    estimate : Estimate
    confidence : float
        Nominal coverage in (0, 1).
    n_rows : int
        Rows of the sample, each counted once whatever its weight.

    Returns
    -------
    lower, upper : ndarray
        NaN where the metric is not defined, and where a value has fewer than three effective rows. Both the value
        where the constraints determine it.
    """
    if metric.is_rate:
        lower, upper = rate_interval(estimate, confidence, n_rows)
    else:
        t_value = t_quantile(scaled_df(metric, estimate), confidence)
        error = estimate.error
        if metric.is_ranked:  # its error is skewed: with that of smooth metrics 95 % intervals of precision cover .84
            error = error * np.sqrt(1 + RANKED_TARGETS * np.asarray(estimate.of_targets))
        lower, upper = studentised_interval(metric, estimate.value, error, estimate.ess, -t_value, t_value)
    if metric.is_ranked:
        # without a misordered row there is no error to estimate: the end of a rate that no row of the rarer class has
        unseen = 1 - (0.5 - confidence / 2) ** (1 / np.maximum(estimate.denominator, LEAST_SIZE))
        lower = np.where(estimate.value >= 1 - EDGE, np.minimum(lower, 1 - unseen), lower)
        upper = np.where(estimate.value <= EDGE, np.maximum(upper, unseen), upper)
    determined = estimate.determined
    return np.where(determined, estimate.value, lower), np.where(determined, estimate.value, upper)


def rate_interval(estimate: Estimate, confidence: float, n_rows: int) -> tuple[Array, Array]:
    """Return the ends of rates; those of Clopper and Pearson where all rows weigh the same."""
    share, tail = np.clip(estimate.value, 0.0, 1.0), 0.5 - confidence / 2
    none, every = share <= EDGE, share >= 1 - EDGE
    t_value = t_quantile(whole_df(estimate), confidence)
    grown = np.maximum(t_value / t_quantile(np.float64(n_rows), confidence), 1.0) ** 2
    squared = np.where(none | every, 0.0, estimate.error**2) * grown
    event = grown / np.maximum(estimate.denominator, LEAST_SIZE)
    unseen = np.where(none | every, 1.0, (1 + np.minimum(estimate.ess / n_rows, 1.0) ** 2) / 2)
    lower, upper = np.zeros(share.shape), np.ones(share.shape)
    undefined = np.isnan(estimate.value)
    below, above = ~(none | undefined), ~(every | undefined)
    others, events = _beta_above(1 - share[below], squared[below], event[below], unseen[below])
    lower[below] = beta_quantile(events, others, tail)
    upper[above] = beta_quantile(*_beta_above(share[above], squared[above], event[above], unseen[above]), 1 - tail)
    lower[undefined], upper[undefined] = np.nan, np.nan
    return lower, upper


def _beta_above(share: Array, squared: Array, event: Array, unseen: Array) -> tuple[Array, Array]:
    """Return the parameters of the beta distribution that has the upper end of a share below 1 as a quantile."""
    rest = unseen * event * (1 - share)
    mean = np.minimum(share + rest / (1 + event), 1 - EDGE)
    variance = (squared + event * rest) / ((1 + event) ** 2 * (1 + 2 * event))
    size = np.maximum(mean * (1 - mean) / variance - 1, LEAST_SIZE)
    return mean * size, (1 - mean) * size


def interval_for_differences(
    metric: SummedMetric, estimate: Estimate, confidence: float, n_rows: int
) -> tuple[Array, Array]:
    """Return the ends that the interval of a difference is made of: those of `analytic_interval`, of rates Wilson's.

    Clopper and Pearson's ends cover at least as often as said, and two of them together more often still: .98 where
    Newcombe's difference of two of Wilson's covers .95.

    References
    ----------
    Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17, 1998.
    """
    if not metric.is_rate:
        # what two sides owe to their common targets cancels: the degrees are those of the rest
        return analytic_interval(metric, estimate._replace(of_targets=0.0), confidence, n_rows)
    share, variance = np.clip(estimate.value, 0.0, 1.0), estimate.error**2
    vague = (share <= EDGE) | (share >= 1 - EDGE) | ~(variance > 0)
    size = np.where(vague, estimate.denominator, share * (1 - share) / np.where(vague, 1.0, variance))
    squared = t_quantile(estimate.df, confidence) ** 2 / np.maximum(size, LEAST_SIZE)
    middle, half = share + squared / 2, np.sqrt(squared * (share * (1 - share) + squared / 4))
    lower, upper = (middle - half) / (1 + squared), (middle + half) / (1 + squared)
    fixed = estimate.determined
    return (
        np.where(fixed, estimate.value, np.minimum(lower, estimate.value)),
        np.where(fixed, estimate.value, np.maximum(upper, estimate.value)),
    )


def scaled_df(metric: SummedMetric, estimate: Estimate) -> Array:
    """Return the degrees of freedom of Student's t on the metric's scale, at least 1."""
    # the error of a ranking is skewed, and with the degrees of the whole its intervals are too short
    df = estimate.df if metric.is_ranked else whole_df(estimate)
    df = np.minimum(df, estimate.events / ROWS_PER_DF) if metric.is_spread else df
    df = np.minimum(df, estimate.denominator) if metric.form in ("mean_ratio", "ranked", "by_rows") else df
    return np.maximum(df if metric.scale == "plain" else df * SCALED_DF, 1.0)


def whole_df(estimate: Estimate) -> Array:
    """Return the degrees of freedom of the whole error, from those of the part that targets leave."""
    return estimate.df / np.maximum(1 - np.asarray(estimate.of_targets), LEAST_SHARE) ** 2


def studentised_interval(
    metric: SummedMetric, value: Array, error: Array, ess: Array, low: Array, high: Array
) -> tuple[Array, Array]:
    """Return the ends at which (estimate - truth) / error, on the metric's scale, is `high` and `low`.

    A value of fewer than three effective rows has no interval: the ends are NaN.
    """
    centre, error = on_scale(metric, value, error)
    lower, upper = _from_scale(metric, centre - high * error), _from_scale(metric, centre - low * error)
    undefined = np.isnan(value)
    if metric.is_mean:
        undefined = undefined | (ess < FEWEST)
    return np.where(undefined, np.nan, lower), np.where(undefined, np.nan, upper)


def on_scale(metric: SummedMetric, value: Array, error: Array) -> tuple[Array, Array]:
    """Return a metric and its standard error on the scale where its interval is symmetric."""
    if metric.scale == "logit":
        share = np.clip(value, EDGE, 1 - EDGE)
        return np.log(share / (1 - share)), error / (share * (1 - share))
    if metric.scale == "log":
        positive = np.maximum(value, np.finfo(float).smallest_subnormal)
        return np.log(positive), np.divide(error, positive, out=np.zeros_like(positive), where=value > 0)
    if metric.scale == "complement":
        rest = np.maximum(1 - value, np.finfo(float).tiny)
        return -np.log(rest), np.divide(error, rest, out=np.zeros_like(rest), where=value < 1)
    return value, error


def _from_scale(metric: SummedMetric, value: Array) -> Array:
    if metric.scale == "logit":
        return expit(value)
    if metric.scale == "complement":
        return 1 - np.exp(-np.maximum(value, -700.0))
    return np.exp(np.minimum(value, 700.0)) if metric.scale == "log" else value
