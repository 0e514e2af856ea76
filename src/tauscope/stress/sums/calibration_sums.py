"""Sums over a chunk's rows for calibration: of bins, of errors, and of influences on the fits of each group.

A bin's share of positives is a ratio of cells. A fit has an influence for each row that follows from its score, its
truth and six numbers, so that it is a mean of a quantity like any other, once it is there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.calibration.calibration import Bins, BinSums, sum_bins
from tauscope.stress.calibration.recalibration import NearestScores
from tauscope.stress.joint.estimates import Regression, ResidualSums, row_residuals
from tauscope.stress.metric_forms import Quantity
from tauscope.stress.metrics import Power, Quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.sums.chunk import RowChunk
from tauscope.stress.sums.groups import (
    AllGroups,
    GroupReader,
    add_residuals,
    sum_group_residuals,
    sum_groups,
)
from tauscope.stress.sums.projection import Tilt, Weighted
from tauscope.stress.sums.recalibration import influence
from tauscope.stress.sums.stand_in import InnerGroups, StandIn

Array = NDArray[np.float64]
FITTED = ("calibration_in_the_large", "calibration_intercept", "calibration_slope")
ERROR = "score less truth"


class ScoreReader(Protocol):
    """Tells the probability of a class and whether it is true; one that can be sent to other processes."""

    def __call__(self, chunk: RowChunk) -> tuple[Array, Array]:
        """Return score and truth (0 or 1) of each row."""
        ...


@dataclass(frozen=True)
class JudgedScores:
    """How rows are read: their score, its log odds, their truth and their group.

    Attributes
    ----------
    reader : ScoreReader
    groups : GroupReader
    nearest : NearestScores
        Of all rows.
    n_groups : int
    """

    reader: ScoreReader
    groups: GroupReader
    nearest: NearestScores
    n_groups: int

    def rows(self, chunk: RowChunk) -> tuple[Array, Array, Array]:
        """Return score, log odds and truth."""
        score, truth = self.reader(chunk)
        return score, self.nearest.log_odds(score), truth


class TiltedFits(NamedTuple):
    """A population, with the curves that its groups' influences are of.

    Attributes
    ----------
    weighted : Weighted
    table : ndarray of shape (2, n_groups, 6)
    """

    weighted: Weighted
    table: Array


@dataclass(frozen=True)
class MeasuredPopulation:
    """What one pass sums of a population.

    Attributes
    ----------
    groups : AllGroups
    bins : dict of int to BinSums
        By group; of those with a row in these chunks.
    """

    groups: AllGroups
    bins: dict[int, BinSums]

    def __add__(self, other: "MeasuredPopulation") -> "MeasuredPopulation":
        """Return the same of both row sets."""
        a, b = self.bins, other.bins
        bins = {k: a[k] + b[k] if k in a and k in b else a.get(k) or b[k] for k in {*a, *b}}
        return MeasuredPopulation(self.groups + other.groups, bins)


@dataclass(frozen=True)
class LeftOver:
    """What the second pass sums: squared residuals of each population, and differences to the first, by group."""

    residuals: tuple[dict[int, ResidualSums], ...]
    differences: dict[int, Array]

    def __add__(self, other: "LeftOver") -> "LeftOver":
        """Return the sums over both row sets."""
        residuals = tuple(add_residuals(a, b) for a, b in zip(self.residuals, other.residuals, strict=True))
        return LeftOver(residuals, {k: each + other.differences[k] for k, each in self.differences.items()})


def fitted_alone(regression: Regression) -> Regression:
    """Return the regression of the last three metrics alone."""
    own = slice(-len(FITTED), None)
    return replace(
        regression,
        metrics=regression.metrics[own],
        values=regression.values[own],
        unbounded=regression.unbounded[own],
        influence=regression.influence[:, own],
        total=regression.total[own],
        support=regression.support[:, own],
        slopes=regression.slopes[:, own],
    )


def power_of(name: str, values: Array) -> Power:
    """Return a quantity of given rows, with its square."""
    return Power(Quantity(name, _no_values), (1, 2), values.__getitem__)


def _no_values(outcomes: Outcomes, rows: slice) -> Array:
    raise TypeError("These are of given rows.")


class CalibratedChunk(StandIn):
    """A chunk whose quantities are bins, errors and influences of the fits of one population.

    Parameters
    ----------
    chunk : RowChunk
    judged : JudgedScores
    bins : Bins
    table : ndarray of shape (2, n_groups, 6)
    """

    def __init__(self, chunk: RowChunk, judged: JudgedScores, bins: Bins, table: Array) -> None:
        super().__init__(chunk)
        self.rows = judged.rows(chunk)
        self.bin, self._n_bins = bins(self.rows[0]), bins.n
        self._of_rows = table[:, judged.groups.codes(chunk)]

    def quantities_of(self, rows: NDArray[np.intp] | slice) -> Quantities:
        """See `StandIn`."""
        score, odds, truth = (each[rows] for each in self.rows)
        cell = (2 * self.bin[rows] + truth).astype(np.int32)
        fits = [influence(table[rows], odds, truth) for table in self._of_rows]
        named = zip((ERROR, *FITTED[1:]), (score - truth, *fits), strict=True)
        return Quantities(cell, 2 * self._n_bins, tuple(power_of(*each) for each in named))


def measure(
    chunk: RowChunk,
    judged: JudgedScores,
    bins: Bins,
    populations: Sequence[TiltedFits],
    sizes: Sequence[tuple[int, int]],
) -> tuple[MeasuredPopulation, ...]:
    """Sum a chunk's rows by group and bin for each population; `sizes` are the heaviest rows kept of each group."""
    out: list[MeasuredPopulation] = []
    for population in populations:
        rows = CalibratedChunk(chunk, judged, bins, population.table)
        groups = sum_groups(rows, population.weighted.tilt, InnerGroups(judged.groups), sizes)
        phi, target, _, share = population.weighted.tilt.shares(chunk)
        distance, codes = np.subtract(phi, target, order="C"), judged.groups.codes(chunk)
        score, _, truth = rows.rows
        by_group: dict[int, BinSums] = {}
        for k in groups.groups:
            own = codes == k
            error = score[own] - truth[own]
            by_group[k] = sum_bins(bins.n, rows.bin[own], score[own], error, distance[own], share[own])
        out.append(MeasuredPopulation(groups, by_group))
    return tuple(out)


