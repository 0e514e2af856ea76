"""The sorted rows of a pair of columns, used where bins are not accurate: largest weights, crossings, steep tilts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.joint.faces import TOUCH
from tauscope.stress.joint.solver import Solution, shares, solve
from tauscope.stress.metrics import Power, Quantities, SummedMetric
from tauscope.stress.pair.pairs import Pairs
from tauscope.stress.pair.tilt import PairTilt, heights
from tauscope.weights.carriers import few_carriers
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import effective_size_of_shares, kullback_leibler_of_shares
from tauscope.weights.pareto import pareto_k, tail_size

Array = NDArray[np.float64]

FAINT = 40.0
"""Rows lighter than the heaviest by this factor's exponential hold less than 1e-11 of the weight of a million."""


def tails_of_tilts(pairs: Pairs, tilt: PairTilt, cells: NDArray[np.integer]) -> tuple[Array, Array]:
    """Return the largest weights of each tilt as `pareto_k` takes them, shapes (len(cells), m) and (len(cells),)."""
    n = len(pairs.rows)
    m = min(tail_size(n), n - 1)
    log_v, low_v, high_v = _log_weights(pairs)
    size = np.diff(pairs.first)
    excess, cut = np.empty((len(cells), m)), np.empty(len(cells))
    for i, cell in enumerate(cells.tolist()):
        xi = tilt.xi[cell]
        low, high = heights(pairs, xi)
        low, high = low + low_v, high + high_v
        order = np.argsort(-low)
        threshold_bin = order[int(np.searchsorted(np.cumsum(size[order]), m + 1))]
        # m + 1 rows weigh at least low[threshold_bin]: only bins that reach as high can hold the largest
        bins = np.flatnonzero(high >= low[threshold_bin])
        rows, of_bin = _expand_bins(pairs, bins)
        logs = pairs.phi_of(rows, of_bin) @ xi
        if log_v is not None:
            logs += log_v[rows]
        largest = np.sort(np.partition(logs, len(logs) - m - 1)[len(logs) - m - 1 :])
        excess[i], cut[i] = largest[1:] - largest[0], np.exp(largest[0] - tilt.log_norm[cell])
    return excess, cut


def crossing_gain(pairs: Pairs, xi: Array, log_norm: float) -> tuple[NDArray[np.bool_], float]:
    """Return the bins whose rows all gain weight, and what the rows gain in bins where only some do.

    Parameters
    ----------
    pairs : Pairs
    xi : ndarray of shape (d,)
    log_norm : float

    Returns
    -------
    gaining : ndarray of shape (n_bins,), bool
    gain : float
        Σ v max(e^{ξ·φ - log Z} - 1/V, 0) over the rows of the bins that the weights cross, V the total weight.
    """
    level = log_norm - np.log(pairs.total)
    low, high = heights(pairs, xi)
    crossed = np.flatnonzero((low < level) & (high > level))
    if not len(crossed):
        return low >= level, 0.0
    rows, of_bin = _expand_bins(pairs, crossed)
    excess = np.maximum(np.expm1(pairs.phi_of(rows, of_bin) @ xi - level), 0.0)
    gain = excess.sum() if pairs.weight is None else excess @ pairs.weight[rows]
    return low >= level, float(gain) / pairs.total


