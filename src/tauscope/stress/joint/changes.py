"""What a stress changes in a metric: the value under it less the one as tested, with the interval of the difference.

Both are of the same rows, so that row i moves the difference by w_i r_i - v_i g_i + ⟨b, ψ_i⟩: its influence under the
stress, as in `tauscope.stress.joint.estimates`, less the one as tested, and what it adds to targets that are estimated.
The last is summed apart, as it is there: for residuals, which calibration is about, its product with g_i has mean 0
where the model is calibrated given the features moved, and it is of second order elsewhere.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.intervals import FEWEST
from tauscope.stress.joint.estimates import Regression, ResidualSums
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
