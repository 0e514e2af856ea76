"""Entropic projection: the row weights closest to the unstressed ones under which given means hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.stress.joint.bulk import summarise_bulk
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.joint.far_rows import name_far_values, summarise_directions
from tauscope.stress.joint.feasibility import check_dependence, check_each_target, explain_infeasible
from tauscope.stress.joint.solver import Solution, mean_offset, shares, solve
from tauscope.weights.checks import read_weights
from tauscope.weights.measures import effective_size_of_shares, total_variation_of_shares
from tauscope.words import count

Array = NDArray[np.float64]
MET = 1e-6  # residual up to which even a limit, of rows to rounding on a face, meets its targets
ProjectionStatus = Literal["solved", "limit", "unconverged"]


@dataclass(frozen=True)
class Projected:
    """What meets given means, whatever the rows are kept in.

    Attributes
    ----------
    multipliers : ndarray of shape (k,)
        ξ, per unit of Φ; ±inf where the target lies on the surface of what the rows reach.
    achieved : ndarray of shape (k,)
        Means of Φ under the weights.
    residual : float
        Largest |achieved - target|, unstressed standard deviations; of the bulk of a column where a few values dwarf
        the others.
    iterations : int
        Passes over the rows spent on the dual.
    kl : float
        KL(stressed ‖ unstressed) = ⟨ξ, t⟩ - log Z(ξ), nats.
    status : {"solved", "limit", "unconverged"}
        "limit": the target lies on the surface of the rows' hull; the weights are the limit of those of
        targets that approach it from inside, exactly 0 off one face. "unconverged": off by `residual`.
    message : str
        The status in words.
    """

    multipliers: Array
    achieved: Array
    residual: float
    iterations: int
    kl: float
    status: ProjectionStatus
    message: str


@dataclass(frozen=True)
class Projection(Projected):
    """The Kullback-Leibler closest reweighting with given means.

    Attributes
    ----------
    weights : ndarray of shape (n_rows,)
        λ_i times the sample weight; non-negative, mean 1.
    tv : float
        Total variation between stressed and unstressed, in [0, 1].
    ess : float
        Effective sample size (Σw)²/Σw² of the weights, rows.
    """

    weights: Array
    tv: float
    ess: float


def project(
    phi: Array,
    target: Array,
    *,
    sample_weight: Array | None = None,
    names: Sequence[str] | None = None,
    start: Array | None = None,
    tol: float = 1e-10,
    max_iterations: int = 100,
) -> Projection:
    """Find the closest weights under which the columns of Φ have given means.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
        Φ, one column per constraint; finite. Read in blocks, never copied whole.
    target : ndarray of shape (k,)
        t, the mean that each column shall have.
    sample_weight : ndarray of shape (n_rows,) or None
        Non-negative weights of the unstressed rows; rows of weight 0 take no part. None: all equal.
    names : sequence of str, length k, optional
        What messages call the columns ("mean of age").
    start : ndarray of shape (k,), optional
        ξ to start from, such as that of a neighbouring target.
    tol : float
        Largest residual that counts as solved, unstressed standard deviations.
    max_iterations : int
        Passes over the rows before giving up.

    Returns
    -------
    Projection

    Raises
    ------
    InfeasibleTarget
        When no weights meet the targets; gives the range left to each constraint by the others.
    DependentConstraints
        When one constraint follows from, or contradicts, others on any weights.
    InputError
        For shapes that do not match, values or weights that are not finite, constant columns.

    Notes
    -----
    λ_i = exp(⟨ξ, Φ_i⟩ - log Z(ξ)) with ξ the minimiser of the convex dual log Z(ξ) - ⟨ξ, t⟩, whose gradient
    is the weighted mean minus t and whose Hessian is the weighted covariance of Φ. Residuals, not steps, end
    the descent. The theorem asks for t inside the convex hull of the Φ_i. On its surface the closest weights
    still exist as a limit: zero off the face that holds t, the same projection within it; faces are cut until
    t lies inside one.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", Theorem 2.1.
    """
    phi, target = _check_arrays(phi, target)
    n, k = phi.shape
    names = [f"mean of column {j}" for j in range(k)] if names is None else list(names)
    base = None if sample_weight is None else _normalise_weights(sample_weight, n)
    counted = None if base is None or base.all() else base > 0
    rows, weights = (phi, base) if counted is None or base is None else (phi[counted], base[counted])
    summary = summarise_moments(rows, weights)
    check_each_target(target, summary, names)
    summary = summarise_bulk(rows, target, weights, summary)
    directions = summarise_directions(rows, weights, summary)
    check_dependence(target, directions, names, rows)
    finite_start = np.zeros(k) if start is None else np.where(np.isfinite(start), start, 0.0)
    solution = solve(rows, target, weights, summary, finite_start, tol, max_iterations)
    if solution.status == "outside":
        raise explain_infeasible(rows, target, directions, names)
    return _describe_projection(rows, target, weights, summary, solution, counted, names)


def _describe_projection(
    phi: Array,
    target: Array,
    base: Array | None,
    summary: MomentSummary,
    solution: Solution,
    counted: NDArray[np.bool_] | None,
    names: Sequence[str],
) -> Projection:
    """Measure the weights and say in words what they are."""
    share = shares(solution.log_tilt, base)
    offset = mean_offset(phi, target, share)
    residuals = np.abs(offset) / summary.sd
    positive = share > 0
    unstressed = 1 / len(share) if base is None else base
    status: ProjectionStatus = "unconverged"
    if solution.status == "solved" or (solution.status == "limit" and residuals.max() <= MET):
        status = solution.status
    worst = int(residuals.argmax())
    n = len(share) if counted is None else len(counted)
    if status == "solved":
        message = "Every constraint is met."
    elif status == "limit":
        message = (
            f"A target lies on the edge of what the rows allow: {int(positive.sum()):,} of {count(n, 'row')} share all "
            "the weight, the others have none. Move the target inward to keep them."
        )
    else:
        message = (
            f"Not met: after {count(solution.iterations, 'pass', 'passes')} the {names[worst]} is "
            f"{residuals[worst]:.1e} "
            f"standard deviations off. {name_far_values(phi, names)}Move the targets towards the unstressed means."
        )
    weights = share * n
    if counted is not None:
        weights = np.zeros(n)
        weights[counted] = share * n
    return Projection(
        weights=weights,
        multipliers=solution.multipliers,
        achieved=target + offset,
        residual=float(residuals[worst]),
        iterations=solution.iterations,
        kl=max(float(share[positive] @ solution.log_tilt[positive]), 0.0),
        tv=total_variation_of_shares(share, unstressed),
        ess=effective_size_of_shares(share),
        status=status,
        message=message,
    )


def _check_arrays(phi: Array, target: Array) -> tuple[Array, Array]:
    phi, target = np.asarray(phi, dtype=np.float64), np.asarray(target, dtype=np.float64)
    if phi.ndim != 2 or 0 in phi.shape:
        raise InputError(f"Φ needs one row per observation and one column per constraint; got shape {phi.shape}.")
    if target.shape != phi.shape[1:]:
        raise InputError(f"A projection needs one target per column of Φ, {phi.shape[1]}; got shape {target.shape}.")
    if not np.isfinite(target).all():
        raise InputError(f"Targets must be finite; got {target[~np.isfinite(target)][0]}.")
    return phi, target


def _normalise_weights(sample_weight: Array, n_rows: int) -> Array:
    weight = read_weights(sample_weight, n_rows)
    return weight / weight.sum()
