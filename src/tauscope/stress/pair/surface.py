"""Every metric over the means of two columns at once: one pass over the pair serves the whole grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from tauscope.prediction.batches import Over
from tauscope.stress.estimates import Estimate
from tauscope.stress.intervals import analytic_interval
from tauscope.stress.metrics import Metric, Quantities, SummedMetric, choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.pair.cells import POPULATION, Cell, MetCell, RowCells, variation_of_bins
from tauscope.stress.pair.pairs import FEW_PAIRS, Pairs, read_pair
from tauscope.stress.pair.rows import crossing_gain, tails_of_tilts
from tauscope.stress.pair.sums import pair_estimates
from tauscope.stress.pair.target_error import PairTargets
from tauscope.stress.pair.tilt import PairTilt, bin_weights, solve_pairs, sum_in_bins
from tauscope.stress.reliability import CODES, Support, judge
from tauscope.weights.carriers import carriers_of_tails
from tauscope.weights.measures import divergence_ratio
from tauscope.weights.pareto import pareto_k

Array = NDArray[np.float64]

ACCURACY = 4e-10
"""Relative error bound of the sums above which a cell is summed over the rows instead."""
NUMBERS = 1_000_000
"""Cells × bins × sums taken at once."""
ON_HULL = 1e-9
"""Distance from the hull of the pairs that counts as on it, standard deviations."""


@dataclass(frozen=True)
class Surface:
    """Metrics over T_a × T_b pairs of τ.

    Attributes
    ----------
    taus : ndarray of shape (T,)
        Of both columns, in [-1, 1], ascending.
    metrics : tuple of Metric, length I
    target : ndarray of shape (2, T)
        Means that the columns are moved to, in their units.
    value, error, lower, upper : ndarray of shape (I, T, T)
        First the first column's τ. NaN where the metric is not defined or no weights meet both means. The interval is
        that of the same pair of τ in the population of the rows.
    reason : int8 ndarray of shape (I, T, T)
        Code of what decides over the metric's reliability, among `tauscope.stress.reliability.REASONS`.
    amount : ndarray of shape (I, T, T)
        The number that the reason's sentence quotes.
    multiplier : ndarray of shape (2, T, T)
        ξ per unit of each column.
    ess, pareto_k, kl, tv, n_carriers, carried : ndarray of shape (T, T)
        As in `tauscope.stress.curves.Curves`; NaN where infeasible.
    status : ndarray of shape (T, T), of str
        "solved"; "limit", on the surface of what the rows allow; "infeasible", beyond it; "unconverged".
    reached : ndarray of shape (2, 2)
        Probability levels of the quantiles that τ = -1 and τ = +1 of each column stand for.
    mean : ndarray of shape (2,)
        Unstressed means.
    n_missing : ndarray of shape (2,)
    exact : bool
        Whether every pair of values was kept as it is.
    n_bins : int
    n_direct : int
        Cells summed over the rows, where the bins' error bound was too large.
    """

    taus: NDArray[np.float64]
    metrics: tuple[Metric, ...]
    target: NDArray[np.float64]
    value: NDArray[np.float64]
    error: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    reason: NDArray[np.int8]
    amount: NDArray[np.float64]
    multiplier: NDArray[np.float64]
    ess: NDArray[np.float64]
    pareto_k: NDArray[np.float64]
    kl: NDArray[np.float64]
    tv: NDArray[np.float64]
    n_carriers: NDArray[np.float64]
    carried: NDArray[np.float64]
    status: NDArray[np.str_]
    reached: NDArray[np.float64]
    mean: NDArray[np.float64]
    n_missing: NDArray[np.int64]
    exact: bool
    n_bins: int
    n_direct: int


def stress_surface(
    columns: Sequence[Array],
    outcomes: Outcomes,
    *,
    taus: Array,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: Sequence[str] | None = None,
    sample_weight: Array | None = None,
    few_pairs: int = FEW_PAIRS,
    over: Over = map,
) -> Surface:
    """Move the means of two columns at once, over every pair of τ.

    Parameters
    ----------
    columns : two ndarrays of shape (n_rows,)
        float64; NaN marks a row without a value, which keeps its weight.
    outcomes : Outcomes
    taus : ndarray of shape (T,)
        In [-1, 1].
    quantile, confidence, metrics, sample_weight
        As in `tauscope.stress.curves.stress_curves`.
    few_pairs : int
        Distinct pairs up to which each is kept exactly.
    over : callable
        Applies a function to cells that are summed over the rows as `map` does; it can show them, stop, and work on
        several cores.

    Returns
    -------
    Surface

    Raises
    ------
    InputError
        For a column with fewer than two different values.
    DependentConstraints
        Where one column is a linear function of the other.
    UnknownName
        For a metric that the outcomes do not allow.

    Notes
    -----
    Every cell is the projection onto both means, Φ = (a, b), also at τ = 0, where the column's mean is held at
    the unstressed one. Both targets are estimated from the rows, which is part of the intervals; where both τ are 0
    nothing is stressed, and the interval is the plain one.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Corollary 2.1 and Figure 2.
    """
    if sample_weight is not None and not (sample_weight > 0).all():
        rows = np.flatnonzero(sample_weight > 0)
        columns, outcomes, sample_weight = [c[rows] for c in columns], outcomes.take(rows), sample_weight[rows]
    quantities, available = define_quantities(outcomes, names=metrics or ())
    selected = choose(available, metrics)
    pairs = read_pair(columns, quantities, quantile=quantile, sample_weight=sample_weight, few_pairs=few_pairs)
    taus = np.asarray(taus, np.float64)
    means = np.stack([around.target(taus) for around in pairs.around])
    errors = PairTargets.of(pairs, columns, taus, sample_weight)
    grid = _Grid(pairs, quantities, selected, means, errors, available[0])
    grid.fill(over)
    shape = (len(taus), len(taus))
    per_metric = (len(selected), *shape)
    return Surface(
        taus=taus,
        metrics=selected,
        target=means,
        **{name: part.reshape(per_metric) for name, part in grid.of_metrics(confidence).items()},  # pyright: ignore[reportArgumentType]
        multiplier=pairs.multipliers(grid.xi).T.reshape(2, *shape),
        **{name: values.reshape(shape) for name, values in grid.population.items()},
        status=grid.status.reshape(shape),
        reached=np.array([around.reached for around in pairs.around]),
        mean=np.array([around.mean for around in pairs.around]),
        n_missing=np.array(pairs.n_missing),
        exact=pairs.exact,
        n_bins=len(pairs.phi),
        n_direct=grid.n_direct,
    )


class _Grid:
    """The cells of a surface as they are filled."""

    def __init__(
        self,
        pairs: Pairs,
        quantities: Quantities,
        metrics: tuple[SummedMetric, ...],
        means: Array,
        errors: PairTargets,
        helper: SummedMetric,
    ) -> None:
        a, b = np.repeat(means[0], means.shape[1]), np.tile(means[1], means.shape[1])
        self.pairs, self.quantities, self.metrics = pairs, quantities, metrics
        self.targets = pairs.targets(a, b)
        self.errors, self.unstressed = errors, errors.unstressed().ravel()
        n = len(a)
        self.status = np.full(n, "infeasible", dtype="U11")
        self.xi = np.full((n, self.targets.shape[1]), np.nan)
        self.estimates = np.full((len(Estimate._fields), len(metrics), n), np.nan)
        self.population = {name: np.full(n, 0.0 if name in POPULATION[-2:] else np.nan) for name in POPULATION}
        self.n_direct = 0
        self.helper = helper
        self.summed = [i for i, metric in enumerate(metrics) if metric.form != "by_rows"]
        self.by_rows = [i for i, metric in enumerate(metrics) if metric.form == "by_rows"]

    def fill(self, over: Over) -> None:
        """Compute every cell whose two means can be met by weights on these rows."""
        location = _locate_targets(self.pairs, self.targets)
        cells = np.flatnonzero(location > 0)
        tilt = solve_pairs(self.pairs, self.targets[cells])
        accurate = tilt.met & (tilt.error <= ACCURACY)
        self._from_bins(cells[accurate], _take(tilt, accurate))
        starts = np.zeros_like(self.targets)
        starts[cells] = np.where(np.isfinite(tilt.xi), tilt.xi, 0.0)
        remaining = np.concatenate([cells[~accurate & ~tilt.separated], np.flatnonzero(location == 0)])
        self.n_direct = len(remaining)
        at = [self._cell(number, starts) for number in np.sort(remaining).tolist()]
        if at:
            for cell, met in zip(at, over(self._row_cells(self._summed_or_helper()), at), strict=True):
                self._put(cell.number, met)
        if self.by_rows:
            self._rank(over)

    def _rank(self, over: Over) -> None:
        """Take the metrics that need all rows at once, from the tilts that were found."""
        found = np.where(np.isfinite(self.xi), self.xi, 0.0)
        at = [self._cell(number, found) for number in np.flatnonzero(np.isfinite(self.population["ess"])).tolist()]
        ranked = self._row_cells([self.metrics[i] for i in self.by_rows]).of_metrics
        for cell, estimates in zip(at, over(ranked, at), strict=True):
            if estimates is not None:
                self.estimates[:, self.by_rows, cell.number] = estimates

    def _cell(self, number: int, starts: Array) -> Cell:
        return Cell(number, self.targets[number], starts[number], bool(self.unstressed[number]))

    def _row_cells(self, metrics: Sequence[SummedMetric]) -> RowCells:
        return RowCells(self.pairs, self.quantities, metrics, self.errors)

    def _summed_or_helper(self) -> list[SummedMetric]:
        return [self.metrics[i] for i in self.summed] or [self.helper]

    def _put(self, number: int, met: MetCell) -> None:
        self.status[number] = met.status
        if met.xi is None or met.estimates is None:
            return
        self.xi[number] = met.xi
        for i, estimate in zip(self.summed, met.estimates.T, strict=False):
            self.estimates[:, i, number] = estimate
        for name, value in zip(POPULATION, met.population, strict=True):
            self.population[name][number] = value

    def of_metrics(self, confidence: float) -> dict[str, NDArray[np.float64] | NDArray[np.int8]]:
        """Return value, error, ends and reliability of every metric and cell, shape (I, n_cells)."""
        pairs, errors = self.pairs, self.errors
        kl, tv, k = (self.population[name] for name in ("kl", "tv", "pareto_k"))
        ratio = divergence_ratio(kl, tv, pairs.moved_share)
        support = Support(errors.beyond_of_cells().ravel(), errors.doubt_of_cells().ravel(), k, ratio)
        reached = np.isfinite(self.population["ess"])
        names = ("value", "error", "lower", "upper", "reason", "amount")
        out: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
        for i, metric in enumerate(self.metrics):
            estimate = Estimate(*self.estimates[:, i])
            estimate = estimate._replace(determined=np.equal(estimate.determined, 1))
            ends = analytic_interval(metric, estimate, confidence, len(pairs.rows))
            reason, amount = judge(metric, estimate, support)
            verdict = np.where(reached, reason, CODES["undefined"]).astype(np.int8), np.where(reached, amount, 0.0)
            for name, part in zip(out, (estimate.value, estimate.error, *ends, *verdict), strict=True):
                out[name].append(part)
        return {name: np.stack(parts) for name, parts in out.items()}

    def _from_bins(self, cells: NDArray[np.int64], tilt: PairTilt) -> None:
        pairs = self.pairs
        per_cell = len(pairs.phi) * (4 if pairs.exact else pairs.moments.shape[3])
        block = max(1, NUMBERS // per_cell)
        for start in range(0, len(cells), block):
            batch = slice(start, start + block)
            self._sum_bins(cells[batch], tilt.xi[batch], bin_weights(pairs, tilt, batch))
        self.status[cells], self.xi[cells] = "solved", tilt.xi
        kl = np.einsum("cj,cj->c", tilt.xi, self.targets[cells]) - tilt.log_norm + np.log(pairs.total)
        self.population["kl"][cells] = np.maximum(kl, 0.0)
        tails = tails_of_tilts(pairs, tilt, np.arange(len(cells)))
        self.population["pareto_k"][cells] = pareto_k(*tails)
        if not pairs.exact:
            self._add_crossing_gain(cells, tilt)
        carriers = carriers_of_tails(*tails, self.population["tv"][cells], len(pairs.rows))
        self.population["n_carriers"][cells], self.population["carried"][cells] = carriers

    def _add_crossing_gain(self, cells: NDArray[np.int64], tilt: PairTilt) -> None:
        """Sum the total variation of each tilt over bins of which some rows gain and others lose."""
        pairs = self.pairs
        for i, cell in enumerate(cells.tolist()):
            gaining, gain = crossing_gain(pairs, tilt.xi[i], float(tilt.log_norm[i]))
            this_cell, ones = slice(i, i + 1), slice(0, 1)
            sums = (
                bin_weights(pairs, tilt, this_cell)[0]
                * sum_in_bins(pairs, tilt.xi[this_cell], 1, ones, fine=True)[0, :, 0]
            )
            gain += float((sums - pairs.moments[0, 0, :, 0] / pairs.total)[gaining].sum())
            self.population["tv"][cell] = min(gain, 1.0)

    def _sum_bins(self, cells: NDArray[np.int64], xi: Array, weight: Array) -> None:
        """Take every metric and its error from the bins; weights (C, n_bins) are those at their centres."""
        pairs = self.pairs
        covariance, unstressed = self.errors.of_cells(pairs, cells), self.unstressed[cells]
        metrics = self._summed_or_helper()
        estimates = pair_estimates(pairs, metrics, self.targets[cells], xi, weight, covariance, unstressed)
        self.population["ess"][cells] = estimates[0].ess
        for i, estimate in zip(self.summed, estimates, strict=False):
            self.estimates[:, i, cells] = estimate
        if pairs.exact:
            self.population["tv"][cells] = variation_of_bins(pairs, weight)


def _take(tilt: PairTilt, which: NDArray[np.bool_]) -> PairTilt:
    return PairTilt(tilt.xi[which], tilt.log_norm[which], tilt.error[which], tilt.met[which], tilt.separated[which])


def _locate_targets(pairs: Pairs, targets: Array) -> NDArray[np.int64]:
    """Tell for each target whether it lies inside the hull of the pairs (1), on it (0) or outside (-1).

    With gaps the targets have more dimensions than the hull of the pairs, and where a few values dwarf the others all
    these are one corner of it; all count as inside then, and what cannot be met shows when it is tried.
    """
    if targets.shape[1] > 2 or any(pairs.n_missing) or pairs.near is not None:
        return np.ones(len(targets), np.int64)
    hull = ConvexHull(pairs.phi if pairs.exact else pairs.rows)
    above = (targets @ hull.equations[:, :2].T + hull.equations[:, 2]).max(1)
    return np.where(above > ON_HULL, -1, np.where(above < -ON_HULL, 1, 0))
