"""Student's interval of an estimate whose variance is known from the rows it was made of."""

import numpy as np
from scipy import special

from tauscope.weights.arrays import Floats

MIN_SIZE = 2 - 1e-9
"""Effective rows below which there is no interval: t of less than one degree of freedom is wide beyond use."""


def student_bounds(mean: Floats, variance: Floats, size: Floats | float, confidence: float) -> tuple[Floats, Floats]:
    """Lower and upper ends of mean ± t·√variance; NaN where fewer than two effective rows carry the mean.

    Parameters
    ----------
    mean, variance : ndarray
        Of the mean itself, not of one row.
    size : float or ndarray
        Effective rows behind it; degrees of freedom are one fewer.
    confidence : float
    """
    size = np.asarray(size, dtype=np.float64)
    degrees = np.where(size >= MIN_SIZE, size - 1.0, np.nan)
    quantile = np.asarray(special.stdtrit(degrees, 0.5 + confidence / 2), dtype=np.float64)
    half = quantile * np.sqrt(np.maximum(variance, 0.0))
    return mean - half, mean + half
