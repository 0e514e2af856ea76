"""One explanation of many decisions: directions on one scale, averaged by weights."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class PooledDirection:
    """Directions of many rows in one.

    Attributes
    ----------
    direction : ndarray of shape (p,)
        Of length 1.
    present, absent : ndarray of shape (p,)
        What rows that have a feature, and rows that have not, add to it: the two sum to `direction`.
    n : int
        Rows pooled: those with a direction and a weight.
    """

    direction: Floats
    present: Floats
    absent: Floats
    n: int


def pool_directions(directions: Floats, start: Floats, weights: Floats | None = None) -> PooledDirection:
    """Pool directions, each divided by its largest part: Σ w β/‖β‖_∞, of length 1.

    Parameters
    ----------
    directions : ndarray of shape (n, p)
        NaN in rows without one, which are left out.
    start : ndarray of shape (n, p)
        The rows explained; a feature is present where it is neither 0 nor missing.
    weights : ndarray of shape (n,) or None

    Returns
    -------
    PooledDirection

    References
    ----------
    Vlassopoulos, "Decision Boundary Approximation", Leiden, 2019, equation 4.1 and figures 4.19 and 4.20.
    """
    largest = np.abs(directions).max(axis=1, initial=0)
    weight = np.where(largest > 0, 1.0 if weights is None else weights, 0.0)
    used = weight > 0
    _check_some(used)
    scaled = weight[used, None] * directions[used] / largest[used, None]
    is_present = present(start[used])
    norm = float(np.linalg.norm(scaled.sum(axis=0))) or 1.0
    with_it = np.where(is_present, scaled, 0).sum(axis=0) / norm
    without = np.where(is_present, 0, scaled).sum(axis=0) / norm
    return PooledDirection(with_it + without, with_it, without, int(used.sum()))


def pool_sparse_directions(
    directions: Sequence[Floats], starts: Sequence[Floats], places: Sequence[Ints], weights: Floats, p: int
) -> tuple[PooledDirection, Ints]:
    """Pool directions that have columns of their own each, as `pool_directions` does.

    Parameters
    ----------
    directions, starts : sequences of ndarray of shape (p_i,)
    places : sequence of ndarray of shape (p_i,)
        Where among all p columns those of each stand.
    weights : ndarray of shape (n,)
    p : int

    Returns
    -------
    pooled : PooledDirection
    n_present : ndarray of shape (p,)
        Rows pooled that have each feature.
    """
    parts = np.zeros((2, p))  # absent, present
    n_present = np.zeros(p, dtype=np.int64)
    largest = np.array([np.abs(direction).max(initial=0) for direction in directions])
    used = (largest > 0) & (weights > 0)
    _check_some(used)
    for i in np.flatnonzero(used).tolist():
        is_present = present(starts[i])
        parts[is_present.astype(np.int64), places[i]] += weights[i] * directions[i] / largest[i]
        n_present[places[i][is_present]] += 1
    without, with_it = parts / (float(np.linalg.norm(parts.sum(axis=0))) or 1.0)
    return PooledDirection(with_it + without, with_it, without, int(used.sum())), n_present


def _check_some(used: Bools) -> None:
    if not used.any():
        raise InputError(
            f"Pooling needs a row with a direction and a weight above 0; none of the {len(used)} rows has both. "
            "Loosen the constraints, or take other rows."
        )


def present(points: Floats) -> Bools:
    """Tell which features rows (n, p) have: values that are neither 0 nor missing."""
    return ~np.isnan(points) & (points != 0)
