"""What each row adds to the targets of a stress that are estimated from the rows, and how far that moves them."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.target import TauRange
from tauscope.stress.joint.dual import blocks
from tauscope.stress.joint.products import over_rows

Array = NDArray[np.float64]
Influence = Callable[[slice], Array]
"""A slice of rows to their ψ, NaN where a row has no value; 0 on average over the weighted rows with one."""

NO_MOVE = 1e-12
"""Distance of a target from the mean that Φ has anyway, relative to its size, that rounding makes."""


def of_mean(column: Array, mean: float, factor: float = 1.0) -> Influence:
    """Return ψ of a mean that is held, or moved by a factor."""
    return lambda rows: factor * (column[rows] - mean)


def of_tau(column: Array, around: TauRange, tau: float) -> Influence:
    """Return ψ of the mean that τ asks for."""
    return lambda rows: around.influence(column[rows], tau)


def tau_basis(column: Array, around: TauRange) -> list[Influence]:
    """Return the three ψ that those of every τ are combinations of: of the mean, of its lower and of its upper end."""
    return [of_mean(column, around.mean), of_tau(column, around, -1.0), of_tau(column, around, 1.0)]


def tau_coefficients(taus: Array) -> Array:
    """Return ψ of each τ as a combination of `tau_basis`, shape (T, 3)."""
    return np.stack([1 - np.abs(taus), np.maximum(-taus, 0.0), np.maximum(taus, 0.0)], axis=-1)


def target_covariance(influences: Sequence[Influence | None], n_rows: int, base: Array | None) -> Array:
    """Return the covariance of targets, Σ v² ψψᵀ.

    Parameters
    ----------
    influences : sequence of Influence or None, length k
        None where a target is given in units.
    n_rows : int
    base : ndarray of shape (n_rows,) or None
        v, summing to 1; None for 1/n each.

    Returns
    -------
    ndarray of shape (k, k)
        Of means over all rows: those without a value add nothing.
    """
    places = [j for j, influence in enumerate(influences) if influence is not None]
    chosen = [influence for influence in influences if influence is not None]
    out, square = np.zeros((len(influences), len(influences))), np.zeros((len(chosen), len(chosen)))
    for rows in blocks(n_rows, len(chosen)) if chosen else ():
        psi = np.stack([influence(rows) for influence in chosen])
        np.copyto(psi, 0.0, where=np.isnan(psi))
        if base is not None:
            psi *= base[rows]
        square += over_rows(psi, psi)
    out[np.ix_(places, places)] = square if base is not None else square / n_rows**2
    return out


def count_beyond(values: Array, present: float, required: float, weight: Array | None = None) -> float:
    """Count the rows at or beyond a target in the direction of the move; ∞ without a move.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Of the rows that count; NaN where one has no value.
    present, required : float
        Mean without the stress, and under it.
    weight : ndarray of shape (n,) or None
        Where rows are weighted it is the effective ones, (Σv)²/Σv², that are counted.
    """
    slack = NO_MOVE * max(1.0, abs(required))
    if abs(required - present) <= slack:
        return float("inf")
    beyond = values >= required - slack if required > present else values <= required + slack
    if weight is None:
        return float(np.count_nonzero(beyond))
    counted = weight[beyond]
    return float(counted.sum() ** 2 / np.square(counted).sum()) if counted.any() else 0.0
