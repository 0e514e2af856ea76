"""Lines below and above an activation on an interval."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tauscope.weights.arrays import Floats

Activation = Literal["relu", "tanh"]
N_HALVINGS = 30
WIDENED = 1e-12


@dataclass(frozen=True, eq=False)
class Lines:
    """slope · h + intercept below and above the activation, each of the shape of the interval's ends."""

    lower_slope: Floats
    lower_intercept: Floats
    upper_slope: Floats
    upper_intercept: Floats


def lines_of(activation: Activation, lower: Floats, upper: Floats) -> Lines:
    """Lines of an activation between two ends, after Zhang, Weng, Chen, Hsieh and Daniel (2018), table 2 (CROWN)."""
    return _relu(lower, upper) if activation == "relu" else _tanh(lower, upper)


def _relu(lower: Floats, upper: Floats) -> Lines:
    crosses = (lower < 0) & (upper > 0)
    slope = np.where(crosses, upper / np.where(crosses, upper - lower, 1.0), (lower >= 0).astype(np.float64))
    below = np.where(crosses, (upper > -lower).astype(np.float64), slope)
    nothing = np.zeros_like(lower)
    return Lines(below, nothing, slope, np.where(crosses, -slope * lower, nothing))


def _tanh(lower: Floats, upper: Floats) -> Lines:
    upper_slope, upper_intercept = _above_tanh(lower, upper)
    lower_slope, mirrored = _above_tanh(-upper, -lower)  # tanh is odd
    return Lines(lower_slope, -mirrored, upper_slope, upper_intercept)


def _above_tanh(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Line above tanh: the chord where tanh is convex, else a tangent at a place where tanh is concave.

    Where the interval has both, the tangent that also passes above the lower end: bisected from the side of the
    places whose tangents do.
    """
    chord = (np.tanh(upper) - np.tanh(lower)) / np.maximum(upper - lower, 1e-300)
    chord = np.where(upper - lower < 1e-9, _slope(np.minimum(np.abs(lower), np.abs(upper))), chord)
    low, high = np.maximum(lower, 0.0), np.maximum(upper, 0.0)
    spans = lower < 0
    place = np.where(spans, high, (low + high) / 2)
    for _ in range(N_HALVINGS):
        middle = (low + high) / 2
        above = _slope(middle) * (lower - middle) + np.tanh(middle) >= np.tanh(lower)
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    place = np.where(spans, high, place)
    slope = _slope(place)
    touches = (place > 0) & (slope * (lower - place) + np.tanh(place) >= np.tanh(lower)) | ~spans
    slope = np.where(touches, slope, chord)
    through = np.where(touches, place, upper)
    # a chord passes through both ends; the larger intercept keeps it above by rounding
    intercept = np.maximum(np.tanh(through) - slope * through, np.tanh(lower) - slope * lower)
    intercept = np.where(
        touches, np.tanh(through) - slope * through, np.maximum(intercept, np.tanh(upper) - slope * upper)
    )
    return slope, intercept + WIDENED


def _slope(place: Floats) -> Floats:
    return 1 - np.tanh(place) ** 2
