"""Every index along τ for every column: the engine's answer to one row of sliders."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.indices import Index


@dataclass(frozen=True)
class Curves:
    """Curves of p columns over T values of τ for I indices.

    Attributes
    ----------
    taus : ndarray of shape (T,)
        In [-1, 1], ascending.
    indices : tuple of Index, length I
    target : ndarray of shape (p, T)
        Mean the column was moved to, in the column's unit.
    multiplier : ndarray of shape (p, T)
        ξ of the exponential tilt, per unit of the column; ±inf where the target is the column's extreme.
    value, lower, upper : ndarray of shape (p, I, T)
    ess : ndarray of shape (p, T)
        Effective sample size (Σw)²/Σw², rows.
    pareto_k : ndarray of shape (p, T)
        Pareto k̂ of the largest weights; 0 where the largest weights are all equal.
    kl : ndarray of shape (p, T)
        KL(stressed ‖ unstressed), nats.
    tv : ndarray of shape (p, T)
        Total variation between stressed and unstressed rows, in [0, 1].
    reached : ndarray of shape (p, 2)
        Probability levels of the quantiles that τ = -1 and τ = +1 stand for: (α, 1-α), or the widened ones.
    mean : ndarray of shape (p,)
        Unstressed mean of the observed values of each column.
    n_missing : ndarray of shape (p,)
        Rows without a value; they keep their weight.
    """

    taus: NDArray[np.float64]
    indices: tuple[Index, ...]
    target: NDArray[np.float64]
    multiplier: NDArray[np.float64]
    value: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    ess: NDArray[np.float64]
    pareto_k: NDArray[np.float64]
    kl: NDArray[np.float64]
    tv: NDArray[np.float64]
    reached: NDArray[np.float64]
    mean: NDArray[np.float64]
    n_missing: NDArray[np.int64]
