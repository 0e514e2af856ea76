"""Every metric along τ for every column: what one row of sliders shows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.column.column import SketchedColumn, sketch_column
from tauscope.stress.column.tilt import Stack, Tilt, divergence, solve, stack, tilted_sums
from tauscope.stress.estimates import DEGREES, PowerSums, effective_size, estimate, group_alike
from tauscope.stress.intervals import analytic_interval
from tauscope.stress.metrics import Metric, SummedMetric, choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import CODES, Support, judge
from tauscope.weights.arrays import BufferPool
from tauscope.weights.carriers import carriers_at_end, carriers_of_tails
from tauscope.weights.measures import divergence_ratio, effective_size_of_sums
from tauscope.weights.pareto import pareto_k

Array = NDArray[np.float64]
Part = TypeVar("Part")

ACCURACY = 4e-10
"""Relative error bound of the sums above which a tilt is summed over the rows instead."""
CACHE = 100_000
"""Numbers (columns × τ × bins) solved at once."""
ROUNDED = 1e-9
"""Standard deviations that rounding may put a mean elsewhere."""
FEW = 4
"""Columns whose tails are fitted at once."""
WAITING_ROWS = 1_000_000
"""Rows of the columns that wait to be solved together; until then their values are kept, sorted by bin."""

OF_METRICS = ("value", "error", "lower", "upper", "reason", "amount")
"""Fields of shape (p, I, T)."""
NOTHING = {"reason": CODES["undefined"], "amount": 0.0, "n_missing": 0, "n_carriers": 0.0, "carried": 0.0}
"""What fields hold where nothing can be computed, if not NaN."""


@dataclass(frozen=True)
class Curves:
    """Curves of p columns over T values of τ for I metrics.

    Attributes
    ----------
    taus : ndarray of shape (T,)
        In [-1, 1], ascending.
    metrics : tuple of Metric, length I
    target : ndarray of shape (p, T)
        Mean the column was moved to, in the column's unit.
    multiplier : ndarray of shape (p, T)
        ξ of the exponential tilt, per unit of the column; ±inf where the target is the column's extreme.
    value, error, lower, upper : ndarray of shape (p, I, T)
        Each metric, its standard error and the ends of its interval; NaN where it is not defined. The interval is
        that of the same τ in the population of the rows, whose mean and quantiles are estimated too; of targets
        given in units, that in a population of exactly these means.
    reason : int8 ndarray of shape (p, I, T)
        Code of what decides over its reliability, among `tauscope.stress.reliability.REASONS`.
    amount : ndarray of shape (p, I, T)
        The number that the reason's sentence quotes.
    ess : ndarray of shape (p, T)
        Effective sample size (Σw)²/Σw², rows.
    pareto_k : ndarray of shape (p, T)
        Pareto k̂ of the largest weights; 0 where the largest weights are all equal.
    kl : ndarray of shape (p, T)
        KL(stressed ‖ unstressed), nats.
    tv : ndarray of shape (p, T)
        Total variation between stressed and unstressed rows, in [0, 1].
    n_carriers, carried : ndarray of shape (p, T)
        The few rows that carry the weight moved, and their share of all weight: see `tauscope.weights.carriers`. 0
        where they are not few. Of weighted rows they are found among the heaviest.
    reached : ndarray of shape (p, 2)
        Probability levels of the quantiles that τ = -1 and τ = +1 stand for: (α, 1-α), or the widened ones; NaN
        where the odds of a rare one of two values are multiplied.
    mean : ndarray of shape (p,)
        Unstressed mean of the observed values of each column.
    n_missing : ndarray of shape (p,)
        Rows without a value; they keep their weight.
    """

    taus: NDArray[np.float64]
    metrics: tuple[Metric, ...]
    target: NDArray[np.float64]
    multiplier: NDArray[np.float64]
    value: NDArray[np.float64]
    error: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    reason: NDArray[np.int8]
    amount: NDArray[np.float64]
    ess: NDArray[np.float64]
    pareto_k: NDArray[np.float64]
    kl: NDArray[np.float64]
    tv: NDArray[np.float64]
    n_carriers: NDArray[np.float64]
    carried: NDArray[np.float64]
    reached: NDArray[np.float64]
    mean: NDArray[np.float64]
    n_missing: NDArray[np.int64]

    def only(self, names: Sequence[str]) -> "Curves":
        """Return the same curves for the named metrics alone, in that order."""
        position_of = {metric.name: i for i, metric in enumerate(self.metrics)}
        return self.at([position_of[name] for name in names])

    def at(self, positions: Sequence[int]) -> "Curves":
        """Return the same curves for the metrics at some positions alone."""
        of_metrics = {name: getattr(self, name)[:, list(positions)] for name in OF_METRICS}
        return replace(self, metrics=tuple(self.metrics[i] for i in positions), **of_metrics)


def stress_curves(
    columns: Iterable[Array],
    outcomes: Outcomes,
    *,
    taus: Array,
    targets: Array | None = None,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: Sequence[str] | None = None,
    sample_weight: Array | None = None,
) -> Curves:
    """Compute every metric along τ for every column: one pass over each column, the rest from its sketch.

    Parameters
    ----------
    columns : iterable of ndarray of shape (n_rows,)
        float64; NaN marks a row without a value, which keeps its weight while the mean of the others moves.
        The column of a level's share is its indicator.
    outcomes : Outcomes
    taus : ndarray of shape (T,)
        In [-1, 1].
    targets : ndarray of shape (p, T) or None
        Means to move to, in the columns' units, in place of those that the τ stand for; metrics are NaN where
        one lies outside its column's range.
    quantile : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 stand for.
    confidence : float
        Nominal coverage of the intervals, in (0, 1).
    metrics : sequence of str or None
        Names as in `tauscope.stress.metrics.available`; None for all that are shown by default.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative; multiplies in everywhere.

    Returns
    -------
    Curves

    Raises
    ------
    InputError
        A column with fewer than two different values.
    UnknownName
        A metric that the outcomes do not allow.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Theorems 2.1 and 2.3, §3.
    """
    quantities, available = define_quantities(outcomes, names=metrics or ())
    selected = choose(available, metrics)
    summaries = (
        sketch_column(np.asarray(values, np.float64), quantities, quantile, sample_weight) for values in columns
    )
    return compute_curves(summaries, selected, np.asarray(taus, np.float64), targets, confidence)


def compute_curves(
    columns: Iterable[SketchedColumn],
    metrics: tuple[SummedMetric, ...],
    taus: Array,
    targets: Array | None,
    confidence: float,
) -> Curves:
    """Compute metrics along τ for columns that are summarised; parameters as in `stress_curves`."""

    def compute(batch: list[tuple[int, SketchedColumn]], pool: BufferPool) -> dict[int, Curves]:
        given = None if targets is None else np.stack([targets[i] for i, _ in batch])
        return _compute_batch(batch, metrics, taus, given, confidence, pool)

    return _join_curves(in_batches(columns, len(taus), compute))


def in_batches(
    columns: Iterable[SketchedColumn],
    n_targets: int,
    compute: Callable[[list[tuple[int, SketchedColumn]], BufferPool], dict[int, Part]],
) -> list[Part]:
    """Compute something of every column, of several together where their sketches have as many moments.

    Parameters
    ----------
    columns : iterable of SketchedColumn
        At least one.
    n_targets : int
        To which each is tilted at once.
    compute : callable
        Columns with their positions, and a buffer pool that all batches share, to the parts by position.
    """
    pool = BufferPool()
    by_position: dict[int, Part] = {}
    pending: dict[int, list[tuple[int, SketchedColumn]]] = {}
    counter = count()
    for column in columns:
        group = pending.setdefault(column.sketch.moments.shape[1], [])
        group.append((next(counter), column))
        widest = max(len(c.sketch.bins.centres) for _, c in group)
        n_pending_rows = sum(len(chunk.z) for _, c in group for chunk in c.chunks or ())
        if len(group) * n_targets * widest >= CACHE or n_pending_rows >= WAITING_ROWS:
            by_position.update(compute(group, pool))
            group.clear()
        del column  # or it would last while the next one is read, as it would in the last pair of enumerate
    for group in pending.values():
        if group:
            by_position.update(compute(group, pool))
    if not by_position:
        raise InputError("Curves need at least one column; got none.")
    return [by_position[i] for i in sorted(by_position)]


def _compute_batch(
    group: list[tuple[int, SketchedColumn]],
    metrics: tuple[SummedMetric, ...],
    taus: Array,
    given: Array | None,
    confidence: float,
    pool: BufferPool,
) -> dict[int, Curves]:
    columns = [column for _, column in group]
    solved = solve_columns(columns, taus, given, pool)
    sums, xi, tv, outside = solved.sums, solved.xi, solved.tv, solved.outside
    at_extreme = observed_size(sums)
    k, n_carriers, carried = read_tails(columns, xi, solved.log_norm, tv, at_extreme, pool)
    of_metrics = estimate_cells(
        metrics,
        sums,
        support_of_targets(columns, taus, solved, given is not None, k),
        np.zeros(outside.shape) if given is not None else np.stack([c.target_error(taus) for c in columns]) ** 2,
        (taus == 0) & (given is None),
        confidence,
        columns[0].n_rows,
    )
    if outside.any():
        of_metrics = {name: _void(name, array, outside) for name, array in of_metrics.items()}
    ess = effective_size(sums)
    return {
        position: Curves(
            taus,
            metrics,
            target=solved.requested[f],
            multiplier=xi[f] / c.scale.unit,
            **{name: array[f] for name, array in of_metrics.items()},
            ess=ess[f],
            pareto_k=k[f],
            kl=solved.kl[f],
            tv=tv[f],
            n_carriers=n_carriers[f],
            carried=carried[f],
            reached=np.array(c.around.reached),
            mean=np.array(c.around.mean),
            n_missing=np.array(c.n_missing),
        )
        for f, (position, c) in enumerate(group)
    }


class Solved(NamedTuple):
    """F columns tilted to T targets each, and the sums under the tilts; arrays of shape (F, T).

    Attributes
    ----------
    requested : ndarray
        Targets in the columns' own units.
    outside : ndarray of bool
        Where a target lies outside of its column's range.
    targets : ndarray
        Standardised; the mean where the target lies outside.
    extreme : int8 ndarray
        -1 or 1 where the target is the column's minimum or maximum.
    tilt : Tilt
        Of the sketches.
    xi, log_norm : ndarray
        Those of the tilt, or of the rows where its error bound is too large.
    direct : ndarray of bool
        Where it is.
    sums : PowerSums
    kl, tv : ndarray
    """

    requested: Array
    outside: NDArray[np.bool_]
    targets: Array
    extreme: NDArray[np.int8]
    tilt: Tilt
    xi: Array
    log_norm: Array
    direct: NDArray[np.bool_]
    sums: PowerSums
    kl: Array
    tv: Array

    @property
    def divergence_ratio(self) -> Array:
        """As `tauscope.weights.measures.divergence_ratio`, of the rows with a value."""
        weight = self.sums.first[..., 0, 0]
        return divergence_ratio(self.kl, self.tv, 1 - self.sums.rest[0][..., 0] / weight)


def solve_columns(columns: list[SketchedColumn], taus: Array, given: Array | None, pool: BufferPool) -> Solved:
    """Tilt columns with sketches of as many moments to the targets of τ, or to those given, and sum under the tilts."""
    requested = np.stack([c.around.target(taus) for c in columns]) if given is None else given
    stacked = stack([c.sketch for c in columns], pool)
    ends = np.array([[c.around.minimum, c.around.maximum] for c in columns])
    outside = (requested < ends[:, :1]) | (requested > ends[:, 1:])
    raw = np.where(outside, np.array([[c.around.mean] for c in columns]), requested)
    targets = np.stack([c.scale(each) for c, each in zip(columns, raw, strict=True)])
    extreme = np.where(raw <= ends[:, :1], -1, np.where(raw >= ends[:, 1:], 1, 0)).astype(np.int8)
    means = np.array([[c.standard_mean] for c in columns], dtype=np.float64)
    near = np.array([[c.scale.near] for c in columns], dtype=np.float64)
    if given is None:
        # far from 0 the mean is rounded to a number that the rows do not have: without stress they keep their own
        own = (stacked.mass * stacked.centroids).sum(1, keepdims=True) / stacked.mass.sum(1, keepdims=True)
        means = np.where(np.abs(own - means) > ROUNDED, own, means)
        targets = np.where(taus == 0, means, targets)
    tilt = solve(stacked, targets, extreme, pool, means, near)
    sums = _collect_sums(stacked, tilt, targets)
    kl, tv, split = divergence(stacked, tilt, targets, pool)
    tv += np.stack([c.crossing_gain(split[f], tilt.xi[f], tilt.log_norm[f]) for f, c in enumerate(columns)])
    xi, log_norm = tilt.xi.copy(), tilt.log_norm.copy()
    inexact = ~(tilt.error <= ACCURACY)
    for f, t in np.argwhere(inexact).tolist():
        direct = _sum_directly(columns[f], int(extreme[f, t]), float(xi[f, t]), float(targets[f, t]))
        xi[f, t], log_norm[f, t], kl[f, t], tv[f, t] = direct[:4]
        for tilted, exact in zip(sums[:4], direct[4], strict=True):
            tilted[f, t] = exact[:, : tilted.shape[-1]]
    return Solved(requested, outside, targets, extreme, tilt, xi, log_norm, inexact, sums, kl, tv)


def estimate_cells(
    metrics: Sequence[SummedMetric],
    sums: PowerSums,
    support: Support,
    target_variance: Array,
    unstressed: NDArray[np.bool_],
    confidence: float,
    n_rows: int,
) -> dict[str, NDArray[Any]]:
    """Return the fields `OF_METRICS` of F columns, each of shape (F, I, T).

    Parameters
    ----------
    metrics : sequence of SummedMetric, length I
    sums : PowerSums
        Of shape (F, T, n_degrees, Q).
    support : Support
        Of shape (F, T).
    target_variance : ndarray of shape (F, T)
        Squared standard errors of the targets, in the unit of the sums.
    unstressed : ndarray of bool of shape (T,)
    confidence : float
    n_rows : int
    """
    shape = (sums.first.shape[0], len(metrics), sums.first.shape[1])
    out = {name: np.empty(shape, np.int8 if name == "reason" else np.float64) for name in OF_METRICS}
    for positions in group_alike(metrics):
        estimates = estimate([metrics[i] for i in positions], sums, target_variance, unstressed)
        ends = analytic_interval(metrics[positions[0]], estimates, confidence, n_rows)
        verdict = judge(metrics[positions[0]], estimates, support)
        for name, part in zip(OF_METRICS, (estimates.value, estimates.error, *ends, *verdict), strict=True):
            out[name][:, positions] = np.moveaxis(part, 0, 1)
    return out


def observed_size(sums: PowerSums) -> Array:
    """Return the effective number of rows that have a value and weight."""
    mass, squares = (part[..., 0, 0] - rest[..., 0] for part, rest in zip(sums[:2], sums.rest, strict=False))
    return effective_size_of_sums(mass, squares)


def support_of_targets(
    columns: list[SketchedColumn], taus: Array, solved: Solved, given: bool, pareto_k: Array
) -> Support:
    """Return where each column's targets lead; those that are given have no end of τ to doubt.

    At a column's extreme all rows that are left any weight lie at the target, which bins of many values do not tell
    from others near by.
    """
    targets = solved.targets
    sign = np.broadcast_to(np.where(taus >= 0, 1, -1), targets.shape)
    if given:
        sign = np.where(targets >= np.array([[c.standard_mean] for c in columns]), 1, -1)
    n_beyond = np.stack([c.count_beyond(*each) for c, *each in zip(columns, targets, sign, strict=True)])
    n_beyond = np.maximum(n_beyond, np.where(solved.extreme, observed_size(solved.sums), 0.0))
    if given:
        return Support(n_beyond, np.zeros(targets.shape, bool), pareto_k, solved.divergence_ratio)
    in_doubt = np.stack([c.around.in_doubt(taus) for c in columns])
    return Support(np.where(taus == 0, np.inf, n_beyond), in_doubt, pareto_k, solved.divergence_ratio)


def _void(name: str, array: NDArray[Any], outside: NDArray[np.bool_]) -> NDArray[Any]:
    """Return a field of metrics with nothing where the target is outside of the column's range."""
    return np.where(outside[:, None, :], NOTHING.get(name, np.nan), array).astype(array.dtype)


