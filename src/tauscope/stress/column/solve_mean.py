"""The multiplier of one tilt whose mean meets a target."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MAX_STEPS = 600
FINEST = 1e-2
"""Least share of its size that a target counts for; at a tolerance of 1e-12 that is some times its rounding."""


def solve_mean(
    moments: Callable[[float], tuple[float, float]], target: float, xi: float, tolerance: float, near: float = 1.0
) -> float:
    """Find the tilt ξ under which a mean meets its target, by Newton's method kept in a bracket.

    The tilted mean grows with ξ, so a step that leaves the bracket is replaced by its middle.

    Parameters
    ----------
    moments : callable
        ξ to the tilted mean and variance.
    target : float
        Strictly inside the range of the values.
    xi : float
        Where to start.
    tolerance : float
        Miss of the mean at which to stop, in the unit of `miss_unit`.
    near : float
        How far values about the centre lie apart.

    Returns
    -------
    float
        Where the mean is met, or the bracket cannot be divided any more.
    """
    below, above = -np.inf, np.inf
    for _ in range(MAX_STEPS):
        mean, variance = moments(xi)
        miss = mean - target
        if abs(miss) <= tolerance * miss_unit(target, variance, near):
            break
        below, above = (xi, above) if miss < 0 else (below, xi)
        max_step = 4 * (1 + abs(xi))
        next_xi = xi - float(np.clip(miss / max(variance, 1e-300), -max_step, max_step))
        if not below < next_xi < above and np.isfinite(below) and np.isfinite(above):
            next_xi = (below + above) / 2
        if next_xi in (xi, below, above):
            break
        xi = next_xi
    return xi


def miss_unit(target: Array | float, variance: Array | float, near: Array | float = 1.0) -> Array | float:
    """Return the unit in which the miss of a mean is judged: the standard deviation under the weights.

    Not less than what rounding allows, and not more than the distance of values about the target: of a column which one
    value dwarfs, a little weight there is a large deviation, and says nothing of the rows among which the target lies.

    Parameters
    ----------
    target : ndarray or float
        Standardised.
    variance : ndarray or float
        Of the values under the weights.
    near : ndarray or float
        How far values about the centre lie apart, standardised.
    """
    size = np.maximum(near, np.abs(target))
    return np.clip(np.sqrt(variance), FINEST * size, size)
