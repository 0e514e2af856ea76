"""Metrics of groups of rows along τ: every group's own sums under the tilts of each column, and the gaps between them.

Two kinds of shift are told apart. A *marginal* shift tilts all rows at once, so that the population's mean moves: each
group has the weights of that one tilt, and its share of the population follows. A shift *within* groups tilts each
group's rows by themselves, so that the mean of each moves to what τ stands for among its own rows; groups then share
neither weights nor targets.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.column import Part, SketchedColumn, sketch_column, sketch_groups
from tauscope.stress.column.direct import ColumnRows
from tauscope.stress.column.order_statistics import compute_order_statistics
from tauscope.stress.column.sketch import MomentSketch
from tauscope.stress.column.tilt import Stack, Tilt, bound_error, stack, tilted_sums
from tauscope.stress.curves import ACCURACY, Solved, direct_weight, observed_size, solve_columns, support_of_targets
from tauscope.stress.estimates import (
    DEGREES,
    Estimate,
    PowerSums,
    estimate,
    group_alike,
    regress,
    share_variance,
)
from tauscope.stress.gaps import Gaps, measure_gaps
from tauscope.stress.intervals import analytic_interval, interval_for_differences
from tauscope.stress.joint.groups import correlation_of
from tauscope.stress.metric_definitions import definitions
from tauscope.stress.metrics import Quantities, SummedMetric, Units, choose, define_quantities, measure_units
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import Support, judge
from tauscope.stress.tails import measure_tails
from tauscope.weights.buffer_pool import BufferPool
from tauscope.weights.pareto import pareto_k

Array = NDArray[np.float64]
TAIL = 0.05
"""Level of quantiles that are found beside a group's smallest and largest values; nothing is read from them."""
Shift = Literal["marginal", "within"]


@dataclass(frozen=True)
class GroupCurves:
    """Curves of G groups for p columns, I metrics and T values of τ.

    Attributes
    ----------
    taus : ndarray of shape (T,)
    metrics : tuple of SummedMetric, length I
    target : ndarray of shape (p, G, T)
        Mean that τ stands for, in the column's unit: of all rows, or within groups of each group's. NaN where a
        group's rows have one value.
    value, lower, upper : ndarray of shape (p, G, I, T)
        NaN where a group has no weight, or cannot be moved.
    reason : int8 ndarray of shape (p, G, I, T)
    amount : ndarray of shape (p, G, I, T)
        As in `tauscope.stress.curves.Curves`.
    ess : ndarray of shape (p, G, T)
        Effective sample size (Σw)²/Σw² of the group's own rows.
    share : ndarray of shape (p, G, T)
        Of all weight; within groups as without stress.
    gaps : Gaps
        Of shape (p, I, T).
    """

    taus: Array
    metrics: tuple[SummedMetric, ...]
    target: Array
    value: Array
    lower: Array
    upper: Array
    reason: NDArray[np.int8]
    amount: Array
    ess: Array
    share: Array
    gaps: Gaps


class GroupMetrics(NamedTuple):
    """What is estimated of each group: the metrics, with the tails of its own rows, and its rows of weight above 0."""

    metrics: Sequence[Sequence[SummedMetric]]
    n_rows: Sequence[int]


class GroupedColumn(NamedTuple):
    """A column of all rows, and what it takes to sum each group's under its tilts.

    Attributes
    ----------
    column : SketchedColumn
    sketches : sequence of MomentSketch
        Of each group, over the bins of the column.
    sums_within : callable
        (log weight, target, degrees, group) to the exact sums of a group; as `ColumnRows.sums_within`.
    pareto_k : callable
        (group, ξ, log Z over all rows) to Pareto k̂ of a group's weights.
    """

    column: SketchedColumn
    sketches: Sequence[MomentSketch]
    sums_within: Callable[[Callable[[Array], Array], float, tuple[int, ...], int], list[Array]]
    pareto_k: Callable[[int, Array, Array], Array]


class _Groups(NamedTuple):
    """Who is where, what is summed of each group, and the metrics with the tails of its own rows."""

    codes: NDArray[np.intp]
    parts: list[Part]
    estimated: GroupMetrics
    weight: Array | None


