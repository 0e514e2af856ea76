"""Calibration in bins of a predicted probability: shares of positives, and the expected calibration error.

The expected calibration error is E = Σ_k |d_k|, with d_k = Σ w (p - y) over the rows of bin k. Of a calibrated model
every d_k is 0, and its estimate is not: chance adds to a sum of sizes in every sample. An interval about the estimate
would leave 0 out for every calibrated model; the one here is of what holds for certain,

    Σ s e  ≤  E_estimate - E  ≤  Σ_certain s e + Σ_other |e|,

e the errors of the d_k, s the signs of the true d_k, certain where a bin is so far from 0 that its sign is known. Of
the others, the lower bound is taken at the signs under which it varies most.

References
----------
Naeini, Cooper, Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.
Bröcker, Smith, "Increasing the reliability of reliability diagrams", Weather and Forecasting 22, 2007.
Kumar, Liang, Ma, "Verified uncertainty calibration", NeurIPS 2019 (of the bias).
"""

# Decided in docs/decisions/0011-calibration-is-metrics-as-any-other.md.

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtri

from tauscope.stress.metric_forms import OutcomeCells, RatioDefinition
from tauscope.stress.metrics import SummedMetric, cell_metric
from tauscope.stress.quantiles import t_quantile

Array = NDArray[np.float64]
Mask = NDArray[np.bool_] | None
"""The rows of a group; None for all rows."""

DRAWS = 4000
"""Of normal numbers, for quantiles of a sum of sizes: the 97.5 % point is off by 2 % or so."""
CERTAIN = 3.0
"""Standard errors from 0 at which the sign of a bin's error is taken for known."""
ECE = "expected_calibration_error"


class Bins:
    """Bins of a score in [0, 1], as scikit-learn's `calibration_curve` makes them.

    Parameters
    ----------
    edges : ndarray of shape (n + 1,)
        Ascending. A bin has the scores above its left edge, up to its right one; the first also those below.
    """

    def __init__(self, edges: Array) -> None:
        self.edges = edges

    @classmethod
    def uniform(cls, n: int) -> "Bins":
        """Cut [0, 1] into n of one width."""
        return cls(np.linspace(0.0, 1.0, n + 1))

    @classmethod
    def quantile(cls, score: Array, n: int) -> "Bins":
        """Cut scores into n, each of as many rows; fewer where scores are tied."""
        return cls.at(np.percentile(score, np.linspace(0.0, 1.0, n + 1) * 100))

    @classmethod
    def at(cls, quantiles: Array) -> "Bins":
        """Cut at quantiles, the first and last being the ends; where several are the least score, that has a bin."""
        lowest, *_, highest = quantiles
        inner = np.unique(quantiles[1:-1])
        return cls(np.array([lowest, *inner[inner < highest], highest]))

    @property
    def n(self) -> int:
        """Number of bins."""
        return len(self.edges) - 1

    def __call__(self, score: Array) -> NDArray[np.intp]:
        """Return the bin of each score."""
        return np.searchsorted(self.edges[1:-1], score).astype(np.intp)


def observed_shares(n: int) -> list[SummedMetric]:
    """Return the share of positives of each of n bins, whose cells come first among the sums: bin by bin, 0 then 1."""
    cells, columns = OutcomeCells(np.tile([0, 1], n), None), tuple(range(1, 1 + 2 * n))
    return [cell_metric(_share_of_bin(k), cells, columns) for k in range(n)]


def _share_of_bin(k: int) -> RatioDefinition:
    def top(cells: OutcomeCells) -> NDArray[np.bool_]:
        return np.arange(len(cells.predicted)) == 2 * k + 1

    def bottom(cells: OutcomeCells) -> NDArray[np.bool_]:
        return np.arange(len(cells.predicted)) // 2 == k

    return RatioDefinition(
        f"bin_{k}", "share of positives", ("binary",), top=top, bottom=bottom, events=("positives", "negatives")
    )


