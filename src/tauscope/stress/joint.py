"""Indices under the weights of a joint projection, with what their intervals are made of."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.dual import blocks
from tauscope.stress.indices import Quantities, SummedIndex
from tauscope.stress.intervals import Estimate
from tauscope.stress.products import of_rows, over_rows

Array = NDArray[np.float64]

FLAT = 1e-10  # share of the largest variance of Φ below which a direction is one the weights have left


def joint_estimates(
    wanted: Quantities, indices: Sequence[SummedIndex], phi: Array, target: Array, weights: Array
) -> list[Estimate]:
    """Estimate indices under weights that give the columns of Φ their target means.

    Parameters
    ----------
    wanted : Quantities
    indices : sequence of SummedIndex
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    weights : ndarray of shape (n_rows,)
        Non-negative, on any scale; such that the mean of `phi` is `target`.

    Returns
    -------
    list of Estimate
        One for each index.

    Notes
    -----
    With the targets held, row i moves an index by w_i r_i, r_i = g_i - ⟨b, Φ_i - t⟩, where g is the index's own
    influence and b its regression on Φ under the weights. Residuals are taken larger by their leverage
    h_i = w_i (1 + (Φ_i - t)ᵀ Cov_λ(Φ)⁻¹ (Φ_i - t)), to first order: `tauscope.stress.intervals` with a vector Φ.
    """
    share = weights / weights.sum()
    sums, second, cross = _moments(wanted, phi, target, share)
    scale = np.sqrt(np.maximum(np.diag(second), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    values, vectors = np.linalg.eigh(second / np.outer(scale, scale))
    alive = values > FLAT * max(float(values[-1]), 0.0)
    whiten = vectors[:, alive] / np.sqrt(values[alive]) / scale[:, None]

    found = [index.evaluate(sums[list(index.columns)]) for index in indices]
    own = np.zeros((wanted.n_sums, len(indices)))
    for j, (index, (value, gradient)) in enumerate(zip(indices, found, strict=True)):
        own[list(index.columns), j] = 0.0 if np.isnan(value) else gradient
    slopes = whiten @ (whiten.T @ (cross.T @ own))

    plain, levered = np.zeros(len(indices)), np.zeros(len(indices))
    for rows, g, distance in _blocks(wanted, phi, target):
        squared = (of_rows(g, own) - of_rows(distance, slopes)) ** 2
        w = share[rows]
        plain += w**2 @ squared
        levered += (w**3 * (1 + np.sum(of_rows(distance, whiten) ** 2, axis=1))) @ squared
    leverage = np.clip(levered / np.where(plain > 0, plain, 1.0), 0.0, 0.9)
    error = np.sqrt(plain) / (1 - leverage)
    squares = float(share @ share)
    freedom, ess = np.array(max(squares**2 / float(np.sum(share**4)), 1.0)), np.array(1 / squares)
    return [
        Estimate(value, np.array(error[j] * index.unit), freedom, ess)
        for j, (index, (value, _)) in enumerate(zip(indices, found, strict=True))
    ]


def index_values(wanted: Quantities, indices: Sequence[SummedIndex], weights: Array) -> list[float]:
    """Return each index under some weights, NaN where it is not defined.

    Parameters
    ----------
    wanted : Quantities
    indices : sequence of SummedIndex
    weights : ndarray of shape (n_rows,)
        Non-negative, on any scale.
    """
    nothing = np.zeros((len(weights), 0))
    share = weights / weights.sum()
    sums = np.zeros(wanted.n_sums)
    for rows, g, _ in _blocks(wanted, nothing, np.zeros(0)):
        sums += share[rows] @ g
    return [float(index.evaluate(sums[list(index.columns)])[0]) for index in indices]


def _moments(wanted: Quantities, phi: Array, target: Array, share: Array) -> tuple[Array, Array, Array]:
    """Return Σ w g, Σ w (Φ-t)(Φ-t)ᵀ and Σ w g (Φ-t)ᵀ."""
    k = phi.shape[1]
    sums, second, cross = np.zeros(wanted.n_sums), np.zeros((k, k)), np.zeros((wanted.n_sums, k))
    for rows, g, distance in _blocks(wanted, phi, target):
        weighted = distance * share[rows, None]
        sums += share[rows] @ g
        second += over_rows(np.ascontiguousarray(weighted.T), np.ascontiguousarray(distance.T))
        cross += over_rows(np.ascontiguousarray(g.T), np.ascontiguousarray(weighted.T))
    return sums, second, cross


def _blocks(wanted: Quantities, phi: Array, target: Array) -> Iterator[tuple[slice, Array, Array]]:
    """Yield slices of rows with their quantities, shape (m, n_sums), and Φ - t, shape (m, k)."""
    for rows in blocks(phi.shape[0], phi.shape[1] + wanted.n_sums):
        m = rows.stop - rows.start
        g = np.zeros((m, wanted.n_sums))
        g[:, 0] = 1.0
        g[np.arange(m), 1 + wanted.cell[rows].astype(np.int64)] = 1.0
        for j, values in enumerate(wanted.reals(rows), 1 + wanted.n_cells):
            g[:, j] = values
        yield rows, g, np.subtract(phi[rows], target, order="C")
