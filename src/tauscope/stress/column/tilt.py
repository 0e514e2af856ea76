"""Exponential tilts of sketched columns: the multiplier that meets a mean, and the sums under it.

Several columns are solved at once; arrays are indexed (column, τ, bin, sum). Everything is in standardised units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.sketch import MomentSketch

Array = NDArray[np.float64]

TOLERANCE = 1e-12
MAX_STEPS = 200
STEEPEST = 8.0
"""Largest |ξ| times half a bin, in the narrowest bin, that is tried."""


@dataclass(frozen=True)
class Stack:
    """Sketches of several columns with as many moments each, padded to as many bins.

    Attributes
    ----------
    centres, half_widths, centroids : ndarray of shape (F, B)
        Centroids are the bins' mean values.
    moments : ndarray of shape (layers, F, B, 1 + M, Q)
        In this order, so that sums over bins are one matrix product a column.
    rest : ndarray of shape (layers, F, Q)
    """

    centres: Array
    half_widths: Array
    centroids: Array
    moments: Array
    rest: Array

    @property
    def ones(self) -> Array:
        """Moments of the rows themselves, of shape (F, B, 1 + M)."""
        return self.moments[0, ..., 0]

    @property
    def mass(self) -> Array:
        """Weight of the rows in each bin, of shape (F, B)."""
        return self.ones[..., 0]

    @property
    def total(self) -> Array:
        """Weight of all rows, missing ones included, of shape (F,)."""
        return self.mass.sum(1) + self.rest[0, :, 0]

    @property
    def observed(self) -> Array:
        """Share of the weight on rows that have a value, of shape (F,)."""
        return self.mass.sum(1) / self.total

    def layer(self, power: int) -> tuple[Array, Array]:
        """Return moments and rest for a power of the weights."""
        a = min(power, len(self.moments)) - 1
        return self.moments[a], self.rest[a]


def stack(sketches: Sequence[MomentSketch]) -> Stack:
    """Put sketches with equally many moments side by side; padded bins are empty copies of the last one."""
    n_bins = max(len(s.bins.centres) for s in sketches)
    layers, orders, _, n_sums = sketches[0].moments.shape
    moments = np.zeros((layers, len(sketches), n_bins, orders, n_sums))
    centres = np.empty((len(sketches), n_bins))
    half = np.zeros((len(sketches), n_bins))
    for i, s in enumerate(sketches):
        b = len(s.bins.centres)
        moments[:, i, :b] = s.moments.transpose(0, 2, 1, 3)
        centres[i, :b], centres[i, b:] = s.bins.centres, s.bins.centres[-1]
        half[i, :b] = s.bins.half_widths
    centroids = centres
    if orders > 1:
        count = moments[0, :, :, 0, 0]
        centroids = centres + moments[0, :, :, 1, 0] / np.where(count > 0, count, 1.0)
    return Stack(centres, half, centroids, moments, np.stack([s.rest for s in sketches], 1))


@dataclass(frozen=True)
class Tilt:
    """Tilts of F columns at T targets each.

    Attributes
    ----------
    xi : ndarray of shape (F, T)
        Multipliers per standard deviation; ±inf for a target at the column's extreme.
    log_norm : ndarray of shape (F, T)
        log Z, so that a row's weight is v e^{ξz - log Z}, summing to 1 over the rows with a value; at an extreme
        the log of the weight of the rows there.
    error : ndarray of shape (F, T)
        Bound of the relative error of the sums, 0 where exact.
    """

    xi: Array
    log_norm: Array
    error: Array


def solve(columns: Stack, targets: Array, extreme: NDArray[np.int8]) -> Tilt:
    """Find the tilts that meet the targets [EVP Thm 2.3].

    Parameters
    ----------
    columns : Stack
    targets : ndarray of shape (F, T)
        Means, in standard deviations from the unstressed one, inside the columns' ranges.
    extreme : int8 ndarray of shape (F, T)
        -1 or 1 where the target is the column's minimum or maximum, 0 inside.

    Notes
    -----
    Newton's method on the dual, kept inside a bracket: the tilted mean grows with ξ, so a step that leaves the
    bracket is replaced by its middle. It ends when every mean is met to 1e-12 standard deviations, or when the
    bracket cannot be divided any more. Tilts so steep that no bin's series converges end at the edge of where one
    might, with an error bound that says so.
    """
    active = extreme == 0
    narrowest = np.where(columns.half_widths > 0, columns.half_widths, np.inf).min(1)[:, None]
    steepest = np.where(np.isfinite(narrowest), STEEPEST / narrowest, np.inf)
    xi = np.where(active, np.clip(targets, -steepest, steepest), 0.0)
    below = np.full(xi.shape, -np.inf)
    above = np.full(xi.shape, np.inf)
    raw = _raw_moments(columns)
    log_norm, mean, variance = _tilted_moments(columns, raw, xi)
    for _ in range(MAX_STEPS):
        miss = np.where(active, mean - targets, 0.0)
        open_ = np.abs(miss) > TOLERANCE * np.maximum(1.0, np.abs(targets))
        if not open_.any():
            break
        below = np.where(miss < 0, xi, below)
        above = np.where(miss > 0, xi, above)
        step = miss / np.maximum(variance, 1e-300)
        reach = 4 * (1 + np.abs(xi))
        following = xi - np.clip(step, -reach, reach)
        outside = (following <= below) | (following >= above)
        enclosed = np.isfinite(below) & np.isfinite(above)
        middle = np.where(enclosed, below, 0.0) / 2 + np.where(enclosed, above, 0.0) / 2
        following = np.where(outside & enclosed, middle, following)
        following = np.clip(following, -steepest, steepest)
        moving = open_ & (following != xi)
        if not moving.any():
            break
        xi = np.where(moving, following, xi)
        log_norm, mean, variance = _tilted_moments(columns, raw, xi)
    error = _error(columns, xi, log_norm)
    if not active.all():
        at = _extremes(columns, extreme < 0)
        mass = np.where(columns.centres[:, None, :] == at[..., None], columns.mass[:, None], 0.0).sum(2)
        log_norm = np.where(active, log_norm, np.log(np.where(mass > 0, mass, 1.0)))
        xi = np.where(active, xi, np.where(extreme < 0, -np.inf, np.inf))
        binned = columns.half_widths.max(1)[:, None] > 0
        error = np.where(active, error, np.where(binned, np.inf, 0.0))
    return Tilt(xi, log_norm, error)


def tilted_sums(columns: Stack, tilt: Tilt, targets: Array, n_degrees: Sequence[int]) -> list[Array]:
    """Return Σ w^power (z - target)^k g for k < n_degrees[power - 1], one array (F, T, n_degrees, Q) a power.

    The weights w sum to 1 over all rows; rows without a value enter k = 0 alone. For k ≥ 1 the rows of a bin
    stand at its centroid. Where a power needs k = 0 only, so does it the sum over rows: Q = 1.
    """
    weight = np.exp(_log_weights(columns, tilt)) * columns.observed[:, None, None]
    distance = columns.centroids[:, None, :] - targets[..., None]
    xi = np.where(np.isfinite(tilt.xi), tilt.xi, 0.0)
    n_bins, orders = columns.moments.shape[2:4]
    kernels = np.empty((*targets.shape, max(n_degrees), n_bins))
    tilted, out = weight.copy(), list[Array]()
    for power, n in enumerate(n_degrees, 1):
        moments, rest = columns.layer(power)
        if n == 1:
            moments, rest = moments[..., :1], rest[..., :1]
        if power > 1:
            tilted *= weight
        kernels[:, :, 0] = tilted
        for k in range(1, n):
            np.multiply(kernels[:, :, k - 1], distance, out=kernels[:, :, k])
        by_order = _over_bins(kernels[:, :, :n], moments)
        sums: Array = np.einsum("ftm,ftnmq->ftnq", _factors(power * xi, orders), by_order)
        sums[:, :, 0] += (rest / columns.total[:, None] ** power)[:, None, :]
        out.append(sums)
    return out


def _over_bins(kernels: Array, moments: Array) -> Array:
    """Return Σ_b kernel_b M_b of shape (F, T, n, orders, Q), from (F, T, n, B) and (F, B, orders, Q)."""
    f, t, n, n_bins = kernels.shape
    summed = np.matmul(kernels.reshape(f, t * n, n_bins), moments.reshape(f, n_bins, -1))
    return summed.reshape(f, t, n, *moments.shape[2:])


def divergence(columns: Stack, tilt: Tilt, targets: Array) -> tuple[Array, Array, NDArray[np.intp]]:
    """Return KL (nats), total variation, and the bin in which the weights cross the unstressed ones.

    KL(Q_t ‖ Q_n) = ξt - log Z. Total variation sums max(w - w₀, 0) over the bins on one side of where the weights
    cross w₀. The rows of the bin where they do are left to the caller; -1 stands for none, as with distinct
    values, where nothing is left over. Each of shape (F, T).
    """
    mass = columns.mass
    base = mass / mass.sum(1, keepdims=True)
    log_mass = np.log(mass.sum(1))[:, None]
    interior = np.isfinite(tilt.xi)
    xi = np.where(interior, tilt.xi, 0.0)
    kl = np.where(interior, xi * targets, 0.0) + log_mass - tilt.log_norm
    inside = np.matmul(_factors(xi, columns.ones.shape[2]), columns.ones.transpose(0, 2, 1))
    gain: Array = np.exp(_log_weights(columns, tilt)) * inside - base[:, None, :]
    crossing = (tilt.log_norm - log_mass) / np.where(xi == 0, 1.0, xi)
    offset = crossing[..., None] - columns.centres[:, None, :]
    split = (np.abs(offset) <= columns.half_widths[:, None, :] * (1 + 1e-9)) & (interior & (xi != 0))[..., None]
    split &= columns.half_widths[:, None, :] > 0
    tv = np.where(split, 0.0, gain.clip(min=0.0)).sum(2)
    observed = columns.observed[:, None]
    place = np.where(split.any(2), split.argmax(2), -1)
    return observed * np.maximum(kl, 0.0), observed * np.minimum(tv, 1.0), place


def _raw_moments(columns: Stack) -> Array:
    """Return Σ x^j (x - c_b)^m over the rows of a bin for j = 0, 1, 2, of shape (F, B, 3, orders)."""
    ones, c = columns.ones, columns.centres[:, :, None]
    out = np.empty((*ones.shape[:2], 3, ones.shape[2]))
    out[:, :, 0] = ones
    for j in (1, 2):
        out[:, :, j] = c * out[:, :, j - 1]
        out[:, :, j, :-1] += out[:, :, j - 1, 1:]
    return out


def _tilted_moments(columns: Stack, raw: Array, xi: Array) -> tuple[Array, Array, Array]:
    """Return log Z, mean and variance of the columns tilted by xi, each of shape (F, T)."""
    c = columns.centres
    shift = np.maximum(xi * c[:, :1], xi * c[:, -1:])
    logs: Array = xi[..., None] * c[:, None, :]
    logs -= shift[..., None]
    by_order = _over_bins(np.exp(logs, out=logs)[:, :, None], raw)[:, :, 0]
    norm, first, second = np.moveaxis(np.matmul(by_order, _factors(xi, raw.shape[3])[..., None])[..., 0], 2, 0)
    norm = np.maximum(norm, 1e-300)
    mean = first / norm
    return shift + np.log(norm), mean, np.maximum(second / norm - mean**2, 0.0)


def _log_weights(columns: Stack, tilt: Tilt) -> Array:
    """Return log(e^{ξc - log Z}) of shape (F, T, B); -inf off the extreme where the target is one."""
    interior = np.isfinite(tilt.xi)
    logs = np.where(interior, tilt.xi, 0.0)[..., None] * columns.centres[:, None, :] - tilt.log_norm[..., None]
    if interior.all():
        return logs
    at = _extremes(columns, tilt.xi < 0)
    off = ~interior[..., None] & (columns.centres[:, None, :] != at[..., None])
    return np.where(off, -np.inf, logs)


def _extremes(columns: Stack, lowest: NDArray[np.bool_]) -> Array:
    """Return each column's smallest centre where `lowest`, of shape (F, T), its largest elsewhere."""
    low: Array = columns.centres.min(1)[:, None]
    high: Array = columns.centres.max(1)[:, None]
    return np.where(lowest, low, high)


def _factors(xi: Array, orders: int) -> Array:
    """Return ξ^m / m! for m < orders, of shape (..., orders)."""
    out = np.ones((*xi.shape, orders))
    for m in range(1, orders):
        np.multiply(out[..., m - 1], xi / m, out=out[..., m])
    return out


def _error(columns: Stack, xi: Array, log_norm: Array) -> Array:
    """Bound the relative error of the tilted sums, see `sketch`."""
    order = columns.ones.shape[2]
    reach = np.minimum(np.abs(xi)[..., None] * columns.half_widths[:, None, :], 50.0)
    log_share = xi[..., None] * columns.centres[:, None, :] - log_norm[..., None]
    share = np.exp(np.minimum(log_share + reach, 700.0)) * columns.mass[:, None]
    return np.sum(share * reach**order * np.exp(reach), 2) / factorial(order)
