"""The projection for rows in chunks: gradients, Hessians and everything measured after, summed over the chunks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InfeasibleTarget, InputError
from tauscope.stress.chunked.chunk import CountedRows, MapReduce, RowChunk
from tauscope.stress.chunked.moment_columns import MomentColumn, phi_of
from tauscope.stress.chunked.moments import ChunkedMoments
from tauscope.stress.chunked.outer_values import OuterValues
from tauscope.stress.chunked.units import units_of
from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.dual import DualPoint, evaluate, exponents
from tauscope.stress.joint.estimates import (
    JointMoments,
    Regression,
    ResidualSums,
    joint_moments,
    residual_sums,
    weighted_sums,
)
from tauscope.stress.joint.faces import direction_at_bound
from tauscope.stress.joint.feasibility import check_dependence, check_each_target
from tauscope.stress.joint.newton import descend
from tauscope.stress.joint.solver import MORE, THIN, smallest_eigenvalue_ratio
from tauscope.stress.metric_forms import PowerDefinition
from tauscope.stress.metrics import Quantities, SummedMetric, Units
from tauscope.stress.tails import Tails
from tauscope.weights.carriers import NO_FEW, Carriers, carriers_of_tails
from tauscope.weights.measures import total_variation_of_shares
from tauscope.weights.pareto import pareto_k, tail_size

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ChunkedProjection:
    """The Kullback-Leibler closest reweighting with given means, of rows in chunks.

    Attributes
    ----------
    multipliers : ndarray of shape (k,)
        ξ, per unit of Φ.
    log_norm : float
        log Σ exp⟨ξ, Φ_i - t⟩ / n: a row's weight is λ = exp(⟨ξ, Φ - t⟩ - log_norm), of mean 1.
    achieved : ndarray of shape (k,)
    residual : float
        Largest |achieved - target|, unstressed standard deviations.
    iterations : int
        Passes over the rows spent on the dual.
    status : {"solved", "unconverged"}
    message : str
    """

    multipliers: Array
    log_norm: float
    achieved: Array
    residual: float
    iterations: int
    status: Literal["solved", "unconverged"]
    message: str


def project_chunked(
    moments: ChunkedMoments, total: MapReduce, *, tol: float = 1e-10, max_iterations: int = 100
) -> ChunkedProjection:
    """Find the closest weights, each evaluation of the dual a pass over the chunks; see `project`.

    Raises
    ------
    InfeasibleTarget
        When no weights meet the targets.
    DependentConstraints
        When one constraint follows from, or contradicts, others on any weights.
    InputError
        For a target at the edge of what the rows allow, whose limit needs the rows.
    """
    target, summary, names = moments.target, moments.summary, moments.names
    check_each_target(target, summary, names)
    check_dependence(target, summary, names)
    if direction_at_bound(target, summary) is not None:
        raise _edge_error()

    def dual(multipliers: Array) -> DualPoint:
        return total(_sum_dual, moments.columns, multipliers, plus=_Dual.__add__).point

    most = MORE * max_iterations if summary.of_bulk else max_iterations
    descent = descend(dual, np.zeros(len(target)), summary.sd, tol=tol, max_iterations=most)
    if descent.outcome == "outside":
        raise InfeasibleTarget(
            f"No weights on these rows meet all {len(target)} constraints at once: {', '.join(names)}. Move the "
            "targets towards the unstressed means, or drop one; Study.reweight on a sample of the rows gives each "
            "one's range."
        )
    if descent.outcome == "converged" and smallest_eigenvalue_ratio(descent.point.hessian, summary) <= THIN:
        raise _edge_error()
    worst = int(np.argmax(np.abs(descent.point.gradient) / summary.sd))
    message = f"Every constraint is met to {descent.residual:.0e} standard deviations."
    if descent.outcome != "converged":
        message = (
            f"Not met: after {descent.iterations} passes the {names[worst]} is {descent.residual:.1e} "
            "standard deviations off. Move the targets towards the unstressed means."
        )
    return ChunkedProjection(
        descent.multipliers,
        descent.point.value,
        target + descent.point.gradient,
        descent.residual,
        descent.iterations,
        "solved" if descent.outcome == "converged" else "unconverged",
        message,
    )


@dataclass(frozen=True)
class ChunkedWeights:
    """Summary of the weights of all rows, and of the metrics before and under them.

    Attributes
    ----------
    moments : JointMoments
    before : ndarray of shape (n_sums,)
        Sums without stress, over all rows.
    tv : float
    largest : ndarray
        Logs of the largest shares of all weight that a row has, ascending.
    scores : tuple of float
        Smallest and largest score of the positive class; (∞, -∞) for none.
    unweighted : ndarray of shape (n_sums,)
        Sums over the rows, each counted once.
    outer : dict of str to OuterValues
        By name of the quantity.
    """

    moments: JointMoments
    before: Array
    tv: float
    largest: Array
    scores: tuple[float, float]
    n_largest: int
    unweighted: Array
    outer: dict[str, OuterValues]

    def __add__(self, other: "ChunkedWeights") -> "ChunkedWeights":
        """Return the same of both sets of rows."""
        return ChunkedWeights(
            self.moments + other.moments,
            self.before + other.before,
            self.tv + other.tv,
            np.sort(np.concatenate([self.largest, other.largest]))[-self.n_largest :],
            (min(self.scores[0], other.scores[0]), max(self.scores[1], other.scores[1])),
            self.n_largest,
            self.unweighted + other.unweighted,
            {name: values + other.outer[name] for name, values in self.outer.items()},
        )

    def tails(self, spreads: Sequence[PowerDefinition], quantities: Quantities, units: Units) -> Tails:
        """Return how heavy the tail of each spread's squares is; `units` are those of the sums."""
        of_rows = units_of(self.unweighted, quantities, units)
        return {
            (each.quantity.name, each.form): self.outer[each.quantity.name].tail(
                each, units[each.quantity.name], of_rows[each.quantity.name]
            )
            for each in spreads
        }

    @property
    def ess(self) -> float:
        """Effective sample size, rows."""
        return 1 / float(self.moments.squared[0])

    @property
    def pareto_k(self) -> float:
        """Pareto k̂ of the largest weights."""
        logs = self.largest
        return float(pareto_k(logs[1:] - logs[0], float(np.exp(logs[0])))) if len(logs) > 1 else 0.0

    def carriers(self, n_rows: int) -> Carriers:
        """Return the few rows that carry the weight moved, among the heaviest of so many rows of equal weight."""
        logs = self.largest
        if len(logs) < 2:
            return NO_FEW
        n, share = carriers_of_tails(logs[None, 1:] - logs[0], np.exp(logs[:1]), np.array([self.tv]), n_rows)
        return Carriers(int(n[0]), float(share[0]))


