"""Metrics of groups of rows along τ: every group's own sums under the tilts of each column, and the gaps between them.

Two kinds of shift are told apart. A *marginal* shift tilts all rows at once, so that the population's mean moves: each
group has the weights of that one tilt, and its share of the population follows. A shift *within* groups tilts each
group's rows by themselves, so that the mean of each moves to what τ stands for among its own rows; groups then share
neither weights nor targets.
"""

# Decided in docs/decisions/0034-groups-are-asked-for-of-a-result.md.

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
from tauscope.stress.curves import ACCURACY, Solved, direct_weight, solve_columns, support_of_targets
from tauscope.stress.estimates import (
    DEGREES,
    PowerSums,
)
from tauscope.stress.groups.group_estimates import Cells, GroupMetrics, GroupNumbers, estimate_groups
from tauscope.stress.joint.gaps import Gaps
from tauscope.stress.metric_definitions import definitions
from tauscope.stress.metrics import Quantities, SummedMetric, Units, choose, define_quantities, measure_units
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import Support
from tauscope.stress.tails import measure_tails
from tauscope.weights.arrays import BufferPool
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

    def cells_of(values: Array) -> list[Cells]:
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
    columns: Iterable[list[Cells]],
    metrics: tuple[SummedMetric, ...],
    estimated: GroupMetrics,
    taus: Array,
    confidence: float,
) -> GroupCurves:
    found = [estimate_groups(cells, estimated, taus == 0, confidence) for cells in columns]
    joined = {
        name: np.stack([getattr(part, name) for part in found]) for name in GroupNumbers._fields if name != "gaps"
    }
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


def _marginal(grouped: GroupedColumn, taus: Array) -> list[Cells]:
    """Tilt all rows, and sum each group's."""
    column = grouped.column
    solved = solve_columns([column], taus, None, BufferPool())
    raw = _sum_groups(grouped, solved)
    support = support_of_targets([column], taus, solved, False, np.zeros(solved.xi.shape))
    observed = float(stack([column.sketch]).observed[0])
    out: list[Cells] = []
    for code, sums in enumerate(raw):
        weight = sums.first[:, 0, 0]
        seen = (weight - sums.rest[0][:, 0]) / observed
        log_norm = solved.log_norm[0] + np.log(np.where(seen > 0, seen, 1.0))
        k = grouped.pareto_k(code, solved.xi[0], log_norm)
        out.append(
            Cells(
                sums,
                _row(solved.sums, 0),
                Support(support.n_beyond[0], support.in_doubt[0], k, support.divergence_ratio[0]),
                column.target_error(taus) ** 2,
                solved.requested[0],
                weight,
            )
        )
    return out


def _within(values: Array, groups: _Groups, code: int, taus: Array, quantile: float) -> Cells:
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
    support = support_of_targets([column], taus, solved, False, k[None])
    cut = Support(*(part[0] for part in support))
    return Cells(_row(solved.sums, 0), None, cut, column.target_error(taus) ** 2, solved.requested[0], share)


def _not_moved(quantities: Quantities, taus: Array, share: Array) -> Cells:
    """Return nothing at all: a group whose rows have one value cannot be moved."""
    n = quantities.n_sums
    sums = [np.full((len(taus), degrees, n if degrees > 1 else 1), np.nan) for degrees in DEGREES]
    rest = np.zeros((3, len(taus), n))
    nothing = np.full(taus.shape, np.nan)
    support = Support(np.zeros(taus.shape), np.zeros(taus.shape, bool), np.zeros(taus.shape), np.ones(taus.shape))
    return Cells(
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


def _row(sums: PowerSums, f: int) -> PowerSums:
    rest = [part[f] for part in sums.rest]
    before = np.broadcast_to(sums.before, sums.first.shape[:2])[f]
    return PowerSums(sums.first[f], sums.second[f], sums.third[f], sums.fourth[f], (rest[0], rest[1], rest[2]), before)


def _pareto_of_group(
    values: Array, column: SketchedColumn, part: Part, sample_weight: Array | None, xi: Array, log_norm: Array
) -> Array:
    """Return Pareto k̂ of a group's weights e^{ξz - log Z} at each tilt, Z over its own rows."""
    own, weight = values[part.rows], None if sample_weight is None else sample_weight[part.rows]
    observed = own[~np.isnan(own) & (True if weight is None else weight > 0)]
    if len(observed) < 2:
        return np.zeros(xi.shape)
    if weight is not None:
        rows = ColumnRows(own, part.quantities, column.scale, weight)
        return pareto_k(*rows.tail(np.where(np.isfinite(xi), xi, 0.0)))
    ends = compute_order_statistics(observed, TAIL)
    return pareto_k(*replace(column, order_statistics=ends).tail(xi, log_norm))
