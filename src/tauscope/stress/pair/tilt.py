"""Tilts of a pair of columns, many at once: the multipliers that meet two means, and the sums under them."""

from dataclasses import dataclass, replace
from math import factorial

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.pair.pairs import DEGREE, Pairs

Array = NDArray[np.float64]

AIM = 1e-12
"""Residual that leaves nothing to gain, standard deviations."""
TOLERANCE = 1e-10
"""Largest residual that counts as solved."""
MAX_STEPS, MORE = 60, 8
"""Steps, and times as many where a few values dwarf a column: their weight falls by a factor of e at a time."""
MIN_STEP = 1e-7
GAP = 1e-9
STEEPEST = 4.0
"""Largest |ξ| times half of the narrowest bin that is tried."""
FEWER = 5
"""Degree of the series for what only intervals are made of."""


@dataclass(frozen=True)
class PairTilt:
    """Tilts at C targets.

    Attributes
    ----------
    xi : ndarray of shape (C, d)
        Multipliers of `Pairs.phi`.
    log_norm : ndarray of shape (C,)
        log Z: a row's weight is v e^{ξ·φ - log Z}, summing to 1.
    error : ndarray of shape (C,)
        Bound of the relative error of the sums, 0 where exact.
    met : ndarray of shape (C,), bool
        Whether every mean is met.
    separated : ndarray of shape (C,), bool
        Whether the multipliers separate the target from every row: no weights meet it.
    """

    xi: Array
    log_norm: Array
    error: Array
    met: NDArray[np.bool_]
    separated: NDArray[np.bool_]


@dataclass(frozen=True)
class _Point:
    value: Array
    gradient: Array
    hessian: Array
    highest: Array


def solve_pairs(pairs: Pairs, targets: Array) -> PairTilt:
    """Minimise the dual log Z(ξ) - ξ·t at every target, by damped Newton steps taken together.

    Parameters
    ----------
    pairs : Pairs
    targets : ndarray of shape (C, d)
        From `Pairs.targets`.
    """
    xi = np.zeros_like(targets)
    unit = np.ones_like(targets) if pairs.near is None else np.maximum(pairs.near, np.abs(targets))
    narrowest = [float(h[h > 0].min()) if (h > 0).any() else np.inf for h in pairs.half_widths.T]
    bound = np.full(targets.shape[1], np.inf)
    bound[:2] = [STEEPEST / h if np.isfinite(h) else np.inf for h in narrowest]
    current = _evaluate(pairs, xi, targets)
    direction, step = _newton_direction(xi, current, pairs.near), np.ones(len(xi))
    active = np.abs(current.gradient / unit).max(1) > AIM
    separated = np.zeros(len(xi), bool)
    for _ in range(MAX_STEPS if pairs.near is None else MORE * MAX_STEPS):
        rows = np.flatnonzero(active)
        if not len(rows):
            break
        candidate = np.clip(xi[rows] + step[rows, None] * direction[rows], -bound, bound)
        trial = _evaluate(pairs, candidate, targets[rows])
        slope = _dot(current.gradient[rows], candidate - xi[rows])
        noise = 1e-13 * (1 + np.abs(current.highest[rows]))
        residual = np.abs(trial.gradient / unit[rows]).max(1)
        previous_residual = np.abs(current.gradient[rows] / unit[rows]).max(1)
        better: NDArray[np.bool_] = np.where(
            -slope > noise, trial.value <= current.value[rows] + 1e-4 * slope, residual < previous_residual
        )
        # the bound of a bin, not its rows, lies below the target's plane: proof that every row does
        newly_separated = trial.highest < -GAP * (1e-300 + (np.abs(candidate) * unit[rows]).sum(1))
        separated[rows] |= newly_separated
        accepted = rows[better | newly_separated]
        xi[accepted] = candidate[better | newly_separated]
        for old, new in zip(
            (current.value, current.gradient, current.hessian, current.highest),
            (trial.value, trial.gradient, trial.hessian, trial.highest),
            strict=True,
        ):
            old[accepted] = new[better | newly_separated]
        step[rows] *= 0.3
        step[accepted] = 1.0
        direction[accepted] = _newton_direction(
            xi[accepted], _Point(*(each[accepted] for each in _fields(current))), pairs.near
        )
        active[rows] = (
            (np.abs(current.gradient[rows] / unit[rows]).max(1) > AIM) & ~separated[rows] & (step[rows] > MIN_STEP)
        )
    size = np.maximum(1.0, np.abs(targets).max(1)) if pairs.near is None else 1.0
    met = np.abs(current.gradient / unit).max(1) <= TOLERANCE * size
    log_norm = current.value + _dot(xi, targets)
    return PairTilt(xi, log_norm, _bound_error(pairs, xi, log_norm), met & ~separated, separated)


