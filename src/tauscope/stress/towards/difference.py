"""Expected less observed: what the weights lead one to expect of another population, and what its own rows show.

Both rest on the new sample. It puts the margins that are asked for, which the expectation follows with slopes b, and it
is what is observed: of their covariance, each new row of share v adds v² ⟨b, ψ⟩ g, where ψ is what it adds to the
margins and g its influence on the metric. The interval of the difference is made of the ends of both and of that
correlation, as that of two groups is; see `tauscope.stress.joint.gaps`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.estimates import Estimate
from tauscope.stress.intervals import interval_for_differences
from tauscope.stress.joint.estimates import Regression, regress_metrics, regressed_estimates, squared_cross
from tauscope.stress.joint.gaps import difference_ends
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.towards.margins import Margin, Values, margin_influence, small_sample

Array = NDArray[np.float64]


class Observation(NamedTuple):
    """A metric on the rows of another sample.

    Attributes
    ----------
    estimate : Estimate
    with_margins : ndarray of shape (k,)
        Covariance of the estimate with each margin of the sample.
    """

    estimate: Estimate
    with_margins: Array


class Ends(NamedTuple):
    """The ends of a metric at several levels, as `tauscope.stress.intervals.interval_for_differences` has them.

    Attributes
    ----------
    value, error : float
    lower, upper : ndarray of shape (n_levels,)
    """

    value: float
    error: float
    lower: Array
    upper: Array

    @classmethod
    def of(cls, metric: SummedMetric, estimate: Estimate, levels: Sequence[float], n_rows: int) -> "Ends":
        """Find the ends of a metric of `n_rows` rows of weight above zero."""
        pairs = [interval_for_differences(metric, estimate, level, n_rows) for level in levels]
        lower, upper = np.array([[float(end) for end in pair] for pair in pairs]).reshape(-1, 2).T
        return cls(float(estimate.value), float(estimate.error), lower, upper)


def observe(
    quantities: Quantities,
    metrics: Sequence[SummedMetric],
    base: Array,
    which: Sequence[Margin],
    values: Values,
) -> list[Observation]:
    """Estimate metrics on the rows of another sample.

    Parameters
    ----------
    quantities : Quantities
    metrics : sequence of SummedMetric
    base : ndarray of shape (n_rows,)
        Weights of the rows, on any scale.
    which : sequence of Margin
        Those that the sample puts.
    values : callable
        Name of a feature → ndarray of shape (n_rows,), NaN where a row has no value.
    """
    nothing, none = np.zeros((len(base), 1)), np.zeros(1)
    regressed = regress_metrics(quantities, metrics, nothing, none, base, unstressed=True)
    estimates = regressed_estimates(regressed, nothing, none, None)
    influence = margin_influence(which, values, regressed.share)[1]
    assert influence is not None
    cross = squared_cross(regressed.quantities, influence.T, np.zeros(len(which)), regressed.share)
    return observations(regressed.regression, estimates, cross * small_sample(regressed.share))


def observations(regression: Regression, estimates: Sequence[Estimate], cross: Array) -> list[Observation]:
    """Return every metric with its covariances, from Σ v² g ψᵀ of shape (n_sums, k) over the rows."""
    units = [metric.unit for metric in regression.metrics]
    covariance = cross.T @ (regression.influence * units)
    return [Observation(estimate, covariance[:, i]) for i, estimate in enumerate(estimates)]


def correlate(
    regression: Regression, follow: Array, place: int, expected: Ends, observed: Ends, shared: Array
) -> float:
    """Return the correlation of what is expected and what is observed of one metric.

    Parameters
    ----------
    regression : Regression
        Of what is expected, on k columns of Φ.
    follow : ndarray of shape (k_margins, k)
        How the target of each column follows the margins.
    place : int
        Of the metric.
    expected, observed : Ends
    shared : ndarray of shape (k_margins,)
        See `Observation.with_margins`.
    """
    covariance = float(regression.metrics[place].unit * (shared @ follow @ regression.slopes[:, place]))
    scale = expected.error * observed.error
    return float(np.clip(covariance / scale, -1.0, 1.0)) if 0 < scale < np.inf else 0.0


def subtract(expected: Ends, observed: Ends, correlation: float) -> tuple[float, Array, Array]:
    """Return expected less observed, and its ends at each level; NaN where one of both is not defined."""
    rho = np.full(len(expected.lower), correlation)
    one, other = ((each.value + 0 * each.lower, each.lower, each.upper) for each in (expected, observed))
    return expected.value - observed.value, *difference_ends(one, other, rho)
