"""One explanation of many decisions: directions on one scale, averaged by weights."""

from dataclasses import dataclass

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats


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
    if not used.any():
        raise InputError(
            f"Pooling needs a row with a direction and a weight above 0; none of the {len(directions)} rows has both. "
            "Loosen the constraints, or take other rows."
        )
    scaled = weight[used, None] * directions[used] / largest[used, None]
    is_present = present(start[used])
    norm = float(np.linalg.norm(scaled.sum(axis=0))) or 1.0
    with_it = np.where(is_present, scaled, 0).sum(axis=0) / norm
    without = np.where(is_present, 0, scaled).sum(axis=0) / norm
    return PooledDirection(with_it + without, with_it, without, int(used.sum()))


def present(points: Floats) -> Bools:
    """Tell which features rows (n, p) have: values that are neither 0 nor missing."""
    return ~np.isnan(points) & (points != 0)