def add_measured(
    a: tuple[MeasuredPopulation, ...], b: tuple[MeasuredPopulation, ...]
) -> tuple[MeasuredPopulation, ...]:
    """Return the sums over both row sets."""
    return tuple(one + other for one, other in zip(a, b, strict=True))


def sum_left(
    chunk: RowChunk,
    judged: JudgedScores,
    bins: Bins,
    populations: Sequence[TiltedFits],
    regressions: Sequence[dict[int, Regression]],
    shares: Sequence[dict[int, float]],
) -> LeftOver:
    """Sum what a chunk's rows leave of the regressions of each group; `shares` are the groups' of all weight."""
    chunks = [CalibratedChunk(chunk, judged, bins, each.table) for each in populations]
    residuals = tuple(
        sum_group_residuals(rows, population.weighted.tilt, InnerGroups(judged.groups), own, share)
        for rows, population, own, share in zip(chunks, populations, regressions, shares, strict=True)
    )
    differences: dict[int, Array] = {}
    codes = judged.groups.codes(chunk)
    for k in regressions[-1] if len(populations) > 1 else ():
        moves = [
            _moves(rows, population.weighted.tilt, fitted_alone(own[k]), share[k], codes == k)
            for rows, population, own, share in zip(chunks, populations, regressions, shares, strict=True)
        ]
        differences[k] = np.sum((moves[-1] - moves[0]) ** 2, axis=0)
    return LeftOver(residuals, differences)


def _moves(rows: CalibratedChunk, tilt: Tilt, regression: Regression, share: float, within: NDArray[np.bool_]) -> Array:
    """Return what each row moves the metrics of a group by, shape (n_rows, 3)."""
    phi, target, _, weight = tilt.shares(rows)
    return (weight / share)[:, None] * row_residuals(rows.quantities, phi, target, regression, within)
