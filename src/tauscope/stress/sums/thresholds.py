"""Decisions at other thresholds of a score: cells, metrics and costs of every group, from sums."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.cells import CellSums
from tauscope.stress.joint.groups import GroupEstimates
from tauscope.stress.metrics import Quantities, SummedMetric
from tauscope.stress.sums.chunk import MapReduce, RowChunk
from tauscope.stress.sums.groups import AllGroups, GroupReader, GroupSums, regress_groups, sum_groups
from tauscope.stress.sums.projection import Tilt, Weighted
from tauscope.stress.sums.score_order import ScoreCuts
from tauscope.stress.sums.stand_in import InnerGroups, StandIn
from tauscope.stress.thresholds import SAME, Costs, CostsAlong, Decisions, costs_of_sums
from tauscope.weights.pareto import tail_size

Array = NDArray[np.float64]
T = TypeVar("T")


def decided_rows(chunk: RowChunk) -> tuple[Array, NDArray[np.intp] | None]:
    """Return the score of the positive class and, where it is known, the truth (0 or 1) of each row."""
    outcomes = chunk.outcomes
    assert outcomes.score is not None
    return outcomes.score, None if outcomes.truth is None else outcomes.truth.astype(np.intp)


class DecidedChunk(StandIn):
    """A chunk whose quantities are cells of the thresholds that its scores reach.

    Parameters
    ----------
    chunk : RowChunk
    thresholds : ndarray of shape (n,)
    """

    def __init__(self, chunk: RowChunk, thresholds: Array) -> None:
        super().__init__(chunk)
        self._cells = Decisions(*decided_rows(chunk), thresholds).quantities

    def quantities_of(self, rows: NDArray[np.intp] | slice) -> Quantities:
        """See `StandIn`."""
        return Quantities(self._cells.cell[rows], self._cells.n_cells, ())


@dataclass(frozen=True)
class DecidedRows:
    """Rows that are decided at some thresholds.

    Attributes
    ----------
    groups : GroupReader
    thresholds : ndarray of shape (n,)
        Ascending.
    total : MapReduce
    """

    groups: GroupReader
    thresholds: Array
    total: MapReduce

    def measure(self, tilts: Sequence[Tilt], counts: Sequence[tuple[int, int]]) -> tuple[AllGroups, ...]:
        """Sum every group in every population: one pass; `counts` of rows, those of weight above zero and all."""
        sizes = tuple((tail_size(counted) + 1, tail_size(n) + 1) for counted, n in counts)
        return self._passes(_sum_populations, tuple(tilts), InnerGroups(self.groups), sizes, plus=_add_populations)

    def regress(
        self,
        weighted: Weighted,
        measured: AllGroups,
        metrics: Sequence[SummedMetric],
        n_groups: int,
    ) -> GroupEstimates:
        """Estimate metrics of every threshold in a population that was measured: one pass."""
        sums = [measured.groups.get(k) for k in range(n_groups)]
        own = [metrics if each is not None and each.share > 0 else None for each in sums]
        return regress_groups(weighted, InnerGroups(self.groups), measured, own, self._passes)

    def _passes(self, function: Callable[..., T | None], *arguments: Any, plus: Callable[[T, T], T]) -> T:
        return self.total(_decide, self.thresholds, function, *arguments, plus=plus)


def costs_of_group(
    quantities: Quantities,
    costs: Sequence[SummedMetric],
    sums: GroupSums,
    measured: AllGroups,
    weighted: Weighted,
) -> CostsAlong:
    """Return the cost at every threshold in a group, from what was measured.

    Parameters
    ----------
    quantities : Quantities
        Of any rows at these thresholds.
    costs : sequence of SummedMetric
        As `Decisions.costs` has them.
    sums : GroupSums
        Of the group, which has weight.
    measured : AllGroups
    weighted : Weighted
    """
    square, inside = sums.share**2, slice(1, 1 + quantities.n_cells)
    regression = weighted.regress(costs, sums.as_moments(measured.second))
    cells = CellSums(
        sums.squared[inside] / square, sums.squared_cross[inside] / square, measured.squared_second / square
    )
    return costs_of_sums(quantities, regression, cells, weighted.target_covariance / square)


class Least(NamedTuple):
    """A threshold of least cost among the smallest scores of cells.

    Attributes
    ----------
    threshold : float
        The lowest of several.
    short : float
        What a score in between can cost less at most, per row, than it and than a threshold above every score.
    """

    threshold: float
    short: float


def sum_masses(chunk: RowChunk, groups: GroupReader, n_groups: int, tilts: Sequence[Tilt], cuts: ScoreCuts) -> Array:
    """Sum a chunk's weight by population, group, true class and cell, shape (n_tilts, n_groups, 2, n_cells)."""
    score, truth = decided_rows(chunk)
    assert truth is not None
    place = (2 * groups.codes(chunk) + truth) * cuts.n + cuts(score)
    size = 2 * n_groups * cuts.n
    masses = [np.bincount(place, tilt.shares(chunk)[3], size) for tilt in tilts]
    return np.array(masses, np.float64).reshape(len(tilts), n_groups, 2, cuts.n)


def least_of_masses(masses: Array, costs: Costs, cuts: ScoreCuts) -> Least:
    """Find where to decide so that rows cost least.

    Parameters
    ----------
    masses : ndarray of shape (2, n_cells)
        Weight by true class and cell of the score, some above zero.
    costs : Costs
    cuts : ScoreCuts
    """
    more = costs.of_missing[:, None] * masses / masses.sum()
    below = np.concatenate([[0.0], np.cumsum(more.sum(axis=0))])
    below, above = below[:-1], float(below[-1])
    held = masses.sum(axis=0) > 0
    # a threshold inside a cell leaves out, at best, all of its rows that cost less decided negative
    inside = below + np.where(cuts.alone, 0.0, np.minimum(more, 0.0).sum(axis=0))
    best = float(below.min())
    place = int(np.flatnonzero(below <= best + SAME * np.abs(more).sum())[0])
    return Least(float(cuts.low[place]), max(min(best, above) - float(inside[held].min()), 0.0))


def _decide(chunk: RowChunk, thresholds: Array, function: Callable[..., T | None], *arguments: Any) -> T | None:
    return function(DecidedChunk(chunk, thresholds), *arguments)


def _sum_populations(
    chunk: RowChunk, tilts: Sequence[Tilt], groups: GroupReader, sizes: Sequence[tuple[int, int]]
) -> tuple[AllGroups, ...]:
    return tuple(sum_groups(chunk, tilt, groups, sizes) for tilt in tilts)


def _add_populations(a: tuple[AllGroups, ...], b: tuple[AllGroups, ...]) -> tuple[AllGroups, ...]:
    return tuple(one + other for one, other in zip(a, b, strict=True))
