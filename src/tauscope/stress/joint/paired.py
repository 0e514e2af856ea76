"""Metrics of two models on the same rows, and their differences: one row errs for both, so its errors are subtracted.

Row i moves the difference of a metric by w_i (r_i - r'_i) + ⟨b - b', ψ_i⟩, with the parts that
`tauscope.stress.joint.estimates` has for each model: where the models agree on a row, it adds nothing. The interval is
Student's t about the difference. Of rates, (z²/2) / n_eff² is added to the variance, as if z²/2 more rows were told
apart, half of them each way: without them two models that agree on every row of a sample would be certain to agree on
all others.

References
----------
Agresti, Min, "Effects and non-effects of paired identical observations in comparing proportions with binary
matched-pairs data", Statistics in Medicine 23, 2004.
Bonett, Price, "Adjusted Wald confidence interval for a difference of binomial proportions based on paired data", 2012.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from tauscope.stress.estimates import Estimate, unstressed_inflation
from tauscope.stress.intervals import FEWEST
from tauscope.stress.joint.estimates import OPEN, Regression
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.quantiles import t_quantile
from tauscope.weights.measures import effective_size_of_sums

Array = NDArray[np.float64]
RATES = ("ratio", "mean_ratio")
SAME = 1e-12
"""Share of two values below which their difference is rounding."""


class Difference(NamedTuple):
    """A metric of one model less that of another.

    Attributes
    ----------
    value, lower, upper : float
        NaN where either metric is not defined, and the ends where fewer than three effective rows carry it.
    n_differing : float
        Effective number of rows that a rate counts differently for the two models; of other metrics, effective rows.
    """

    value: float
    lower: float
    upper: float
    n_differing: float


@dataclass(frozen=True)
class Side:
    """One model's metrics under a stress.

    Attributes
    ----------
    quantities : Quantities
    metrics : sequence of SummedMetric
        The same of both models, in the same order.
    """

    quantities: Quantities
    metrics: Sequence[SummedMetric]


@dataclass(frozen=True)
class PairedSums:
    """Sums over rows of what they move both models' metrics by, to be added over sets of rows; w are shares.

    Attributes
    ----------
    squared, levered : ndarray of shape (n_metrics,)
        Σ w² (r' - r)² and Σ w³ (1 + (Φ - t)ᵀ Cov⁻¹ (Φ - t)) (r' - r)².
    differing : ndarray of shape (n_metrics, 2)
        Σ w and Σ w² of the rows that stand in other places above or below the line of a rate.
    """

    squared: Array
    levered: Array
    differing: Array

    @classmethod
    def of(cls, sides: tuple[Side, Side], residuals: tuple[Array, Array], share: Array, lever: Array) -> "PairedSums":
        """Sum over some rows.

        Parameters
        ----------
        sides : tuple of Side
        residuals : tuple of ndarray of shape (n_rows, n_metrics)
        share : ndarray of shape (n_rows,)
        lever : ndarray of shape (n_rows,)
            1 + (Φ - t)ᵀ Cov⁻¹ (Φ - t).
        """
        one, other = (
            each * np.array([metric.unit for metric in side.metrics])
            for side, each in zip(sides, residuals, strict=True)
        )
        squared = (other - one) ** 2
        apart = [_apart(sides, j) for j in range(len(sides[0].metrics))]
        counted = [np.zeros(2) if each is None else np.array([share @ each, share**2 @ each]) for each in apart]
        return cls(share**2 @ squared, (share**3 * lever) @ squared, np.array(counted).reshape(-1, 2))

    def __add__(self, other: "PairedSums") -> "PairedSums":
        """Return the sums over both sets of rows."""
        return PairedSums(self.squared + other.squared, self.levered + other.levered, self.differing + other.differing)


@dataclass(frozen=True)
class OfWeights:
    """What of the intervals is of the weights alone.

    Attributes
    ----------
    target_covariance : ndarray of shape (k, k) or None
    unstressed : bool
    ess, df : float
        Effective rows, and degrees of freedom.
    confidence : float
    """

    target_covariance: Array | None
    unstressed: bool
    ess: float
    df: float
    confidence: float


Read = tuple[Sequence[Estimate], Regression]
"""The estimates of one model's metrics, and their regression on Φ."""


def differences_of_sums(first: Read, second: Read, sums: PairedSums, population: OfWeights) -> list[Difference]:
    """Estimate second minus first of every metric."""
    return [
        _difference(_OneMetric.of(first, j), _OneMetric.of(second, j), j, sums, population)
        for j in range(len(first[0]))
    ]


class _OneMetric(NamedTuple):
    metric: SummedMetric
    estimate: Estimate
    slopes: Array
    total: float

    @classmethod
    def of(cls, read: Read, j: int) -> "_OneMetric":
        """Return one metric, in its own unit."""
        estimates, regression = read
        metric = regression.metrics[j]
        return cls(
            metric, estimates[j], metric.unit * regression.slopes[:, j], metric.unit**2 * float(regression.total[j])
        )


def _apart(sides: tuple[Side, Side], j: int) -> Array | None:
    """Return which rows stand in other places above or below the line of a rate; None of other metrics."""
    if sides[0].metrics[j].form not in RATES:
        return None
    places = [np.vstack([side.metrics[j].top, side.metrics[j].bottom])[:, side.quantities.cell] for side in sides]
    return (places[0] != places[1]).any(axis=0).astype(np.float64)


def _difference(first: _OneMetric, second: _OneMetric, j: int, sums: PairedSums, population: OfWeights) -> Difference:
    one, other = float(first.estimate.value), float(second.estimate.value)
    value = 0.0 if abs(other - one) <= SAME * (abs(one) + abs(other)) else other - one
    n_differing = population.ess
    if first.metric.form in RATES:
        n_differing = float(effective_size_of_sums(*sums.differing[j]))
    if not np.isfinite(value) or population.ess < FEWEST:
        return Difference(value, np.nan, np.nan, n_differing)
    variance = _variance(first, second, float(sums.squared[j]), float(sums.levered[j]), population)
    if first.metric.is_rate:
        n_below = max(float(min(first.estimate.denominator, second.estimate.denominator)), 1.0)
        variance += float(ndtri(0.5 + population.confidence / 2)) ** 2 / 2 / n_below**2
    half = float(t_quantile(np.array(population.df), population.confidence)) * np.sqrt(variance)
    least, most = (-1.0, 1.0) if first.metric.kind != "value" else (-np.inf, np.inf)
    return Difference(value, float(max(value - half, least)), float(min(value + half, most)), n_differing)


def _variance(first: _OneMetric, second: _OneMetric, variance: float, levered: float, population: OfWeights) -> float:
    """Return the squared standard error of a difference, 0 where rounding alone is left of it."""
    if population.unstressed:
        variance *= float(unstressed_inflation(first.metric.is_rate, np.array(population.ess)))
    elif variance > 0:
        variance /= (1 - min(levered / variance, 0.9)) ** 2
    if population.target_covariance is not None:
        slopes = second.slopes - first.slopes
        variance += float(slopes @ population.target_covariance @ slopes)
    return 0.0 if variance <= OPEN * (first.total + second.total) else variance
