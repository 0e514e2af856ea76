"""Rows as they are and under a stress: which weights meet it, and every metric under them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.results.formatting import number
from tauscope.results.stress.numbers.joint_answer import MetricEstimate, metric_estimates, support_of
from tauscope.results.stress.numbers.natural_units import in_numbers, with_readings
from tauscope.results.stress.numbers.reweight_tables import metric_table
from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.constraints import as_stress
from tauscope.stress.joint.estimates import Regression
from tauscope.stress.joint.terms import moved_share
from tauscope.stress.metrics import SummedMetric, bound_of
from tauscope.stress.reliability import Support
from tauscope.stress.sums.groups import GroupSums
from tauscope.stress.sums.population import PopulationSums, measure_population, regress_population
from tauscope.stress.sums.projection import SolvedStress, Weighted
from tauscope.study.stress.metrics import define_metrics
from tauscope.weights.measures import divergence_ratio
from tauscope.words import count

if TYPE_CHECKING:
    import pandas as pd

    from tauscope.results.stress.reweight import Reweighting
    from tauscope.rows.rows import Rows
    from tauscope.stress.joint.constraints import Stress
    from tauscope.study.verbs import Asked
    from tauscope.weights.arrays import Floats


class Population(NamedTuple):
    """Rows under some weights.

    Attributes
    ----------
    name : str
    weighted : Weighted
    n_beyond : float
        Rows at or beyond the target, ∞ without a move.
    in_doubt : bool
        Whether other rows might put the end of τ on that side elsewhere.
    kl, tv : float
        How far the weights were moved.
    moved_share : float
        Share of the weight of the rows with a value of what is moved.
    """

    name: str
    weighted: Weighted
    n_beyond: float = np.inf
    in_doubt: bool = False
    kl: float = 0.0
    tv: float = 0.0
    moved_share: float = 1.0

    def support(self, sums: GroupSums | None) -> Support | None:
        """Return where it leads the rows of a group; None for a group without weight."""
        if sums is None or not sums.share > 0:
            return None
        ratio = divergence_ratio(self.kl, self.tv, self.moved_share)
        return support_of(self.n_beyond, self.in_doubt, sums.pareto_k, ratio)


def solve_stress(
    study: Asked, rows: Rows, stress: Stress, quantile: float, weights: Floats | None = None
) -> SolvedStress:
    """Find the weights that meet a stress, of which dates and functions are as a person gave them, or named.

    Parameters
    ----------
    study : Asked
    rows : Rows
        Of it.
    stress, quantile, weights
        As `tauscope.rows.rows.Rows.solve` takes them.
    """
    features = rows.summed.features
    solved = rows.solve(in_numbers(study._functions.with_functions(stress), features), quantile, weights)
    return solved._replace(terms=with_readings(solved.terms, features))


def moved_population(study: Asked, rows: Rows, reweighting: Reweighting) -> Population:
    """Return the rows of a study under a reweighting of them."""
    stress = as_stress(reweighting.stress)
    solved = solve_stress(study, rows, stress, reweighting.quantile, reweighting.weights)
    distances = reweighting.kl, reweighting.tv, moved_share(solved.terms)
    return Population(reweighting.population, solved.weighted, solved.n_beyond, solved.in_doubt, *distances)


class MeasuredPopulation(NamedTuple):
    """Every metric of all rows before and under some weights.

    Attributes
    ----------
    sums : PopulationSums
    metrics : tuple of SummedMetric
    regression : Regression
    estimates : list of Estimate
    there : tuple of MetricEstimate
        With interval and level.
    pareto_k : float
        Of the largest weights.
    """

    sums: PopulationSums
    metrics: tuple[SummedMetric, ...]
    regression: Regression
    estimates: list[Estimate]
    there: Sequence[MetricEstimate]
    pareto_k: float

    @property
    def table(self) -> pd.DataFrame:
        """One row per metric, as `Reweighting.metrics` has them."""
        return metric_table(self.metrics, self.sums.rows.values_before(self.metrics), self.there)

    @property
    def bounds(self) -> tuple[str, ...]:
        """How far metrics of ranks can be off, in words."""
        sums = self.sums.rows
        return tuple(words for metric in self.metrics if (words := bound_words(metric, sums.sums, sums.before)))


def measure_solved(rows: Rows, solved: SolvedStress, confidence: float) -> MeasuredPopulation:
    """Measure the metrics that rows are summed for, under the weights found for a stress."""
    assert solved.found is not None
    kl, share = solved.found.kl, moved_share(solved.terms)
    population = Population("", solved.weighted, solved.n_beyond, solved.in_doubt, kl=kl, moved_share=share)
    return measure(rows, population, confidence)


def measure(rows: Rows, population: Population, confidence: float) -> MeasuredPopulation:
    """Measure the metrics that rows are summed for, and the total variation of a population."""
    summed = rows.summed
    sums = measure_population(population.weighted.tilt, summed.n_counted, summed.n_rows, rows.sum)
    metrics = define_metrics(summed, summed.asked, sums.scores, sums.rows)
    regression, estimates = regress_population(population.weighted, sums, metrics, rows.sum)
    support = population._replace(tv=sums.tv).support(sums.rows)
    assert support is not None
    there = metric_estimates(metrics, estimates, support, confidence, summed.n_counted)
    return MeasuredPopulation(sums, metrics, regression, estimates, there, float(support.pareto_k))


Array = NDArray[np.float64]


def bound_words(metric: SummedMetric, *sums: Array) -> str:
    """Say how far a metric in steps of the score can be off, before and after."""
    bound = bound_of(metric)
    if bound is None:
        return ""
    return say_bound(metric, max(float(bound.evaluate(each[list(metric.columns)])[0]) for each in sums))


def say_bound(metric: SummedMetric, bound: float) -> str:
    """Say how far a metric in steps of the score can lie from that of the rows; "" where it cannot."""
    if metric.ranking is None or not bound > 0:
        return ""
    return f"{metric.label}: scores in {count(metric.ranking.n_steps, 'step')}, off by at most {number_above(bound)}"


def number_above(bound: float) -> str:
    """Write a bound in two digits, rounded up."""
    digits = 1 - int(np.floor(np.log10(bound)))
    return number(float(np.ceil(bound * 10.0**digits)) / 10.0**digits)
