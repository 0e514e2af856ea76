"""How evenly row weights lie, and how far one set of them lies from another.

Weights come on any scale, shares of the weight sum to 1. What is known to sum to 1 is not scaled again: the engines
measure their own shares exactly as they are.
"""

import numpy as np

from tauscope.weights.arrays import Floats

LEAST_TV = 1e-3
"""Total variation below which KL is mostly rounding."""
TV_ROUNDING = 1e-12
"""What a squared total variation is kept below 1 by."""


def effective_size(weights: Floats) -> float:
    """Effective sample size (Σw)²/Σw², in rows; 0 where there is no weight."""
    squares = float(np.dot(weights, weights))
    return float(weights.sum()) ** 2 / squares if squares > 0 else 0.0


def effective_size_of_shares(share: Floats) -> float:
    """Effective sample size 1/Σs² of shares that sum to 1, in rows."""
    return 1 / float(share @ share)


def total_variation(weights: Floats, base: Floats) -> float:
    """Total variation ½ Σ|w/Σw − b/Σb| between two weightings of the same rows, in [0, 1]."""
    return total_variation_of_shares(weights / weights.sum(), base / base.sum())


def total_variation_of_shares(share: Floats, base: Floats | float) -> float:
    """Total variation ½ Σ|s − b| between shares that sum to 1 each; one number for `base` means equal shares."""
    return 0.5 * float(np.abs(share - base).sum())


def kullback_leibler(weights: Floats, base: Floats) -> float:
    """KL(weights ‖ base) in nats, both scaled to sum 1; infinite where weight stands on a row of base 0."""
    return kullback_leibler_of_shares(weights / weights.sum(), base / base.sum())


def kullback_leibler_of_shares(share: Floats, base: Floats) -> float:
    """KL(share ‖ base) in nats of shares that sum to 1; infinite where a share stands on a row of base 0."""
    used = share > 0
    if np.any(base[used] == 0):
        return float("inf")
    return max(0.0, float(np.dot(share[used], np.log(share[used] / base[used]))))


def divergence_ratio(kl: Floats | float, tv: Floats | float, observed: Floats | float = 1.0) -> Floats:
    """Return KL over that of a normal column whose mean shift has the same total variation; 1 for next to no shift.

    A normal column has -π ln(1 - TV²) within 4 %, π times the least KL that any shift has (Bretagnolle, Huber,
    1979). Long tails have more: a lognormal column about three times as much, whatever the size of the shift.

    Parameters
    ----------
    kl, tv : ndarray or float
    observed : ndarray or float
        Share of the weight of the rows with a value; only these are moved.
    """
    squares = np.minimum(np.square(np.divide(tv, observed)), 1 - TV_ROUNDING)
    moved = squares > LEAST_TV**2
    return np.where(moved, np.divide(kl, observed) / np.where(moved, -np.pi * np.log1p(-squares), 1.0), 1.0)


def effective_size_of_sums(total: Floats, squares: Floats) -> Floats:
    """Return (Σw)² / Σw² from both sums, rows; 0 of no rows, and where squares of tiny weights are no floats."""
    return np.where(squares > 0, total * (total / np.where(squares > 0, squares, 1.0)), 0.0)
