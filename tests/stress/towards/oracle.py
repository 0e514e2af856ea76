"""The same weights by definition: a general optimiser on the dual, slow and obvious."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]


def balance(
    phi: Array, target: Array, price: float = np.inf, base: Array | None = None, unit: Array | None = None
) -> Array:
    """Return the shares that minimise KL + (price / 2) Σ z², z the distances in units, standard deviations before."""
    base = np.full(len(phi), 1 / len(phi)) if base is None else base / base.sum()
    mean = base @ phi
    z = (phi - target) / (np.sqrt(base @ (phi - mean) ** 2) if unit is None else unit)

    def dual(xi: Array) -> tuple[float, Array]:
        height = z @ xi
        top = height.max()
        mass = base * np.exp(height - top)
        return float(np.log(mass.sum()) + top + xi @ xi / (2 * price)), mass @ z / mass.sum() + xi / price

    xi = np.zeros(phi.shape[1])
    for _ in range(60):  # Newton by finite differences of the gradient: exact enough at its own root
        gradient = dual(xi)[1]
        step = np.array([(dual(xi + 1e-6 * e)[1] - dual(xi - 1e-6 * e)[1]) / 2e-6 for e in np.eye(len(xi))])
        move = np.linalg.solve(step, -gradient)
        scale = 1.0
        while dual(xi + scale * move)[0] > dual(xi)[0] + 1e-13 and scale > 1e-6:
            scale /= 2
        xi = xi + scale * move
    assert np.abs(dual(xi)[1]).max() < 1e-9
    assert minimize(dual, xi, jac=True, method="BFGS").fun >= dual(xi)[0] - 1e-9
    mass = base * np.exp(z @ xi - (z @ xi).max())
    return mass / mass.sum()
