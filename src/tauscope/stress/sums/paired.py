"""Metrics of two models on the same rows, and their differences, from sums over both: two passes over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.outer_values import OuterValues
from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.estimates import (
    Regression,
    ResidualSums,
    estimate_measured,
    residual_sums,
    row_residuals,
    with_influences,
)
from tauscope.stress.joint.paired import Difference, OfWeights, PairedSums, Side, differences_of_sums
from tauscope.stress.joint.products import of_rows
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.row_metrics import Measured
from tauscope.stress.sums.chunk import MapReduce, Measurable, RowChunk
from tauscope.stress.sums.population import KeptRows, PopulationSums, kept_rows, sum_population
from tauscope.stress.sums.projection import Tilt, Weighted
from tauscope.stress.sums.stand_in import StandIn

Array = NDArray[np.float64]
Metrics = Sequence[SummedMetric]


class SecondReader(Protocol):
    """Gives the second model's chunk of the same rows; one that can be sent to other processes."""

    def __call__(self, chunk: RowChunk) -> RowChunk:
        """Return the chunk that the second model answered."""
        ...


class AnsweredBySecond(StandIn):
    """A chunk with the quantities of another model's answers.

    Parameters
    ----------
    chunk, other : RowChunk
        Of the same rows; weights and features are those of the first.
    """

    def __init__(self, chunk: RowChunk, other: RowChunk) -> None:
        super().__init__(chunk)
        self._other = other

    def quantities_of(self, rows: NDArray[np.intp] | slice) -> Quantities:
        """See `StandIn`."""
        return self._other.quantities if isinstance(rows, slice) else self._other.part(rows).quantities

    def part(self, rows: NDArray[np.intp]) -> Measurable:
        """See `StandIn`."""
        return self._other.part(rows)

    def outer_values(self, size: int) -> dict[str, OuterValues]:
        """Return the outermost values of every quantity whose spread is a metric."""
        return self._other.outer_values(size)

    @property
    def scores(self) -> tuple[float, float]:
        """Smallest and largest score of the second model."""
        return self._other.scores


class PairedPopulation(NamedTuple):
    """A population as both models were measured in it.

    Attributes
    ----------
    weighted : Weighted
    measured : (PopulationSums, PopulationSums)
    metrics : (sequence of SummedMetric, sequence of SummedMetric)
        The same, in the same order.
    """

    weighted: Weighted
    measured: tuple[PopulationSums, PopulationSums]
    metrics: tuple[Metrics, Metrics]

    @property
    def by_rows(self) -> tuple[Mapping[str, Measured], Mapping[str, Measured]]:
        """Metrics of both that take all rows at once."""
        return self.measured[0].rows.measured, self.measured[1].rows.measured

    @property
    def regressions(self) -> tuple[Regression, Regression]:
        """Both models' metrics regressed on Φ."""
        one, other = (
            self.weighted.regress(each.rows.linear(metrics), each.moments)
            for each, metrics in zip(self.measured, self.metrics, strict=True)
        )
        return one, other


class PairedAnswers(NamedTuple):
    """The metrics of two models in one population, and second minus first of each."""

    first: list[Estimate]
    second: list[Estimate]
    differences: list[Difference]


def measure_pairs(
    tilts: Sequence[Tilt], reader: SecondReader, n_counted: int, n_rows: int, total: MapReduce
) -> list[tuple[PopulationSums, PopulationSums]]:
    """Measure both models in every population: one pass.

    Parameters
    ----------
    tilts : sequence of Tilt
    reader : SecondReader
    n_counted, n_rows : int
        Rows of weight above zero, and in all.
    total : MapReduce
    """
    return list(total(_sum_pairs, tuple(tilts), reader, kept_rows(n_counted, n_rows), plus=_add_pairs))


def compare_pairs(
    populations: Sequence[PairedPopulation], reader: SecondReader, total: MapReduce, confidence: float
) -> list[PairedAnswers]:
    """Estimate the metrics of both models and their differences in every population: one more pass."""
    regressions = [each.regressions for each in populations]
    tilts, by_rows = tuple(each.weighted.tilt for each in populations), tuple(each.by_rows for each in populations)
    left = total(_sum_left, tilts, reader, regressions, by_rows, plus=_add_left)
    out: list[PairedAnswers] = []
    for population, both, each in zip(populations, regressions, left, strict=True):
        covariance = population.weighted.target_covariance
        first, second = (
            estimate_measured(regression, residuals, covariance, measured)
            for regression, residuals, measured in zip(both, each.residuals, population.by_rows, strict=True)
        )
        shared = OfWeights(
            covariance,
            population.weighted.unstressed,
            ess=1 / both[0].squares,
            df=max(both[0].squares ** 2 / each.residuals[0].fourth, 1.0),
            confidence=confidence,
        )
        differences = differences_of_sums((first, both[0]), (second, both[1]), each.pairs, shared)
        out.append(PairedAnswers(first, second, differences))
    return out


@dataclass(frozen=True)
class _Left:
    """Squared residuals of both models, and of their differences."""

    residuals: tuple[ResidualSums, ResidualSums]
    pairs: PairedSums

    def __add__(self, other: "_Left") -> "_Left":
        one, two = (a + b for a, b in zip(self.residuals, other.residuals, strict=True))
        return _Left((one, two), self.pairs + other.pairs)


def _sum_pairs(
    chunk: RowChunk, tilts: Sequence[Tilt], reader: SecondReader, kept: KeptRows
) -> tuple[tuple[PopulationSums, PopulationSums], ...]:
    other = AnsweredBySecond(chunk, reader(chunk))
    return tuple((sum_population(chunk, tilt, kept), sum_population(other, tilt, kept)) for tilt in tilts)


def _add_pairs(
    a: tuple[tuple[PopulationSums, PopulationSums], ...], b: tuple[tuple[PopulationSums, PopulationSums], ...]
) -> tuple[tuple[PopulationSums, PopulationSums], ...]:
    return tuple((one[0] + two[0], one[1] + two[1]) for one, two in zip(a, b, strict=True))


def _sum_left(
    chunk: RowChunk,
    tilts: Sequence[Tilt],
    reader: SecondReader,
    regressions: Sequence[tuple[Regression, Regression]],
    by_rows: Sequence[tuple[Mapping[str, Measured], Mapping[str, Measured]]],
) -> tuple[_Left, ...]:
    answered = chunk.quantities, reader(chunk).quantities
    out: list[_Left] = []
    for tilt, both, measured in zip(tilts, regressions, by_rows, strict=True):
        quantities = with_influences(answered[0], measured[0]), with_influences(answered[1], measured[1])
        phi, target, _, share = tilt.shares(chunk)
        distance = np.subtract(phi, target, order="C")
        lever = 1 + np.sum(of_rows(distance, both[0].whiten) ** 2, axis=1)
        first, second = (
            residual_sums(own, phi, target, share, regression) for own, regression in zip(quantities, both, strict=True)
        )
        one, other = (
            row_residuals(own, phi, target, regression) for own, regression in zip(quantities, both, strict=True)
        )
        sides = Side(quantities[0], both[0].metrics), Side(quantities[1], both[1].metrics)
        out.append(_Left((first, second), PairedSums.of(sides, (one, other), share, lever)))
    return tuple(out)


def _add_left(a: tuple[_Left, ...], b: tuple[_Left, ...]) -> tuple[_Left, ...]:
    return tuple(one + other for one, other in zip(a, b, strict=True))
