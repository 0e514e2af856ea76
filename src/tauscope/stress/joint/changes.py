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
from tauscope.stress.joint.estimates import Regression, ResidualSums, regress_metrics, residual_sums, row_residuals
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.quantiles import t_quantile

Array = NDArray[np.float64]
ROUNDING = 1e-13
"""A change, of a share or of log odds, that is none but rounding: where a stress keeps all means as they are."""


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
    left = row_residuals(moved.quantities, moments.phi, moments.target, regression, within)
    own = row_residuals(tested.quantities, nothing.phi, nothing.target, tested.regression, within)
    differences = np.sum((share[:, None] * left - tested.share[:, None] * own) ** 2, axis=0)
    residuals = residual_sums(moved.quantities, moments.phi, moments.target, share, regression, within)
    of_targets = moments.target_covariance * float(share.sum()) ** 2
    return changes_of_sums(regression, tested.regression, residuals, differences, of_targets, confidence)


def changes_of_sums(
    moved: Regression,
    tested: Regression,
    residuals: ResidualSums,
    differences: Array,
    target_covariance: Array,
    confidence: float,
) -> list[Change]:
    """Estimate what a stress changes from sums over the rows.

    Parameters
    ----------
    moved, tested : Regression
        The metrics under the stress and without.
    residuals : ResidualSums
        Under the stress.
    differences : ndarray of shape (n_metrics,)
        Σ (w r - v g)², of what each row moves a metric by under the stress, and without.
    target_covariance : ndarray of shape (k, k)
        On the scale of the rows' shares.
    confidence : float
        In (0, 1).
    """
    plain = residuals.plain
    leverage = np.clip(residuals.levered / np.where(plain > 0, plain, 1.0), 0.0, 0.9)
    variance = differences / (1 - leverage) ** 2
    variance = variance + np.einsum("jm,jk,km->m", moved.slopes, target_covariance, moved.slopes)
    df = max(moved.squares**2 / residuals.fourth, 1.0)
    half = float(t_quantile(np.array(df), confidence)) * np.sqrt(variance)
    changes: list[Change] = []
    for j, metric in enumerate(moved.metrics):
        value = float(moved.values[j] - tested.values[j])
        value = 0.0 if abs(value) <= ROUNDING else value
        wide = float(half[j]) * metric.unit if np.isfinite(value) and 1 / moved.squares >= FEWEST else np.nan
        wide = 0.0 if wide <= ROUNDING else wide
        changes.append(Change(value, value - wide, value + wide))
    return changes
