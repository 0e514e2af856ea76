"""Metrics of two models on the same rows in chunks, and their differences, from sums over both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.chunked.chunk import MapReduce, Measurable, RowChunk
from tauscope.stress.chunked.groups import AllGroups, GroupReader, sum_groups
from tauscope.stress.chunked.outer_values import OuterValues
from tauscope.stress.chunked.projection import Tilt, Weighted
from tauscope.stress.chunked.stand_in import InnerGroups, StandIn
from tauscope.stress.estimates import Estimate
from tauscope.stress.joint.estimates import Regression, ResidualSums, residual_sums, row_residuals
from tauscope.stress.joint.paired import Difference, PairedPopulation, PairedSums, Side, differences_of_sums
from tauscope.stress.joint.products import of_rows
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.weights.pareto import tail_size

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


class PairedPopulationSums(NamedTuple):
    """A population as both models were measured in it.

    Attributes
    ----------
    weighted : Weighted
    measured : (AllGroups, AllGroups)
        Of all rows as one group.
    metrics : (sequence of SummedMetric, sequence of SummedMetric)
        The same, in the same order.
    """

    weighted: Weighted
    measured: tuple[AllGroups, AllGroups]
    metrics: tuple[Metrics, Metrics]

    @property
    def regressions(self) -> tuple[Regression, Regression]:
        """Both models' metrics regressed on Φ."""
        one, other = (
            self.weighted.regress(metrics, each.groups[0].as_moments(each.second))
            for each, metrics in zip(self.measured, self.metrics, strict=True)
        )
        return one, other


class PairedAnswers(NamedTuple):
    """The metrics of two models in one population, and second minus first of each."""

    first: list[Estimate]
    second: list[Estimate]
    differences: list[Difference]


def measure_pairs(
    tilts: Sequence[Tilt], reader: SecondReader, groups: GroupReader, counts: tuple[int, int], total: MapReduce
) -> list[tuple[AllGroups, AllGroups]]:
    """Measure both models in every population: one pass.

    Parameters
    ----------
    tilts : sequence of Tilt
    reader : SecondReader
    groups : GroupReader
        All rows are of the group 0.
    counts : tuple of int
        Rows of weight above zero, and all.
    total : MapReduce
    """
    sizes = ((tail_size(counts[0]) + 1, tail_size(counts[1]) + 1),)
    return list(total(_sum_pairs, tuple(tilts), reader, groups, sizes, plus=_add_pairs))


def compare_pairs(
    populations: Sequence[PairedPopulationSums], reader: SecondReader, total: MapReduce, confidence: float
) -> list[PairedAnswers]:
    """Estimate the metrics of both models and their differences in every population: one more pass."""
    regressions = [each.regressions for each in populations]
    tilts = tuple(each.weighted.tilt for each in populations)
    left = total(_sum_left, tilts, reader, regressions, plus=_add_left)
    out: list[PairedAnswers] = []
    for population, both, each in zip(populations, regressions, left, strict=True):
        first, second = (
            regression.estimates(residuals, population.weighted.target_covariance)
            for regression, residuals in zip(both, each.residuals, strict=True)
        )
        shared = PairedPopulation(
            population.weighted.target_covariance,
            population.weighted.unstressed,
            ess=1 / both[0].squares,
            df=max(both[0].squares ** 2 / each.residuals[0].fourth, 1.0),
            confidence=confidence,
        )
        reads = [(population.metrics[i], (first, second)[i], both[i]) for i in (0, 1)]
        out.append(PairedAnswers(first, second, differences_of_sums(reads[0], reads[1], each.pairs, shared)))
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
    chunk: RowChunk,
    tilts: Sequence[Tilt],
    reader: SecondReader,
    groups: GroupReader,
    sizes: Sequence[tuple[int, int]],
) -> tuple[tuple[AllGroups, AllGroups], ...]:
    other = AnsweredBySecond(chunk, reader(chunk))
    return tuple(
        (sum_groups(chunk, tilt, groups, sizes), sum_groups(other, tilt, InnerGroups(groups), sizes)) for tilt in tilts
    )


def _add_pairs(
    a: tuple[tuple[AllGroups, AllGroups], ...], b: tuple[tuple[AllGroups, AllGroups], ...]
) -> tuple[tuple[AllGroups, AllGroups], ...]:
    return tuple((one[0] + two[0], one[1] + two[1]) for one, two in zip(a, b, strict=True))


def _sum_left(
    chunk: RowChunk,
    tilts: Sequence[Tilt],
    reader: SecondReader,
    regressions: Sequence[tuple[Regression, Regression]],
) -> tuple[_Left, ...]:
    quantities = chunk.quantities, reader(chunk).quantities
    out: list[_Left] = []
    for tilt, both in zip(tilts, regressions, strict=True):
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
