"""When a number under stress is unreliable: thresholds, and caveats in words."""

import numpy as np
from numpy.typing import NDArray

from tauscope.results.formatting import number

MIN_ESS = 30.0
MAX_K_INTERVAL = 0.5
MAX_K_ESTIMATE = 0.7

VERDICTS = ("trustworthy", "interval not trustworthy", "neither estimate nor interval trustworthy")
"""What is reliable under a stress: estimate and interval, the estimate alone, neither."""

RULE = f"ESS < {MIN_ESS:.0f} or Pareto k > {MAX_K_INTERVAL}"


def reliable(ess: NDArray[np.float64], pareto_k: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell where an interval is reliable: at least 30 effective rows and k̂ at most 0.5.

    Parameters
    ----------
    ess, pareto_k : ndarray of one shape
        Effective sample size in rows, and the Pareto k of the largest weights.

    Returns
    -------
    ndarray of bool, of the same shape
        False also where either is not a number.

    References
    ----------
    Vehtari, Simpson, Gelman, Yao, Gabry, "Pareto smoothed importance sampling", 2024: above 0.5 the variance of
    the weights is infinite in the population, above 0.7 the estimate does not settle either.
    """
    return (ess >= MIN_ESS) & (pareto_k <= MAX_K_INTERVAL)


def reliable_ends(good: NDArray[np.bool_], zero: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first and last position of the interval of reliable τ around 0, for each feature.

    Parameters
    ----------
    good : bool ndarray of shape (p, T)
        From `reliable`.
    zero : int
        Place of τ = 0.

    Returns
    -------
    first, last : ndarray of shape (p,)
        Both ends of the grid for all features where no step away from 0 is reliable for any.
    """
    n_taus = good.shape[1]
    below = np.cumprod(good[:, :zero][:, ::-1], axis=1).sum(1)
    above = np.cumprod(good[:, zero + 1 :], axis=1).sum(1)
    if none_reliable(good, zero):
        return np.zeros(len(good), np.intp), np.full(len(good), n_taus - 1)
    return zero - below, zero + above


def none_reliable(good: NDArray[np.bool_], zero: int) -> bool:
    """Tell whether no step of τ away from 0 is reliable for any feature; parameters as in `reliable_ends`."""
    steps = [t for t in (zero - 1, zero + 1) if 0 <= t < good.shape[1]]
    return not good[:, steps].any()


def caveats(ess: float, pareto_k: float) -> tuple[str, ...]:
    """Say in words what speaks against a number; empty when nothing does."""
    words: list[str] = []
    if not ess >= MIN_ESS:
        left = number(ess)
        words.append(f"the weights leave {left} effective row{'' if left == '1' else 's'}, too few to trust")
    if np.isinf(pareto_k):
        words.append("a handful of rows carries the weight: neither the estimate nor its interval is trustworthy")
    elif pareto_k > MAX_K_ESTIMATE:
        words.append(f"Pareto k {pareto_k:.2f}: neither the estimate nor its interval is trustworthy")
    elif pareto_k > MAX_K_INTERVAL:
        words.append(f"Pareto k {pareto_k:.2f}: the interval is not trustworthy")
    return tuple(words)
