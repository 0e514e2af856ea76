"""Quantiles of many beta and Student distributions at once: a curve has two of one and one of the other in every cell.

Carter's expansion for the logarithm of F starts within .004 standard deviations of a beta quantile where both
parameters are 10 or more; one step of Halley's method from there leaves 1e-7 of one. Student's t is expanded
about the normal quantile. Others are SciPy's.

References
----------
Carter, "Approximation to percentage points of the z-distribution", Biometrika 34, 1947.
Abramowitz, Stegun, "Handbook of mathematical functions", 26.7.5, 1964.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, betaln, ndtri, stdtrit

Array = NDArray[np.float64]

LARGE = 9.5
"""Parameters from which the expansion starts near enough for one step; no whole number, as counts of events are."""
HUGE = 1e10
"""Parameters from which the expansion is left as it is: rounding of the density is larger than its error."""
MANY_DF = 100.0
"""Degrees of freedom from which the expansion of Student's t is within 5e-9 of it."""


def beta_quantile(a: Array, b: Array, level: float) -> Array:
    """Return the quantile at a level of the beta distributions of parameters a, b > 0, of one shape."""
    large = (a >= LARGE) & (b >= LARGE)
    out = np.empty(a.shape)
    out[large] = _start(a[large], b[large], level)
    refined = large & (np.maximum(a, b) < HUGE)
    out[refined] = _step(out[refined], a[refined], b[refined], level)
    out[~large] = betaincinv(a[~large], b[~large], level)
    return out


def t_quantile(df: Array | np.float64, confidence: float) -> Array:
    """Return how many standard errors Student's t leaves on either side."""
    df, level = np.asarray(df, np.float64), 0.5 + confidence / 2
    many = df >= MANY_DF
    out = np.empty(df.shape)
    out[many] = _expand_t(1 / df[many], float(ndtri(level)))
    out[~many] = stdtrit(df[~many], level)
    return out


def _expand_t(step: Array, z: float) -> Array:
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + step * (first + step * (second + step * (third + step * fourth)))


def _start(a: Array, b: Array, level: float) -> Array:
    y = -float(ndtri(level))
    skew = (y * y - 3) / 6
    first, second = 1 / (2 * a - 1), 1 / (2 * b - 1)
    h = 2 / (first + second)
    w = y * np.sqrt(h + skew) / h - (second - first) * (skew + 5 / 6 - 2 / (3 * h))
    return a / (a + b * np.exp(2 * w))


def _step(x: Array, a: Array, b: Array, level: float) -> Array:
    density = np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - betaln(a, b))
    newton = (betainc(a, b, x) - level) / density
    bend = (a - 1) / x - (b - 1) / (1 - x)
    return x - newton / (1 - 0.5 * np.minimum(newton * bend, 1.0))
