"""Tilts of a column by the sums over its sub-bins: `tauscope.stress.column.direct` without the rows."""

from collections.abc import Callable
from math import comb, factorial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.binned import BinnedSums, End
from tauscope.stress.bins.weight_powers import layers, total_weight
from tauscope.stress.column.direct import ColumnRows
from tauscope.stress.column.solve_mean import miss_unit, solve_mean
from tauscope.stress.column.tilt import MET

Array = NDArray[np.float64]

STEEP = 4.0
"""|ξ| times half a sub-bin above which its series says nothing on the way to a tilt: its rows stand at their mean."""


class TiltWeight:
    """The log weight ξz - log Z of a row at z, with ξ and log Z as attributes, which sums over sub-bins need."""

    def __init__(self, xi: float, log_norm: float) -> None:
        self.xi, self.log_norm = xi, log_norm

    def __call__(self, z: Array) -> Array:
        """Return ξz - log Z."""
        return self.xi * z - self.log_norm


class EndWeight:
    """The log weight of rows at the smallest or largest value alone."""

    def __init__(self, end: End, z: float, weighted: bool) -> None:
        self.end, self.z, self.weight = end, z, float(total_weight(end.sums, weighted))

    def __call__(self, z: Array) -> Array:
        """Return minus the log of the weight of the rows there, -∞ elsewhere."""
        return np.where(z == self.z, -np.log(self.weight), -np.inf)


