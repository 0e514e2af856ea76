"""The errors of the targets of a column in bins: quantiles from the windows kept, sums from windows or sub-bins."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.chunked.binned import BinnedSums
from tauscope.stress.chunked.quantile_windows import value_at
from tauscope.stress.chunked.range_errors import add_errors, beyond_in_windows
from tauscope.stress.chunked.weight_powers import layers
from tauscope.stress.chunked.weighted_range import quantile_in
from tauscope.stress.column.target import TauRange, quantile_rank
from tauscope.stress.column.tau_end import WeightedSums

Array = NDArray[np.float64]


def binned_errors(around: TauRange, sums: BinnedSums, quantile: float) -> TauRange:
    """Add the errors of the targets to the range of a column in bins."""
    layout, n, unit = sums.layout, sums.n, sums.layout.scale.unit
    by_power = layers(sums.moments, sums.weighted)
    first, second = by_power[0, :3, :, 0], by_power[min(1, len(by_power) - 1), :3, :, 0]
    mean = float(layout.scale(np.array([around.mean]))[0])
    distance = layout.centres - mean
    linear = distance * second[0] + second[1]
    quadratic = distance**2 * second[0] + 2 * distance * second[1] + second[2]
    weight = float(first[0].sum())
    every = WeightedSums(weight, float(second[0].sum()), float(linear.sum()), float(quadratic.sum()))
    if sums.heaviest is None:
        beyond = beyond_in_windows(sums.windows, n, around.mean, unit)

        def exact(level: float) -> float:
            return value_at(sums.windows, quantile_rank(n, level), around.minimum, around.maximum, n)
    else:
        n = sums.heaviest.n
        beyond = _beyond_in_sub_bins(sums, first[0], second[0], linear, mean)
        of_level = quantile_in(sums.windows, weight, around.minimum, around.maximum)

        def exact(level: float) -> float:
            if level in (0.0, 1.0):
                return around.minimum if level == 0 else around.maximum
            return of_level(level, False)

    def quantile_at(level: float) -> float:
        try:
            return exact(level)
        except InputError:  # of rows other than those it was laid out for, the windows may lack it: its bins will do
            return _interpolate(sums, first[0], level)

    return add_errors(around, quantile, n, quantile_at, beyond, every, unit)


def _interpolate(sums: BinnedSums, mass: Array, level: float) -> float:
    """Return about the quantile of a level, rows spread evenly over each sub-bin."""
    layout = sums.layout
    edges = np.append(layout.centres - layout.half_widths, layout.centres[-1] + layout.half_widths[-1])
    z = float(np.interp(level * mass.sum(), np.append(0.0, np.cumsum(mass)), edges))
    return layout.scale.centre + layout.scale.unit * z


def _beyond_in_sub_bins(
    sums: BinnedSums, first: Array, second: Array, linear: Array, mean: float
) -> Callable[[float, int], WeightedSums]:
    """Return the sums beyond an end; of the sub-bin that it splits, the share that its slices tell."""
    layout = sums.layout

    def sums_beyond(end: float, sign: int) -> WeightedSums:
        z = layout.scale(np.array([end]))
        b = int(layout.find_sub_bins(z)[0])
        whole = slice(b + 1, None) if sign > 0 else slice(0, b)
        share, offset = _split_sub_bin(sums, b, float(z[0]), sign)
        return WeightedSums(
            float(first[whole].sum()) + share * float(first[b]),
            float(second[whole].sum()) + share * float(second[b]),
            float(linear[whole].sum()) + share * float(second[b]) * (float(layout.centres[b]) - mean + offset),
        )

    return sums_beyond


def _split_sub_bin(sums: BinnedSums, b: int, z: float, sign: int) -> tuple[float, float]:
    """Return the share of a sub-bin's weight beyond z, and the mean distance of it from the centre."""
    layout = sums.layout
    slices = slice(int(layout.first_slice[b]), int(layout.first_slice[b + 1]))
    weight, offsets = sums.slices[0, slices], sums.slices[1, slices]
    width = 2 * float(layout.half_widths[b]) / len(weight)
    place = z - (float(layout.centres[b]) - float(layout.half_widths[b]))
    at = min(max(int(place / width), 0), len(weight) - 1)
    outer = slice(at + 1, None) if sign > 0 else slice(0, at)
    within = min(max(place / width - at, 0.0), 1.0)
    part = (1 - within if sign > 0 else within) * float(weight[at])
    beyond, total = float(weight[outer].sum()) + part, float(weight.sum())
    if not beyond > 0:
        return 0.0, 0.0
    middle = float(offsets[at]) / float(weight[at]) if part > 0 else 0.0
    return beyond / total, (float(offsets[outer].sum()) + part * middle) / beyond
