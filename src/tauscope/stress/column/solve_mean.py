"""The multiplier of one tilt whose mean meets a target."""

from collections.abc import Callable

import numpy as np

MAX_STEPS = 200


def solve_mean(moments: Callable[[float], tuple[float, float]], target: float, xi: float, tolerance: float) -> float:
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
        Miss of the mean at which to stop.

    Returns
    -------
    float
        Where the mean is met, or the bracket cannot be divided any more.
    """
    below, above = -np.inf, np.inf
    for _ in range(MAX_STEPS):
        mean, variance = moments(xi)
        miss = mean - target
        if abs(miss) <= tolerance:
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
