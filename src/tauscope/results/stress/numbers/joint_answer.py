"""The answer to one joint stress: weights, what they cost, and every metric under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.prediction.stopping import steps
from tauscope.stress.estimates import Estimate, group_judged_alike, stack_estimates
from tauscope.stress.intervals import analytic_interval
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.joint.gaps import Gaps
from tauscope.stress.joint.groups import GroupEstimates, metric_gaps
from tauscope.stress.joint.projection import ProjectionStatus, project
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.reliability import CODES, Support, judge
from tauscope.weights.carriers import Carriers, few_carriers
from tauscope.weights.concentration import pareto_khat

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MetricEstimate:
    """One metric with its interval.

    Attributes
    ----------
    value, lower, upper : float
        NaN where there is none.
    reason : int
        What decides over its reliability: a code among `tauscope.stress.reliability.REASONS`.
    amount : float
        The number that the reason's sentence quotes.
    """

    value: float
    lower: float
    upper: float
    reason: int = 0
    amount: float = 0.0


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
    carriers : Carriers
    estimates : tuple of MetricEstimate
        One for each metric of the result.
    confusion : tuple of MetricEstimate
        Share of all rows in each place of the confusion matrix, row by row; empty where there is none.
    """

    weights: Array
    status: ProjectionStatus
    message: str
    ess: float
    kl: float
    tv: float
    pareto_k: float
    carriers: Carriers
    estimates: tuple[MetricEstimate, ...]
    confusion: tuple[MetricEstimate, ...] = ()


def answer_joint(
    moments: Moments,
    quantities: Quantities,
    metrics: Sequence[SummedMetric],
    *,
    confidence: float,
    sample_weight: Array | None = None,
    places: Sequence[SummedMetric] = (),
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
    places : sequence of SummedMetric
        Shares of the places of the confusion matrix.

    Raises
    ------
    InfeasibleTarget, DependentConstraints
        As `tauscope.stress.joint.projection.project`.
    """
    solution = project(moments.phi, moments.target, sample_weight=sample_weight, names=moments.names)
    pareto_k = pareto_khat(solution.weights, sample_weight)
    estimates = stressed_metrics(
        quantities,
        (*metrics, *places),
        moments,
        solution.weights,
        support_of(moments.n_beyond, moments.in_doubt, pareto_k, moments.divergence_ratio(solution.kl, solution.tv)),
        confidence=confidence,
        n_rows=count_rows(moments.phi, sample_weight),
    )
    return JointAnswer(
        weights=solution.weights,
        status=solution.status,
        message=solution.message,
        ess=solution.ess,
        kl=solution.kl,
        tv=solution.tv,
        pareto_k=pareto_k,
        carriers=few_carriers(solution.weights, sample_weight),
        estimates=estimates[: len(metrics)],
        confusion=estimates[len(metrics) :],
    )


def count_rows(rows: Array, sample_weight: Array | None) -> int:
    """Count the rows of weight above zero."""
    return len(rows) if sample_weight is None else int(np.count_nonzero(sample_weight))


def stressed_metrics(
    quantities: Quantities,
    metrics: Sequence[SummedMetric],
    moments: Moments,
    weights: Array,
    support: Support,
    *,
    confidence: float,
    n_rows: int,
) -> tuple[MetricEstimate, ...]:
    """Estimate every metric under weights that meet a stress; `n_rows` of weight above zero."""
    estimates = joint_estimates(
        quantities,
        metrics,
        moments.phi,
        moments.target,
        weights,
        moments.target_covariance,
        unstressed=moments.unstressed,
        penalty=moments.penalty,
    )
    return metric_estimates(metrics, estimates, support, confidence, n_rows)


class GroupAnswer(NamedTuple):
    """The metrics of groups under one stress of all rows, and how far the groups are apart.

    Attributes
    ----------
    estimates : list of tuple of MetricEstimate
        One for each group; NaN and undefined where it has no weight.
    gaps : list of Gaps
        One for each metric.
    """

    estimates: list[tuple[MetricEstimate, ...]]
    gaps: list[Gaps]


def answer_groups(
    metrics: Sequence[Sequence[SummedMetric]],
    found: GroupEstimates,
    n_rows: Sequence[int],
    supports: Sequence[Support | None],
    confidence: float,
) -> GroupAnswer:
    """Give groups' estimates their intervals and reliability, and measure the gaps.

    Parameters
    ----------
    metrics : sequence of sequence of SummedMetric
        The same for each group, with the tails of its own rows.
    found : GroupEstimates
    n_rows : sequence of int
        Of each group, those of weight above zero.
    supports : sequence of Support or None
        None for a group without weight.
    confidence : float
        Level of the intervals, in (0, 1).
    """
    answers: list[tuple[MetricEstimate, ...]] = []
    for own, each, support, n in zip(steps(metrics), found.estimates, supports, n_rows, strict=True):
        if each is None or support is None:
            answers.append((MetricEstimate(np.nan, np.nan, np.nan, CODES["undefined"]),) * len(own))
        else:
            answers.append(metric_estimates(own, each, support, confidence, n))
    return GroupAnswer(answers, metric_gaps(metrics[0], found, n_rows, confidence))


def unstressed_metrics(
    quantities: Quantities, metrics: Sequence[SummedMetric], base: Array, *, confidence: float
) -> tuple[MetricEstimate, ...]:
    """Estimate every metric under the weights without stress."""
    nothing = np.zeros((len(base), 1))
    estimates = joint_estimates(quantities, metrics, nothing, np.zeros(1), base, unstressed=True)
    support = support_of(float("inf"), False, pareto_khat(base))
    return metric_estimates(metrics, estimates, support, confidence, int(np.count_nonzero(base)))


def support_of(n_beyond: float, in_doubt: bool, pareto_k: float, ratio: Array | float = 1.0) -> Support:
    """Return where one stress leads; `ratio` is that of its divergence, 1 without a move."""
    return Support(np.array(n_beyond), np.array(in_doubt), np.array(pareto_k), np.array(ratio))


def metric_estimates(
    metrics: Sequence[SummedMetric],
    estimates: Sequence[Estimate],
    support: Support,
    confidence: float,
    n_rows: int,
) -> tuple[MetricEstimate, ...]:
    """Return every metric with its analytic interval, and what decides over its reliability."""
    out: dict[int, MetricEstimate] = {}
    for positions in group_judged_alike(metrics):
        metric, some = metrics[positions[0]], stack_estimates([estimates[i] for i in positions])
        numbers = some.value, *analytic_interval(metric, some, confidence, n_rows), *judge(metric, some, support)
        for i, *each in zip(positions, *(part.tolist() for part in numbers), strict=True):
            out[i] = MetricEstimate(*each)
    return tuple(out[i] for i in range(len(metrics)))