def bin_weights(pairs: Pairs, tilt: PairTilt, cells: slice) -> Array:
    """Return e^{ξ·c - log Z} at the bins' centres, shape (n_cells, n_bins)."""
    logs = tilt.xi[cells] @ pairs.phi.T
    logs -= tilt.log_norm[cells, None]
    return np.exp(logs, out=logs)


def sum_in_bins(
    pairs: Pairs, xi: Array, power: int, sums: slice, da: int = 0, db: int = 0, *, fine: bool = False
) -> Array:
    """Return Σ v^p (u - c)^(da, db) e^{pξ·(φ - c)} g over each bin's rows, for some of the sums.

    A fine series takes all moments, what only intervals are made of fewer.

    Returns
    -------
    ndarray of shape (C, n_bins, n)
        Shape (1, …) where bins are exact.
    """
    moments = pairs.layer(power)
    if pairs.exact:
        return moments[:, :, sums]
    selected = pairs.degrees.sum(1) <= (DEGREE if fine else FEWER)
    selected_moments = np.ascontiguousarray(moments[selected][:, :, sums])
    factors = _series_factors(pairs, power * xi, da, db)[:, selected]
    return (factors @ selected_moments.reshape(len(selected_moments), -1)).reshape(len(xi), *selected_moments.shape[1:])


def over_bins(kernel: Array, series: Array) -> Array:
    """Return Σ_bins kernel · series, shape (C, n_sums), for a series from `sum_in_bins`."""
    if len(series) == 1:
        return kernel @ series[0]
    return np.matmul(kernel[:, None, :], series)[:, 0, :]


def heights(pairs: Pairs, xi: Array) -> tuple[Array, Array]:
    """Return the lowest and highest ξ·φ that a row of each bin can have, for one ξ of shape (d,)."""
    centre = pairs.phi @ xi
    half_range = pairs.half_widths @ np.abs(xi[:2])
    return centre - half_range, centre + half_range


def _series_factors(pairs: Pairs, xi: Array, da: int, db: int) -> Array:
    """Return ξ_1^k ξ_2^l / (k! l!), shape (C, n_moments), differentiated da and db times."""
    first, second = pairs.degrees.T
    top = int(pairs.degrees.max(initial=0))
    power_of = [np.ones((len(xi), top + 1)) for _ in (0, 1)]
    for j in (0, 1):
        for power in range(1, top + 1):
            power_of[j][:, power] = power_of[j][:, power - 1] * xi[:, j] / power
    first, second = first - da, second - db
    defined = (first >= 0) & (second >= 0)
    out = np.zeros((len(xi), len(first)))
    out[:, defined] = power_of[0][:, first[defined]] * power_of[1][:, second[defined]]
    return out


def _fields(point: _Point) -> tuple[Array, Array, Array, Array]:
    return point.value, point.gradient, point.hessian, point.highest


