"""How far the end of τ, a quantile of the rows, would move in other rows of the same population.

The quantile at level α' moves by s (α' - 1{x ≤ q}) with every row, s being how fast it runs with its level. Finite
differences over Woodruff's window α' ± 1.96 √(α'(1 - α')/n) give s: the root mean square of both sides. Where one side
is much flatter, q stands on the edge of a heap of equal values: that side says nothing, and whether q is this heap or
the next is no normal error, so that a multiple of the steeper side is taken. Where the steeper side is that of the
median, the heap reaches just past the level, and its rows move q as those beyond it do.

References
----------
Woodruff, "Confidence intervals for medians and other position measures", 1952.
"""

# Decided in docs/decisions/0046-the-heap-that-an-end-just-reaches-moves-it.md.

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Level = TypeVar("Level", float, Array)

LOPSIDED = 0.3
"""Flatter side over the steeper one, from which down a quantile is on its way to the edge of a heap."""
EDGE_OF_HEAP = 1.3
"""Times the steeper side that is taken at the edge of a heap."""
NEVER = 2.0
"""|τ| from which on an end is in doubt that is not."""
WINDOW = 1.959963984540054
"""Half a window, in binomial standard deviations of the level."""


@dataclass(frozen=True)
class TauEnd:
    """How a mean that τ = -1 or +1 stands for follows the rows; by default not at all, as a fixed end.

    It is a quantile, which moves with the rows beyond it, or, of a column of two values, may move with the mean.

    Attributes
    ----------
    slope : float
        s of a quantile, in the column's unit per unit of probability.
    doubt_from : float
        |τ| from which on other rows might put the end elsewhere: 0 where that is at another level or on the other side
        of the mean, 1 where it is the column's extreme but perhaps is the next value, or the other way, else `NEVER`.
    with_heap : bool
        Whether rows at the end are among those whose number moves it, as well as those beyond.
    beyond : float
        Share of the weight of the rows whose number moves the end.
    n_beyond : float
        Effective rows there, (Σv)² / Σv².
    error : float
        Standard error of the end, in the column's unit.
    correlation : float
        With the mean.
    follows : float
        How far the end moves when the mean moves by one.
    """

    slope: float = 0.0
    doubt_from: float = NEVER
    with_heap: bool = False
    beyond: float = 0.0
    n_beyond: float = 0.0
    error: float = 0.0
    correlation: float = 0.0
    follows: float = 0.0


FIXED_ENDS = (TauEnd(), TauEnd())


class WeightedSums(NamedTuple):
    """Sums over rows of weights v, with u the distance from the mean in some unit: Σv, Σv², Σv²u, Σv²u²."""

    weight: float
    squared: float
    linear: float
    quadratic: float = 0.0


class QuantileWindow(NamedTuple):
    """A quantile q, its level α', and those at the ends of its window, ascending."""

    value: float
    level: float
    below: float
    above: float

    def with_heap(self, sign: int) -> bool:
        """Tell whether rows at the quantile move it as those beyond it do, on the side of the sign."""
        return bool(moves_with_heap(self.value - self.below, self.above - self.value, sign))


def half_window(level: Level, n: int) -> Level:
    """Return 1.96 binomial standard deviations of a level among n rows."""
    return cast(Level, WINDOW * (level * (1 - level) / n) ** 0.5)


def window_levels(level: float, n: int) -> tuple[float, float]:
    """Return the ends of the window about a level, in [0, 1]."""
    half = half_window(level, n)
    return max(level - half, 0.0), min(level + half, 1.0)


def window_at(level: float, value: float, n: int, quantile_at: Callable[[float], float]) -> QuantileWindow:
    """Look up the window about a quantile that is known."""
    below, above = window_levels(level, n)
    return QuantileWindow(value, level, quantile_at(below), quantile_at(above))


def slope_of(window: QuantileWindow, n: int) -> float:
    """Return how fast a quantile runs with its level; 0 at level 0 or 1, which is the extreme itself."""
    half = half_window(window.level, n)
    return float(typical_side(window.value - window.below, window.above - window.value)) / half if half > 0 else 0.0


