"""The ends of τ for a column of two values: a level's share, 0/1, booleans.

Where a quantile lies past the mean it is the far value, a share of 0 or 100 %. Where it does not, the far value is
rare, and its odds are multiplied by four instead: with near value a, far value b and share p of b, the mean moves to
a + p'(b - a), p' = 4p/(1 + 3p). That end follows the mean, dp'/dp = 4/(1 + 3p)², and moves with nothing else.
"""

from typing import NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.tau_end import NEVER, QuantileWindow, TauEnd

Array = NDArray[np.float64]
Mean = TypeVar("Mean", float, Array)

ODDS = 4.0
"""Times the odds of a rare value at the end of τ."""


class EndOfTwo(NamedTuple):
    """A mean that τ = -1 or +1 stands for, the level of its quantile, NaN where it is none, and how it follows rows."""

    mean: float
    level: float
    end: TauEnd


def multiply_odds(near: Mean, mean: Mean, far: Mean) -> tuple[Mean, Mean]:
    """Return the mean at which the odds of the far value are four times what they are, and its derivative.

    Parameters
    ----------
    near, mean, far : float or ndarray
        In the column's unit, the mean between the other two.
    """
    share = (mean - near) / (far - near)
    grown = 1 + (ODDS - 1) * share
    return cast(Mean, mean + (ODDS - 1) * share / grown * (far - mean)), cast(Mean, ODDS / grown**2)


def end_of_two(window: QuantileWindow, sign: int, near: float, mean: float, far: float, mean_error: float) -> EndOfTwo:
    """Return one end of τ.

    Parameters
    ----------
    window : QuantileWindow
        Of q(α) or q(1-α).
    sign : {-1, 1}
        Of τ.
    near, mean, far : float
        The value that τ leads away from, the mean, and the value that it leads to.
    mean_error : float
        Standard error of the mean.

    Returns
    -------
    EndOfTwo
        In doubt where other rows might have the far value so often, or so rarely, that the other rule holds.
    """
    inner, outer = (window.below, window.above) if sign > 0 else (window.above, window.below)
    if window.value == far:
        return EndOfTwo(far, window.level, TauEnd(doubt_from=0.0 if inner != far else NEVER))
    end, follows = multiply_odds(near, mean, far)
    moved = sign * max(sign * end, sign * float(np.nextafter(mean, far)))
    return EndOfTwo(
        moved,
        float("nan"),
        TauEnd(doubt_from=0.0 if outer == far else NEVER, error=follows * mean_error, correlation=1.0, follows=follows),
    )