class _Cells(NamedTuple):
    """One group under every tilt of one column, arrays of shape (T,); `whole` has the sums of all rows of the tilt."""

    sums: PowerSums
    whole: PowerSums | None
    support: Support
    target_variance: Array
    target: Array
    share: Array

    def as_shares(self) -> tuple[PowerSums, PowerSums | None]:
        """Return both sums with weights as shares of the group's own; NaN where it has none."""
        if self.whole is None:
            return self.sums, None
        weight = self.sums.first[:, 0, 0]
        return _rescaled(self.sums, weight), _rescaled(self.whole, weight)


class _Column(NamedTuple):
    """The numbers of one column; fields as in `GroupCurves`, without their first axis."""

    target: Array
    value: Array
    lower: Array
    upper: Array
    reason: NDArray[np.int8]
    amount: Array
    ess: Array
    share: Array
    gaps: Gaps


def group_curves(
    columns: Iterable[Array],
    outcomes: Outcomes,
    codes: NDArray[np.intp],
    *,
    taus: Array,
    shift: Shift = "marginal",
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: Sequence[str] | None = None,
    sample_weight: Array | None = None,
) -> GroupCurves:
    """Compute every metric of every group along τ, one pass over each column.

    Parameters
    ----------
    columns, outcomes, taus, quantile, confidence, metrics, sample_weight
        As in `tauscope.stress.curves.stress_curves`; metrics that follow from sums.
    codes : ndarray of shape (n_rows,)
        Group of each row, 0 to n_groups - 1; each has rows.
    shift : {"marginal", "within"}
        Whether one tilt moves the mean of all rows, or one for each group that of its rows.

    Returns
    -------
    GroupCurves
    """
    units = measure_units(outcomes, metrics or ())
    quantities, every = define_quantities(outcomes, units, names=metrics or ())
    chosen = choose(every, metrics)
    groups = _part_rows(outcomes, codes, chosen, units, sample_weight)

    def cells_of(values: Array) -> list[_Cells]:
        column = np.asarray(values, np.float64)
        if shift == "within":
            return [_within(column, groups, code, taus, quantile) for code in range(len(groups.parts))]
        return _marginal(_grouped_rows(column, quantities, groups, quantile), taus)

    return _join(map(cells_of, columns), chosen, groups.estimated, taus, confidence)


def marginal_curves(
    columns: Iterable[GroupedColumn],
    metrics: Sequence[SummedMetric],
    estimated: GroupMetrics,
    *,
    taus: Array,
    confidence: float,
) -> GroupCurves:
    """Compute every metric of every group where all rows are tilted at once, from columns that are summed already.

    Parameters
    ----------
    columns : iterable of GroupedColumn
    metrics : sequence of SummedMetric
    estimated : GroupMetrics
    taus, confidence
        As in `group_curves`.
    """
    cells = (_marginal(column, taus) for column in columns)
    return _join(cells, tuple(metrics), estimated, taus, confidence)


def _join(
    columns: Iterable[list[_Cells]],
    metrics: tuple[SummedMetric, ...],
    estimated: GroupMetrics,
    taus: Array,
    confidence: float,
) -> GroupCurves:
    found = [_estimate_column(cells, estimated, taus == 0, confidence) for cells in columns]
    joined = {name: np.stack([getattr(part, name) for part in found]) for name in _Column._fields if name != "gaps"}
    gaps = Gaps(*(np.stack(parts) for parts in zip(*(part.gaps for part in found), strict=True)))
    return GroupCurves(taus, metrics, gaps=gaps, **joined)


def _part_rows(
    outcomes: Outcomes,
    codes: NDArray[np.intp],
    metrics: Sequence[SummedMetric],
    units: Units,
    sample_weight: Array | None,
) -> _Groups:
    names, probable = [metric.name for metric in metrics], outcomes.probable
    allowed = definitions(outcomes, names)
    parts: list[Part] = []
    own: list[tuple[SummedMetric, ...]] = []
    n_rows: list[int] = []
    order = np.argsort(codes, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(codes))[:-1]):
        taken = outcomes.take(rows)
        # sums of groups add up to those of all rows in the units of these; tails are of the group's own rows
        tails_of_own = measure_tails(allowed, taken, measure_units(taken, names))
        quantities, of_group = define_quantities(taken, units, probable, tails_of_own, names=names)
        parts.append(Part(rows, quantities))
        tails = {metric.name: metric.tail for metric in of_group}
        own.append(tuple(replace(metric, tail=tails[metric.name]) for metric in metrics))
        n_rows.append(len(rows) if sample_weight is None else int(np.count_nonzero(sample_weight[rows])))
    return _Groups(codes, parts, GroupMetrics(own, n_rows), sample_weight)


