"""How far apart groups of rows are in a metric: the largest and the smallest of several values with their intervals."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Gap(NamedTuple):
    """The distance between the largest and the smallest of several values.

    Attributes
    ----------
    largest, smallest : int
        Places of the two.
    gap, gap_lower, gap_upper : float
        Largest minus smallest, at least 0, and its interval.
    ratio, ratio_lower, ratio_upper : float
        Smallest over largest, in [0, 1], and its interval; NaN where a value is negative or none is above 0.
    """

    largest: int
    smallest: int
    gap: float
    gap_lower: float
    gap_upper: float
    ratio: float
    ratio_lower: float
    ratio_upper: float


def single_level(confidence: float, n_groups: int) -> float:
    """Return the level at which each of several intervals has to hold for all of them to hold together, by Bonferroni.

    Parameters
    ----------
    confidence : float
        Of all together, in (0, 1).
    n_groups : int
        At least 1.
    """
    return 1 - (1 - confidence) / n_groups


def measure_gap(values: Array, lower: Array, upper: Array) -> Gap:
    """Measure the gap of several values whose intervals hold together.

    Parameters
    ----------
    values, lower, upper : ndarray of shape (n_groups,)
        Values are finite; where an end is NaN, so are the gap's.

    Notes
    -----
    Where every value lies in its interval, the largest lies between the largest of the lower and of the upper ends, and
    the smallest between the smallest of both.
    """
    largest, smallest = int(np.argmax(values)), int(np.argmin(values))
    top, bottom = float(values[largest]), float(values[smallest])
    top_ends, bottom_ends = (float(lower.max()), float(upper.max())), (float(lower.min()), float(upper.min()))
    gap_lower = float(np.maximum(top_ends[0] - bottom_ends[1], 0.0))
    ratio = (np.nan, np.nan, np.nan)
    if bottom >= 0 and top > 0:
        ratio = (bottom / top, *_ratio_ends(top_ends, bottom_ends))
    return Gap(largest, smallest, top - bottom, gap_lower, top_ends[1] - bottom_ends[0], *ratio)


def _ratio_ends(top: tuple[float, float], bottom: tuple[float, float]) -> tuple[float, float]:
    if np.isnan([*top, *bottom]).any():
        return np.nan, np.nan
    lower = max(bottom[0], 0.0) / top[1] if top[1] > 0 else 0.0
    return lower, min(bottom[1] / top[0], 1.0) if top[0] > 0 else 1.0
