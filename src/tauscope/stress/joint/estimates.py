"""Metrics under the weights of a joint projection, with what their intervals are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.intervals import Estimate, linearised
from tauscope.stress.joint.dual import blocks
from tauscope.stress.joint.products import of_rows, over_rows
from tauscope.stress.metrics import Quantities, SummedMetric

Array = NDArray[np.float64]

FLAT = 1e-10  # share of the largest variance of Φ below which a direction is one the weights have left


def joint_estimates(
    wanted: Quantities, metrics: Sequence[SummedMetric], phi: Array, target: Array, weights: Array
) -> list[Estimate]:
    """Estimate metrics under weights that give the columns of Φ their target means.

    Parameters
    ----------
    wanted : Quantities
    metrics : sequence of SummedMetric
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    weights : ndarray of shape (n_rows,)
        Non-negative, on any scale; such that the mean of `phi` is `target`.

    Returns
    -------
    list of Estimate
        One for each metric.

    Notes
    -----
    With the targets held, row i moves a metric by w_i r_i, r_i = g_i - ⟨b, Φ_i - t⟩, where g is the metric's own
    influence and b its regression on Φ under the weights. Residuals are taken larger by their leverage
    h_i = w_i (1 + (Φ_i - t)ᵀ Cov_λ(Φ)⁻¹ (Φ_i - t)), to first order: `tauscope.stress.intervals` with a vector Φ.
    """
    share = weights / weights.sum()
    about = joint_moments(wanted, phi, target, share)
    regression = Regression.of(metrics, about)
    return regression.estimates(residual_sums(wanted, phi, target, share, regression))


@dataclass(frozen=True)
class JointMoments:
    """Sums over rows of shares w of the weight, to be added over sets of rows.

    Attributes
    ----------
    sums : ndarray of shape (n_sums,)
        Σ w g.
    second : ndarray of shape (k, k)
        Σ w (Φ - t)(Φ - t)ᵀ.
    cross : ndarray of shape (n_sums, k)
        Σ w g (Φ - t)ᵀ.
    """

    sums: Array
    second: Array
    cross: Array

    def __add__(self, other: "JointMoments") -> "JointMoments":
        """Return the sums over both sets of rows."""
        return JointMoments(self.sums + other.sums, self.second + other.second, self.cross + other.cross)


@dataclass(frozen=True)
class ResidualSums:
    """Sums of squared residuals, to be added over sets of rows.

    Attributes
    ----------
    plain, levered : ndarray of shape (n_metrics,)
        Σ w² r² and Σ w³ r² (1 + (Φ - t)ᵀ Cov⁻¹ (Φ - t)).
    squares, fourth : float
        Σ w² and Σ w⁴.
    """

    plain: Array
    levered: Array
    squares: float
    fourth: float

    def __add__(self, other: "ResidualSums") -> "ResidualSums":
        """Return the sums over both sets of rows."""
        return ResidualSums(
            self.plain + other.plain,
            self.levered + other.levered,
            self.squares + other.squares,
            self.fourth + other.fourth,
        )


@dataclass(frozen=True)
class Regression:
    """The influence of the rows on each metric, and its regression on Φ under the weights.

    Attributes
    ----------
    metrics : tuple of SummedMetric
    values : ndarray of shape (n_metrics,)
    lost : ndarray of shape (n_metrics,)
        Whose error is infinite.
    own : ndarray of shape (n_sums, n_metrics)
        Influence, as a combination of the sums' quantities.
    slopes : ndarray of shape (k, n_metrics)
    whiten : ndarray of shape (k, r)
        Turns Φ - t into uncorrelated columns of variance 1.
    """

    metrics: tuple[SummedMetric, ...]
    values: Array
    lost: NDArray[np.bool_]
    own: Array
    slopes: Array
    whiten: Array

    @classmethod
    def of(cls, metrics: Sequence[SummedMetric], about: JointMoments) -> "Regression":
        """Regress every metric on Φ."""
        scale = np.sqrt(np.maximum(np.diag(about.second), 0.0))
        scale = np.where(scale > 0, scale, 1.0)
        variances, vectors = np.linalg.eigh(about.second / np.outer(scale, scale))
        alive = variances > FLAT * max(float(variances[-1]), 0.0)
        whiten = vectors[:, alive] / np.sqrt(variances[alive]) / scale[:, None]
        found = [linearised(metric, about.sums[list(metric.columns)]) for metric in metrics]
        own = np.zeros((len(about.sums), len(metrics)))
        for j, (metric, (_, gradient, _)) in enumerate(zip(metrics, found, strict=True)):
            own[list(metric.columns), j] = gradient
        slopes = whiten @ (whiten.T @ (about.cross.T @ own))
        values = np.array([float(value) for value, _, _ in found])
        lost = np.array([bool(each) for _, _, each in found])
        return cls(tuple(metrics), values, lost, own, slopes, whiten)

    def estimates(self, left: ResidualSums) -> list[Estimate]:
        """Return every metric with its error."""
        leverage = np.clip(left.levered / np.where(left.plain > 0, left.plain, 1.0), 0.0, 0.9)
        error = np.where(self.lost, np.inf, np.sqrt(left.plain) / (1 - leverage))
        freedom, ess = np.array(max(left.squares**2 / left.fourth, 1.0)), np.array(1 / left.squares)
        return [
            Estimate(np.array(value), np.array(each * metric.unit), freedom, ess)
            for metric, value, each in zip(self.metrics, self.values, error, strict=True)
        ]


def residual_sums(wanted: Quantities, phi: Array, target: Array, share: Array, regression: Regression) -> ResidualSums:
    """Sum squared residuals over some rows; parameters as in `joint_estimates`, `share` of all weight."""
    n_metrics = len(regression.metrics)
    plain, levered = np.zeros(n_metrics), np.zeros(n_metrics)
    for rows, g, distance in _blocks(wanted, phi, target):
        squared = (of_rows(g, regression.own) - of_rows(distance, regression.slopes)) ** 2
        w = share[rows]
        plain += w**2 @ squared
        levered += (w**3 * (1 + np.sum(of_rows(distance, regression.whiten) ** 2, axis=1))) @ squared
    return ResidualSums(plain, levered, float(share @ share), float(np.sum(share**4)))


def metric_values(wanted: Quantities, metrics: Sequence[SummedMetric], weights: Array) -> list[float]:
    """Return each metric under some weights, NaN where it is not defined.

    Parameters
    ----------
    wanted : Quantities
    metrics : sequence of SummedMetric
    weights : ndarray of shape (n_rows,)
        Non-negative, on any scale.
    """
    sums = plain_sums(wanted, weights / weights.sum())
    return [float(metric.evaluate(sums[list(metric.columns)])[0]) for metric in metrics]


def plain_sums(wanted: Quantities, share: Array) -> Array:
    """Return Σ w g over some rows, shape (n_sums,)."""
    nothing, sums = np.zeros((len(share), 0)), np.zeros(wanted.n_sums)
    for rows, g, _ in _blocks(wanted, nothing, np.zeros(0)):
        sums += share[rows] @ g
    return sums


def joint_moments(wanted: Quantities, phi: Array, target: Array, share: Array) -> JointMoments:
    """Sum over some rows; parameters as in `joint_estimates`, `share` of all weight."""
    k = phi.shape[1]
    sums, second, cross = np.zeros(wanted.n_sums), np.zeros((k, k)), np.zeros((wanted.n_sums, k))
    for rows, g, distance in _blocks(wanted, phi, target):
        weighted = distance * share[rows, None]
        sums += share[rows] @ g
        second += over_rows(np.ascontiguousarray(weighted.T), np.ascontiguousarray(distance.T))
        cross += over_rows(np.ascontiguousarray(g.T), np.ascontiguousarray(weighted.T))
    return JointMoments(sums, second, cross)


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