def _grouped_rows(values: Array, quantities: Quantities, groups: _Groups, quantile: float) -> GroupedColumn:
    column, sketches = sketch_groups(values, quantities, groups.parts, quantile, groups.weight)

    def sums_within(
        log_weight: Callable[[Array], Array], target: float, degrees: tuple[int, ...], code: int
    ) -> list[Array]:
        return column.rows.sums_within(log_weight, target, degrees, groups.codes == code)

    def of_group(code: int, xi: Array, log_norm: Array) -> Array:
        return _pareto_of_group(values, column, groups.parts[code], groups.weight, xi, log_norm)

    return GroupedColumn(column, sketches, sums_within, of_group)


def _marginal(grouped: GroupedColumn, taus: Array) -> list[_Cells]:
    """Tilt all rows, and sum each group's."""
    column = grouped.column
    solved = solve_columns([column], taus, None, BufferPool())
    raw = _sum_groups(grouped, solved)
    support = support_of_targets(
        [column], taus, solved.targets, False, np.zeros(solved.xi.shape),
        np.where(solved.extreme, observed_size(solved.sums), 0.0),
    )  # fmt: skip
    observed = float(stack([column.sketch]).observed[0])
    out: list[_Cells] = []
    for code, sums in enumerate(raw):
        weight = sums.first[:, 0, 0]
        seen = (weight - sums.rest[0][:, 0]) / observed
        log_norm = solved.log_norm[0] + np.log(np.where(seen > 0, seen, 1.0))
        k = grouped.pareto_k(code, solved.xi[0], log_norm)
        out.append(
            _Cells(
                sums,
                _row(solved.sums, 0),
                Support(support.n_beyond[0], support.in_doubt[0], k),
                column.target_error(taus) ** 2,
                solved.requested[0],
                weight,
            )
        )
    return out


def _within(values: Array, groups: _Groups, code: int, taus: Array, quantile: float) -> _Cells:
    """Tilt a group's own rows."""
    part = groups.parts[code]
    own, weight = values[part.rows], None if groups.weight is None else groups.weight[part.rows]
    total = float(len(values) if groups.weight is None else groups.weight.sum())
    share = np.full(taus.shape, (len(own) if weight is None else float(weight.sum())) / total)
    seen = own[~np.isnan(own) & (np.ones(len(own), bool) if weight is None else weight > 0)]
    if not len(seen) or (seen == seen[0]).all():
        return _not_moved(part.quantities, taus, share)
    column = sketch_column(own, part.quantities, quantile, weight)
    solved = solve_columns([column], taus, None, BufferPool())
    k = pareto_k(*column.tail(solved.xi[0], solved.log_norm[0]))
    support = support_of_targets(
        [column], taus, solved.targets, False, k[None],
        np.where(solved.extreme, observed_size(solved.sums), 0.0),
    )  # fmt: skip
    cut = Support(support.n_beyond[0], support.in_doubt[0], support.pareto_k[0])
    return _Cells(_row(solved.sums, 0), None, cut, column.target_error(taus) ** 2, solved.requested[0], share)


def _not_moved(quantities: Quantities, taus: Array, share: Array) -> _Cells:
    """Return nothing at all: a group whose rows have one value cannot be moved."""
    n = quantities.n_sums
    sums = [np.full((len(taus), degrees, n if degrees > 1 else 1), np.nan) for degrees in DEGREES]
    rest = np.zeros((3, len(taus), n))
    nothing = np.full(taus.shape, np.nan)
    support = Support(np.zeros(taus.shape), np.zeros(taus.shape, bool), np.zeros(taus.shape))
    return _Cells(
        PowerSums(sums[0], sums[1], sums[2], sums[3], (rest[0], rest[1], rest[2])),
        None,
        support,
        nothing,
        nothing,
        share,
    )


