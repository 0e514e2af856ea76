"""What a stress changes in a metric: the value under it less the one as tested, with the interval of the difference.

Both are of the same rows, so that row i moves the difference by w_i r_i - v_i g_i + ⟨b, ψ_i⟩: its influence under the
stress, as in `tauscope.stress.joint.estimates`, less the one as tested, and what it adds to targets that are estimated.
The last is summed apart, as it is there: for residuals, which calibration is about, its product with g_i has mean 0
where the model is calibrated given the features moved, and it is of second order elsewhere.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.intervals import FEWEST
from tauscope.stress.joint.estimates import regress_metrics, row_residuals
from tauscope.stress.joint.products import of_rows
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.quantiles import t_quantile

Array = NDArray[np.float64]


class Change(NamedTuple):
    """A metric under a stress less the same as tested.

    Attributes
    ----------
    value, lower, upper : float
        NaN where either is not defined, and the ends where fewer than three effective rows are left.
    """

    value: float
    lower: float
    upper: float


def metric_changes(
    quantities: Quantities,
    metrics: Sequence[SummedMetric],
    moments: Moments,
    weights: Array,
    base: Array,
    confidence: float,
    within: NDArray[np.bool_] | None = None,
) -> list[Change]:
    """Estimate what a stress changes in every metric.

    Parameters
    ----------
    quantities : Quantities
    metrics : sequence of SummedMetric
        On a scale of their own: values, not rates.
    moments : Moments
        The stress in numbers.
    weights, base : ndarray of shape (n_rows,)
        Under the stress and without.
    confidence : float
        Of the intervals, Student's t, in (0, 1).
    within : ndarray of bool of shape (n_rows,) or None
        Rows that the metrics are of, some of weight above 0 both times.
    """
    nothing = Moments.none(len(base))
    moved, tested = (
        regress_metrics(
            quantities,
            metrics,
            of.phi,
            of.target,
            under,
            unstressed=of.unstressed,
            within=within,
            penalty=of.penalty,
        )
        for of, under in ((moments, weights), (nothing, base))
    )
    share, regression = moved.share, moved.regression
    residuals = row_residuals(moved.quantities, moments.phi, moments.target, regression, within)
    own = row_residuals(tested.quantities, nothing.phi, nothing.target, tested.regression, within)
    distance = np.subtract(moments.phi, moments.target, order="C")
    inside = share if within is None else np.where(within, share, 0.0)
    lever = inside + share * np.sum(of_rows(distance, regression.whiten) ** 2, axis=1)
    squared = (share[:, None] * residuals) ** 2
    plain = squared.sum(axis=0)
    leverage = np.clip((lever @ squared) / np.where(plain > 0, plain, 1.0), 0.0, 0.9)
    differences = share[:, None] * residuals - tested.share[:, None] * own
    of_targets = moments.target_covariance * float(share.sum()) ** 2
    variance = np.sum(differences**2, axis=0) / (1 - leverage) ** 2
    variance = variance + np.einsum("jm,jk,km->m", regression.slopes, of_targets, regression.slopes)
    ess = 1 / float(np.sum(inside**2))
    df = max(float(np.sum(inside**2) ** 2 / np.sum(inside**4)), 1.0)
    half = float(t_quantile(np.array(df), confidence)) * np.sqrt(variance)
    changes: list[Change] = []
    for j, metric in enumerate(metrics):
        value = float(regression.values[j] - tested.regression.values[j])
        wide = float(half[j]) * metric.unit if np.isfinite(value) and ess >= FEWEST else np.nan
        changes.append(Change(value, value - wide, value + wide))
    return changes
