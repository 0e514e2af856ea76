"""How far a metric can be off that was taken from steps of the score, in words."""

import numpy as np
from numpy.typing import NDArray

from tauscope.results.formatting import number
from tauscope.stress.metrics import SummedMetric, bound_of
from tauscope.words import count

Array = NDArray[np.float64]


def bound_words(metric: SummedMetric, *sums: Array) -> str:
    """Say how far a metric in steps of the score can be off, before and after."""
    bound = bound_of(metric)
    if bound is None:
        return ""
    return say_bound(metric, max(float(bound.evaluate(each[list(metric.columns)])[0]) for each in sums))


def say_bound(metric: SummedMetric, bound: float) -> str:
    """Say how far a metric in steps of the score can lie from that of the rows; "" where it cannot."""
    if metric.ranking is None or not bound > 0:
        return ""
    return f"{metric.label}: scores in {count(metric.ranking.n_steps, 'step')}, off by at most {number_above(bound)}"


def number_above(bound: float) -> str:
    """Write a bound in two digits, rounded up."""
    digits = 1 - int(np.floor(np.log10(bound)))
    return number(float(np.ceil(bound * 10.0**digits)) / 10.0**digits)