def _sum_groups(grouped: GroupedColumn, solved: Solved) -> list[PowerSums]:
    """Return each group's sums under the tilts of all rows; weights sum to 1 over these."""
    column, sketches = grouped.column, grouped.sketches
    whole, each = stack([column.sketch]), stack(sketches)
    n_groups, tilt = len(sketches), solved.tilt
    shape = (n_groups, *tilt.xi.shape[1:])
    xi, weight = np.broadcast_to(tilt.xi, shape), np.broadcast_to(tilt.weight, (*shape, tilt.weight.shape[2]))
    spread = Tilt(xi, np.broadcast_to(tilt.log_norm, shape), weight, np.broadcast_to(tilt.error, shape))
    sums = tilted_sums(each, spread, np.broadcast_to(solved.targets, shape), DEGREES, whole)
    direct = solved.direct[0] | _inexact(each, spread, sums[0][:, :, 0, 0]).any(0)
    for t in np.flatnonzero(direct).tolist():
        log_weight = direct_weight(
            column, int(solved.extreme[0, t]), float(solved.xi[0, t]), float(solved.log_norm[0, t])
        )
        for code in range(n_groups):
            exact = grouped.sums_within(log_weight, float(solved.targets[0, t]), DEGREES, code)
            for tilted, part in zip(sums, exact, strict=True):
                tilted[code, t] = part[:, : tilted.shape[-1]]
    rests = [np.repeat((each.layer(p)[1] / whole.total**p)[:, None], shape[1], 1) for p in (1, 2, 3)]
    first, second, third, fourth = sums
    every = PowerSums(first, second, third, fourth, (rests[0], rests[1], rests[2]), np.zeros(shape))
    return [_row(every, code) for code in range(n_groups)]


