"""How unevenly weights lie on the rows, in the measures people know."""

import numpy as np
from numpy.typing import NDArray

from tauscope.weights.pareto import TIED, pareto_k, tail_size

Array = NDArray[np.float64]

SAMPLE = 2048


def mass_concentration(weights: Array, share: float = 0.5) -> float:
    """Return the smallest share of the rows that together hold a share of the weight.

    Parameters
    ----------
    weights : ndarray of shape (n_rows,)
        Non-negative.
    share : float
        Of the weight, in (0, 1].

    Returns
    -------
    float
        In (0, 1]; equal to `share`, up to one row, where all weights are equal.
    """
    cumulative: Array = np.cumsum(np.sort(weights)[::-1])
    threshold = share * (1 - 1e-12) * float(cumulative[-1])
    return (int(np.searchsorted(cumulative, threshold)) + 1) / len(weights)


def pareto_khat(weights: Array, base: Array | None = None) -> float:
    """Return Pareto k̂ of the largest weights.

    Parameters
    ----------
    weights : ndarray of shape (n_rows,)
        Non-negative; rows of weight 0 are left out.
    base : ndarray of shape (n_rows,), optional
        The weights that these were moved from, of any sum; None: all alike.

    Returns
    -------
    float
        Above 0.7 means of values do not settle; 0 where the largest weights are all equal, ∞ where fewer than five
        rows stand out, with 5 points more of all weight than `base` gives them.

    References
    ----------
    Vehtari, Simpson, Gelman, Yao, Gabry, "Pareto smoothed importance sampling", 2024.
    """
    n = int(np.count_nonzero(weights > 0))
    m = min(tail_size(n), n - 1)
    if m < 1:
        return 0.0
    largest = _largest(weights, m + 1)
    before = 1 / len(weights)
    if base is not None:
        above = weights > largest[0] * (1 + TIED)
        before = float(base[above].mean() / base.sum()) if above.any() else 0.0
    return khat_of_largest(largest, float(weights.sum()), before)


def khat_of_largest(largest: Array, total: float, before: float) -> float:
    """Return Pareto k̂ from the m largest weights and the next smaller one, ascending, and the sum of all.

    `before` is what one of the largest had of it, as in `pareto_k`.
    """
    logs = np.log(largest)
    return float(pareto_k(logs[1:] - logs[0], largest[0] / total, before=before))


def _largest(values: Array, n_largest: int) -> Array:
    """Return the largest values in ascending order, cut off where a sample says before they are sorted."""
    n = len(values)
    sample = np.sort(values[:: max(1, n // SAMPLE)])
    share = n_largest / n
    rank = int(share * len(sample) + 4 * np.sqrt(share * len(sample))) + 1
    above = values[values >= sample[-rank]] if rank < len(sample) else values
    above = above if len(above) >= n_largest else values
    return np.sort(np.partition(above, len(above) - n_largest)[len(above) - n_largest :])
