"""How heavy the largest weights are: the Pareto k̂ that tells when an estimate stops being one."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GROUP = 8
HANDFUL = 5
"""Fewer values than this make no tail to fit."""
STANDS_OUT = 0.05
"""Share of all weight above which a handful of rows decides the answer."""
TIED = 1e-12
SMALLEST = 1e-30
"""Excesses below this share of the largest count as so small: eight factors 1 - θx then stay finite."""


def tail_size(n_rows: int) -> int:
    """Return the number of largest weights that the fit looks at: min(n/5, 3√n)."""
    return int(np.ceil(min(0.2 * n_rows, 3 * np.sqrt(n_rows))))


def pareto_k(log_excess: Array, cut: Array | float) -> Array:
    """Fit the generalised Pareto shape to the largest weights.

    Parameters
    ----------
    log_excess : ndarray of shape (..., m)
        Ascending log λ_i - log λ_cut ≥ 0 of the m largest weights over the next smaller one.
    cut : ndarray of shape (...) or float
        That next smaller weight, as a share of all weight.

    Returns
    -------
    ndarray of shape (...)
        k̂, shrunk towards 1/2 by ten pseudo-observations. 0 where the largest weights are all equal: bounded
        weights have no tail to fear. Where fewer than five stand out from the rest there is nothing to fit: ∞ if
        they hold more than 5 % of all weight, 0 if not.

    Notes
    -----
    Above 1/2 the weights' variance is infinite in the population and an interval means little; above 0.7 the
    estimate itself does not settle. Zhang and Stephens' profile posterior mean over a grid of θ, in which
    mean log(1 - θx) is taken of products of eight factors, one matrix product: one logarithm in place of eight.

    References
    ----------
    Vehtari, Simpson, Gelman, Yao, Gabry, "Pareto smoothed importance sampling", 2024, §2-3 and appendix C.
    Zhang, Stephens, "A new and efficient estimation method for the generalized Pareto distribution", 2009.
    """
    shape, m = log_excess.shape[:-1], log_excess.shape[-1]
    if m == 0:
        return np.zeros(shape)
    logs, at_cut = log_excess.reshape(-1, m), np.broadcast_to(cut, shape).reshape(-1)
    out = np.zeros(len(logs))
    ordinary = logs[:, _quarter(m)] > TIED if m >= HANDFUL else np.zeros(len(logs), bool)
    if ordinary.any():
        out[ordinary] = _zhang_stephens(logs[ordinary])
    for i in np.flatnonzero(~ordinary & (logs[:, -1] > TIED)):  # many tie with the cut: fit those that exceed it
        over = logs[i][logs[i] > TIED]
        if len(over) >= HANDFUL:
            out[i] = _zhang_stephens(over[None, :])[0]
        elif np.exp(np.minimum(over, 700.0)).sum() * at_cut[i] > STANDS_OUT:
            out[i] = np.inf
    return out.reshape(shape)


def _quarter(m: int) -> int:
    """Return the place of the first quartile among m ascending excesses."""
    return max(int(m / 4 + 0.5) - 1, 0)


def _zhang_stephens(logs: Array) -> Array:
    """Return k̂ for each row of ascending positive log excesses."""
    m = logs.shape[1]
    largest = logs[:, -1:]
    # excesses over the largest one; e^l - 1 loses no digits that matter here unless all are tiny
    excess = np.exp(logs - largest) - np.exp(-largest) if largest.min() > 1e-6 else np.expm1(logs)
    scaled = excess / excess[:, -1:]
    scaled = np.maximum(scaled, SMALLEST)
    n_grid = 30 + int(np.sqrt(m))
    steps = 1 - np.sqrt(n_grid / (np.arange(1, n_grid + 1) - 0.5))
    quarter = scaled[:, _quarter(m)]
    theta = 1 + steps / (3 * quarter[:, None])
    theta = np.where(theta == 0, 1e-8, theta)  # reached when all excesses agree; -θ/k has a limit there
    symmetric = _symmetric(scaled)
    k = _mean_log(theta, symmetric, m)
    profile = m * (np.log(-theta / k) - k - 1)
    weight = np.exp(profile - profile.max(1, keepdims=True))
    best = np.sum(theta * weight, 1) / weight.sum(1)
    shape = _mean_log(best[:, None], symmetric, m)[:, 0]
    return (m * shape + 5.0) / (m + 10.0)


def _mean_log(theta: Array, symmetric: tuple[Array, Array], m: int) -> Array:
    """Return the mean of log(1 - θx) over m values, for θ < 1 of shape (r, g).

    Products of eight factors are sums of positive terms either way: Π (1 - θx) = Σ |θ|^k e_k(x) for θ < 0, and
    Σ θ^k (1-θ)^(8-k) e_k(1-x) for θ ≥ 0, e_k the elementary symmetric polynomials of the eight values.
    """
    of_x, of_rest = symmetric
    out = np.zeros_like(theta)
    negative = theta < 0
    some, every = negative.any(0), negative.all(0)
    if some.any():
        out[:, some] = _log_sum(_powers(np.where(negative, -theta, 0.0)[:, some]), of_x)
    if not every.all():
        rest = np.where(negative, 0.0, theta)[:, ~every]
        log_rest = _log_sum(_powers(rest) * _powers(1 - rest)[..., ::-1], of_rest)
        out[:, ~every] = np.where(negative[:, ~every], out[:, ~every], log_rest)
    return out / m


def _log_sum(powers: Array, coefficients: Array) -> Array:
    """Return Σ log over the groups' polynomials, of shape (r, g), in blocks that stay in the cache."""
    out = np.empty(powers.shape[:2])
    block = max(1, 65536 // (powers.shape[1] * coefficients.shape[2]))
    for start in range(0, len(out), block):
        rows = slice(start, start + block)
        products: Array = np.matmul(powers[rows], coefficients[rows])
        out[rows] = np.log(products, out=products).sum(2)
    return out


def _powers(base: Array) -> Array:
    """Return base^k for k = 0 … 8, of shape (..., 9)."""
    out = np.ones((*base.shape, GROUP + 1))
    for k in range(1, GROUP + 1):
        np.multiply(out[..., k - 1], base, out=out[..., k])
    return out


def _symmetric(x: Array) -> tuple[Array, Array]:
    """Return e_k(x) and e_k(1 - x) over groups of eight values, each of shape (r, 9, n_groups)."""
    r, m = x.shape
    padded = np.concatenate([np.zeros((r, -m % GROUP)), x], 1).reshape(r, GROUP, -1)
    return _elementary(padded), _elementary(1 - padded)


def _elementary(x: Array) -> Array:
    out = np.zeros((GROUP + 1, x.shape[0], x.shape[2]))
    out[0] = 1.0
    for i in range(GROUP):
        out[1 : i + 2] += x[:, i] * out[: i + 1]
    return out.transpose(1, 0, 2)
