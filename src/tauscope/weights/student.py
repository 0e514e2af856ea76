"""Student's interval of an estimate whose variance is known from the rows it was made of."""

import numpy as np
from scipy import special

from tauscope.weights.arrays import Floats


def student_bounds(mean: Floats, variance: Floats, size: Floats | float, confidence: float) -> tuple[Floats, Floats]:
    """Lower and upper ends of mean ± t·√variance; NaN where fewer than two rows carry the mean.

    Parameters
    ----------
    mean, variance : ndarray
        Of the mean itself, not of one row.
    size : float or ndarray
        Effective rows behind it; degrees of freedom are one fewer.
    confidence : float
    """
    degrees = np.asarray(size, dtype=np.float64) - 1.0
    usable = np.where(degrees > 1e-9, degrees, np.nan)
    quantile = np.asarray(special.stdtrit(usable, 0.5 + confidence / 2), dtype=np.float64)
    half = quantile * np.sqrt(np.maximum(variance, 0.0))
    return mean - half, mean + half
