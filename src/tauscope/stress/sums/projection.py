"""The projection for rows in chunks: gradients, Hessians and everything measured after, summed over the chunks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InfeasibleTarget, InputError
from tauscope.stress.column.far_values import FarValues
from tauscope.stress.joint.dual import DualPoint, descend, evaluate, exponents
from tauscope.stress.joint.estimates import (
    JointMoments,
    Regression,
)
from tauscope.stress.joint.faces import direction_at_bound
from tauscope.stress.joint.feasibility import check_dependence, check_each_target
from tauscope.stress.joint.projection import Projected
from tauscope.stress.joint.solver import MORE, THIN, smallest_eigenvalue_ratio
from tauscope.stress.joint.terms import Term
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.sums.chunk import CountedRows, MapReduce, RowChunk
from tauscope.stress.sums.moment_columns import MomentColumn, phi_of
from tauscope.stress.sums.moments import ChunkedMoments
from tauscope.words import count

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ChunkedProjection(Projected):
    """The Kullback-Leibler closest reweighting with given means, of rows in chunks.

    Attributes
    ----------
    log_norm : float
        log Σ exp⟨ξ, Φ_i - t⟩ / n: a row's weight is λ = exp(⟨ξ, Φ - t⟩ - log_norm), of mean 1.
    """

    log_norm: float


class SolvedStress(NamedTuple):
    """A stress in numbers, and the weights that meet it, wherever the rows are.

    Attributes
    ----------
    terms : tuple of Term
    values : ndarray of shape (n_terms,)
        What each quantity has become.
    weighted : Weighted
    n_beyond : float
    in_doubt : bool
        As in `tauscope.stress.joint.terms.Moments`.
    notes : tuple of str
        Where τ does not stand for the plain quantile.
    far : mapping of str to sequence of FarValues
        Of the features that have values far off.
    found : Projected or None
        None where the weights were known.
    weights : ndarray of shape (n_rows,) or None
        Of mean 1, where rows are in memory.
    """

    terms: tuple[Term, ...]
    values: Array
    weighted: "Weighted"
    n_beyond: float
    in_doubt: bool
    notes: tuple[str, ...]
    far: Mapping[str, Sequence[FarValues]]
    found: Projected | None
    weights: Array | None = None


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
        target + descent.point.gradient,
        descent.residual,
        descent.iterations,
        max(float(descent.multipliers @ descent.point.gradient) - descent.point.value, 0.0),
        "solved" if descent.outcome == "converged" else "unconverged",
        message,
        descent.point.value,
    )


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


def _edge_error() -> InputError:
    return InputError(
        "A target lies at the edge of what the rows allow, where only some of them keep weight; finding which needs "
        "the rows in memory. Move it inward, or use Study.reweight."
    )
