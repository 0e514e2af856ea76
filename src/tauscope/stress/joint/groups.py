"""How the estimates of groups under the weights of one projection vary together, and how far they are apart.

Groups have no row in common, but one stress: its multipliers are estimated from the rows of all of them. A row of one
group that lies beyond the target lowers the weights there for the others too, and a target that other rows would put
elsewhere moves all groups at once.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.prediction.stopping import steps
from tauscope.stress.estimates import Estimate, group_judged_alike, stack_estimates
from tauscope.stress.intervals import interval_for_differences
from tauscope.stress.joint.estimates import Regression
from tauscope.stress.joint.gaps import Gaps, measure_gaps
from tauscope.stress.metrics import SummedMetric

Array = NDArray[np.float64]


class GroupEstimates(NamedTuple):
    """Metrics of groups under one stress.

    Attributes
    ----------
    estimates : list of (list of Estimate or None)
        For each group its metrics; None where it has no weight.
    correlation : ndarray of shape (n_groups, n_groups, n_metrics)
        Of the groups' estimates; 0 where one is not defined or determined.
    """

    estimates: list[list[Estimate] | None]
    correlation: Array


class GroupRegression(NamedTuple):
    """A group's metrics regressed on Φ, and what tells how they vary with those of others.

    Attributes
    ----------
    regression : Regression
    squared : ndarray of shape (n_sums, k)
        Σ w² g (Φ - t)ᵀ over the group's rows, w shares of the weight of all rows.
    share : float
        Of all weight.
    """

    regression: Regression
    squared: Array
    share: float


def vary_together(groups: Sequence[GroupRegression | None], common: Array, n_metrics: int) -> Array:
    """Return the correlation of groups' estimates; see `GroupEstimates`.

    Parameters
    ----------
    groups : sequence of GroupRegression or None
        None for a group without weight.
    common : ndarray of shape (k, k)
        Σ w² (Φ - t)(Φ - t)ᵀ over all rows, and the covariance of the targets.
    n_metrics : int

    Returns
    -------
    ndarray of shape (n_groups, n_groups, n_metrics)
    """
    k, n_groups = len(common), len(groups)
    slopes, cross = np.zeros((n_groups, k, n_metrics)), np.zeros((n_groups, k, n_metrics))
    own = np.zeros((n_groups, n_metrics))
    for i, group in enumerate(groups):
        if group is not None:
            slopes[i], cross[i] = group.regression.slopes, group.squared.T @ group.regression.influence
            own[i] = group.regression.total * group.share**2
    shared = np.einsum("ikm,kl,jlm->ijm", slopes, common, slopes)
    mixed = np.einsum("ikm,jkm->ijm", cross, slopes)
    covariance = shared - mixed - mixed.transpose(1, 0, 2) + np.eye(n_groups)[..., None] * own[:, None]
    return correlation_of(covariance)


def correlation_of(covariance: Array) -> Array:
    """Return correlations, 1 with itself and 0 where there is no variance, from shape (n_groups, n_groups, ...)."""
    n = len(covariance)
    spread = np.sqrt(np.maximum(np.einsum("ii...->i...", covariance), 0.0))
    scale = spread[:, None] * spread[None]
    out = np.where(scale > 0, covariance / np.where(scale > 0, scale, 1.0), 0.0)
    out[np.arange(n), np.arange(n)] = 1.0
    return np.clip(out, -1.0, 1.0)


def metric_gaps(
    metrics: Sequence[SummedMetric], found: GroupEstimates, n_rows: Sequence[int], confidence: float
) -> list[Gaps]:
    """Return for each metric how far the groups are apart; its arrays are of no dimension.

    Parameters
    ----------
    metrics : sequence of SummedMetric
    found : GroupEstimates
    n_rows : sequence of int
        Of each group, those of weight above zero.
    confidence : float
    """
    shape = len(found.estimates), len(metrics)
    values = np.full(shape, np.nan)
    stacked: list[tuple[int, list[int], Estimate]] = []
    for group, each in enumerate(steps(found.estimates)):
        if each is not None:
            values[group] = [estimate.value for estimate in each]
            for positions in group_judged_alike(metrics):
                stacked.append((group, positions, stack_estimates([each[i] for i in positions])))

    def ends_at(level: float) -> tuple[Array, Array]:
        lower, upper = np.full(shape, np.nan), np.full(shape, np.nan)
        for group, positions, estimates in stacked:
            ends = interval_for_differences(metrics[positions[0]], estimates, level, n_rows[group])
            lower[group, positions], upper[group, positions] = ends
        return lower, upper

    together = measure_gaps(values, ends_at, found.correlation, confidence)
    return [Gaps(*each) for each in zip(*together, strict=True)]