def measure_chunked(moments: ChunkedMoments, projection: ChunkedProjection, total: MapReduce) -> ChunkedWeights:
    """Measure the weights of a projection: one pass over the chunks."""
    n_largest = min(tail_size(moments.n_counted), moments.n_counted - 1) + 1
    return total(
        _sum_weights,
        moments.columns,
        projection.multipliers,
        projection.log_norm,
        moments.total,
        n_largest,
        tail_size(moments.n_rows) + 1,
        plus=ChunkedWeights.__add__,
    )


def estimate_chunked(
    moments: ChunkedMoments,
    projection: ChunkedProjection,
    weights: ChunkedWeights,
    metrics: Sequence[SummedMetric],
    total: MapReduce,
) -> list[Estimate]:
    """Estimate metrics under a projection, as `joint_estimates` does: one more pass over the chunks."""
    regression = Regression.of(metrics, weights.moments, unstressed=moments.unstressed)
    residuals = total(
        _sum_residuals,
        moments.columns,
        projection.multipliers,
        projection.log_norm,
        moments.total,
        regression,
        plus=ResidualSums.__add__,
    )
    return regression.estimates(residuals, moments.target_covariance)


@dataclass(frozen=True)
class _Dual:
    """The dual over some rows, to be added."""

    total: float
    point: DualPoint

    def __add__(self, other: "_Dual") -> "_Dual":
        # log Z in logs, so that a chunk far from the target does not overflow; the Hessian is that of a mixture, the
        # chunks' own and the spread of their means
        total = self.total + other.total
        logs = [np.log(dual.total / total) + dual.point.value for dual in (self, other)]
        value = float(np.logaddexp(*logs))
        shares = [float(np.exp(log - value)) for log in logs]
        a, b = self.point, other.point
        gradient = shares[0] * a.gradient + shares[1] * b.gradient
        offset = a.gradient - b.gradient
        hessian = shares[0] * a.hessian + shares[1] * b.hessian + shares[0] * shares[1] * np.outer(offset, offset)
        return _Dual(total, DualPoint(value, gradient, hessian, max(a.highest, b.highest)))


def _sum_dual(chunk: RowChunk, columns: Sequence[MomentColumn], multipliers: Array) -> _Dual:
    target = np.array([column.term.required for column in columns])
    counted = CountedRows.of(chunk)
    phi = phi_of(chunk, columns)[counted.rows]
    return _Dual(counted.total, evaluate(phi, target, counted.base, multipliers))


def _compute_shares(
    chunk: RowChunk, columns: Sequence[MomentColumn], multipliers: Array, log_norm: float, total: float
) -> tuple[Array, Array, Array, Array]:
    """Return Φ, t, and the share of all weight that some rows have before and under the tilt."""
    phi, target = phi_of(chunk, columns), np.array([column.term.required for column in columns])
    before = (np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight) / total
    log_tilt = np.where(before > 0, exponents(phi, target, multipliers) - log_norm, 0.0)
    return phi, target, before, before * np.exp(log_tilt)


def _sum_weights(
    chunk: RowChunk,
    columns: Sequence[MomentColumn],
    multipliers: Array,
    log_norm: float,
    total: float,
    n_largest: int,
    n_outer: int,
) -> ChunkedWeights:
    phi, target, before, share = _compute_shares(chunk, columns, multipliers, log_norm, total)
    quantities = chunk.quantities
    sums = weighted_sums(quantities, before)
    return ChunkedWeights(
        joint_moments(quantities, phi, target, share),
        sums,
        total_variation_of_shares(share, before),
        np.sort(np.log(share[share > 0]))[-n_largest:],
        chunk.scores,
        n_largest,
        sums * total if chunk.weight is None else weighted_sums(quantities, np.ones(chunk.n_rows)),
        chunk.outer_values(n_outer),
    )


def _sum_residuals(
    chunk: RowChunk,
    columns: Sequence[MomentColumn],
    multipliers: Array,
    log_norm: float,
    total: float,
    regression: Regression,
) -> ResidualSums:
    phi, target, _, share = _compute_shares(chunk, columns, multipliers, log_norm, total)
    return residual_sums(chunk.quantities, phi, target, share, regression)


def _edge_error() -> InputError:
    return InputError(
        "A target lies at the edge of what the rows allow, where only some of them keep weight; finding which needs "
        "the rows in memory. Move it inward, or use Study.reweight."
    )
