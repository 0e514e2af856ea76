"""The interval of the worst value over any rows, and what of it can be relied on."""

import numpy as np
from numpy.typing import NDArray

from tauscope.results.stress.joint_answer import MetricEstimate, metric_estimates, support_of
from tauscope.stress.estimates import Estimate, count_support
from tauscope.stress.joint.estimates import weighted_sums
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.weights.measures import effective_size

Array = NDArray[np.float64]


def estimate_extreme(
    metric: SummedMetric,
    value: float,
    error: float,
    quantities: Quantities,
    base: Array,
    pareto_k: float,
    confidence: float,
) -> MetricEstimate:
    """Give the worst value its interval.

    Parameters
    ----------
    metric : SummedMetric
    value, error : float
        Worst value, and its standard error as a function of the population.
    quantities : Quantities
        What the metric is made of.
    base : ndarray of shape (n_rows,)
        Weights of the rows as they are: the sample that the value is estimated from.
    pareto_k : float
        Of the worst weights.
    confidence : float

    Notes
    -----
    The error is that of the rows as they are, so that it is these that events are counted among; the interval of a rate
    has no more than its error asks for.
    """
    share = base / base.sum()
    sums, squared = weighted_sums(quantities, share), weighted_sums(quantities, share**2)
    columns, squares = list(metric.columns), list(metric.squares)
    ess = np.array(effective_size(base))
    before = np.array(float(metric.evaluate(sums[columns])[0]))
    _, events, non_events = count_support(metric, before, sums[columns], squared[squares], ess)
    df = np.array(max(float(np.sum(share**2)) ** 2 / float(np.sum(share**4)), 1.0))
    estimate = Estimate(
        np.array(value), np.array(error), df, ess, np.array(np.inf), np.array(events), np.array(non_events)
    )
    n_rows = int(np.count_nonzero(base))
    return metric_estimates([metric], [estimate], support_of(float("inf"), False, pareto_k), confidence, n_rows)[0]
