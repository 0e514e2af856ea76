"""Metrics and their errors under tilts of a pair of columns, from the sums that its bins hold."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.estimates import Estimate, count_support, linearise, share_of_targets, unstressed_inflation
from tauscope.stress.joint.estimates import OPEN
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.pair.pairs import Pairs
from tauscope.stress.pair.tilt import over_bins, sum_in_bins

Array = NDArray[np.float64]

FLAT = 1e-10
"""Share of the largest variance of φ below which a direction is one the weights have left."""


def pair_estimates(
    pairs: Pairs,
    metrics: Sequence[SummedMetric],
    targets: Array,
    xi: Array,
    weight: Array,
    target_covariance: Array,
    unstressed: NDArray[np.bool_],
) -> list[Estimate]:
    """Estimate metrics under tilts that give φ its target means.

    Parameters
    ----------
    pairs : Pairs
    metrics : sequence of SummedMetric
    targets : ndarray of shape (C, d)
    xi : ndarray of shape (C, d)
    weight : ndarray of shape (C, n_bins)
        Weight of a row, per sample weight, at the bins' centres.
    target_covariance : ndarray of shape (C, d, d)
        Of the targets; see `tauscope.stress.joint.estimates.joint_estimates`.
    unstressed : ndarray of bool of shape (C,)
        Where both columns keep their present means.

    Returns
    -------
    list of Estimate
        One for each metric, of shape (C,).

    Notes
    -----
    `tauscope.stress.joint.estimates.joint_estimates` with bins in place of rows: the regression of a metric's
    influence on φ, its residuals taken larger by their leverage. Only the leverage is that of the bins' mean rows.
    """
    distance = pairs.phi[None] - targets[:, None, :]
    weighted = _TiltedSums(pairs, xi, 1, weight, distance)
    sums = weighted.sums()
    whiten = np.where(unstressed[:, None, None], 0.0, _whitener(weighted.second()))
    cross = weighted.cross()
    centred = pairs.centroids[None] - targets[:, None, :]
    leverage: Array = 1 + np.sum(np.einsum("cbj,cjk->cbk", centred, whiten) ** 2, axis=2)
    # λ² and λ³ are tilts by 2ξ and 3ξ, so that the same moments serve, with another power of the sample weight
    squared = _TiltedSums(pairs, xi, 2, weight**2, distance)
    levered = _TiltedSums(pairs, xi, 3, weight**3 * leverage, distance)
    sum_w2 = over_bins(weight**2, sum_in_bins(pairs, xi, 2, slice(0, 1), fine=True))[:, 0]
    sum_w4 = over_bins(weight**4, sum_in_bins(pairs, xi, 4, slice(0, 1)))[:, 0]
    df, ess = np.maximum(sum_w2**2 / sum_w4, 1.0), 1 / sum_w2
    second_sums = squared.sums()
    out: list[Estimate] = []
    for metric in metrics:
        columns = list(metric.columns)
        value, gradient, unbounded = linearise(metric, sums[:, columns])
        along = np.einsum("cjq,cq->cj", cross[:, :, columns], gradient)
        slope = np.einsum("cjk,clk,cl->cj", whiten, whiten, along)
        variance = np.maximum(squared.residual(metric, gradient, slope), 0.0)
        levered_variance = levered.residual(metric, gradient, slope)
        # below 1, as where one row holds nearly all weight the residual divided by 1 - h would change its sign
        mean_leverage = np.clip(levered_variance / np.where(variance > 0, variance, 1.0), 0.0, 0.9)
        variance = np.where(
            unstressed, variance * unstressed_inflation(metric.is_rate, ess), variance / (1 - mean_leverage) ** 2
        )
        of_targets = np.einsum("cj,cjk,ck->c", slope, target_covariance, slope)
        variance = variance + of_targets
        total = np.einsum("cq,cq->c", metric.square(gradient), second_sums[:, list(metric.squares)])
        determined = (variance <= OPEN * total) & (total > 0) & (ess > targets.shape[1] + 1)
        error = np.where(unbounded, np.inf, np.sqrt(np.where(determined, 0.0, variance)) * metric.unit)
        support = count_support(metric, value, sums, second_sums, ess)
        out.append(Estimate(value, error, df, ess, *support, determined, share_of_targets(of_targets, variance)))
    return out


class _TiltedSums:
    """Sums over the rows under a kernel of the bins times a power of the tilt within them."""

    def __init__(self, pairs: Pairs, xi: Array, power: int, kernel: Array, distance: Array) -> None:
        self.kernel, self.distance = kernel, distance
        all_sums = slice(None)
        self.series = sum_in_bins(pairs, xi, power, all_sums, fine=power == 1)
        self.shifted: list[Array] = []
        self.ones: dict[tuple[int, int], Array] = {}
        if not pairs.exact:
            self.shifted = [sum_in_bins(pairs, xi, power, all_sums, *step) for step in ((1, 0), (0, 1))]
            for j, k, step in ((0, 0, (2, 0)), (0, 1, (1, 1)), (1, 1, (0, 2))):
                self.ones[j, k] = over_bins(kernel, sum_in_bins(pairs, xi, power, slice(0, 1), *step))[:, 0]

    def sums(self) -> Array:
        """Σ g, shape (C, n_sums)."""
        return over_bins(self.kernel, self.series)

    def cross(self) -> Array:
        """Σ (φ - t) g, shape (C, d, n_sums)."""
        d = self.distance.shape[2]
        out = np.stack([over_bins(self.kernel * self.distance[..., j], self.series) for j in range(d)], axis=1)
        for j, shifted in enumerate(self.shifted):
            out[:, j] += over_bins(self.kernel, shifted)
        return out

    def second(self) -> Array:
        """Σ (φ - t)(φ - t)ᵀ, shape (C, d, d)."""
        mass = self.kernel * self.series[..., 0]
        out = np.matmul((mass[..., None] * self.distance).transpose(0, 2, 1), self.distance)
        for j, shifted in enumerate(self.shifted):
            cross_term = np.einsum("cb,cbk->ck", self.kernel * shifted[..., 0], self.distance)
            out[:, j, :] += cross_term
            out[:, :, j] += cross_term
        for (j, k), within in self.ones.items():
            out[:, j, k] += within
            if j != k:
                out[:, k, j] += within
        return out

    def residual(self, metric: SummedMetric, gradient: Array, slope: Array) -> Array:
        """Σ (g - slope · (φ - t))² with g the metric's influence, shape (C,)."""
        columns, squares = _columns(metric.columns), _columns(metric.squares)
        fitted = np.einsum("cbj,cj->cb", self.distance, slope)
        weighted_fit = self.kernel * fitted
        quadratic = over_bins(self.kernel, self.series[..., squares])
        linear = over_bins(weighted_fit, self.series[..., columns])
        square = over_bins(weighted_fit * fitted, self.series[..., :1])[:, 0]
        for j, shifted in enumerate(self.shifted):
            linear += slope[:, j : j + 1] * over_bins(self.kernel, shifted[..., columns])
            square += 2 * slope[:, j] * over_bins(weighted_fit, shifted[..., :1])[:, 0]
        for (j, k), within in self.ones.items():
            square += (1 if j == k else 2) * slope[:, j] * slope[:, k] * within
        return (
            np.einsum("cq,cq->c", metric.square(gradient), quadratic)
            - 2 * np.einsum("cq,cq->c", gradient, linear)
            + square
        )


def _columns(chosen: tuple[int, ...]) -> slice | list[int]:
    """Return neighbouring columns as a slice, which copies nothing."""
    first, n = chosen[0], len(chosen)
    return slice(first, first + n) if chosen == tuple(range(first, first + n)) else list(chosen)


def _whitener(second: Array) -> Array:
    """Return W with W Wᵀ the inverse of each matrix, on the directions that have any variance left."""
    scale = np.sqrt(np.maximum(np.einsum("cjj->cj", second), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    values, vectors = np.linalg.eigh(second / (scale[:, :, None] * scale[:, None, :]))
    positive = values > FLAT * np.maximum(values[:, -1:], 0.0)
    root = np.where(positive, 1 / np.sqrt(np.where(positive, values, 1.0)), 0.0)
    return vectors * root[:, None, :] / scale[:, :, None]
