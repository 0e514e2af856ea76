"""The answer to one joint stress: weights, what they cost, and every metric under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.intervals import student_interval
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.joint.projection import ProjectionStatus, project
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.weights.concentration import pareto_khat

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MetricEstimate:
    """One metric with its interval.

    Attributes
    ----------
    value, lower, upper : float
        NaN where there is none.
    """

    value: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class JointAnswer:
    """The answer to one joint stress, as the widget shows it.

    Attributes
    ----------
    weights : ndarray of shape (n_rows,)
        Non-negative, mean 1, the study's own included.
    status : {"solved", "limit", "unconverged"}
    message : str
        The status in words.
    ess, kl, tv, pareto_k : float
        As in `Reweighting`.
    estimates : tuple of MetricEstimate
        One for each metric of the result.
    """

    weights: Array
    status: ProjectionStatus
    message: str
    ess: float
    kl: float
    tv: float
    pareto_k: float
    estimates: tuple[MetricEstimate, ...]


def answer_joint(
    moments: Moments,
    quantities: Quantities,
    metrics: Sequence[SummedMetric],
    *,
    confidence: float,
    sample_weight: Array | None = None,
) -> JointAnswer:
    """Solve a joint stress and estimate every metric under it.

    Parameters
    ----------
    moments : Moments
        The stress in numbers.
    quantities : Quantities
        What the metrics are sums of.
    metrics : sequence of SummedMetric
    confidence : float
        Level of the intervals, in (0, 1).
    sample_weight : ndarray of shape (n_rows,) or None
        Mean 1.

    Raises
    ------
    InfeasibleTarget, DependentConstraints
        As `tauscope.stress.joint.projection.project`.
    """
    solution = project(moments.phi, moments.target, sample_weight=sample_weight, names=moments.names)
    return JointAnswer(
        weights=solution.weights,
        status=solution.status,
        message=solution.message,
        ess=solution.ess,
        kl=solution.kl,
        tv=solution.tv,
        pareto_k=pareto_khat(solution.weights, sample_weight),
        estimates=estimate_metrics(
            quantities, metrics, moments.phi, moments.target, solution.weights, confidence=confidence
        ),
    )


def unstressed_metrics(
    quantities: Quantities, metrics: Sequence[SummedMetric], base: Array, *, confidence: float
) -> tuple[MetricEstimate, ...]:
    """Estimate every metric under the weights without stress."""
    nothing = np.zeros((len(base), 1))  # without variance: no column that the metrics could be regressed on
    return estimate_metrics(quantities, metrics, nothing, np.zeros(1), base, confidence=confidence)


def estimate_metrics(
    quantities: Quantities,
    metrics: Sequence[SummedMetric],
    phi: Array,
    target: Array,
    weights: Array,
    *,
    confidence: float,
) -> tuple[MetricEstimate, ...]:
    """Return every metric under weights that meet moments, with its analytic interval."""
    estimates = joint_estimates(quantities, metrics, phi, target, weights)
    ends = [student_interval(metric, estimate, confidence) for metric, estimate in zip(metrics, estimates, strict=True)]
    return tuple(
        MetricEstimate(float(estimate.value), float(low), float(high))
        for estimate, (low, high) in zip(estimates, ends, strict=True)
    )
