"""The bounds of the paper: how far a curve moves when the other features' distribution moves by d_TV.

References
----------
Baniecki, Casalicchio, Bischl and Biecek, "On the robustness of global feature effect explanations", 2024.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Floats


@dataclass(frozen=True)
class OutputRange:
    """Lowest and highest answers of the model.

    Attributes
    ----------
    lowest, highest : ndarray of shape (q, *G)
        At each grid point: A(x_s) and B(x_s) of Remarks 1 and 2.
    overall : ndarray of shape (q,)
        B of Theorem 4.2: the largest |answer| at any grid point.
    source : {"given", "observed"}
        "observed": extremes over the rows predicted, which holds for reweightings of these rows only.
    """

    lowest: Floats
    highest: Floats
    overall: Floats
    source: Literal["given", "observed"]


def observed_range(lowest: Floats, highest: Floats) -> OutputRange:
    """Take the extremes over the rows (q, *G) as the range."""
    largest = np.maximum(np.abs(lowest), np.abs(highest)).reshape(len(lowest), -1)
    return OutputRange(lowest, highest, np.nanmax(largest, axis=1), "observed")


def check_output_range(ends: tuple[float, float], lowest: Floats, highest: Floats) -> OutputRange:
    """Take a known range, such as (0, 1) for a probability, checked against the answers on the rows (q, *G).

    Raises
    ------
    InputError
        Where it is not a range, or an answer lies outside it.
    """
    low, high = float(ends[0]), float(ends[1])
    if not (np.isfinite([low, high]).all() and low < high):
        raise InputError(f"output_range must be two finite numbers, the first lower, got {ends}")
    if np.nanmin(lowest) < low or np.nanmax(highest) > high:
        raise InputError(
            f"output_range must hold every answer, got {ends} and answers from {np.nanmin(lowest):g} "
            f"to {np.nanmax(highest):g}: widen it, or leave it out to use the answers' own"
        )
    shape = lowest.shape
    overall = np.full(len(lowest), max(abs(low), abs(high)))
    return OutputRange(np.full(shape, low), np.full(shape, high), overall, "given")


@dataclass(frozen=True)
class PublishedBounds:
    """Half-widths around the curve, each (q, *G).

    Attributes
    ----------
    theorem : ndarray
        2 B d_TV [Theorem 4.2].
    pointwise : ndarray
        2 B(x_s) d_TV [Remark 1], B(x_s) the largest |answer| at the grid point.
    cap : ndarray
        max(B(x_s) − g, g − A(x_s)) [Remark 2]: no distribution moves the curve g further.
    oscillation : ndarray
        (B(x_s) − A(x_s)) d_TV: ∫f(p − p') = ∫(f − c)(p − p') for any c, so only the spread of f counts. At
        most the pointwise bound, and half of the theorem's where f fills [0, 1].
    """

    theorem: Floats
    pointwise: Floats
    cap: Floats
    oscillation: Floats

    @property
    def half_width(self) -> Floats:
        """The paper's bound with both of its remarks: the lesser of pointwise and cap."""
        return np.minimum(self.pointwise, self.cap)


def published_bounds(effect: Floats, output: OutputRange, distance: Floats | float) -> PublishedBounds:
    """Compute the paper's bounds for partial or conditional dependence.

    Parameters
    ----------
    effect : ndarray of shape (q, *G)
    output : OutputRange
    distance : float or ndarray of shape (*G,)
        Total variation between the distributions of the other features; for conditional dependence, of their
        conditional distributions at each point.
    """
    tv = np.broadcast_to(np.asarray(distance, dtype=np.float64), effect.shape)
    overall = output.overall.reshape(-1, *([1] * (effect.ndim - 1)))
    largest = np.maximum(np.abs(output.lowest), np.abs(output.highest))
    return PublishedBounds(
        theorem=2 * overall * tv,
        pointwise=2 * largest * tv,
        cap=np.maximum(output.highest - effect, effect - output.lowest),
        oscillation=(output.highest - output.lowest) * tv,
    )
