"""How far a stress moves a column: transport distance and standardised difference of means."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def wasserstein(values: Array, before: Array | None, after: Array) -> float:
    """Return the mean distance that values must travel from one weighting to another, exactly.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN marks a row without a value; these rows count in neither weighting.
    before : ndarray of shape (n_rows,) or None
        Non-negative weights on any scale; None for equal ones.
    after : ndarray of shape (n_rows,)

    Returns
    -------
    float
        First Wasserstein distance, in the column's unit; NaN where a weighting leaves no row with a value. Of a 0/1
        indicator it is the difference of the shares.

    Notes
    -----
    W = ∫ |F(x) - G(x)| dx over the two distribution functions, which are steps at the values.
    """
    values, share_before, share_after = _shares(values, before, after)
    if not values.size:
        return float("nan")
    order = np.argsort(values)
    values = values[order]
    between = np.cumsum((share_after - share_before)[order])[:-1]
    return float(np.abs(between) @ np.diff(values))


def mean_shift(values: Array, before: Array | None, after: Array) -> tuple[float, float, float]:
    """Return a column's mean before and after, and their difference in standard deviations before.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN marks a row without a value; these rows count in neither weighting.
    before : ndarray of shape (n_rows,) or None
        Non-negative weights on any scale; None for equal ones.
    after : ndarray of shape (n_rows,)

    Returns
    -------
    before, after : float
        In the column's unit; NaN where a weighting leaves no row with a value.
    difference : float
        NaN also where the column does not vary.
    """
    values, share_before, share_after = _shares(values, before, after)
    if not values.size:
        return float("nan"), float("nan"), float("nan")
    centred = values - values[0]
    mean, moved = float(share_before @ centred), float(share_after @ centred)
    sd = float(np.sqrt(share_before @ (centred - mean) ** 2))
    difference = (moved - mean) / sd if sd > 0 else float("nan")
    return float(values[0]) + mean, float(values[0]) + moved, difference


def _shares(values: Array, before: Array | None, after: Array) -> tuple[Array, Array, Array]:
    """Return the values there are and their two weightings, each summing to 1; nothing where one has no weight."""
    observed = ~np.isnan(values)
    values, after = values[observed], after[observed]
    before = np.ones(len(values)) if before is None else before[observed]
    totals = before.sum(), after.sum()
    if not (totals[0] > 0 and totals[1] > 0):
        return values[:0], before[:0], after[:0]
    return values, before / totals[0], after / totals[1]


def mean_and_deviation(values: Array, weights: Array | None) -> tuple[float, float]:
    """Return mean and standard deviation of a column over the rows with a value; NaN where none has weight.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN marks a row without a value.
    weights : ndarray of shape (n_rows,) or None
        Non-negative, on any scale; None for equal ones.
    """
    values, share, _ = _shares(values, weights, np.ones(len(values)))
    if not values.size:
        return float("nan"), float("nan")
    centred = values - values[0]
    mean = float(share @ centred)
    return float(values[0]) + mean, float(np.sqrt(share @ (centred - mean) ** 2))