def _collect_sums(stacked: Stack, tilt: Tilt, targets: Array) -> PowerSums:
    first, second, third, fourth = tilted_sums(stacked, tilt, targets, DEGREES)
    rest = [stacked.layer(p)[1] / stacked.total[:, None] ** p for p in (1, 2, 3)]
    rest_1, rest_2, rest_3 = (np.repeat(r[:, None, :], targets.shape[1], 1) for r in rest)
    return PowerSums(first, second, third, fourth, (rest_1, rest_2, rest_3), squares_before(stacked, targets.shape))


def squares_before(stacked: Stack, shape: tuple[int, ...]) -> Array:
    """Return Σ w² of the rows with a value without a stress, all weight being 1; the same for every target."""
    squares = stacked.layer(2)[0][:, :, 0, 0].sum(1) / stacked.total**2
    return np.broadcast_to(squares[:, None], shape)


def _sum_directly(
    column: SketchedColumn, extreme: int, xi: float, target: float
) -> tuple[float, float, float, float, list[Array]]:
    """Return ξ, log Z (0 at an extreme), KL, total variation and the sums of one tilt, over the rows."""
    rows, log_norm = column.rows, 0.0
    if not extreme:
        xi, log_norm = rows.solve(target, xi)
    log_weight = direct_weight(column, extreme, xi, log_norm)
    return xi, log_norm, *rows.divergence(log_weight), rows.sums(log_weight, target, DEGREES)


