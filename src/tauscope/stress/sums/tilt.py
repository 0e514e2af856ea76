"""Weights of rows in chunks that may lie on a face of their hull, where some columns are at their bounds for all."""

# Decided in docs/decisions/0018-a-level-that-the-other-sample-lacks-takes-its-rows-all-weight.md.

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.dual import evaluate, exponents, summarise_moments
from tauscope.stress.joint.faces import ON_FACE
from tauscope.stress.sums.bulk_totals import Near
from tauscope.stress.sums.chunk import CountedRows, RowChunk
from tauscope.stress.sums.moment_columns import MomentColumn, phi_of
from tauscope.stress.sums.projection import ChunkedDual

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Plane:
    """The rows farthest along a direction, and coordinates that are left to differ among them.

    Attributes
    ----------
    target, direction, sd : ndarray of shape (k,)
    to_inner : ndarray of shape (k, r)
        Of (Φ - target) / sd.
    """

    target: Array
    direction: Array
    sd: Array
    to_inner: Array

    def cut(self, phi: Array) -> tuple[NDArray[np.bool_], Array]:
        """Tell which rows lie on it, and return their coordinates, of which the target is 0."""
        rows = exponents(phi, self.target, self.direction) >= -ON_FACE
        return rows, ((phi[rows] - self.target) / self.sd) @ self.to_inner


@dataclass(frozen=True)
class Coordinates:
    """What weights are solved on: some columns of Φ, cut down to planes one after the other.

    Attributes
    ----------
    columns : tuple of MomentColumn
    used : tuple of int
    planes : tuple of Plane
    target : ndarray of shape (r,)
    """

    columns: tuple[MomentColumn, ...]
    used: tuple[int, ...]
    planes: tuple[Plane, ...]
    target: Array

    def of(self, phi: Array) -> tuple[NDArray[np.bool_], Array]:
        """Tell of rows of Φ, all columns, which are on all planes, and return their coordinates."""
        rows, inner = np.ones(len(phi), bool), phi[:, list(self.used)]
        for plane in self.planes:
            on, inner = plane.cut(inner)
            rows[np.flatnonzero(rows)[~on]] = False
        return rows, inner


@dataclass(frozen=True)
class FaceTilt:
    """Weights λ = exp(⟨ξ, coordinates - target⟩ - log_norm) of the rows on the planes, 0 off them.

    Attributes
    ----------
    coordinates : Coordinates
    multipliers : ndarray of shape (r,)
    log_norm : float
        Such that the shares of all rows sum to 1.
    total : float
        Weight of all rows.
    of : tuple of int
        Columns of Φ that metrics are regressed on.
    means : tuple of float
        Theirs under the weights.
    """

    coordinates: Coordinates
    multipliers: Array
    log_norm: float
    total: float
    of: tuple[int, ...] = ()
    means: tuple[float, ...] = ()

    def logs(self, phi: Array, weight: Array) -> Array:
        """Return log λ of rows of Φ, -∞ off the planes; 0 where they have no weight."""
        rows, inner = self.coordinates.of(phi)
        out = np.full(len(phi), -np.inf)
        out[rows] = exponents(inner, self.coordinates.target, self.multipliers) - self.log_norm
        return np.where(weight > 0, out, 0.0)

    def shares(self, chunk: RowChunk) -> tuple[Array, Array, Array, Array]:
        """Return Φ of the columns regressed on, their means, and the shares of all weight before and under the tilt."""
        phi = phi_of(chunk, self.coordinates.columns)
        before = (np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight) / self.total
        share = before * np.exp(self.logs(phi, before))
        regressed = phi[:, list(self.of)] if self.of else np.zeros((len(phi), 1))
        return regressed, np.array(self.means if self.of else (0.0,)), before, share


def sum_coordinates(chunk: RowChunk, coordinates: Coordinates) -> Near:
    """Summarise the coordinates of some rows; none may be on the planes."""
    counted = CountedRows.of(chunk)
    rows, inner = coordinates.of(phi_of(chunk, coordinates.columns)[counted.rows])
    if not rows.any():
        return Near(0.0, None)
    weight = np.ones(int(rows.sum())) if counted.weight is None else counted.weight[rows]
    return Near(float(weight.sum()), summarise_moments(inner, weight / weight.sum()))


def sum_dual(chunk: RowChunk, coordinates: Coordinates, multipliers: Array) -> ChunkedDual | None:
    """Evaluate the dual over some rows; None where none is on the planes."""
    counted = CountedRows.of(chunk)
    rows, inner = coordinates.of(phi_of(chunk, coordinates.columns)[counted.rows])
    if not rows.any():
        return None
    weight = np.ones(int(rows.sum())) if counted.weight is None else counted.weight[rows]
    total = float(weight.sum())
    base = None if counted.weight is None else weight / total
    return ChunkedDual(total, evaluate(inner, coordinates.target, base, multipliers))


def beyond_sums(
    chunk: RowChunk, tilt: FaceTilt, columns: Sequence[int], present: Array, achieved: Array, slack: Array
) -> Array:
    """Sum over the rows where margins lead; see `count_beyond`.

    Returns
    -------
    ndarray of shape (n_columns, 3)
        The weight that they hold under the tilt, and Σ v and Σ v² of those with a value, slack counted.
    """
    phi = phi_of(chunk, tilt.coordinates.columns)
    *_, before, share = tilt.shares(chunk)
    out = np.zeros((len(columns), 3))
    for row, j in enumerate(columns):
        sign = 1.0 if achieved[j] > present[j] else -1.0
        raw = tilt.coordinates.columns[j].raw(chunk)
        counted = (sign * (raw - achieved[j]) >= -slack[j]) & (before > 0)
        v = before[counted]
        out[row] = share[sign * (phi[:, j] - achieved[j]) >= 0].sum(), v.sum(), v @ v
    return out