class BinErrors(NamedTuple):
    """The error of every bin, d_k = Σ w (p - y) with weights that sum to 1, and how these vary together.

    Attributes
    ----------
    value : ndarray of shape (n,)
    covariance : ndarray of shape (n, n)
    chance : ndarray of shape (n,)
        Variance of each were p calibrated: Σ w² p (1 - p).
    if_calibrated : float
        Σ E|d_k| were p calibrated.
    df : float
        Degrees of freedom, (Σw²)² / Σw⁴.
    """

    value: Array
    covariance: Array
    chance: Array
    if_calibrated: float
    df: float

    @property
    def ece(self) -> float:
        """The expected calibration error."""
        return float(np.abs(self.value).sum())


@dataclass(frozen=True)
class BinSums:
    """Sums over rows by bin, e = p - y, to be added over sets of rows; w are shares of the weight.

    Attributes
    ----------
    mass, squares, score : ndarray of shape (n,)
        Σ w, Σ w² and Σ w p.
    error, squared_error, error_squares, chance : ndarray of shape (n,)
        Σ w e, Σ w² e, Σ w² e² and Σ w² p (1 - p).
    cross, squared_cross : ndarray of shape (k, n)
        Σ w e (Φ - t) and Σ w² e (Φ - t).
    distance, squared_distance : ndarray of shape (k,)
        Σ w (Φ - t) and Σ w² (Φ - t), of all bins.
    fourth : float
        Σ w⁴, of all bins.
    n_rows : ndarray of shape (n,)
        Rows of weight above 0.
    """

    mass: Array
    squares: Array
    score: Array
    error: Array
    squared_error: Array
    error_squares: Array
    chance: Array
    cross: Array
    squared_cross: Array
    distance: Array
    squared_distance: Array
    fourth: float
    n_rows: Array

    def __add__(self, other: "BinSums") -> "BinSums":
        """Return the sums over both sets of rows."""
        return BinSums(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def of_own_weight(self) -> "BinSums":
        """Return the same of weights that are shares of these rows' own."""
        total = float(self.mass.sum())
        powers = {"squares": 2, "squared_error": 2, "error_squares": 2, "chance": 2, "squared_cross": 2}
        powers |= {"squared_distance": 2, "fourth": 4, "n_rows": 0}
        return BinSums(*(getattr(self, each.name) / total ** powers.get(each.name, 1) for each in fields(self)))


def sum_bins(n: int, bin_of: NDArray[np.intp], score: Array, error: Array, distance: Array, share: Array) -> BinSums:
    """Sum rows by bin.

    Parameters
    ----------
    n : int
        Bins.
    bin_of : ndarray of shape (n_rows,)
    score, error, share : ndarray of shape (n_rows,)
        p, p - y and w.
    distance : ndarray of shape (n_rows, k)
        Φ - t.
    """

    def by_bin(values: Array) -> Array:
        return np.bincount(bin_of, values, n).astype(np.float64, copy=False)

    squared, k = share**2, distance.shape[1]
    return BinSums(
        mass=by_bin(share),
        squares=by_bin(squared),
        score=by_bin(share * score),
        error=by_bin(share * error),
        squared_error=by_bin(squared * error),
        error_squares=by_bin(squared * error**2),
        chance=by_bin(squared * (score * (1 - score))),
        cross=np.array([by_bin(share * error * distance[:, j]) for j in range(k)]).reshape(k, n),
        squared_cross=np.array([by_bin(squared * error * distance[:, j]) for j in range(k)]).reshape(k, n),
        distance=distance.T @ share,
        squared_distance=distance.T @ squared,
        fourth=float(np.sum(squared**2)),
        n_rows=by_bin((share > 0).astype(np.float64)),
    )


def errors_of_sums(sums: BinSums, whiten: Array, common: Array) -> BinErrors:
    """Estimate the error of every bin from sums over the rows that it is of.

    Parameters
    ----------
    sums : BinSums
        Of weights that are shares of these rows' own.
    whiten : ndarray of shape (k, r)
        Turns Φ - t into uncorrelated columns of variance 1; of no column where there is no stress.
    common : ndarray of shape (k, k)
        Σ w² (Φ - t)(Φ - t)ᵀ over all rows, on the scale of these shares, and the covariance of the targets.

    Notes
    -----
    The covariance is that of the influences of the rows, r_ik = 1{i in k}(p - y) - d_k - ⟨b_k, Φ_i - t⟩, and of the
    targets, as in `tauscope.stress.joint.estimates.joint_estimates` but for the leverage.
    """
    value, of_rows, squares = sums.error, sums.squared_error, float(sums.squares.sum())
    slopes = whiten @ (whiten.T @ (sums.cross - np.outer(sums.distance, value)))
    mixed = slopes.T @ (sums.squared_cross - np.outer(sums.squared_distance, value))
    own = np.diag(sums.error_squares) + squares * np.outer(value, value)
    own = own - np.outer(of_rows, value) - np.outer(value, of_rows)
    covariance = own - mixed - mixed.T + slopes.T @ common @ slopes
    df = max(squares**2 / sums.fourth, 1.0)
    return BinErrors(value, covariance, sums.chance, _sizes_by_chance(sums), df)


def _sizes_by_chance(sums: BinSums) -> float:
    """Return Σ E|d_k| of a calibrated model: √chance_k times mean size over standard deviation of a binomial count.

    The count is of as many rows as vary alike, at the bin's mean probability.
    """
    mass, chance = sums.mass, sums.chance
    there = (mass > 0) & (chance > 0)
    p = sums.score[there] / mass[there]
    n = np.maximum(np.round(p * (1 - p) * mass[there] ** 2 / chance[there]), 1.0)
    return float(np.sqrt(chance[there]) @ _size_over_deviation(n, p))


def _size_over_deviation(n: Array, p: Array) -> Array:
    """Return E|X - np| / √(np(1 - p)) of a binomial X, by De Moivre's formula."""
    v = np.floor(n * p) + 1
    log_choose = gammaln(n + 1) - gammaln(v + 1) - gammaln(n - v + 1)
    log_size = np.log(2 * v) + log_choose + v * np.log(p) + (n - v + 1) * np.log1p(-p)
    return np.exp(log_size) / np.sqrt(n * p * (1 - p))


def ece_interval(errors: BinErrors, confidence: float) -> tuple[float, float]:
    """Return the ends of an interval that holds the expected calibration error of these bins as often as said, or more.

    Parameters
    ----------
    errors : BinErrors
    confidence : float
        In (0, 1).

    Notes
    -----
    Errors are normal, with the larger of their variance and what chance makes of a calibrated model, so that a bin
    that has seen no positive is not certain of its error. Quantiles are of 4,000 fixed draws. The lower end is 0 where
    nothing speaks against calibration.
    """
    deviation = np.sqrt(np.maximum(np.diag(errors.covariance), 0.0))
    scale = np.maximum(deviation, np.sqrt(errors.chance))
    stretch = np.where(deviation > 0, scale / np.where(deviation > 0, deviation, 1.0), 1.0)
    tail = 0.5 - confidence / 2
    wide = float(t_quantile(np.array(errors.df), confidence)) / -float(ndtri(tail))
    covariance = errors.covariance * np.outer(stretch, stretch) * wide**2
    np.fill_diagonal(covariance, (scale * wide) ** 2)
    sign = np.where(errors.value < 0, -1.0, 1.0)
    certain = np.abs(errors.value) > CERTAIN * scale * wide
    draws = np.random.default_rng(0).standard_normal((DRAWS, len(sign))) @ _root(covariance).T
    most = np.where(certain, sign * draws, np.abs(draws)).sum(axis=1)
    signs = _widest_signs(covariance, sign, ~certain)
    upper = errors.ece - float(ndtri(tail)) * float(np.sqrt(max(signs @ covariance @ signs, 0.0)))
    return (max(errors.ece - float(np.quantile(most, 1 - tail)), 0.0), min(upper, 1.0))


def _widest_signs(covariance: Array, sign: Array, free: NDArray[np.bool_]) -> Array:
    """Return signs under which the sum varies most, the free ones turned one by one while that adds anything."""
    sign = sign.copy()
    for _ in range(len(sign)):
        # turning sign j changes the variance by -4 s_j Σ_{l≠j} c_jl s_l
        gain = np.where(free, -sign * (covariance @ sign) + np.diag(covariance), -np.inf)
        j = int(np.argmax(gain))
        if not gain[j] > 0:
            break
        sign[j] = -sign[j]
    return sign


def _root(covariance: Array) -> Array:
    """Return R with R Rᵀ a covariance."""
    variances, vectors = np.linalg.eigh(covariance)
    return vectors * np.sqrt(np.maximum(variances, 0.0))
