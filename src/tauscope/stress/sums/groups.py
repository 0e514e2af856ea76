"""Metrics of groups of rows under the weights of one tilt: two passes over them, wherever they are."""

# Decided in docs/decisions/0035-groups-are-sums-of-their-own.md.

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.outer_values import OuterValues
from tauscope.stress.bins.units import units_of
from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.estimates import (
    JointMoments,
    Regression,
    ResidualSums,
    estimate_measured,
    joint_moments,
    linear_metrics,
    residual_sums,
    squared_cross,
    weighted_sums,
    with_influences,
)
from tauscope.stress.joint.groups import GroupEstimates, GroupRegression, vary_together
from tauscope.stress.joint.products import over_rows
from tauscope.stress.joint.terms import Moments
from tauscope.stress.metric_forms import PowerDefinition
from tauscope.stress.metrics import Quantities, SummedMetric, Units
from tauscope.stress.row_metrics import Measured
from tauscope.stress.sums.chunk import MapReduce, RowChunk
from tauscope.stress.sums.heaviest import Heaviest
from tauscope.stress.sums.projection import Tilt, Weighted
from tauscope.stress.tails import Tails
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]


class GroupReader(Protocol):
    """Tells the group of each row of a chunk; one that can be sent to other processes."""

    def codes(self, chunk: RowChunk) -> NDArray[np.intp]:
        """Return the position of each row's group."""
        ...


@dataclass(frozen=True)
class GroupSums:
    """Sums over the rows of one group, w being shares of the weight of all rows.

    Attributes
    ----------
    sums, squared, before, unweighted : ndarray of shape (n_sums,)
        Σ w g, Σ w² g; Σ v g of weights as given, and Σ g.
    second : ndarray of shape (k, k)
        Σ w (Φ - t)(Φ - t)ᵀ.
    cross, squared_cross : ndarray of shape (n_sums, k)
        Σ w g (Φ - t)ᵀ and Σ w² g (Φ - t)ᵀ.
    heaviest : Heaviest
    n_held, most : int
        Rows that keep weight, and how many of the heaviest are kept.
    outer : dict of str to OuterValues
        By name of the quantity.
    measured : dict of str to Measured
        Metrics that take all rows at once, with the influence of the group's rows; of rows in one block alone.
    before_measured : dict of str to float
        Their values under the weights as given.
    """

    sums: Array
    squared: Array
    before: Array
    unweighted: Array
    second: Array
    cross: Array
    squared_cross: Array
    heaviest: Heaviest
    n_held: int
    most: int
    outer: dict[str, OuterValues]
    measured: dict[str, Measured] = field(default_factory=dict[str, Measured])
    before_measured: dict[str, float] = field(default_factory=dict[str, float])

    def __add__(self, other: "GroupSums") -> "GroupSums":
        """Return the sums over both row sets."""
        assert not self.measured, "What takes all rows at once does not add."
        return GroupSums(
            self.sums + other.sums,
            self.squared + other.squared,
            self.before + other.before,
            self.unweighted + other.unweighted,
            self.second + other.second,
            self.cross + other.cross,
            self.squared_cross + other.squared_cross,
            self.heaviest.joined(other.heaviest, self.most),
            self.n_held + other.n_held,
            self.most,
            {name: values + other.outer[name] for name, values in self.outer.items()},
        )

    @property
    def share(self) -> float:
        """Of all weight."""
        return float(self.sums[0])

    @property
    def ess(self) -> float:
        """Effective sample size (Σw)²/Σw², rows; 0 without weight."""
        return float(self.sums[0] ** 2 / self.squared[0]) if self.sums[0] > 0 else 0.0

    @property
    def pareto_k(self) -> float:
        """Pareto k̂ of the group's largest weights."""
        return self.heaviest.pareto_k(self.share, float(self.before[0]), self.n_held)

    def tails(self, spreads: Sequence[PowerDefinition], quantities: Quantities, units: Units) -> Tails:
        """Return how heavy the tail of each spread's squares is among the group's rows; `units` are the sums'."""
        of_rows = units_of(self.unweighted, quantities, units)
        return {
            (each.quantity.name, each.form): self.outer[each.quantity.name].tail(
                each, units[each.quantity.name], of_rows[each.quantity.name]
            )
            for each in spreads
        }

    def linear(self, metrics: Sequence[SummedMetric]) -> list[SummedMetric]:
        """Return metrics as these sums have them, those that take all rows at once as means of their influence."""
        return linear_metrics(metrics, self.measured, len(self.sums) - 2 * len(self.measured))

    def values_before(self, metrics: Sequence[SummedMetric]) -> list[float]:
        """Return metrics under the weights as given; NaN where there is none."""
        if not self.before[0] > 0:
            return [float("nan")] * len(metrics)
        share: Array = self.before / self.before[0]
        return [
            self.before_measured[metric.name]
            if metric.form == "by_rows"
            else float(metric.evaluate(share[list(metric.columns)])[0])
            for metric in metrics
        ]

    def as_moments(self, second: Array) -> JointMoments:
        """Return the sums of weights that are shares of the group's own; `second` is of all rows and their weight."""
        share = self.share
        return JointMoments(self.sums / share, self.squared / share**2, second / share, self.cross / share)


