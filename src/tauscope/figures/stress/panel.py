"""The geometry of one panel of stress curves: its range, its reliable stretches, where the names go."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.results.reliability import RELIABLE, WIDE, levels
from tauscope.results.stress.curves import StressCurves

Array = NDArray[np.float64]

LABEL_ROOM = 160
"""Pixels of a name at the end of its line."""
MARKS = "Solid: reliable. Band alone: wide, read the interval. Dotted: unreliable."


def runs(result: StressCurves, feature: str, metric: str, most: int = RELIABLE) -> NDArray[np.int64]:
    """Count through the stretches of τ over which a metric is reliable under the stress of a feature.

    Parameters
    ----------
    result : StressCurves
    feature, metric : str
    most : int
        The worst level that counts: `RELIABLE`, or `WIDE` for where an interval can be read.

    Returns
    -------
    ndarray of shape (n_taus,)
        0, 0, … for the first stretch, 1 for the next; -1 in between.
    """
    good = levels(result._curves.reason[result._feature_place(feature), result._metric_place(metric)]) <= most
    return number_runs(good)


def number_runs(good: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the number of each stretch that holds, -1 in between."""
    starts = np.diff(good.astype(np.int64), prepend=0) == 1
    return np.where(good, np.cumsum(starts) - 1, -1)


def value_range(
    result: StressCurves, metric: str, chosen: Sequence[str], banded: Sequence[str], rest: Sequence[str] = ()
) -> tuple[float, float]:
    """Find the vertical range: every finite value of the chosen features, the rest and bands where they can be read.

    A band without support can be as wide as its scale allows, and a rare level can end anywhere; either would flatten
    the curves that are looked at. They are clipped, and wide bands stretch the range by the curves' own at most.

    Parameters
    ----------
    result : StressCurves
    metric : str
    chosen : sequence of str
        Features drawn in colour.
    banded : sequence of str
        Those of them with a band.
    rest : sequence of str
        Features drawn in grey.

    Returns
    -------
    tuple of float
        low < high; within [0, 1] for a share or a score.
    """
    curves, place = result._curves, result._metric_place(metric)
    behind = curves.value[[result._feature_place(name) for name in rest], place, :]
    parts = [curves.value[[result._feature_place(name) for name in chosen], place, :].ravel()]
    for name, value in zip(rest, behind, strict=True):
        parts.append(value[runs(result, name, metric, WIDE) >= 0])
    drawn = np.concatenate(parts)
    for name in banded:
        parts += _bounds(result, name, metric, drawn)
    values = np.concatenate(parts)
    values = values[np.isfinite(values)] if np.isfinite(values).any() else behind[np.isfinite(behind)]
    if not values.size:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    bounded = curves.metrics[place].kind != "value"
    margin = 0.0 if high > low else 0.05 if bounded else 0.05 * abs(low) or 1.0
    if bounded:
        return max(0.0, low - margin), min(1.0, high + margin)
    return low - margin, high + margin


def _bounds(result: StressCurves, feature: str, metric: str, drawn: Array) -> list[Array]:
    """Return the ends of a band: all where it is reliable, no farther than the curves' span where it is wide."""
    curves, row, place = result._curves, result._feature_place(feature), result._metric_place(metric)
    ends = [curves.lower[row, place], curves.upper[row, place]]
    good, readable = (runs(result, feature, metric, most) >= 0 for most in (RELIABLE, WIDE))
    seen = drawn[np.isfinite(drawn)]
    if not seen.size:
        return [end[good] for end in ends]
    span = float(np.ptp(seen)) or np.inf
    within = (float(seen.min()) - span, float(seen.max()) + span)
    return [end[good] for end in ends] + [np.clip(end[readable], *within) for end in ends]


def spread(positions: Array, gap: float, low: float, high: float) -> Array:
    """Move labels apart until neighbours are `gap` away, each as near its line's end as the order allows.

    Parameters
    ----------
    positions : ndarray of shape (n,)
        Where the labels would like to be.
    gap : float
        Wanted distance; reduced where n of them do not fit between `low` and `high`.
    low, high : float
        Range the labels stay in.

    Returns
    -------
    ndarray of shape (n,)
        In the order of `positions`.
    """
    n = len(positions)
    if n == 0:
        return positions
    gap = min(gap, (high - low) / max(1, n - 1))
    order = np.argsort(positions, kind="stable")
    step = gap * np.arange(n)
    shifted = positions[order] - step  # neighbours at least `gap` apart ⇔ this never falls
    settled = np.clip(_nondecreasing(shifted), low, max(low, high - step[-1])) + step
    out = np.empty(n)
    out[order] = settled
    return out


def _nondecreasing(values: Array) -> Array:
    """Nearest non-decreasing sequence in least squares: pool adjacent violators."""
    means: list[float] = []
    sizes: list[int] = []
    for value in values:
        means.append(float(value))
        sizes.append(1)
        while len(means) > 1 and means[-2] > means[-1]:
            size = sizes[-2] + sizes[-1]
            means[-2:] = [(means[-2] * sizes[-2] + means[-1] * sizes[-1]) / size]
            sizes[-2:] = [size]
    return np.repeat(means, sizes)
