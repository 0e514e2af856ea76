"""The interval of an index under a stress, from sums the sketch already has.

With the target held fixed the influence of row i on an index is λ_i r_i, r_i = g_i - b (Φ_i - t), g the index's
own influence and b = Cov_λ(g, Φ) / Var_λ(Φ). Its second moment needs sums of λ² only. Three corrections bring
the coverage of plain 95 % intervals back where the weights are uneven: residuals divided by 1 - h_i with
h_i = w_i (1 + (Φ_i - t)² / Var_λ Φ), to first order a sum of λ³; Student's t with (Σw²)² / Σw⁴ degrees of
freedom; and the logit scale for shares, the log scale for spreads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, stdtrit

from tauscope.stress.indices import SummedIndex

Array = NDArray[np.float64]

DEGREES = (3, 3, 5, 1)
"""Powers of (Φ - t) needed beside w, w², w³ and w⁴."""


class Sums(NamedTuple):
    """Σ w^power (Φ - t)^k g of shape (..., n_degrees, Q) for powers 1 to 4, and the missing rows' parts at k = 0.

    Attributes
    ----------
    first, second, third, fourth : ndarray
        With 3, 3, 5 and 1 degrees.
    rest : tuple of ndarray of shape (..., Q)
        What rows without a value add to `first`, `second` and `third` at k = 0.
    """

    first: Array
    second: Array
    third: Array
    fourth: Array
    rest: tuple[Array, Array, Array]


def effective_size(sums: Sums) -> Array:
    """Return Kish's effective sample size (Σw)² / Σw², rows."""
    return sums.first[..., 0, 0] ** 2 / sums.second[..., 0, 0]


def estimate(index: SummedIndex, sums: Sums, confidence: float) -> tuple[Array, Array, Array]:
    """Return an index and the two ends of its interval, each of shape (...).

    Parameters
    ----------
    index : SummedIndex
    sums : Sums
    confidence : float
        Nominal coverage in (0, 1).

    Returns
    -------
    value, lower, upper : ndarray
        NaN where the index is not defined (no weight left on its denominator).

    References
    ----------
    MacKinnon, White, "Some heteroskedasticity-consistent covariance matrix estimators", 1985 (HC3).
    """
    own, squares = list(index.columns), list(index.squares)
    value, gradient = index.evaluate(sums.first[..., 0, :][..., own])
    gradient = np.where(np.isnan(value)[..., None], 0.0, gradient)
    variance = sums.first[..., 2, 0]
    covariance = _dot(gradient, sums.first[..., 1, own])
    slope = np.where(variance > 0, covariance / np.where(variance > 0, variance, 1.0), 0.0)

    missing = sums.rest[0][..., 0]
    shift = np.zeros_like(slope)
    if np.any(missing > 0):  # rows with a value vary around their own mean, at the share they have
        observed = sums.first[..., 0, own] - sums.rest[0][..., own]
        shift = _dot(gradient, observed) / np.maximum(1 - missing, 1e-300)
    centred = gradient - shift[..., None] * index.one

    def residual(tilted: Array, rest: Array, k: int) -> Array:
        here = tilted.copy()
        here[..., 0, :] -= rest
        inside = (
            _dot(index.square(centred), here[..., k, squares])
            - 2 * slope * _dot(centred, here[..., k + 1, own])
            + slope**2 * here[..., k + 2, 0]
        )
        if k:
            return inside
        return inside + _dot(index.square(gradient), rest[..., squares]) + shift**2 * rest_size(tilted, rest)

    def rest_size(tilted: Array, rest: Array) -> Array:
        return np.zeros_like(shift) if not np.any(shift) else tilted[..., 0, 0] - rest[..., 0]

    second = np.maximum(residual(sums.second, sums.rest[1], 0), 0.0)
    inflation = residual(sums.third, sums.rest[2], 0)
    steep = residual(sums.third, sums.rest[2], 2)
    inflation = inflation + np.where(variance > 0, steep / np.where(variance > 0, variance, 1.0), 0.0)
    leverage = np.clip(inflation / np.where(second > 0, second, 1.0), 0.0, 0.9)
    error = np.sqrt(second) / (1 - leverage) * index.unit

    squared = sums.second[..., 0, 0]
    freedom = np.maximum(squared**2 / sums.fourth[..., 0, 0], 1.0)
    reach = stdtrit(freedom, 0.5 + confidence / 2) * error
    if index.scale == "logit":
        return value, *_on_logit(value, reach, effective_size(sums), confidence)
    if index.scale == "log":
        safe = np.where(value > 0, value, 1.0)
        factor = np.exp(np.minimum(reach / safe, 700.0))
        return value, np.where(value > 0, value / factor, value), np.where(value > 0, value * factor, value)
    return value, value - reach, value + reach


def _on_logit(share: Array, reach: Array, ess: Array, confidence: float) -> tuple[Array, Array]:
    """Return ends from the logit scale; at 0 and 1 the exact binomial ones for the effective size."""
    inside = (share > 1e-12) & (share < 1 - 1e-12)
    p = np.where(inside, share, 0.5)
    logit, spread = np.log(p / (1 - p)), np.minimum(reach / (p * (1 - p)), 700.0)
    limit = -np.expm1(np.log(0.5 - confidence / 2) / np.maximum(ess, 1.0))
    lower = np.where(inside, expit(logit - spread), np.where(share <= 0.5, 0.0, 1 - limit))
    upper = np.where(inside, expit(logit + spread), np.where(share <= 0.5, limit, 1.0))
    undefined = np.isnan(share)
    return np.where(undefined, np.nan, lower), np.where(undefined, np.nan, upper)


def _dot(a: Array, b: Array) -> Array:
    return np.einsum("...q,...q->...", a, b)
