"""One tilt for given means: Newton inside the hull, cut down to a face where the target lies on its surface."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.bulk import summarise_bulk
from tauscope.stress.joint.dual import (
    Descent,
    DualPoint,
    MomentSummary,
    Outcome,
    blocks,
    descend,
    evaluate,
    exponents,
    summarise_moments,
)
from tauscope.stress.joint.faces import cut_to_face, direction_at_bound
from tauscope.stress.joint.far_rows import Turned, turn_to_far_rows
from tauscope.stress.joint.hull import Hull

Array = NDArray[np.float64]
SolverStatus = Literal["solved", "limit", "unconverged", "outside"]

_STATUS: dict[Outcome, SolverStatus] = {"converged": "solved", "stalled": "unconverged", "outside": "outside"}
MORE = 4  # times the passes where a few values dwarf a column
TURNS = 2  # times that other rows far off are given axes, those that weigh most
THIN = 1e-6  # weighted variance left in some direction below which the target may lie on the hull's surface


@dataclass(frozen=True)
class Solution:
    """A tilt and the status of its solver.

    Attributes
    ----------
    log_tilt : ndarray of shape (n_rows,)
        log λ, -inf off the face.
    multipliers : ndarray of shape (k,)
        ξ per unit of Φ, ±inf where it diverges.
    iterations : int
        Passes over the rows.
    status : {"solved", "limit", "unconverged", "outside"}
        "outside": no weights meet the target.
    """

    log_tilt: Array
    multipliers: Array
    iterations: int
    status: SolverStatus


def solve(
    phi: Array, target: Array, base: Array | None, summary: MomentSummary, start: Array, tol: float, max_iterations: int
) -> Solution:
    """Solve, cutting the rows down to faces of their hull where the target lies on its surface.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
        Within the range of each column.
    base : ndarray of shape (n_rows,) or None
        Positive, summing to 1; None for 1/n each.
    summary : MomentSummary
        Of `phi` under `base`; no constant or dependent columns.
    start : ndarray of shape (k,)
        Multipliers to start from.
    tol : float
        Largest residual that counts as solved, unstressed standard deviations; of the bulk of a column where a few
        values dwarf the others.
    max_iterations : int
        Passes over the rows before giving up, on each face; more where a few values dwarf a column, since the weight
        of these is brought down by a factor of e at a time.

    Returns
    -------
    Solution
    """
    summary = summarise_bulk(phi, target, base, summary)
    direction = direction_at_bound(target, summary)
    if direction is not None:
        return _solve_on_face(phi, target, base, summary, direction, tol, max_iterations)

    most = MORE * max_iterations if summary.of_bulk else max_iterations
    solution, is_inside = _descend_on_all(phi, target, base, summary, start, tol, most)
    if solution.status == "outside" or is_inside:
        return solution
    position = Hull(phi, target, summary).locate()
    if position.place == "outside":
        return replace(solution, status="outside")
    if position.place == "surface":
        limit = _solve_on_face(phi, target, base, summary, position.direction, tol, max_iterations)
        limit = replace(limit, iterations=limit.iterations + solution.iterations)
        if solution.status != "solved":
            return limit
        if limit.status != "outside":
            offset = mean_offset(phi, target, shares(limit.log_tilt, base))
            return limit if np.max(np.abs(offset) / summary.sd) <= tol else solution
    return solution


def _descend_on_all(
    phi: Array, target: Array, base: Array | None, summary: MomentSummary, start: Array, tol: float, most: int
) -> tuple[Solution, bool]:
    """Descend on the dual, in coordinates without cancellation where rows far off need them.

    Returns
    -------
    Solution
    is_inside : bool
        Whether the weights meet the target and leave variance in all directions.
    """
    turned = turn_to_far_rows(phi, target, summary)
    if turned is None:
        descent = _descend(phi, target, base, start, summary.sd, tol, most)
        log_tilt = exponents(phi, target, descent.multipliers) - descent.point.value
        solution = Solution(log_tilt, descent.multipliers, descent.iterations, _STATUS[descent.outcome])
        return solution, _is_inside(descent, summary)
    solution, is_inside = _descend_turned(turned, base, start, tol, most)
    for _ in range(TURNS):
        if solution.status != "unconverged":
            break
        turned = turn_to_far_rows(phi, target, summary, shares(solution.log_tilt, base)) or turned
        again, is_inside = _descend_turned(turned, base, solution.multipliers, tol, most)
        solution = replace(again, iterations=solution.iterations + again.iterations)
    return solution, is_inside


def _descend_turned(turned: Turned, base: Array | None, start: Array, tol: float, most: int) -> tuple[Solution, bool]:
    rows, target, summary = turned.rows, turned.target, turned.summary
    descent = _descend(rows, target, base, turned.from_phi(start), summary.sd, tol, most)
    log_tilt = exponents(rows, target, descent.multipliers) - descent.point.value
    multipliers = turned.to_phi(descent.multipliers)
    solution = Solution(log_tilt, multipliers, descent.iterations, _STATUS[descent.outcome])
    return solution, _is_inside(descent, summary)


def _is_inside(descent: Descent, summary: MomentSummary) -> bool:
    return descent.outcome == "converged" and smallest_eigenvalue_ratio(descent.point.hessian, summary) > THIN


def _descend(phi: Array, target: Array, base: Array | None, start: Array, sd: Array, tol: float, most: int) -> Descent:
    def dual(multipliers: Array) -> DualPoint:
        return evaluate(phi, target, base, multipliers)

    return descend(dual, start, sd, tol=tol, max_iterations=most)


def _solve_on_face(
    phi: Array,
    target: Array,
    base: Array | None,
    summary: MomentSummary,
    direction: Array,
    tol: float,
    max_iterations: int,
) -> Solution:
    """Put all weight on the rows farthest along a direction, and solve what is left to do among them."""
    face = cut_to_face(phi, target, base, summary, direction)
    log_tilt = np.full(len(phi), -np.inf)
    if not face.consistent:
        return Solution(log_tilt, face.infinite, 0, "outside")
    log_tilt[face.rows] = -np.log(face.share)
    if not face.phi.shape[1]:
        return Solution(log_tilt, _set_infinite(np.zeros(len(target)), face.infinite), 0, "limit")
    zeros = np.zeros(face.phi.shape[1])
    inner = solve(face.phi, zeros, face.base, summarise_moments(face.phi, face.base), zeros, tol, max_iterations)
    log_tilt[face.rows] += inner.log_tilt
    diverging = np.where(np.isinf(inner.multipliers), np.sign(inner.multipliers), 0.0)
    multipliers = face.to_phi @ np.where(diverging, 0.0, inner.multipliers)
    for infinite in (face.to_phi @ diverging * summary.sd, face.infinite):
        multipliers = _set_infinite(multipliers, infinite)
    return Solution(log_tilt, multipliers, inner.iterations, "limit" if inner.status == "solved" else inner.status)


def shares(log_tilt: Array, base: Array | None) -> Array:
    """Return the weights λ_i b_i, shape (n_rows,), summing to 1."""
    share = np.exp(log_tilt)
    if base is not None:
        share *= base
    share /= share.sum()
    return share


def mean_offset(phi: Array, target: Array, share: Array) -> Array:
    """Return the weighted means of Φ less the target, shape (k,)."""
    return sum((share[rows] @ (phi[rows] - target) for rows in blocks(*phi.shape)), np.zeros(len(target)))


def _set_infinite(multipliers: Array, direction: Array) -> Array:
    """Put ±∞ where a direction, in standard deviations, is not zero."""
    return np.where(np.abs(direction) > 1e-6, np.copysign(np.inf, direction), multipliers)


def smallest_eigenvalue_ratio(hessian: Array, summary: MomentSummary) -> float:
    """Smallest variance left in any direction, as a share of the unstressed variance."""
    try:
        root = np.linalg.inv(np.linalg.cholesky(summary.covariance / np.outer(summary.sd, summary.sd)))
    except np.linalg.LinAlgError:  # columns that differ in rows far off alone
        return 0.0
    return float(np.linalg.eigvalsh(root @ (hessian / np.outer(summary.sd, summary.sd)) @ root.T)[0])