class SubBins(ColumnRows):
    """The interface of `ColumnRows`, computed from sums over sub-bins.

    Parameters
    ----------
    sums : BinnedSums
    """

    def __init__(self, sums: BinnedSums) -> None:
        self._sums = sums
        self._layout = sums.layout
        self._layers = layers(sums.moments, sums.weighted)
        self._rest = layers(sums.rest, sums.weighted)
        self._ones = self._layers[0, :, :, 0]
        self.scale = sums.layout.scale

    @property
    def observed(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Weight of the rows that have a value."""
        return float(self._ones[0].sum())

    @property
    def total(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Weight of all rows."""
        return self.observed + float(self._rest[0, 0])

    def at_extreme(self, extreme: float) -> Callable[[Array], Array]:
        """Return the log weights that keep the rows at a value alone."""
        low, high = self._sums.minimum, self._sums.maximum
        end = low if extreme == low.value else high
        return EndWeight(end, float(self.scale(np.array([extreme]))[0]), self._sums.weighted)

    def tail(self, xi: Array) -> tuple[Array, Array]:
        """Return the largest weights v e^{ξz} as `pareto_k` takes them, a row for each ξ."""
        heaviest = self._sums.heaviest
        assert heaviest is not None
        return heaviest.tail(self.scale(heaviest.values), xi, [self.tilted_moments(float(each))[0] for each in xi])

    def log_weight(self, xi: float, log_norm: float) -> Callable[[Array], Array]:
        """Return z → log(e^{ξz - log Z})."""
        return TiltWeight(xi, log_norm)

    def solve(self, target: float, xi: float) -> tuple[float, float]:
        """Return ξ and log Z that meet a mean strictly inside the column's range, starting from `xi`."""
        xi = solve_mean(lambda at: self.tilted_moments(at)[1:], target, xi, 1e-13, self.scale.near)
        return xi, self.tilted_moments(xi)[0]

    def meets(self, xi: float, target: float) -> bool:
        """Tell whether a tilt gives the mean that it is for."""
        _, mean, variance = self.tilted_moments(xi)
        return bool(abs(mean - target) <= MET * miss_unit(target, variance, self.scale.near))

    def tilted_moments(self, xi: float) -> tuple[float, float, float]:
        """Return log Z, mean and variance of the values tilted by ξ."""
        c, count = self._layout.centres, self._ones[0]
        steep = np.abs(xi) * self._layout.half_widths > STEEP
        centroid = np.where(steep, self._ones[1] / np.maximum(count, 1e-300), 0.0)
        logs = np.where(count > 0, xi * (c + centroid), -np.inf)
        shift = float(logs.max())
        weight = np.exp(logs - shift)
        tilted = [
            weight
            * np.where(steep, count * centroid**j, np.tensordot(_series(xi, len(self._ones) - j), self._ones[j:], 1))
            for j in range(3)
        ]
        norm = float(tilted[0].sum())
        mean = float((c * tilted[0] + tilted[1]).sum()) / norm
        offset = c - mean
        variance = float((offset**2 * tilted[0] + 2 * offset * tilted[1] + tilted[2]).sum()) / norm
        return shift + float(np.log(norm)), mean, max(variance, 0.0)

    def sums(self, log_weight: Callable[[Array], Array], target: float, n_degrees: tuple[int, ...]) -> list[Array]:
        """Return Σ w^power (z - target)^k g, k < n_degrees[power - 1], one array (n_degrees, Q) for each power."""
        share = self.observed / self.total
        if isinstance(log_weight, EndWeight):
            end_sums = layers(log_weight.end.sums, self._sums.weighted)
            out = [np.zeros((n, self._rest.shape[1])) for n in n_degrees]
            for power, degrees in enumerate(out, 1):
                a = min(power, len(end_sums)) - 1
                degrees[0] = end_sums[a] * (share / log_weight.weight) ** power + self._rest[a] / self.total**power
            return out
        assert isinstance(log_weight, TiltWeight)
        c = self._layout.centres
        weight = share * np.exp(log_weight(c))
        out: list[Array] = []
        for power, n in enumerate(n_degrees, 1):
            a = min(power, len(self._layers)) - 1
            moments: Array = self._layers[a]
            rest: Array = self._rest[a]
            tilted = [np.tensordot(_series(power * log_weight.xi, len(moments) - j), moments[j:], 1) for j in range(n)]
            degrees = np.stack(
                [
                    sum(
                        (comb(k, j) * ((weight**power * (c - target) ** (k - j)) @ tilted[j]) for j in range(k + 1)),
                        np.zeros(len(rest)),
                    )
                    for k in range(n)
                ]
            )
            degrees[0] += rest / self.total**power
            out.append(degrees)
        return out

    def side_sums(self, log_weight: Callable[[Array], Array]) -> tuple[Array, Array]:
        """Return the sums of `tauscope.stress.column.tilt.side_sums` for one tilt, shapes (2, 2, Q) and (2, 3, Q)."""
        first, second = (self._sums_of_sides(log_weight, power) for power in (1, 2))
        return first, second

    def _sums_of_sides(self, log_weight: Callable[[Array], Array], power: int) -> Array:
        moments = self._layers[min(power, len(self._layers)) - 1]
        if isinstance(log_weight, EndWeight):
            at_end = layers(log_weight.end.sums, self._sums.weighted)
            at_end = at_end[min(power, len(at_end)) - 1]
            gained: Array = np.power(self.observed / log_weight.weight, np.arange(power + 1.0))
            lost = np.where(np.arange(power + 1)[:, None] == 0, moments[0].sum(0) - at_end, 0.0)
            return np.stack([lost, gained[:, None] * at_end]) / self.total**power
        assert isinstance(log_weight, TiltWeight)
        ratio = self.observed * np.exp(np.minimum(log_weight(self._layout.centres), 700.0))
        sides = np.stack([ratio <= 1, ratio > 1]).astype(np.float64)
        by_power = [
            (sides * ratio**k) @ np.tensordot(_series(k * log_weight.xi, len(moments)), moments, 1)
            for k in range(power + 1)
        ]
        return cast(Array, np.stack(by_power, axis=1)) / self.total**power

    def divergence(self, log_weight: Callable[[Array], Array]) -> tuple[float, float]:
        """Return KL (nats) and total variation from the unstressed rows."""
        share = self.observed / self.total
        if isinstance(log_weight, EndWeight):
            there = log_weight.weight / self.observed
            return -share * float(np.log(there)), share * (1 - there)
        assert isinstance(log_weight, TiltWeight)
        log_ratio = log_weight.log_norm - float(np.log(self.observed))
        kl = log_weight.xi * self.tilted_moments(log_weight.xi)[1] - log_ratio
        gain = self.gain(slice(0, len(self._layout.centres)), log_weight.xi, log_ratio)
        return share * kl, gain / self.total

    def gain(self, sub_bins: slice, xi: float, log_ratio: float) -> float:
        """Sum max(λ - 1, 0) over the rows of some sub-bins, λ = exp(ξz - log_ratio).

        In the one sub-bin where λ crosses 1, and in the one slice of it, rows are known by their number, mean and
        spread: the slice counts as two points with these, which is exact for one row or two, and within a few tenths
        of what the slice adds, about 1e-10 of all, for many.
        """
        if xi == 0:
            return 0.0
        layout = self._layout
        c, half = layout.centres[sub_bins], layout.half_widths[sub_bins]
        # how far a centre lies on the side where λ > 1: beyond half a width every row gains, and the max is linear;
        # less than half a width away some do, and their slices decide
        above = np.sign(xi) * (c - log_ratio / xi)
        tilted = np.tensordot(_series(xi, len(self._ones)), self._ones[:, sub_bins], 1)
        excess = np.exp(np.minimum(xi * c - log_ratio, 700.0)) * tilted - self._ones[0, sub_bins]
        total = float(excess[above >= half].sum())
        for b in np.flatnonzero(np.abs(above) < half) + sub_bins.start:
            total += self._gain_in_sub_bin(int(b), xi, log_ratio)
        return total

    def gain_in_bin(self, split: int, xi: float, log_norm: float) -> float:
        """Return what the rows of one bin add to the total variation of a tilt; 0 for bin -1, which is none."""
        if split < 0 or not np.isfinite(xi):
            return 0.0
        first = self._layout.first_sub_bin
        log_ratio = log_norm - float(np.log(self.observed))
        return self.gain(slice(int(first[split]), int(first[split + 1])), xi, log_ratio) / self.total

    def error(self, xi: float) -> float:
        """Bound the relative error of the sums at ξ, as `tauscope.stress.column.sketch` does; 0 at an extreme."""
        if not np.isfinite(xi):
            return 0.0
        orders, layout = len(self._ones), self._layout
        exponent = np.minimum(np.abs(xi) * layout.half_widths, 50.0)
        logs = xi * layout.centres - self.tilted_moments(xi)[0]
        share = np.exp(np.minimum(logs + exponent, 700.0)) * self._ones[0]
        return float(share @ (exponent**orders * np.exp(exponent))) / factorial(orders)

    def _gain_in_sub_bin(self, sub_bin: int, xi: float, log_ratio: float) -> float:
        first = self._layout.first_slice
        count, linear, square = self._sums.slices[:, first[sub_bin] : first[sub_bin + 1]]
        filled = count > 0
        count, mean = count[filled], linear[filled] / count[filled]
        sd = np.sqrt(np.maximum(square[filled] / count - mean**2, 0.0))
        log = xi * (self._layout.centres[sub_bin] + mean) - log_ratio
        # two points, one standard deviation to either side of the slice's mean, half of its rows each
        excess = np.maximum(np.expm1(log + xi * sd), 0) + np.maximum(np.expm1(log - xi * sd), 0)
        return 0.5 * float(count @ excess)


def _series(xi: float, orders: int) -> Array:
    """Return ξ^m / m! for m < orders."""
    out = np.ones(orders)
    for m in range(1, orders):
        out[m] = out[m - 1] * xi / m
    return out