def _inexact(each: Stack, tilt: Tilt, mass: Array) -> NDArray[np.bool_]:
    """Tell where the sums of a group, as a share of its own weight, are not accurate enough."""
    finite = np.where(np.isfinite(tilt.xi), tilt.xi, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        error = bound_error(each, finite, tilt.weight)
        return ~(error <= ACCURACY * np.maximum(mass, 0.0))


def _rescaled(sums: PowerSums, weight: Array) -> PowerSums:
    """Return sums of weights that are shares of another weight, of shape (T,); NaN where that is 0."""
    unit = np.where(weight > 0, 1 / np.where(weight > 0, weight, 1.0), np.nan)[:, None]
    powers = [part * unit[..., None] ** p for p, part in enumerate(sums[:4], 1)]
    rest = [part * np.nan_to_num(unit) ** p for p, part in enumerate(sums.rest, 1)]
    before = sums.before * np.nan_to_num(unit[:, 0]) ** 2
    return PowerSums(powers[0], powers[1], powers[2], powers[3], (rest[0], rest[1], rest[2]), before)


def _row(sums: PowerSums, f: int) -> PowerSums:
    rest = [part[f] for part in sums.rest]
    before = np.broadcast_to(sums.before, sums.first.shape[:2])[f]
    return PowerSums(sums.first[f], sums.second[f], sums.third[f], sums.fourth[f], (rest[0], rest[1], rest[2]), before)


def _pareto_of_group(
    values: Array, column: SketchedColumn, part: Part, sample_weight: Array | None, xi: Array, log_norm: Array
) -> Array:
    """Return Pareto k̂ of a group's weights e^{ξz - log Z} at each tilt, Z over its own rows."""
    own, weight = values[part.rows], None if sample_weight is None else sample_weight[part.rows]
    if weight is not None:
        rows = ColumnRows(own, part.quantities, column.scale, weight)
        return pareto_k(*rows.tail(np.where(np.isfinite(xi), xi, 0.0)))
    observed = own[~np.isnan(own)]
    if len(observed) < 2:
        return np.zeros(xi.shape)
    ends = compute_order_statistics(observed, TAIL)
    return pareto_k(*replace(column, order_statistics=ends).tail(xi, log_norm))


def _estimate_column(
    cells: Sequence[_Cells], groups: GroupMetrics, unstressed: NDArray[np.bool_], confidence: float
) -> _Column:
    """Estimate every metric of every group under the tilts of one column, and how far the groups are apart."""
    n_groups, n_metrics, n_taus = len(cells), len(groups.metrics[0]), len(unstressed)
    shape = (n_groups, n_metrics, n_taus)
    numbers = {name: np.full(shape, np.nan) for name in ("value", "lower", "upper", "amount")}
    reason = np.zeros(shape, np.int8)
    estimates: list[list[tuple[list[int], SummedMetric, Estimate]]] = []
    for code, (cell, metrics) in enumerate(zip(cells, groups.metrics, strict=True)):
        sums, whole = cell.as_shares()
        alike = [(positions, [metrics[i] for i in positions]) for positions in group_alike(metrics)]
        made = [
            (positions, some[0], estimate(some, sums, cell.target_variance, unstressed, whole))
            for positions, some in alike
        ]
        estimates.append(made)
        for positions, metric, found in made:
            ends = analytic_interval(metric, found, confidence, groups.n_rows[code])
            judged, amount = judge(metric, found, cell.support)
            reason[code, positions] = judged
            for name, part in zip(numbers, (found.value, *ends, amount), strict=True):
                numbers[name][code, positions] = part

    def ends_at(level: float) -> tuple[Array, Array]:
        lower, upper = np.full(shape, np.nan), np.full(shape, np.nan)
        for code, made in enumerate(estimates):
            for positions, metric, found in made:
                ends = interval_for_differences(metric, found, level, groups.n_rows[code])
                lower[code, positions], upper[code, positions] = ends
        return lower, upper

    correlation = _correlation(cells, groups, unstressed)
    return _Column(
        target=np.stack([cell.target for cell in cells]),
        reason=reason,
        ess=np.stack([_effective_rows(cell.sums) for cell in cells]),
        share=np.stack([cell.share for cell in cells]),
        gaps=measure_gaps(numbers["value"], ends_at, correlation, confidence),
        **numbers,
    )


def _effective_rows(sums: PowerSums) -> Array:
    """Return a group's effective sample size; 0 where it has no weight."""
    first, second = sums.first[:, 0, 0], sums.second[:, 0, 0]
    return np.where(second == 0, 0.0, first**2 / np.where(second == 0, 1.0, second))


def _correlation(cells: Sequence[_Cells], groups: GroupMetrics, unstressed: NDArray[np.bool_]) -> Array:
    """Return how the groups' estimates vary together, of shape (n_groups, n_groups, n_metrics, T).

    With the influence w_i r_i of row i on a group's metric, r_i = g_i - s - b (Φ_i - t) as in `estimate`, g_i = 0
    outside of the group, the covariance of two groups' is Σ w² r r' + b b' Var(t); where some rows have no value,
    either kind varies around its own mean, and their share adds what the two means differ by. Groups that do not share
    a tilt do not vary together.
    """
    n_groups, n_metrics, n_taus = len(cells), len(groups.metrics[0]), len(unstressed)
    whole = cells[0].whole
    if whole is None or n_groups == 1:
        return np.eye(n_groups)[..., None, None] * np.ones((n_metrics, n_taus))
    slope, shift, rest_shift, level, rest_level, steep, own = (
        np.zeros((n_groups, n_metrics, n_taus)) for _ in range(7)
    )
    for code, (cell, metrics) in enumerate(zip(cells, groups.metrics, strict=True)):
        second, (shares, of_all_rows) = _observed_second(cell.sums), cell.as_shares()
        for positions in group_alike(metrics):
            some = [metrics[i] for i in positions]
            columns, squares = list(some[0].columns), list(some[0].squares)
            found = regress(some, shares, unstressed, of_all_rows)
            slope[code, positions], shift[code, positions] = found.slope, found.shift
            rest_shift[code, positions] = found.rest_shift
            level[code, positions] = _dot(found.gradient, second[:, 0, columns])
            rest_level[code, positions] = _dot(found.gradient, cell.sums.rest[1][:, columns])
            steep[code, positions] = _dot(found.gradient, second[:, 1, columns])
            own[code, positions] = _dot(some[0].square(found.gradient), cell.sums.second[:, 0, squares])
    of_all, jump = _observed_second(whole)[..., 0], shift - rest_shift
    seen = whole.first[:, 0, 0] - whole.rest[0][:, 0]
    at_slope = of_all[:, 2] + seen**2 * cells[0].target_variance
    crossed = shift * of_all[:, 0] + 2 * slope * of_all[:, 1] - 2 * level
    covariance = shift[:, None] * crossed[None] + slope[:, None] * (slope * at_slope - 2 * steep)[None]
    covariance += rest_shift[:, None] * (rest_shift * whole.rest[1][:, 0] - 2 * rest_level)[None]
    covariance += jump[:, None] * (jump * share_variance(whole))[None]
    covariance = (covariance + covariance.swapaxes(0, 1)) / 2
    covariance += np.eye(n_groups)[..., None, None] * own[:, None]
    return correlation_of(np.nan_to_num(covariance))


def _dot(coefficients: Array, sums: Array) -> Array:
    return np.einsum("itq,tq->it", coefficients, sums)


def _observed_second(sums: PowerSums) -> Array:
    """Return the sums of squared weights over rows that have a value."""
    second = sums.second.copy()
    second[..., 0, :] -= sums.rest[1]
    return second
