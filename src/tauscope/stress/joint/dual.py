"""The dual of the projection and its derivatives, summed over blocks of rows."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.joint.products import over_rows

Array = NDArray[np.float64]

BLOCK = 80_000  # numbers per block: two such buffers stay in a core's second-level cache


@dataclass(frozen=True)
class MomentSummary:
    """Where the rows of Φ lie before any stress.

    Attributes
    ----------
    mean, sd, low, high : ndarray of shape (k,)
        Mean and standard deviation under the base weights, smallest and largest value.
    covariance : ndarray of shape (k, k)
    of_bulk : bool
        Whether mean, deviations and covariance leave out rows that dwarf the others.
    spread : ndarray of shape (k,) or None
        Of the bulk: its standard deviations, where `sd` and `covariance` are widened to reach a target far off.
    """

    mean: Array
    sd: Array
    low: Array
    high: Array
    covariance: Array
    of_bulk: bool = False
    spread: Array | None = None


@dataclass(frozen=True)
class DualPoint:
    """The dual at one ξ.

    Attributes
    ----------
    value : float
        H(ξ) = log Σ b_i exp⟨ξ, Φ_i - t⟩, nats; at the minimum, minus the divergence.
    gradient : ndarray of shape (k,)
        Mean of Φ - t under the weights of ξ.
    hessian : ndarray of shape (k, k)
        Covariance of Φ under them.
    highest : float
        max_i ⟨ξ, Φ_i - t⟩. Negative: ξ separates the target from every row, so no weights reach it.
    """

    value: float
    gradient: Array
    hessian: Array
    highest: float


def blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Cut the rows into blocks whose values fit the cache."""
    size = max(256, BLOCK // max(n_columns, 1))
    for start in range(0, n_rows, size):
        yield slice(start, min(start + size, n_rows))


def summarise_moments(phi: Array, base: Array | None) -> MomentSummary:
    """Measure mean, covariance and range of the rows of Φ in one pass.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    base : ndarray of shape (n_rows,) or None
        Positive, summing to 1; None for 1/n each.

    Returns
    -------
    MomentSummary

    Raises
    ------
    InputError
        Where a value is missing or infinite.
    """
    n = len(phi)
    with np.errstate(invalid="ignore"):  # infinite values: refused below
        pivot = phi[:: max(1, n // 1000)].mean(axis=0)
        pivot = np.where(np.isfinite(pivot), pivot, 0.0)
        summary = _summarise(phi, base, pivot)
    bad = ~(np.isfinite(summary.low) & np.isfinite(summary.high))
    if bad.any():
        raise InputError(
            f"A projection needs finite values in every row; column {int(bad.argmax())} of Φ holds missing "
            "or infinite ones. Leave those rows out, or constrain only the rows that have a value."
        )
    if (np.abs(summary.mean - pivot) > 10 * summary.sd).any():  # an unlucky pivot: squares would cancel
        summary = _summarise(phi, base, summary.mean)
    return summary


def _summarise(phi: Array, base: Array | None, pivot: Array) -> MomentSummary:
    n, k = phi.shape
    low, high = np.full(k, np.inf), np.full(k, -np.inf)
    total, square = np.zeros(k), np.zeros((k, k))
    for rows in blocks(n, k):
        z = np.subtract(phi[rows].T, pivot[:, None], order="C")
        low, high = np.minimum(low, phi[rows].min(axis=0)), np.maximum(high, phi[rows].max(axis=0))
        weighted = z if base is None else z * base[rows]
        total += weighted.sum(axis=1)
        square += over_rows(weighted, z)
    if base is None:
        total, square = total / n, square / n
    covariance = square - np.outer(total, total)
    sd = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return MomentSummary(pivot + total, sd, low, high, covariance)


def evaluate(phi: Array, target: Array, base: Array | None, multipliers: Array) -> DualPoint:
    """Evaluate the dual, its gradient and Hessian in one pass over the rows.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    base : ndarray of shape (n_rows,) or None
        Positive, summing to 1; None for 1/n each.
    multipliers : ndarray of shape (k,)
        ξ, per unit of Φ.

    Returns
    -------
    DualPoint

    Notes
    -----
    Centring at t keeps every digit of columns far from zero: the difference of two numbers rounds relative to
    itself. The largest exponent so far is taken out of the running sums, so nothing overflows.
    """
    n, k = phi.shape
    highest, total = -math.inf, 0.0
    first, second = np.zeros(k), np.zeros((k, k))
    for rows in blocks(n, k):
        z = np.subtract(phi[rows].T, target[:, None], order="C")
        w = multipliers @ z
        # a later block may hold a larger exponent: what is summed so far shrinks to it, so that nothing overflows
        peak = float(w.max())
        if peak > highest:
            shrink = math.exp(highest - peak)
            total, first, second, highest = total * shrink, first * shrink, second * shrink, peak
        w -= highest
        np.exp(w, out=w)
        if base is not None:
            w *= base[rows]
        total += float(w.sum())
        first += z @ w
        second += over_rows(z * w, z)
    gradient = first / total
    value = highest + math.log(total if base is not None else total / n)
    return DualPoint(value, gradient, second / total - np.outer(gradient, gradient), highest)


def exponents(phi: Array, target: Array, multipliers: Array) -> Array:
    """Return ⟨ξ, Φ_i - t⟩ of every row, shape (n_rows,)."""
    out = np.empty(len(phi))
    for rows in blocks(*phi.shape):
        out[rows] = (phi[rows] - target) @ multipliers
    return out
