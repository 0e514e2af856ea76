"""Row weights: what they must be, and how far one set of them lies from another."""

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Floats


def check_weights(sample_weight: object, n_rows: int) -> Floats:
    """Check row weights and scale them to mean 1.

    Parameters
    ----------
    sample_weight : array-like of shape (n_rows,) or None
        Non-negative; None means equal weights.
    n_rows : int

    Returns
    -------
    ndarray of shape (n_rows,)
        Non-negative, mean 1.

    Raises
    ------
    InputError
        Where a weight is missing, negative or infinite, or all are zero.
    """
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_rows,):
        raise InputError(f"sample_weight must have one weight per row, shape ({n_rows},); got shape {weights.shape}")
    n_bad = int(np.count_nonzero(~(np.isfinite(weights) & (weights >= 0))))
    if n_bad:
        raise InputError(f"sample_weight must be finite and not negative; {n_bad} of {n_rows} are not")
    total = float(weights.sum())
    if total == 0:
        raise InputError("sample_weight must not be all zero: some row has to count")
    return weights * (n_rows / total)


def effective_size(weights: Floats) -> float:
    """Effective sample size (Σw)²/Σw², in rows; 0 where there is no weight."""
    squares = float(np.dot(weights, weights))
    return float(weights.sum()) ** 2 / squares if squares > 0 else 0.0


def total_variation(weights: Floats, base: Floats) -> float:
    """Total variation ½ Σ|w/Σw − b/Σb| between two weightings of the same rows, in [0, 1]."""
    return 0.5 * float(np.abs(weights / weights.sum() - base / base.sum()).sum())


def kullback_leibler(weights: Floats, base: Floats) -> float:
    """KL(weights ‖ base) in nats, both scaled to sum 1; infinite where weight stands on a row of base 0."""
    w, b = weights / weights.sum(), base / base.sum()
    used = w > 0
    if np.any(b[used] == 0):
        return float("inf")
    return max(0.0, float(np.dot(w[used], np.log(w[used] / b[used]))))
