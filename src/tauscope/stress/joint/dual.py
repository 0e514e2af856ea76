"""The dual of the projection and its derivatives, summed over blocks of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve

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


Outcome = Literal["converged", "outside", "stalled"]

AIM = 1e-12  # residual that leaves nothing to gain, standard deviations
ROUNDING = 1e-15  # of a mean, in deviations under the weights
GAP = 1e-9  # separation of target and rows that rounding cannot feign, standard deviations


@dataclass(frozen=True)
class Descent:
    """Where a descent ended.

    Attributes
    ----------
    outcome : {"converged", "outside", "stalled"}
        "converged": residual within tolerance. "outside": the multipliers separate the target from every row.
        "stalled": neither before the iterations or the digits ran out.
    multipliers : ndarray of shape (k,)
    point : DualPoint
        The dual there.
    residual : float
        Largest |achieved - target|, standard deviations.
    iterations : int
        Evaluations of the dual.
    """

    outcome: Outcome
    multipliers: Array
    point: DualPoint
    residual: float
    iterations: int


def descend(
    evaluate: Callable[[Array], DualPoint],
    start: Array,
    sd: Array,
    *,
    tol: float = 1e-10,
    max_iterations: int = 100,
) -> Descent:
    """Minimise the dual.

    Parameters
    ----------
    evaluate : callable
        ξ of shape (k,) → DualPoint.
    start : ndarray of shape (k,)
        Left for ξ = 0 where the dual lies above its value there, 0.
    sd : ndarray of shape (k,)
        Unstressed standard deviations: the unit of residuals and the scale of steps.
    tol : float
        Largest residual to call converged, standard deviations. The descent goes on below it while it gains.
    max_iterations : int
        Evaluations of the dual to spend.

    Returns
    -------
    Descent

    Notes
    -----
    A step is taken when it lowers the dual (Armijo); where its gain is below the dual's rounding, when it
    lowers the residual. A refused step is cut where the slopes at its two ends put the minimum between them.
    """
    multipliers, point, n_evaluations = start, evaluate(start), 1
    # at ξ = 0 the dual is 0: a start that lies above it, or is no number, is worse than none
    if start.any() and not point.value <= 0:
        multipliers, n_evaluations = np.zeros_like(start), 2
        point = evaluate(multipliers)
    while True:
        residual = float(np.max(np.abs(point.gradient) / sd))
        if _separates(multipliers, point, sd):
            return Descent("outside", multipliers, point, residual, n_evaluations)
        if residual <= AIM:
            return Descent("converged", multipliers, point, residual, n_evaluations)
        direction = _newton_direction(multipliers, point, sd)
        slope = float(point.gradient @ direction)
        noise = 1e-13 * (1 + abs(point.highest))  # of the dual's value: gains below it cannot be seen
        step = 1.0
        while True:
            if n_evaluations >= max_iterations or step < 1e-8:
                outcome = "converged" if residual <= tol or _at_rounding(point) else "stalled"
                return Descent(outcome, multipliers, point, residual, n_evaluations)
            trial = evaluate(multipliers + step * direction)
            n_evaluations += 1
            if _separates(multipliers + step * direction, trial, sd):
                break
            if -slope * step > noise:
                if trial.value <= point.value + 1e-4 * step * slope:
                    break
            elif np.max(np.abs(trial.gradient) / sd) < residual:
                break
            elif residual <= tol:
                return Descent("converged", multipliers, point, residual, n_evaluations)
            step *= _shrink_step(slope, float(trial.gradient @ direction))
        multipliers, point = multipliers + step * direction, trial


def _at_rounding(point: DualPoint) -> bool:
    """Tell whether a residual is rounding of the values, as where weights on both sides far off balance each other."""
    return bool((np.abs(point.gradient) <= ROUNDING * np.sqrt(np.abs(np.diag(point.hessian)))).all())


def _separates(multipliers: Array, point: DualPoint, sd: Array) -> bool:
    return point.highest < -GAP * float(np.abs(multipliers) @ sd)


def _newton_direction(multipliers: Array, point: DualPoint, sd: Array) -> Array:
    """Newton's direction; its length is bounded where the weights have collapsed onto a few rows."""
    curvature = point.hessian / np.outer(sd, sd)
    try:
        scaled = -cho_solve((np.linalg.cholesky(curvature), True), point.gradient / sd)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(curvature)
        values = np.maximum(values, max(1e-15 * float(values[-1]), 1e-200))
        scaled = -vectors @ ((vectors.T @ (point.gradient / sd)) / values)
    # on a few rows the curvature all but vanishes, and a full step would leave the floats
    length = float(np.abs(scaled).sum())
    return scaled / sd * min(1.0, 10 * (1 + float(np.abs(multipliers) @ sd)) / length)


def _shrink_step(slope: float, slope_at_trial: float) -> float:
    if not slope_at_trial > slope:
        return 0.1
    return min(max(-slope / (slope_at_trial - slope), 0.1), 0.5)
