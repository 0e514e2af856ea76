"""The projection with a price: margins that cannot all be met, or not without ruining the sample, are met in part."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.dual import Descent, DualPoint, descend, evaluate, exponents
from tauscope.stress.joint.solver import shares

Array = NDArray[np.float64]


def project_penalised(
    phi: Array,
    target: Array,
    base: Array | None,
    sd: Array,
    price: float,
    *,
    tol: float = 1e-10,
    max_iterations: int = 200,
) -> tuple[Array, Descent]:
    """Find the weights that are close to the base and have means close to a target.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
        Anything finite; it need not be reachable.
    base : ndarray of shape (n_rows,) or None
        Positive, summing to 1; None for 1/n each.
    sd : ndarray of shape (k,)
        Positive: the unit in which a margin is missed.
    price : float
        Positive, nats.
    tol : float
        Largest residual of the equations, standard deviations.
    max_iterations : int
        Passes over the rows.

    Returns
    -------
    share : ndarray of shape (n_rows,)
        The weights, summing to 1.
    descent : Descent
        Always "converged" unless iterations or digits ran out.

    Notes
    -----
    The weights minimise KL(λ ‖ base) + (price / 2) Σ z², z_j = (mean of Φ_j - t_j) / sd_j. The dual is that of the
    projection plus Σ (ξ_j sd_j)² / (2 price), strictly convex: there is one solution whatever the target, even with
    columns that follow from each other, and at it z_j = -ξ_j sd_j / price. As the price grows the means approach the
    nearest that any weights have.
    """
    curvature = sd**2 / price

    def dual(multipliers: Array) -> DualPoint:
        return penalise(evaluate(phi, target, base, multipliers), multipliers, curvature)

    descent = descend(dual, np.zeros(len(target)), sd, tol=tol, max_iterations=max_iterations)
    heights = exponents(phi, target, descent.multipliers)
    return shares(heights - heights.max(), base), descent


def penalise(point: DualPoint, multipliers: Array, curvature: Array) -> DualPoint:
    """Add what the price makes of the dual at a point, Σ curvature ξ² / 2; `curvature` (k,) is sd² / price."""
    return replace(
        point,
        value=point.value + float(curvature @ multipliers**2) / 2,
        gradient=point.gradient + curvature * multipliers,
        hessian=point.hessian + np.diag(curvature),
        highest=max(point.highest, 0.0),  # a target that lies outside of the rows is no reason to stop
    )
