"""How heavy the largest weights are: the Pareto k̂, a diagnostic of a finite sample of weights."""

import numpy as np
from numpy.typing import NDArray

from tauscope.weights.arrays import BufferPool

Array = NDArray[np.float64]

GROUP = 8
HANDFUL = 5
"""Fewer values than this make no tail to fit."""
STANDS_OUT = 0.05
"""Share of all weight, beyond what they had before, with which a handful of rows decides the answer."""
TIED = 1e-12
SMALLEST = 1e-30
"""Excesses below this share of the largest count as so small: eight factors 1 - θx then stay finite."""
IN_CACHE = 1 << 15
"""Coefficients of products handled at once."""


def tail_size(n_rows: int) -> int:
    """Return the number of largest weights that the fit looks at: min(n/5, 3√n)."""
    return int(np.ceil(min(0.2 * n_rows, 3 * np.sqrt(n_rows))))


def _most_rows(m: int) -> float:
    """Return the most rows that have a tail of m."""
    return max(5 * m, m**2 / 9)


def pareto_k(
    log_excess: Array, cut: Array | float, room: BufferPool | None = None, *, before: Array | float | None = None
) -> Array:
    """Fit the generalised Pareto shape to the largest weights.

    Parameters
    ----------
    log_excess : ndarray of shape (..., m)
        Ascending log λ_i - log λ_cut ≥ 0 of the m largest weights over the next smaller one.
    cut : ndarray of shape (...) or float
        That next smaller weight, as a share of all weight.
    room : BufferPool, optional
        Where large arrays go that are done with on return.
    before : ndarray of shape (...) or float, optional
        Share of all weight that one of the rows above the cut had before the weights were moved, on average; by default
        that of one of the most rows that have a tail of m, all alike.

    Returns
    -------
    ndarray of shape (...)
        k̂, shrunk towards 1/2 by ten pseudo-observations. 0 where the largest weights are all equal: bounded
        weights have no tail to fear. Where fewer than five stand out from the rest there is nothing to fit: ∞ if
        they hold 5 points more of all weight than before, 0 if not: four of 75 rows hold 5.3 % as they are.

    Notes
    -----
    Read as the shape of a Pareto tail, k̂ > 1/2 would be one without variance, and above 0.7 means of values converge
    too slowly to be of use at any sample that is at hand. Of these rows it says no more than that a few weights
    dominate so: tilts of a bounded or normal column have all their moments in the population, whatever k̂ is, and a
    sample that missed the tail shows a small k̂. Zhang and Stephens' profile posterior mean over a grid of θ = 1 - v,
    in which mean log(1 - θx) is taken of products of eight factors, one matrix product: one logarithm in place of
    eight.

    References
    ----------
    Vehtari, Simpson, Gelman, Yao, Gabry, "Pareto smoothed importance sampling", 2024, §2-3 and appendix C.
    Zhang, Stephens, "A new and efficient estimation method for the generalized Pareto distribution", 2009.
    """
    shape, m = log_excess.shape[:-1], log_excess.shape[-1]
    if m == 0:
        return np.zeros(shape)
    logs, at_cut = log_excess.reshape(-1, m), np.broadcast_to(cut, shape).reshape(-1)
    had = np.broadcast_to(1 / _most_rows(m) if before is None else before, shape).reshape(-1)
    room = room or BufferPool()
    out = np.zeros(len(logs))
    ordinary = logs[:, _quarter(m)] > TIED if m >= HANDFUL else np.zeros(len(logs), bool)
    if ordinary.any():
        out[ordinary] = _zhang_stephens(logs[ordinary], room)
    for i in np.flatnonzero(~ordinary & (logs[:, -1] > TIED)):  # many tie with the cut: fit those that exceed it
        over = logs[i][logs[i] > TIED]
        if len(over) >= HANDFUL:
            out[i] = _zhang_stephens(over[None, :], room)[0]
        elif np.exp(np.minimum(over, 700.0)).sum() * at_cut[i] - len(over) * had[i] > STANDS_OUT:
            out[i] = np.inf
    return out.reshape(shape)


def _quarter(m: int) -> int:
    """Return the place of the first quartile among m ascending excesses."""
    return max(int(m / 4 + 0.5) - 1, 0)


def _zhang_stephens(logs: Array, room: BufferPool) -> Array:
    """Return k̂ for each row of ascending positive log excesses."""
    out = np.empty(len(logs))
    block = max(1, IN_CACHE // (logs.shape[1] * (GROUP + 1) // GROUP))
    for start in range(0, len(logs), block):
        rows = slice(start, start + block)
        out[rows] = _profile_mean(logs[rows], room)
    return out


def _profile_mean(logs: Array, room: BufferPool) -> Array:
    m = logs.shape[1]
    largest = logs[:, -1:]
    excess = np.exp(logs - largest) - np.exp(-largest)  # over the largest one
    tiny = np.flatnonzero(largest[:, 0] <= 1e-6)  # where all are, the difference loses digits
    excess[tiny] = np.expm1(logs[tiny])
    scaled = np.maximum(excess / excess[:, -1:], SMALLEST)
    n_grid = 30 + int(np.sqrt(m))
    steps = np.sqrt(n_grid / (np.arange(1, n_grid + 1) - 0.5)) - 1
    unit = 1 / (3 * scaled[:, _quarter(m)])
    v = unit[:, None] * steps
    # θ = 1 - v = 0 makes k = 0 and the profile 0/0: 100 to 120 equal excesses put it on the grid
    v = np.where(v == 1, 1 - 1e-8, v)  # reached when all excesses agree; -θ/k has a limit there
    products = _products(scaled, room)
    k = _mean_log(v, products, m, room)
    profile = m * (np.log((v - 1) / k) - k - 1)
    weight = np.exp(profile - profile.max(1, keepdims=True))
    best = np.sum(v * weight, 1) / weight.sum(1)
    shape = _mean_log(best[:, None], products, m, room)[:, 0]
    return (m * shape + 5.0) / (m + 10.0)


def _mean_log(v: Array, products: Array, m: int, room: BufferPool) -> Array:
    """Return the mean of log(1 - x + xv) over m values, for v > 0 of shape (r, g), from their products by eights."""
    powers = room.empty("powers", (*v.shape, GROUP + 1))
    powers[..., 0] = 1.0
    for k in range(1, GROUP + 1):
        np.multiply(powers[..., k - 1], v, out=powers[..., k])
    logs = room.empty("logs", (*v.shape, products.shape[2]))
    np.matmul(powers, products.transpose(1, 0, 2), out=logs)
    np.log(logs, out=logs)
    return np.matmul(logs, np.full(logs.shape[2], 1 / m))


def _products(x: Array, room: BufferPool) -> Array:
    """Return the coefficients in v of Π (1 - x + xv) over groups of eight values, of shape (9, r, n_groups).

    All are positive, so that no digit is lost for any v > 0.
    """
    r, m = x.shape
    padded = np.concatenate([np.zeros((r, -m % GROUP)), x], 1).reshape(r, GROUP, -1).transpose(1, 0, 2)
    out, grown = (room.empty(name, (GROUP + 1, r, padded.shape[2])) for name in ("products", "grown"))
    out[0], out[1:] = 1.0, 0.0
    for i, each in enumerate(np.ascontiguousarray(padded)):
        np.multiply(out[: i + 1], each, out=grown[: i + 1])
        out[: i + 1] -= grown[: i + 1]
        out[1 : i + 2] += grown[: i + 1]
    return out
