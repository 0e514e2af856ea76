"""Targets on the surface of the hull: the limit of the projection, which lives on the rows of one face."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.dual import MomentSummary, exponents, summarise_moments

Array = NDArray[np.float64]

TOUCH = 1e-12  # distance from a column's extreme that counts as at it, standard deviations
ON_FACE = 1e-8  # height below the face's plane that counts as on it, standard deviations


@dataclass(frozen=True)
class Face:
    """The rows that may keep weight, and the projection that is left to do among them.

    Attributes
    ----------
    rows : ndarray of shape (n_rows,), bool
        Rows on the face.
    share : float
        Their share of the base weight.
    base : ndarray of shape (n_kept,) or None
        Their base weights, summing to 1.
    phi : ndarray of shape (n_kept, r)
        Coordinates within the face, centred at the target, in standard deviations of all rows; r < k.
    to_phi : ndarray of shape (k, r)
        Multipliers of those coordinates → multipliers of Φ.
    infinite : ndarray of shape (k,)
        ±1 where the multiplier of Φ diverges, else 0.
    consistent : bool
        False where the target does not lie in the face's own plane: no weights meet it.
    """

    rows: NDArray[np.bool_]
    share: float
    base: Array | None
    phi: Array
    to_phi: Array
    infinite: Array
    consistent: bool


def direction_at_bound(target: Array, summary: MomentSummary) -> Array | None:
    """Return the direction of the targets at their column's smallest or largest value; None for none."""
    at_low = target - summary.low <= TOUCH * summary.sd
    at_high = summary.high - target <= TOUCH * summary.sd
    if not (at_low | at_high).any():
        return None
    return (at_high.astype(np.float64) - at_low) / summary.sd


def cut_to_face(phi: Array, target: Array, base: Array | None, summary: MomentSummary, direction: Array) -> Face:
    """Cut the rows down to those in which no row lies farther along a direction.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    base : ndarray of shape (n_rows,) or None
        Summing to 1.
    summary : MomentSummary
        Of `phi`.
    direction : ndarray of shape (k,)
        d with ⟨d, Φ_i - t⟩ ≤ 0 for every row.

    Returns
    -------
    Face
        Without rows, and not consistent, where no row reaches the plane.
    """
    k = phi.shape[1]
    rows = exponents(phi, target, direction) >= -ON_FACE
    infinite = np.where(
        np.abs(direction) * summary.sd > 1e-6 * np.max(np.abs(direction) * summary.sd), np.sign(direction), 0
    )
    if not rows.any():
        return Face(rows, 0.0, None, np.zeros((0, 0)), np.zeros((k, 0)), infinite, False)
    face_base = None if base is None else base[rows]
    share = float(rows.mean()) if face_base is None else float(face_base.sum())
    face_base = None if face_base is None else face_base / share
    z = (phi[rows] - target) / summary.sd
    free, within, consistent = span_of_face(summarise_moments(z, face_base))
    to_phi = np.zeros((k, within.shape[1]))
    to_phi[free] = within / summary.sd[free, None]
    return Face(rows, share, face_base, z[:, free] @ within, to_phi, infinite, consistent)


def span_of_face(on_face: MomentSummary) -> tuple[NDArray[np.bool_], Array, bool]:
    """Find what is left to differ on a face.

    Parameters
    ----------
    on_face : MomentSummary
        Of the rows on it, in standard deviations of all rows, centred at the target.

    Returns
    -------
    free : ndarray of bool of shape (k,)
        Columns that are not constant.
    within : ndarray of shape (n_free, r)
        Combinations of these that are not.
    consistent : bool
        Whether what is constant is at its target.
    """
    # a column that is constant on the face must be at its target there; combinations of columns likewise, below
    free = on_face.high - on_face.low > ON_FACE
    values, vectors = (
        np.linalg.eigh(on_face.covariance[np.ix_(free, free)]) if free.any() else (np.zeros(0), np.zeros((0, 0)))
    )
    constant = values <= 1e-12 * max(values, default=0.0)
    consistent = bool(np.all(np.abs(on_face.mean[~free]) <= 2 * ON_FACE))
    if not constant.any():
        return free, np.eye(int(free.sum())), consistent
    consistent = consistent and bool(np.all(np.abs(vectors[:, constant].T @ on_face.mean[free]) <= 10 * ON_FACE))
    return free, vectors[:, ~constant], consistent