@dataclass(frozen=True)
class AllGroups:
    """What one pass sums.

    Attributes
    ----------
    groups : dict of int to GroupSums
        By position; of groups with a row in these chunks.
    squared_second : ndarray of shape (k, k)
        Σ w² (Φ - t)(Φ - t)ᵀ over all rows.
    scores : tuple of float
        Smallest and largest score; (∞, -∞) for none.
    """

    groups: dict[int, GroupSums]
    squared_second: Array
    scores: tuple[float, float]

    def __add__(self, other: "AllGroups") -> "AllGroups":
        """Return the same of both row sets; a group may be absent from either."""
        groups = dict(self.groups)
        for code, sums in other.groups.items():
            groups[code] = groups[code] + sums if code in groups else sums
        return AllGroups(
            groups,
            self.squared_second + other.squared_second,
            (min(self.scores[0], other.scores[0]), max(self.scores[1], other.scores[1])),
        )

    @property
    def second(self) -> Array:
        """Σ w (Φ - t)(Φ - t)ᵀ over all rows."""
        return sum((each.second for each in self.groups.values()), np.zeros_like(self.squared_second))


class RowTilt(NamedTuple):
    """Weights of rows that are there at once: of one block.

    Attributes
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    before, share : ndarray of shape (n_rows,)
        Of all weight, as the rows give it and under the tilt.
    """

    phi: Array
    target: Array
    before: Array
    share: Array

    def shares(self, chunk: RowChunk) -> tuple[Array, Array, Array, Array]:
        """See `tauscope.stress.sums.projection.Tilt`."""
        return self.phi, self.target, self.before, self.share


def weighted_rows(moments: Moments, weights: Array, sample_weight: Array | None) -> Weighted:
    """Return weights of rows in memory with the stress that they meet.

    Parameters
    ----------
    moments : Moments
    weights : ndarray of shape (n_rows,)
        Of any sum.
    sample_weight : ndarray of shape (n_rows,) or None
        As the rows give it, of any sum.
    """
    n = len(weights)
    before = np.full(n, 1 / n) if sample_weight is None else sample_weight / sample_weight.sum()
    tilt = RowTilt(moments.phi, moments.target, before, weights / weights.sum())
    return Weighted(tilt, moments.unstressed, moments.target_covariance, moments.penalty)


class NoTilt(NamedTuple):
    """The weights that the rows have anyway.

    Attributes
    ----------
    total : float
        Weight of all rows.
    """

    total: float

    def shares(self, chunk: RowChunk) -> tuple[Array, Array, Array, Array]:
        """See `tauscope.stress.sums.projection.Tilt`; one column of Φ, which is 0."""
        before = (np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight) / self.total
        return np.zeros((chunk.n_rows, 1)), np.zeros(1), before, before


def measure_groups(tilt: Tilt, reader: GroupReader, counts: Sequence[tuple[int, int]], total: MapReduce) -> AllGroups:
    """Measure every group's weights, and its metrics before and under them: one pass over the chunks.

    Parameters
    ----------
    tilt : Tilt
        Of all rows.
    reader : GroupReader
    counts : sequence of tuple of int
        Rows of each group, those of weight above zero and all.
    total : MapReduce
    """
    sizes = tuple((tail_size(counted) + 1, tail_size(n) + 1) for counted, n in counts)
    return total(sum_groups, tilt, reader, sizes, plus=AllGroups.__add__)


def regress_groups(
    weighted: Weighted,
    reader: GroupReader,
    measured: AllGroups,
    metrics: Sequence[Sequence[SummedMetric] | None],
    total: MapReduce,
) -> GroupEstimates:
    """Estimate metrics of groups under weights that give the columns of Φ their target means: one more pass.

    Parameters
    ----------
    weighted : Weighted
    reader, measured
        As measured.
    metrics : sequence of (sequence of SummedMetric, or None)
        The same for each group, with the tails of its own rows; None for a group without weight.
    total : MapReduce

    Notes
    -----
    With the influence w_i r_i of row i on a group's metric, r_i = g_i - ⟨b, Φ_i - t⟩ and g_i = 0 outside of the group,
    the covariance of two groups' is Σ w² r r' + bᵀ Σ_t b': of Σ w² g g' nothing is left, as no row is in both.
    """
    regressions = {
        code: weighted.regress(measured.groups[code].linear(own), measured.groups[code].as_moments(measured.second))
        for code, own in enumerate(metrics)
        if own is not None
    }
    shares = {code: measured.groups[code].share for code in regressions}
    by_rows = {code: measured.groups[code].measured for code in regressions}
    residuals = total(sum_group_residuals, weighted.tilt, reader, regressions, shares, by_rows, plus=add_residuals)
    estimates: list[list[Estimate] | None] = [None] * len(metrics)
    for code, regression in regressions.items():
        of_targets = weighted.target_covariance / shares[code] ** 2
        estimates[code] = estimate_measured(regression, residuals[code], of_targets, by_rows[code])
    found = [
        None if own is None else GroupRegression(regressions[code], measured.groups[code].squared_cross, shares[code])
        for code, own in enumerate(metrics)
    ]
    n_metrics = max((len(own) for own in metrics if own is not None), default=0)
    return GroupEstimates(
        estimates, vary_together(found, measured.squared_second + weighted.target_covariance, n_metrics)
    )


