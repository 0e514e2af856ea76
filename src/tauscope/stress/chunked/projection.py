"""The projection for rows in chunks: gradients, Hessians and everything measured after, summed over the chunks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InfeasibleTarget, InputError
from tauscope.stress.chunked.chunk import CountedRows, MapReduce, RowChunk
from tauscope.stress.chunked.heaviest import Heaviest, MostGained
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
from tauscope.weights.carriers import Carriers, most_carriers
from tauscope.weights.measures import total_variation_of_shares
from tauscope.weights.pareto import tail_size
from tauscope.words import count

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


class SolvedStress(NamedTuple):
    """A stress in numbers, and the weights that meet it."""

    moments: ChunkedMoments
    projection: ChunkedProjection


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
        return total(_sum_dual, moments.columns, multipliers, plus=ChunkedDual.__add__).point

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
    message = "Every constraint is met."
    if descent.outcome != "converged":
        message = (
            f"Not met: after {count(descent.iterations, 'pass', 'passes')} the {names[worst]} is "
            f"{descent.residual:.1e} "
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
    fourth : float
        Σ w⁴ of shares w of all weight.
    heaviest : Heaviest
        Of the shares of all weight that rows have, and had before.
    gained : MostGained
    scores : tuple of float
        Smallest and largest score of the positive class; (∞, -∞) for none.
    most : int
        Of the heaviest rows that are kept.
    unweighted : ndarray of shape (n_sums,)
        Sums over the rows, each counted once.
    outer : dict of str to OuterValues
        By name of the quantity.
    n_held : int
        Rows that keep weight.
    """

    moments: JointMoments
    before: Array
    tv: float
    fourth: float
    heaviest: Heaviest
    gained: MostGained
    scores: tuple[float, float]
    most: int
    unweighted: Array
    outer: dict[str, OuterValues]
    n_held: int

    def __add__(self, other: "ChunkedWeights") -> "ChunkedWeights":
        """Return the same of both sets of rows."""
        return ChunkedWeights(
            self.moments + other.moments,
            self.before + other.before,
            self.tv + other.tv,
            self.fourth + other.fourth,
            self.heaviest.joined(other.heaviest, self.most),
            self.gained + other.gained,
            (min(self.scores[0], other.scores[0]), max(self.scores[1], other.scores[1])),
            self.most,
            self.unweighted + other.unweighted,
            {name: values + other.outer[name] for name, values in self.outer.items()},
            self.n_held + other.n_held,
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
    def degrees_of_freedom(self) -> float:
        """(Σw²)² / Σw⁴, those of Student's t."""
        return float(self.moments.squared[0]) ** 2 / self.fourth

    @property
    def largest(self) -> float:
        """Largest share of all weight that a row has."""
        return float(np.exp(self.heaviest.logs[-1]))

    @property
    def pareto_k(self) -> float:
        """Pareto k̂ of the largest weights."""
        return self.heaviest.pareto_k(1.0, 1.0, self.n_held)

    @property
    def carriers(self) -> Carriers:
        """The few rows that carry the weight moved."""
        return self.gained.carriers(self.tv)


class KeptRows(NamedTuple):
    """How many rows are kept of a chunk: the heaviest, those that gained most, and outer values."""

    heaviest: int
    gained: int
    outer: int


class Tilt(Protocol):
    """Weights of rows in chunks."""

    def shares(self, chunk: RowChunk) -> tuple[Array, Array, Array, Array]:
        """Return Φ of some rows, t, and the share of all weight that each has before and under the tilt."""
        ...


class Weighted(NamedTuple):
    """Weights of all rows, and the stress that they meet.

    Attributes
    ----------
    tilt : Tilt
    unstressed : bool
        Whether every mean is the one the rows have anyway.
    target_covariance : ndarray of shape (k, k)
        What rows add to the targets.
    penalty : ndarray of shape (k,) or None
        As in `tauscope.stress.joint.estimates.joint_estimates`, as are the others.
    """

    tilt: Tilt
    unstressed: bool = True
    target_covariance: Array = np.zeros((1, 1))
    penalty: Array | None = None

    def regress(self, metrics: Sequence[SummedMetric], moments: JointMoments) -> Regression:
        """Regress metrics on Φ, from sums under these weights."""
        return Regression.of(metrics, moments, unstressed=self.unstressed, penalty=self.penalty)


@dataclass(frozen=True)
class ChunkedTilt:
    """The weights of a projection.

    Attributes
    ----------
    columns : tuple of MomentColumn
    multipliers : ndarray of shape (k,)
    log_norm : float
    total : float
        Weight of all rows.
    """

    columns: tuple[MomentColumn, ...]
    multipliers: Array
    log_norm: float
    total: float

    @classmethod
    def of(cls, moments: ChunkedMoments, projection: ChunkedProjection) -> "ChunkedTilt":
        """Return those of one."""
        return cls(moments.columns, projection.multipliers, projection.log_norm, moments.total)

    def shares(self, chunk: RowChunk) -> tuple[Array, Array, Array, Array]:
        """See `Tilt`."""
        phi, target = phi_of(chunk, self.columns), np.array([column.term.required for column in self.columns])
        before = (np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight) / self.total
        log_tilt = np.where(before > 0, exponents(phi, target, self.multipliers) - self.log_norm, 0.0)
        return phi, target, before, before * np.exp(log_tilt)


def measure_chunked(tilt: Tilt, total: MapReduce, *, weight: float, n_counted: int, n_rows: int) -> ChunkedWeights:
    """Measure weights, and metrics before and under them: one pass over the chunks.

    Parameters
    ----------
    tilt : Tilt
    total : MapReduce
    weight : float
        Of all rows.
    n_counted, n_rows : int
        Rows of weight above zero, and in all.
    """
    n_largest = min(tail_size(n_counted), n_counted - 1) + 1
    sizes = KeptRows(n_largest, most_carriers(n_counted), tail_size(n_rows) + 1)
    return total(_sum_weights, tilt, weight, sizes, plus=ChunkedWeights.__add__)


def regress_chunked(
    weighted: Weighted, weights: ChunkedWeights, metrics: Sequence[SummedMetric], total: MapReduce
) -> tuple[Regression, list[Estimate]]:
    """Estimate metrics under weights, as `joint_estimates` does: one more pass over the chunks.

    Parameters
    ----------
    weighted : Weighted
    weights : ChunkedWeights
        As measured.
    metrics : sequence of SummedMetric
    total : MapReduce

    Returns
    -------
    regression : Regression
    estimates : list of Estimate
    """
    regression = weighted.regress(metrics, weights.moments)
    residuals = total(_sum_residuals, weighted.tilt, regression, plus=ResidualSums.__add__)
    return regression, regression.estimates(residuals, weighted.target_covariance)


@dataclass(frozen=True)
class ChunkedDual:
    """The dual over some rows, to be added."""

    total: float
    point: DualPoint

    def __add__(self, other: "ChunkedDual") -> "ChunkedDual":
        """Return the dual over both sets of rows."""
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
        return ChunkedDual(total, DualPoint(value, gradient, hessian, max(a.highest, b.highest)))


def _sum_dual(chunk: RowChunk, columns: Sequence[MomentColumn], multipliers: Array) -> ChunkedDual:
    target = np.array([column.term.required for column in columns])
    counted = CountedRows.of(chunk)
    phi = phi_of(chunk, columns)[counted.rows]
    return ChunkedDual(counted.total, evaluate(phi, target, counted.base, multipliers))


def _sum_weights(chunk: RowChunk, tilt: Tilt, total: float, kept: KeptRows) -> ChunkedWeights:
    phi, target, before, share = tilt.shares(chunk)
    quantities = chunk.quantities
    sums = weighted_sums(quantities, before)
    return ChunkedWeights(
        joint_moments(quantities, phi, target, share),
        sums,
        total_variation_of_shares(share, before),
        float(np.sum(share**4)),
        Heaviest.of(share, before, kept.heaviest),
        MostGained.of(share, before, kept.gained),
        chunk.scores,
        kept.heaviest,
        sums * total if chunk.weight is None else weighted_sums(quantities, np.ones(chunk.n_rows)),
        chunk.outer_values(kept.outer),
        int(np.count_nonzero(share)),
    )


def _sum_residuals(chunk: RowChunk, tilt: Tilt, regression: Regression) -> ResidualSums:
    phi, target, _, share = tilt.shares(chunk)
    return residual_sums(chunk.quantities, phi, target, share, regression)


def _edge_error() -> InputError:
    return InputError(
        "A target lies at the edge of what the rows allow, where only some of them keep weight; finding which needs "
        "the rows in memory. Move it inward, or use Study.reweight."
    )
