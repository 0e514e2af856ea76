"""The reweighting within a total variation whose mean is highest: mass goes from the lowest values to the highest."""

import numpy as np

from tauscope.weights.arrays import Floats


def tv_maximum(values: Floats, base: Floats, epsilon: float) -> Floats:
    """Find the weights within total variation ε of the base whose mean of the values is highest.

    Parameters
    ----------
    values : ndarray of shape (n,)
    base : ndarray of shape (n,)
        Non-negative, on any scale. The highest value counts also where its rows have none.
    epsilon : float
        In [0, 1].

    Returns
    -------
    ndarray of shape (n,)
        Sum 1. Rows of one value gain or lose in proportion to what they have: any split among them has the same mean,
        and this one changes the weights least.
    """
    levels, level = np.unique(values, return_inverse=True)
    level = level.ravel()
    share = base / base.sum()
    mass = np.bincount(level, share, len(levels))
    before = np.concatenate([[0.0], np.cumsum(mass)[:-1]])
    # ε is used up from the lowest value on; the last level touched gives only what is left of it
    removed = np.clip(epsilon - before, 0.0, mass)
    kept = np.where(mass > 0, 1 - removed / np.where(mass > 0, mass, 1.0), 1.0)
    highest = level == len(levels) - 1
    parts = share[highest] / mass[-1] if mass[-1] > 0 else np.full(int(highest.sum()), 1 / highest.sum())
    out = share * kept[level]
    out[highest] += float(removed.sum()) * parts
    return out
