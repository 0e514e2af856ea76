"""Tilts by summing over the rows themselves: where a sketch's error bound is not good enough, and at extremes."""

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from tauscope.stress.column.sketch import CHUNK, Scale
from tauscope.stress.column.solve_mean import solve_mean
from tauscope.stress.metrics import Quantities
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]


class ColumnRows:
    """The rows of one column, read in chunks: standardised values, sample weights, quantities.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        The column in its own unit, NaN where a row has no value.
    quantities : Quantities
    scale : Scale
    sample_weight : ndarray of shape (n_rows,) or None
    """

    def __init__(self, values: Array, quantities: Quantities, scale: Scale, sample_weight: Array | None) -> None:
        self.values, self.quantities, self.scale, self.sample_weight = (
            values,
            quantities,
            scale,
            sample_weight,
        )

    @cached_property
    def observed(self) -> float:
        """Weight of the rows that have a value."""
        if self.sample_weight is None:
            return float(np.count_nonzero(~np.isnan(self.values)))
        return float(self.sample_weight[~np.isnan(self.values)].sum())

    @cached_property
    def total(self) -> float:
        """Weight of all rows."""
        return float(len(self.values) if self.sample_weight is None else self.sample_weight.sum())

    def _chunks(self) -> Iterator[tuple[Array, Array, slice]]:
        for start in range(0, len(self.values), CHUNK):
            rows = slice(start, start + CHUNK)
            z = self.scale(self.values[rows])
            v = np.ones(len(z)) if self.sample_weight is None else self.sample_weight[rows]
            yield z, v, rows

    def solve(self, target: float, xi: float) -> tuple[float, float]:
        """Return ξ and log Z that meet a mean strictly inside the column's range, starting from `xi`."""
        xi = solve_mean(lambda at: self.tilted_moments(at)[1:], target, xi, 1e-13, self.scale.near)
        return xi, self.tilted_moments(xi)[0]

    def tilted_moments(self, xi: float) -> tuple[float, float, float]:
        """Return log Z, mean and variance of the values tilted by ξ."""
        partial_sums: list[tuple[float, float, float, float]] = []
        for z, v, _ in self._chunks():
            counted = ~np.isnan(z) & (v > 0)
            z, v = z[counted], v[counted]
            if not len(z):
                continue
            logs = xi * z
            shift = float(logs.max())
            weight = v * np.exp(logs - shift)
            partial_sums.append((shift, float(weight.sum()), float(weight @ z), float(weight @ z**2)))
        shift = max(p[0] for p in partial_sums)
        norm, first, second = (sum(p[j] * np.exp(p[0] - shift) for p in partial_sums) for j in (1, 2, 3))
        mean = first / norm
        return shift + float(np.log(norm)), mean, max(second / norm - mean**2, 0.0)

    def log_weight(self, xi: float, log_norm: float) -> Callable[[Array], Array]:
        """Return z → log(e^{ξz - log Z}), the weight per sample weight among the rows with a value."""
        return lambda z: xi * z - log_norm

    def at_extreme(self, extreme: float) -> Callable[[Array], Array]:
        """Return the log weights that keep the rows at a value alone."""
        mass = sum(float(v[self.values[rows] == extreme].sum()) for _, v, rows in self._chunks())
        log_mass = float(np.log(mass))
        standard = float(self.scale(np.array([extreme]))[0])
        return lambda z: np.where(z == standard, -log_mass, -np.inf)

    def sums(self, log_weight: Callable[[Array], Array], target: float, n_degrees: tuple[int, ...]) -> list[Array]:
        """Return Σ w^power (z - target)^k g, k < n_degrees[power - 1], one array (n_degrees, Q) for each power."""
        return self.sums_within(log_weight, target, n_degrees, None)

    def sums_within(
        self,
        log_weight: Callable[[Array], Array],
        target: float,
        n_degrees: tuple[int, ...],
        within: NDArray[np.bool_] | None,
    ) -> list[Array]:
        """Return the sums over some rows alone; the weights sum to 1 over all of them."""
        n_cells, n_sums = self.quantities.n_cells, self.quantities.n_sums
        out = [np.zeros((n, n_sums)) for n in n_degrees]
        share = self.observed / self.total
        for z, v, rows in self._chunks():
            cell, reals = self.quantities.cell[rows], self.quantities.reals(rows)
            missing = np.isnan(z)
            z = np.where(missing | (v == 0), target, z)  # what weighs nothing may lie anywhere
            with np.errstate(divide="ignore"):
                weight = np.where(missing, v / self.total, share * v * np.exp(log_weight(z)))
            if within is not None:
                weight = np.where(within[rows], weight, 0.0)
            distance = z - target
            for power, n in enumerate(n_degrees, 1):
                term = weight**power
                for k in range(n):
                    counts = np.bincount(cell, term, n_cells)
                    out[power - 1][k, 0] += counts.sum()
                    out[power - 1][k, 1 : 1 + n_cells] += counts
                    for j, g in enumerate(reals, 1 + n_cells):
                        out[power - 1][k, j] += term @ g
                    term = term * distance
        return out

    def side_sums(self, log_weight: Callable[[Array], Array]) -> tuple[Array, Array]:
        """Return the sums of `tauscope.stress.column.tilt.side_sums` for one tilt, shapes (2, 2, Q) and (2, 3, Q)."""
        n_cells, log_observed = self.quantities.n_cells, np.log(self.observed)
        out = tuple(np.zeros((2, power + 1, self.quantities.n_sums)) for power in (1, 2))
        for z, v, rows in self._chunks():
            cell, reals = self.quantities.cell[rows], self.quantities.reals(rows)
            counted = ~np.isnan(z) & (v > 0)
            with np.errstate(over="ignore"):
                ratio = np.exp(log_weight(np.where(counted, z, 0.0)) + log_observed)
            for side, inside in enumerate((ratio <= 1, ratio > 1)):
                inside &= counted
                for power, sums in enumerate(out, 1):
                    for k in range(power + 1):
                        term = np.where(inside, (v / self.total) ** power * np.where(inside, ratio, 0.0) ** k, 0.0)
                        counts = np.bincount(cell, term, n_cells)
                        sums[side, k, 0] += counts.sum()
                        sums[side, k, 1 : 1 + n_cells] += counts
                        sums[side, k, 1 + n_cells :] += [term @ g for g in reals]
        return out[0], out[1]

    def tail(self, xi: Array) -> tuple[Array, Array]:
        """Return the largest weights v e^{ξz} as `pareto_k` takes them, a row for each ξ."""
        z = self.scale(self.values)
        v = np.ones(len(z)) if self.sample_weight is None else self.sample_weight
        counted = ~np.isnan(z) & (v > 0)
        z, log_v = z[counted], np.log(v[counted])
        m = min(tail_size(len(z)), len(z) - 1)
        excess, cut = np.empty((len(xi), m)), np.empty(len(xi))
        for i, multiplier in enumerate(xi):
            logs = log_v + multiplier * z
            largest = np.sort(np.partition(logs, len(z) - m - 1)[len(z) - m - 1 :])
            excess[i] = largest[1:] - largest[0]
            cut[i] = np.exp(largest[0] - logsumexp(logs))
        return excess, cut

    def divergence(self, log_weight: Callable[[Array], Array]) -> tuple[float, float]:
        """Return KL (nats) and total variation from the unstressed rows."""
        kl = tv = 0.0
        log_observed = np.log(self.observed)
        for z, v, _ in self._chunks():
            counted = ~np.isnan(z) & (v > 0)
            logs = log_weight(z[counted]) + log_observed
            ratio = np.exp(logs)
            kl += float(v[counted] @ np.where(ratio > 0, ratio * np.where(ratio > 0, logs, 0.0), 0.0))
            tv += float(v[counted] @ np.maximum(ratio - 1, 0.0))
        return kl / self.total, tv / self.total
