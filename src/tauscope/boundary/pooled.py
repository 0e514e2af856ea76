"""One explanation of many decisions: directions on one scale, averaged by weights, with the error of drawing rows."""

from dataclasses import dataclass

import numpy as np

from tauscope.boundary.pooled_rows import DirectionRows, Part
from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats
from tauscope.weights.measures import effective_size
from tauscope.weights.student import MIN_SIZE, student_bounds
from tauscope.words import count


@dataclass(frozen=True, eq=False)
class PooledDirection:
    """Directions of many rows in one.

    Attributes
    ----------
    direction : ndarray of shape (p,)
        Of length 1; 0 where the directions cancel.
    present, absent : ndarray of shape (p,)
        What rows that have a feature, and rows that have not, add to it: the two sum to `direction`.
    direction_ends, present_ends, absent_ends : ndarray of shape (2, p)
        Lower and upper ends of their intervals; NaN where fewer than two effective rows were pooled or the
        directions cancel.
    agreement : float
        Weighted mean cosine of the rows' directions with the pooled one, at most 1.
    wobble : float
        Standard error of the pooled direction as a vector, over its length before it was scaled to 1.
    size : float
        Effective rows, (Σw)² / Σw² of those pooled.
    n : int
        Rows pooled: those with a direction and a weight.
    """

    direction: Floats
    present: Floats
    absent: Floats
    direction_ends: Floats
    present_ends: Floats
    absent_ends: Floats
    agreement: float
    wobble: float
    size: float
    n: int


def pool_directions(rows: DirectionRows, weights: Floats | None = None, confidence: float = 0.95) -> PooledDirection:
    """Pool directions, each divided by its largest part: Σ w β/‖β‖_∞, of length 1.

    Parameters
    ----------
    rows : DirectionTable or SparseDirections
        Rows without a direction are left out.
    weights : ndarray of shape (n,) or None
    confidence : float
        Level of the intervals, in (0, 1).

    Returns
    -------
    PooledDirection

    Notes
    -----
    With s_i = β_i/‖β_i‖_∞, m their weighted mean and u = m/‖m‖, row i moves u_j by ψ_ij = (s_ij − u_j (u·s_i))/‖m‖ to
    first order (the derivative of m/‖m‖); of the part of rows that have the feature, v_j, by
    (a_ij s_ij − v_j (u·s_i))/‖m‖ with a_ij 1 for those. The interval is Student's with variance
    Σ w² ψ²/(Σ w)² · size/(size − 1) and size − 1 degrees of freedom, that of a weighted mean. Weights are taken as
    known, and each row's direction as it is.

    References
    ----------
    Vlassopoulos, "Decision Boundary Approximation", Leiden, 2019, equation 4.1 and figures 4.19 and 4.20.
    """
    weight = np.where(rows.usable, 1.0 if weights is None else weights, 0.0)
    used = weight > 0
    if not used.any():
        raise InputError(
            f"Pooling needs a row with a direction and a weight above 0; none of the {count(len(used), 'row')} has "
            "both. "
            "Loosen the constraints, or take other rows."
        )
    share = weight / weight.sum()
    mean = rows.mean(share, "all")
    length = float(np.linalg.norm(mean))
    along = rows.along(mean / (length or 1.0))
    size = effective_size(weight)

    def estimate(part: Part) -> tuple[Floats, Floats, Floats]:
        """Return a part of the pooled direction, the ends of its interval, and its variance."""
        value = rows.mean(share, part) / (length or 1.0)
        if length == 0 or size < MIN_SIZE:
            return value, np.full((2, len(value)), np.nan), np.full(len(value), np.nan)
        variance = rows.spread(share, part, value, along) / length**2 * size / (size - 1)
        return value, np.stack(student_bounds(value, variance, size, confidence)), variance

    with_it, present_ends, _ = estimate("present")
    without, absent_ends, _ = estimate("absent")
    direction, ends, variance = estimate("all")
    agreement = float(share[used] @ (along[used] / rows.lengths()[used]))
    wobble = float(np.sqrt(variance.sum()))
    return PooledDirection(
        direction, with_it, without, ends, present_ends, absent_ends, agreement, wobble, size, int(used.sum())
    )


def present(points: Floats) -> Bools:
    """Tell which features rows (n, p) have: values that are neither 0 nor missing."""
    return ~np.isnan(points) & (points != 0)
