"""The lowest and highest conditional mean when mass moves among all rows, in and out of the window."""

import numpy as np

from tauscope.weights.arrays import Floats

STEPS = 100


def window_range(values: Floats, mass: Floats, epsilon: float) -> tuple[float, float]:
    """Bound Σ w v / Σ w over a window's rows, over every reweighting of all rows within total variation ε.

    Parameters
    ----------
    values : ndarray of shape (k,)
        Answers in the window.
    mass : ndarray of shape (k,)
        Mass of the window's rows, all rows together having 1.
    epsilon : float
        In [0, 1].

    Returns
    -------
    lower, upper : float
        Attained; NaN where the window has no mass.

    Notes
    -----
    The ratio exceeds t exactly where Σ w u > 0 for some w, u = v − t in the window and 0 outside it, a linear
    problem answered by a sort. Replacing t by the ratio of its solution climbs to the maximum in finitely many
    steps (Dinkelbach, "On nonlinear fractional programming", 1967).
    """
    return -_highest_ratio(-values, mass, epsilon), _highest_ratio(values, mass, epsilon)


def _highest_ratio(values: Floats, mass: Floats, epsilon: float) -> float:
    inside = float(mass.sum())
    if inside <= 0:
        return float("nan")
    order = np.argsort(values, kind="stable")
    v, m = values[order], mass[order]
    below = np.concatenate([[0.0], np.cumsum(m)])
    sums = np.concatenate([[0.0], np.cumsum(m * v)])
    outside = max(0.0, 1.0 - inside)
    ratio = float(sums[-1] / inside)
    for _ in range(STEPS):
        # mass is taken from rows below the ratio, then from outside, then from the rows above it
        low = float(below[np.searchsorted(v, ratio, side="left")])
        from_low = min(epsilon, low)
        from_outside = min(epsilon - from_low, outside)
        from_high = min(epsilon - from_low - from_outside, inside - low)
        removed = from_low + from_high  # both from the lowest values up
        remaining = float(sums[-1] - np.interp(removed, below, sums))
        added = from_low + from_outside + from_high
        better = (remaining + added * float(v[-1])) / (inside + from_outside)
        if better <= ratio:
            break
        ratio = better
    return ratio