def _evaluate(pairs: Pairs, xi: Array, targets: Array) -> _Point:
    block = max(1, 2_000_000 // len(pairs.phi))
    points = [
        _fields(_evaluate_block(pairs, xi[start : start + block], targets[start : start + block]))
        for start in range(0, max(len(xi), 1), block)
    ]
    return _Point(*(np.concatenate(each) for each in zip(*points, strict=True)))


def _evaluate_block(pairs: Pairs, xi: Array, targets: Array) -> _Point:
    phi, ones = pairs.phi, pairs.moments[0, :, :, 0]
    d = phi.shape[1]
    logs = xi @ phi.T
    along = _dot(xi, targets)
    half_range = np.abs(xi[:, :2]) @ pairs.half_widths.T
    highest = (logs + half_range).max(1) - along
    shift = logs.max(1)
    weight = np.exp(logs - shift[:, None], out=logs)
    # far from the solution a truncated series may fall below 0, where no sum of weights can be
    mass = weight * (ones[0] if pairs.exact else np.maximum(_series_factors(pairs, xi, 0, 0) @ ones, 0.0))
    norm = np.maximum(mass.sum(1), 1e-300)
    upper = np.triu_indices(d)
    first = mass @ phi
    products = mass @ (phi[:, upper[0]] * phi[:, upper[1]])
    second = np.empty((len(xi), d, d))
    second[:, upper[0], upper[1]] = products
    second[:, upper[1], upper[0]] = products
    if not pairs.exact:
        offsets = [weight * (_series_factors(pairs, xi, da, db) @ ones) for da, db in ((1, 0), (0, 1))]
        for j, offset in enumerate(offsets):
            first[:, j] += offset.sum(1)
            along_phi = offset @ phi
            second[:, j, :] += along_phi
            second[:, :, j] += along_phi
        for j, i, da, db in ((0, 0, 2, 0), (0, 1, 1, 1), (1, 1, 0, 2)):
            second_moment = (weight * (_series_factors(pairs, xi, da, db) @ ones)).sum(1)
            second[:, j, i] += second_moment
            if i != j:
                second[:, i, j] += second_moment
    mean = first / norm[:, None]
    hessian = second / norm[:, None, None] - mean[:, :, None] * mean[:, None, :]
    value = shift + np.log(norm) - along
    return _Point(value, mean - targets, hessian, highest)


def _newton_direction(xi: Array, point: _Point, near: Array | None) -> Array:
    """Newton's direction, its length bounded where the weights have collapsed onto a few rows."""
    if near is not None:  # a ridge for all axes would hold the one still along which most rows are next to each other
        near_point = replace(point, gradient=point.gradient / near, hessian=point.hessian / np.outer(near, near))
        return _newton_direction(xi * near, near_point, None) / near
    trace: Array = np.einsum("cjj->c", point.hessian)
    # weights collapsed onto one bin leave a Hessian of zeros: the ridge keeps it invertible, and the step is bounded
    ridge = np.maximum(1e-13 * trace, 1e-280)
    regular = point.hessian + ridge[:, None, None] * np.eye(xi.shape[1])
    try:
        solved = np.linalg.solve(regular, point.gradient[..., None])[..., 0]
        direction = -solved.astype(np.float64)
    except np.linalg.LinAlgError:
        direction = -point.gradient / np.maximum(trace, 1e-12)[:, None]
    uphill = _dot(direction, point.gradient) >= 0
    direction[uphill] = -point.gradient[uphill] / np.maximum(trace[uphill], 1e-12)[:, None]
    length = np.abs(direction).sum(1)
    max_length = 10 * (1 + np.abs(xi).sum(1))
    return direction * np.minimum(1.0, max_length / np.maximum(length, 1e-300))[:, None]


def _dot(a: Array, b: Array) -> Array:
    return np.einsum("cj,cj->c", a, b)


def _bound_error(pairs: Pairs, xi: Array, log_norm: Array) -> Array:
    """Bound the relative error of the sums, see `tauscope.stress.pair.pairs`."""
    if pairs.exact:
        return np.zeros(len(xi))
    order = int(pairs.degrees.sum(1).max()) + 1
    out = np.empty(len(xi))
    for start in range(0, len(xi), 64):
        rows = slice(start, start + 64)
        half_range = np.minimum(np.abs(xi[rows, :2]) @ pairs.half_widths.T, 50.0)
        # a row weighs up to e^half_range times its bin's centre; both factors are capped before they overflow
        log_share = xi[rows] @ pairs.phi.T - log_norm[rows, None]
        share = np.exp(np.minimum(log_share + half_range, 700.0)) * pairs.moments[0, 0, :, 0]
        out[rows] = np.sum(share * half_range**order * np.exp(half_range), 1) / factorial(order)
    return out
