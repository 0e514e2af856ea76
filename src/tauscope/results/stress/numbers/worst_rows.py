"""The interval of the worst value over any rows, and what of it can be relied on."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.results.stress.numbers.joint_answer import MetricEstimate, metric_estimates, support_of
from tauscope.stress.estimates import Estimate, count_support
from tauscope.stress.intervals import EDGE
from tauscope.stress.metrics import SummedMetric

Array = NDArray[np.float64]


class RowSums(NamedTuple):
    """Sums over the rows as they are, w being shares of all weight.

    Attributes
    ----------
    sums, squared : ndarray of shape (n_sums,)
        Σ w g and Σ w² g of what metrics are made of, 1 first.
    fourth : float
        Σ w⁴.
    n_rows : int
        Rows of weight above zero.
    """

    sums: Array
    squared: Array
    fourth: float
    n_rows: int


def estimate_extreme(
    metric: SummedMetric,
    value: float,
    error: float,
    rows: RowSums,
    pareto_k: float,
    confidence: float,
    edge: float = np.nan,
) -> MetricEstimate:
    """Give the worst value its interval.

    Parameters
    ----------
    metric : SummedMetric
    value, error : float
        Worst value, and its standard error as a function of the population.
    rows : RowSums
        Of the sample that the value is estimated from.
    pareto_k : float
        Of the worst weights.
    confidence : float
    edge : float
        A value that the interval has to hold too, as `tauscope.stress.worst.rows.edge_value` has it; NaN for none.

    Notes
    -----
    The error is that of the rows as they are, so that it is these that events are counted among; the interval of a rate
    has no more than its error asks for.
    """
    of_all = float(rows.squared[0])
    ess = np.array(1 / of_all)
    before = np.array(float(metric.evaluate(rows.sums[list(metric.columns)])[0]))
    _, events, non_events = count_support(metric, before, rows.sums, rows.squared, ess)
    df = np.array(max(of_all**2 / rows.fourth, 1.0))
    # of a rate of 0 or 1 no error is left that asks for rows: it has those that there are
    below = np.array(np.inf if EDGE < value < 1 - EDGE or not metric.is_rate else float(ess))
    estimate = Estimate(np.array(value), np.array(error), df, ess, below, np.array(events), np.array(non_events))
    n_rows = rows.n_rows
    support = support_of(float("inf"), False, pareto_k)
    found = metric_estimates([metric], [estimate], support, confidence, n_rows)[0]
    if not np.isfinite(edge):
        return found
    return replace(found, lower=min(found.lower, edge), upper=max(found.upper, edge))
