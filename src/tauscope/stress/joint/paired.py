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
from tauscope.stress.joint.estimates import (
    OPEN,
    Regression,
    joint_moments,
    linearise_rows,
    residual_sums,
    row_residuals,
    with_support,
)
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


def paired_estimates(
    first: Side,
    second: Side,
    phi: Array,
    target: Array,
    weights: Array,
    target_covariance: Array | None = None,
    *,
    unstressed: bool = False,
    confidence: float,
) -> tuple[list[Estimate], list[Estimate], list[Difference]]:
    """Estimate the metrics of two models on the same rows, and second minus first of each.

    Parameters
    ----------
    first, second : Side
    phi, target, weights, target_covariance, unstressed
        As in `tauscope.stress.joint.estimates.joint_estimates`.
    confidence : float
        Of the intervals of the differences, in (0, 1).

    Returns
    -------
    first, second : list of Estimate
    differences : list of Difference
    """
    share = weights / weights.sum()
    sides = [_read(side, phi, target, share, target_covariance, unstressed) for side in (first, second)]
    lever = 1 + np.sum(((phi - target) @ sides[0].regression.whiten) ** 2, axis=1)
    sums = PairedSums.of((first, second), (sides[0].residuals, sides[1].residuals), share, lever)
    population = PairedPopulation(
        target_covariance,
        unstressed,
        ess=float(1 / np.sum(share**2)),
        df=float(max(np.sum(share**2) ** 2 / np.sum(share**4), 1.0)),
        confidence=confidence,
    )
    read = [(side.metrics, side.estimates, side.regression) for side in sides]
    return sides[0].estimates, sides[1].estimates, differences_of_sums(read[0], read[1], sums, population)


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
class PairedPopulation:
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


Read = tuple[Sequence[SummedMetric], Sequence[Estimate], Regression]
"""The metrics of one model, as sums have them, their estimates, and their regression on Φ."""


def differences_of_sums(first: Read, second: Read, sums: PairedSums, population: PairedPopulation) -> list[Difference]:
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
        metric, regression = read[0][j], read[2]
        return cls(
            metric, read[1][j], metric.unit * regression.slopes[:, j], metric.unit**2 * float(regression.total[j])
        )


@dataclass(frozen=True)
class _OneSide:
    """The metrics of one model with what each row adds to them, r of shape (n_rows, n_metrics)."""

    metrics: Sequence[SummedMetric]
    estimates: list[Estimate]
    regression: Regression
    residuals: Array


def _read(
    side: Side, phi: Array, target: Array, share: Array, target_covariance: Array | None, unstressed: bool
) -> _OneSide:
    measured = {name: measure(share) for name, measure in side.quantities.by_rows.items()}
    quantities, linear = linearise_rows(side.quantities, side.metrics, measured)
    regression = Regression.of(linear, joint_moments(quantities, phi, target, share), unstressed=unstressed)
    estimates = regression.estimates(residual_sums(quantities, phi, target, share, regression), target_covariance)
    return _OneSide(
        linear,
        [
            with_support(estimate, measured[metric.name]) if metric.form == "by_rows" else estimate
            for metric, estimate in zip(side.metrics, estimates, strict=True)
        ],
        regression,
        row_residuals(quantities, phi, target, regression),
    )


def _apart(sides: tuple[Side, Side], j: int) -> Array | None:
    """Return which rows stand in other places above or below the line of a rate; None of other metrics."""
    if sides[0].metrics[j].form not in RATES:
        return None
    places = [np.vstack([side.metrics[j].top, side.metrics[j].bottom])[:, side.quantities.cell] for side in sides]
    return (places[0] != places[1]).any(axis=0).astype(np.float64)


def _difference(
    first: _OneMetric, second: _OneMetric, j: int, sums: PairedSums, population: PairedPopulation
) -> Difference:
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


def _variance(
    first: _OneMetric, second: _OneMetric, variance: float, levered: float, population: PairedPopulation
) -> float:
    """Return the squared standard error of a difference, 0 where rounding alone is left of it."""
    if population.unstressed:
        variance *= float(unstressed_inflation(first.metric.is_rate, np.array(population.ess)))
    elif variance > 0:
        variance /= (1 - min(levered / variance, 0.9)) ** 2
    if population.target_covariance is not None:
        slopes = second.slopes - first.slopes
        variance += float(slopes @ population.target_covariance @ slopes)
    return 0.0 if variance <= OPEN * (first.total + second.total) else variance