def typical_side(below: Array | float, above: Array | float) -> Array:
    """Return how far a quantile moves over half a window, from how far it moves down and up."""
    steeper, flatter = np.maximum(below, above), np.minimum(below, above)
    ratio = flatter / np.where(steeper > 0, steeper, 1.0)
    heap = np.maximum(1 - ratio / LOPSIDED, 0.0)
    return steeper * (np.sqrt((1 + ratio**2) / 2) + (EDGE_OF_HEAP - np.sqrt(0.5)) * heap)


def is_in_doubt(window: QuantileWindow, mean: float, sign: int, before: QuantileWindow | None) -> bool:
    """Tell whether the quantile might lie on the other side of the mean, or that of the level before on this side.

    Parameters
    ----------
    window : QuantileWindow
        Of the end.
    mean : float
    sign : {-1, 1}
        Of τ.
    before : QuantileWindow or None
        Of the level that was halved; None where none was.
    """
    inner = window.below if sign > 0 else window.above
    doubt = sign * (inner - mean) <= 0
    if before is None:
        return doubt
    return doubt or sign * ((before.above if sign > 0 else before.below) - mean) > 0


def moves_with_heap(below: Array | float, above: Array | float, sign: int) -> NDArray[np.bool_]:
    """Tell whether rows at a quantile move it as those beyond it do, from how far it moves down and up over a window.

    Parameters
    ----------
    below, above : float or ndarray
        Half a window down and up, in the column's unit.
    sign : {-1, 1}
        Of τ.
    """
    inner, outer = (below, above) if sign > 0 else (above, below)
    return np.asarray(outer < LOPSIDED * inner)


def lies_beyond(values: Array, end: float | Array, sign: int, with_heap: bool | NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which values lie beyond an end on the side of the sign, or at it where its heap counts too."""
    distance = sign * (values - end)
    return (distance > 0) | (with_heap & (distance == 0))


def perhaps_extreme(
    value: Array | float,
    below: Array | float,
    above: Array | float,
    sign: int,
    extreme: Array | float,
    next_beyond: Array | float,
) -> NDArray[np.bool_]:
    """Tell whether an end is the column's extreme or, of other rows, the value next to it, where it has a heap.

    Parameters
    ----------
    value, below, above : float or ndarray
        Of the end's window.
    sign : {-1, 1}
        Of τ.
    extreme : float or ndarray
        Of the column on that side.
    next_beyond : float or ndarray
        The value nearest to the end of those beyond it, of two rows or more; the end itself where there is none.
    """
    down, up, outer = value - below, above - value, above if sign > 0 else below
    just_reached = (value == extreme) & moves_with_heap(down, up, sign)
    return just_reached | ((next_beyond == extreme) & (outer == extreme) & moves_with_heap(down, up, -sign))


def doubt_from(in_doubt: bool | NDArray[np.bool_], perhaps: bool | NDArray[np.bool_]) -> Array:
    """Return the |τ| from which on an end is in doubt."""
    return np.where(in_doubt, 0.0, np.where(perhaps, 1.0, NEVER))


def make_end(
    window: QuantileWindow, n: int, doubt: float, sign: int, beyond: WeightedSums, every: WeightedSums
) -> TauEnd:
    """Return an end from its window and the sums over the rows whose number moves it, and over all.

    The quantile's influence is s (1{beyond} - B) on the side of τ, B their share, of variance Σv²(·)² / (Σv)².
    """
    slope = slope_of(window, n)
    share = beyond.weight / every.weight
    square = max(beyond.squared * (1 - 2 * share) + share**2 * every.squared, 0.0)
    product = sign * (beyond.linear - share * every.linear)
    size = float(np.sqrt(square * every.quadratic))
    correlation = product / size if size > 0 else 0.0
    rows = beyond.weight**2 / beyond.squared if beyond.squared > 0 else 0.0
    return TauEnd(
        slope, doubt, window.with_heap(sign), share, rows, slope * float(np.sqrt(square)) / every.weight, correlation
    )


def target_error(at: Array, mean_error: Array | float, end_error: Array, correlation: Array) -> Array:
    """Return the standard error of m + |τ| (q - m), from those of m and q and their correlation."""
    ratio = end_error / mean_error
    square = (1 - at) ** 2 + 2 * at * (1 - at) * correlation * ratio + (at * ratio) ** 2
    return mean_error * np.sqrt(np.maximum(square, 0.0))