def direct_weight(column: SketchedColumn, extreme: int, xi: float, log_norm: float) -> Callable[[Array], Array]:
    """Return z → the log of what a row weighs under a tilt, or where it is kept at the column's extreme alone."""
    if extreme:
        return column.rows.at_extreme(column.around.minimum if extreme < 0 else column.around.maximum)
    return column.rows.log_weight(xi, log_norm)


def read_tails(
    columns: list[SketchedColumn], xi: Array, log_norm: Array, tv: Array, observed_size: Array, pool: BufferPool
) -> tuple[Array, Array, Array]:
    """Return Pareto k̂ of every column and tilt, and the few rows that carry it: their number and share.

    A few columns with tails of one size are read together.
    """
    k, n_carriers, carried = (np.empty(xi.shape) for _ in range(3))
    for start in range(0, len(columns), FEW):
        batch = range(start, min(start + FEW, len(columns)))
        tails = [columns[f].tail(xi[f], log_norm[f]) for f in batch]
        for f, (excess, cut) in zip(batch, tails, strict=True):
            n_carriers[f], carried[f] = _carriers(columns[f], excess, cut, xi[f], tv[f], observed_size[f])
        size = np.array([excess.shape[1] for excess, _ in tails])
        for m in np.unique(size):
            same_size = np.flatnonzero(size == m)
            excess, cut = (np.stack([tails[i][j] for i in same_size]) for j in (0, 1))
            k[start + same_size] = pareto_k(excess, cut, pool)
    return k, n_carriers, carried


def _carriers(
    column: SketchedColumn, excess: Array, cut: Array, xi: Array, tv: Array, observed_size: Array
) -> tuple[Array, Array]:
    """Find the few rows that carry each tilt of a column, among those that have a value."""
    n_observed = column.n_rows - column.n_missing
    observed = max(n_observed, 1) / column.n_rows  # none of weight above 0 has a value: nothing moves
    inside = carriers_of_tails(excess, cut, tv / observed, n_observed)
    at_end = carriers_at_end(observed_size, n_observed)
    n, share = (np.where(np.isfinite(xi), *both) for both in zip(inside, at_end, strict=True))
    return n, share * observed


def _join_curves(curves: list[Curves]) -> Curves:
    per_column = [f.name for f in fields(Curves) if f.name not in ("taus", "metrics")]
    joined = {name: np.stack([getattr(part, name) for part in curves]) for name in per_column}
    return Curves(curves[0].taus, curves[0].metrics, **joined)
