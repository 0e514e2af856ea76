"""The errors of the targets of a column in bins: quantiles from the windows kept, sums from these and the bins."""

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.chunked.binned import BinnedSums
from tauscope.stress.chunked.quantile_windows import value_at
from tauscope.stress.chunked.range_errors import beyond_in_windows, complete_range
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

        def exact(level: float) -> float:
            return value_at(sums.windows, quantile_rank(n, level), around.minimum, around.maximum, n)
    else:
        n = sums.heaviest.n
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

    beyond = beyond_in_windows(sums.windows, every, around.mean, unit)
    return complete_range(around, quantile, n, quantile_at, beyond, every, unit)


def _interpolate(sums: BinnedSums, mass: Array, level: float) -> float:
    """Return about the quantile of a level, rows spread evenly over each sub-bin."""
    layout = sums.layout
    edges = np.append(layout.centres - layout.half_widths, layout.centres[-1] + layout.half_widths[-1])
    up_to: Array = np.concatenate([np.zeros(1), np.cumsum(mass)])
    z = float(np.interp(level * float(up_to[-1]), up_to, edges))
    return layout.scale.centre + layout.scale.unit * z