class RowSolution:
    """One target met over the rows themselves.

    Parameters
    ----------
    pairs : Pairs
    target : ndarray of shape (d,)
    start : ndarray of shape (d,)
        ξ to start from.
    """

    def __init__(self, pairs: Pairs, target: Array, start: Array) -> None:
        self.pairs, self.target = pairs, target
        rows, bins, solution = self._solve_heavy_rows(start)
        self.status = solution.status
        self.multipliers = solution.multipliers
        self.rows, self.phi = rows, pairs.phi_of(rows, bins)
        self.share = shares(solution.log_tilt, self._base(rows)) if solution.status != "outside" else np.zeros(0)

    def _solve_heavy_rows(self, start: Array) -> tuple[NDArray[np.int64], NDArray[np.int64], Solution]:
        """Solve over the rows that can matter near the start; over all where that is not enough."""
        pairs = self.pairs
        low, high = heights(pairs, start)
        heavy = high >= float(low.max()) - FAINT
        if not heavy.all():
            rows, bins = _expand_bins(pairs, np.flatnonzero(heavy))
            solution = self._solve_over(rows, bins, start)
            if solution is not None and solution.status == "solved":
                low, high = heights(pairs, solution.multipliers)
                # the solution has moved away from the start: rows left out must still be faint under it
                if float(high[~heavy].max()) < float(low.max()) - 0.8 * FAINT:
                    return rows, bins, solution
        rows, bins = _expand_bins(pairs, np.arange(len(pairs.phi)))
        solution = self._solve_over(rows, bins, start)
        assert solution is not None
        return rows, bins, solution

    def _solve_over(self, rows: NDArray[np.int64], bins: NDArray[np.int64], start: Array) -> Solution | None:
        phi, base = self.pairs.phi_of(rows, bins), self._base(rows)
        summary = summarise_moments(phi, base)
        is_subset = len(rows) < len(self.pairs.rows)
        if is_subset and not ((summary.low < self.target) & (self.target < summary.high)).all():
            return None
        if is_out_of_range(self.target, summary):
            return Solution(np.zeros(0), start, 0, "outside")
        return solve(phi, self.target, base, summary, start, 1e-10, 100)

    def _base(self, rows: NDArray[np.int64]) -> Array | None:
        if self.pairs.weight is None:
            return None
        return self.pairs.weight[rows] / self.pairs.weight[rows].sum()

    def estimates(
        self,
        quantities: Quantities,
        metrics: Sequence[SummedMetric],
        target_covariance: Array,
        *,
        unstressed: bool = False,
    ) -> list[Estimate]:
        """Estimate the metrics under the weights; see `joint_estimates`."""
        return joint_estimates(
            self._quantities(quantities),
            metrics,
            self.phi,
            self.target,
            self.share,
            target_covariance,
            unstressed=unstressed,
        )

    def population(self) -> tuple[float, float, float, float, float, float]:
        """Return effective sample size, Pareto k̂, KL (nats), total variation, and carriers: number and share."""
        n, weight = len(self.pairs.rows), self.pairs.weight
        unstressed = np.full(len(self.rows), 1 / n) if weight is None else weight[self.rows] / self.pairs.total
        kl = kullback_leibler_of_shares(self.share, unstressed)
        gain = float(np.maximum(self.share - unstressed, 0.0).sum())
        every_row = np.zeros(n)
        every_row[self.rows] = self.share
        carriers = few_carriers(every_row, weight)
        return effective_size_of_shares(self.share), self._pareto_k(), kl, min(gain, 1.0), carriers.n, carriers.share

    def _pareto_k(self) -> float:
        """Return Pareto k̂; the rows left out have weights too small to be among the largest."""
        n, weight = len(self.pairs.rows), self.pairs.weight
        if len(self.rows) == n:
            return pareto_khat(self.share, weight)
        m = min(tail_size(n), n - 1)
        logs = np.sort(np.log(np.maximum(self.share, 1e-300)))[::-1][: m + 1]
        logs = np.append(logs, np.full(m + 1 - len(logs), logs[-1]))[::-1]
        return float(pareto_k(logs[1:] - logs[0], np.exp(logs[0])))

    def _quantities(self, quantities: Quantities) -> Quantities:
        original = self.pairs.order[self.rows]

        def reorder(power: Power) -> Power:
            def values(rows: slice) -> Array:
                return power.values(cast(slice, original[rows]))

            return replace(power, values=values)

        return Quantities(
            quantities.cell[original],
            quantities.n_cells,
            tuple(reorder(power) for power in quantities.powers),
            {name: metric.take(original) for name, metric in quantities.by_rows.items()},
        )


def is_out_of_range(target: Array, summary: MomentSummary) -> bool:
    """Tell whether a target lies outside the range of a column; at its end, to rounding, it does not."""
    slack = TOUCH * summary.sd
    return bool((target < summary.low - slack).any() or (target > summary.high + slack).any())


def _expand_bins(pairs: Pairs, bins: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sorted rows of some bins, and the bin of each."""
    start, size = pairs.first[bins], np.diff(pairs.first)[bins]
    begin = np.cumsum(size) - size
    rows = np.arange(int(size.sum())) + np.repeat(start - begin, size)
    return rows, np.repeat(bins.astype(np.int64), size)


def _log_weights(pairs: Pairs) -> tuple[Array | None, Array | float, Array | float]:
    """Return the log sample weight of each sorted row, and the least and largest in each bin."""
    if pairs.weight is None:
        return None, 0.0, 0.0
    log_v = np.log(pairs.weight)
    starts = pairs.first[:-1]
    return log_v, np.minimum.reduceat(log_v, starts), np.maximum.reduceat(log_v, starts)
