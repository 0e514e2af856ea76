"""Damped Newton descent on the dual: from any start to the minimum, or to the proof that there is none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve

from tauscope.stress.joint.dual import DualPoint

Array = NDArray[np.float64]
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