def sum_groups(chunk: RowChunk, tilt: Tilt, reader: GroupReader, sizes: Sequence[tuple[int, int]]) -> AllGroups:
    """Sum a chunk's rows by group; `sizes` are the heaviest rows and outer values kept of each."""
    phi, target, before, share = tilt.shares(chunk)
    codes = reader.codes(chunk)
    distance = np.subtract(phi, target, order="C")
    squared = np.ascontiguousarray((distance * share[:, None] ** 2).T)
    groups: dict[int, GroupSums] = {}
    there: list[int] = np.unique(codes).tolist()
    for code in there:
        inside = np.flatnonzero(codes == code)
        of_group = phi[inside], target, before[inside], share[inside]
        groups[code] = sum_group(chunk, inside, *of_group, sizes[code])
    return AllGroups(groups, over_rows(squared, np.ascontiguousarray(distance.T)), chunk.scores)


def sum_group(
    chunk: RowChunk,
    inside: NDArray[np.intp] | None,
    phi: Array,
    target: Array,
    before: Array,
    share: Array,
    sizes: tuple[int, int],
    *,
    one_of_several: bool = True,
) -> GroupSums:
    """Sum some rows of a chunk, None for all; Φ and the weights are theirs, `sizes` as in `sum_groups`.

    What only the gaps between groups need is left out where they are not one of several.
    """
    part = chunk if inside is None else chunk.part(inside)
    rows = slice(None) if inside is None else inside
    given = np.ones(len(share)) if chunk.weight is None else chunk.weight[rows]
    measured = _measure(part.quantities, share)
    measured_before = measured if np.array_equal(before, share) else _measure(part.quantities, before)
    quantities = with_influences(part.quantities, measured)
    moments = joint_moments(quantities, phi, target, share)
    ones = np.ones(len(share))
    unweighted = weighted_sums(quantities, ones)
    return GroupSums(
        moments.sums,
        moments.squared,
        unweighted if chunk.weight is None else weighted_sums(quantities, given),
        unweighted,
        moments.second,
        moments.cross,
        squared_cross(quantities, phi, target, share) if one_of_several else np.zeros((0, 0)),
        Heaviest.of(share, given, sizes[0]),
        int(np.count_nonzero(share)),
        sizes[0],
        part.outer_values(sizes[1]),
        measured,
        {name: each.value for name, each in measured_before.items()},
    )


def _measure(quantities: Quantities, share: Array) -> dict[str, Measured]:
    """Measure what takes all rows of a group at once; nothing where they come in chunks."""
    total = float(share.sum())
    return {name: measure(share / total) for name, measure in quantities.by_rows.items()} if total > 0 else {}


def sum_group_residuals(
    chunk: RowChunk,
    tilt: Tilt,
    reader: GroupReader,
    regressions: dict[int, Regression],
    shares: dict[int, float],
    by_rows: Mapping[int, Mapping[str, Measured]] = MappingProxyType({}),
) -> dict[int, ResidualSums]:
    """Sum a chunk's squared residuals for each group; `shares` are the groups' of all weight."""
    phi, target, _, share = tilt.shares(chunk)
    codes, whole = reader.codes(chunk), None
    out: dict[int, ResidualSums] = {}
    for code, regression in regressions.items():
        inside, own, measured = codes == code, share / shares[code], by_rows.get(code, {})
        rows = np.flatnonzero(inside)
        if regression.unstressed:  # rows of other groups add nothing
            if len(rows):
                part = with_influences(chunk.part(rows).quantities, measured)
                out[code] = residual_sums(part, phi[rows], target, own[rows], regression)
        else:
            spread = {name: _spread(each, rows, chunk.n_rows) for name, each in measured.items()}
            whole = chunk.quantities if whole is None else whole
            quantities = with_influences(whole, spread)
            out[code] = residual_sums(quantities, phi, target, own, regression, inside)
    return out


def _spread(measured: Measured, rows: NDArray[np.intp], n_rows: int) -> Measured:
    """Return the influence on a group's metric over all rows, 0 for those of others."""
    influence = np.zeros(n_rows)
    influence[rows] = measured.influence
    return measured._replace(influence=influence)


def add_residuals(a: dict[int, ResidualSums], b: dict[int, ResidualSums]) -> dict[int, ResidualSums]:
    """Return the sums over both row sets; a group may be absent from either."""
    return {code: a[code] + b[code] if code in a and code in b else a.get(code) or b[code] for code in {*a, *b}}
