"""What τ means for a weighted column known by sums: `tauscope.stress.column.target` without the rows."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tauscope.errors import InputError
from tauscope.stress.chunked.quantile_sketch import QuantileSketch
from tauscope.stress.chunked.windows import Window
from tauscope.stress.column.ranked import SPREAD
from tauscope.stress.column.target import WIDEN, TauRange

QuantileAt = Callable[[float, bool], float]


def weighted_range(
    n: int, mean: float, minimum: float, maximum: float, quantile_at: QuantileAt, quantile: float
) -> TauRange:
    """Find the means that τ = -1 and τ = +1 stand for, as `tau_range` does from weighted rows.

    Parameters
    ----------
    n : int
        Rows that have a value, which end the search for wider quantiles.
    mean, minimum, maximum : float
        Of the rows of weight above zero.
    quantile_at : callable
        Level and whether the weight must be passed → the smallest value at or below which so much weight lies.
    quantile : float
        Probability in (0, 0.5).
    """
    low, high = quantile_at(quantile, False), quantile_at(1 - quantile, False)
    reached = [quantile, 1 - quantile]
    if not low < mean:
        low, reached[0] = minimum, 0.0
        for level in _narrower(n, quantile):
            found = quantile_at(level, True)
            if found < mean:
                low, reached[0] = found, level
                break
    if not high > mean:
        high, reached[1] = maximum, 1.0
        for level in _narrower(n, quantile):
            found = quantile_at(1 - level, False)
            if found > mean:
                high, reached[1] = found, 1 - level
                break
    return TauRange(low, mean, high, (reached[0], reached[1]), minimum, maximum)


def weighted_intervals(masses: QuantileSketch, n: int, quantile: float) -> list[tuple[float, float]]:
    """Return disjoint intervals that hold every quantile `weighted_range` will look up.

    Parameters
    ----------
    masses : QuantileSketch
        Of the rows, by weight.
    n : int
        Number of rows.
    quantile : float

    Notes
    -----
    There is room for what chance does to the quantiles in other rows of the same kind.
    """
    mean = masses.mean
    wanted: list[tuple[float, float]] = []

    def near(level: float) -> tuple[float, float]:
        room = SPREAD * float(np.sqrt(level * (1 - level) / n)) + 1 / n
        wanted.append(masses.bracket_share(level - room, level + room))
        return masses.bracket_share(level, level)

    if not near(quantile)[1] < mean:
        for level in _narrower(n, quantile):
            if near(level)[1] < mean:
                break
    if not near(1 - quantile)[0] > mean:
        for level in _narrower(n, quantile):
            if near(1 - level)[0] > mean:
                break
    out: list[tuple[float, float]] = []
    for low, high in sorted(wanted):
        if out and low <= out[-1][1]:
            out[-1] = (out[-1][0], max(high, out[-1][1]))
        else:
            out.append((low, high))
    return out


def quantile_in(windows: Sequence[Window], total: float, minimum: float, maximum: float) -> QuantileAt:
    """Return the quantiles of a weighted column from windows; at its ends the extremes.

    Parameters
    ----------
    windows : sequence of Window
        By weight.
    total, minimum, maximum : float
        Weight of all rows with a value, and their extremes.
    """

    def quantile_at(level: float, past: bool) -> float:
        for window in windows:
            found = window.at_weight(level * total, past=past)
            if found is not None:
                return found
        if windows and level * total <= windows[0].below and windows[0].low <= minimum:
            return minimum
        if windows and windows[-1].high >= maximum and level * total >= windows[-1].below:
            return maximum
        raise InputError(
            f"The quantile {level:.6g} is not among the values kept; the sketch was laid out for other rows. "
            "Make a sketch of these rows."
        )

    return quantile_at


def _narrower(n: int, quantile: float) -> Iterator[float]:
    while quantile * n > 1e-9:
        quantile /= WIDEN
        yield quantile
