"""Values so far off that a column's mean and standard deviation are theirs, and not those of its other rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SAMPLE = 256
"""Rows from which it is told how far apart most values lie."""
FAR = 1e5
"""Distance from the median, in typical ones, from which values are far off."""


class FarValues(NamedTuple):
    """Rows far off on one side of a column.

    Attributes
    ----------
    value : float
        The farthest.
    n_rows : int
    n_values : int
        Different values that they have.
    """

    value: float
    n_rows: int
    n_values: int


def find_far_values(values: Array, n_rows: NDArray[np.integer] | None = None) -> tuple[FarValues, ...]:
    """Find values a hundred thousand times as far from the median as those of most rows that differ from it.

    Parameters
    ----------
    values : ndarray of shape (n,)
        One for each row, NaN where it has none; or ascending, each once.
    n_rows : int ndarray of shape (n,), optional
        Rows that have each value.

    Returns
    -------
    tuple of FarValues
        Low side first; empty for columns without.
    """
    sample = values[:: max(1, len(values) // SAMPLE)] if n_rows is None else sample_counted(values, n_rows)
    sample = sample[~np.isnan(sample)]
    if not sample.size:
        return ()
    middle, typical = typical_distance(sample)
    found: list[FarValues] = []
    for sign, extreme in ((-1, float(np.nanmin(values))), (1, float(np.nanmax(values)))):
        if lies_far(extreme, middle, typical, sign):
            far = lies_far(values, middle, typical, sign)
            n_far = int(np.count_nonzero(far) if n_rows is None else n_rows[far].sum())
            found.append(FarValues(extreme, n_far, len(np.unique(values[far]))))
    return tuple(found)


def lies_far(values: Array | float, middle: float, typical: float, sign: int) -> NDArray[np.bool_]:
    """Tell which values lie far off on one side."""
    return np.asarray(sign * (np.asarray(values) / FAR - middle / FAR) > typical)


def sample_counted(values: Array, count: NDArray[np.integer] | Array) -> Array:
    """Return some values as they occur, from ascending ones and how many rows, or how much weight, have each."""
    up_to: Array = np.cumsum(count, dtype=np.float64)
    places = (np.arange(SAMPLE) + 0.5) / SAMPLE * (up_to[-1] if len(up_to) else 0.0)
    return values[np.searchsorted(up_to, places, side="right")] if len(values) else values


def typical_distance(sample: Array) -> tuple[float, float]:
    """Return the median of some values and that of their distances from it, leaving out equal ones; ∞ if all are."""
    middle = float(np.median(sample))
    distances = np.abs(sample - middle)
    apart = np.sort(distances[distances > 0])
    return middle, float(apart[(len(apart) - 1) // 2]) if apart.size else np.inf  # of two middle ones the nearer
