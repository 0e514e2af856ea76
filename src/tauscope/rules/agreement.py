"""How well decisions agree with others, with an interval for other rows of the same kind."""

from typing import Literal, NamedTuple

import numpy as np

from tauscope.rules.rule import count_rule, precision_interval, proportion_interval
from tauscope.weights.arrays import Floats
from tauscope.weights.measures import effective_size
from tauscope.weights.student import student_bounds

Measure = Literal["accuracy", "R²"]


class Agreement(NamedTuple):
    """A measure of agreement and its interval; NaN where there is none."""

    measure: Measure
    value: float
    lower: float
    upper: float


def class_agreement(decided: Floats, other: Floats, weight: Floats, confidence: float = 0.95) -> Agreement:
    """Return the share of the weight that is decided alike, with Clopper and Pearson's interval.

    Parameters
    ----------
    decided, other : ndarray of shape (n,)
        Codes of classes.
    weight : ndarray of shape (n,)
    confidence : float
        In (0, 1).
    """
    counts = count_rule(np.ones(len(decided), dtype=np.bool_), decided == other, weight)
    return Agreement("accuracy", counts.precision, *precision_interval(counts, confidence))


def value_agreement(decided: Floats, other: Floats, weight: Floats, confidence: float = 0.95) -> Agreement:
    """Return R² of `decided` for `other`, with the interval of a ratio of two means.

    R² is 1 − mean (other − decided)² / mean (other − its mean)²; the ratio's standard error is that of the mean of its
    residuals (Cochran, Sampling Techniques, 1977, eq. 6.13), Student's t at the effective number of rows.

    Parameters
    ----------
    decided, other : ndarray of shape (n,)
        Values.
    weight : ndarray of shape (n,)
    confidence : float
        In (0, 1).

    Returns
    -------
    Agreement
        NaN where `other` does not vary.
    """
    share = weight / weight.sum()
    left = np.square(other - decided)
    spread = np.square(other - share @ other)
    whole, n = float(share @ spread), effective_size(weight)
    if not whole > 0 or n < 2:
        return Agreement("R²", np.nan, np.nan, np.nan)
    ratio = float(share @ left) / whole
    variance = float(share @ np.square(left - ratio * spread)) / (n - 1) / whole**2
    lower, upper = _student(1 - ratio, variance, n, confidence)
    return Agreement("R²", 1 - ratio, lower, min(upper, 1.0))


def mean_share(values: Floats, weight: Floats, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return the mean of values in [0, 1] with the interval for other rows of the same kind.

    Student's t at the effective number of rows; where all values are the same, Clopper and Pearson's of their mean. NaN
    ends for fewer than two rows.

    Parameters
    ----------
    values, weight : ndarray of shape (n,)
    confidence : float
        In (0, 1).
    """
    share = weight / weight.sum()
    mean, n = float(share @ values), effective_size(weight)
    if n < 2:
        return mean, np.nan, np.nan
    if values.min() == values.max():
        lower, upper = proportion_interval(mean, n, confidence)
        return mean, min(lower, mean), max(upper, mean)
    lower, upper = _student(mean, float(np.square(share) @ np.square(values - mean)) * n / (n - 1), n, confidence)
    return mean, max(lower, 0.0), min(upper, 1.0)


def _student(mean: float, variance: float, n: float, confidence: float) -> tuple[float, float]:
    lower, upper = student_bounds(np.array(mean), np.array(variance), n, confidence)
    return float(lower), float(upper)
