"""Thresholds of the score to compare where none are given: spread over the scores, and those of least cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.quantile_windows import QuantileWindow
from tauscope.stress.sums.chunk import RowChunk
from tauscope.stress.sums.groups import GroupReader
from tauscope.stress.sums.projection import Tilt
from tauscope.stress.sums.score_order import (
    Intervals,
    ScoreCuts,
    ScoreOrder,
    counted_scores,
    most_cells,
    read_windows,
)
from tauscope.stress.sums.thresholds import decided_rows, least_of_masses, sum_masses
from tauscope.stress.thresholds import (
    Costs,
    DecidedScores,
    even_thresholds,
    least_cost,
    spread_levels,
    spread_thresholds,
)
from tauscope.study.stress.populations import number_above

if TYPE_CHECKING:
    from tauscope.rows.rows import Rows
    from tauscope.study.stress.asked_rows import AskedRows

Array = NDArray[np.float64]
MOST = 51


@dataclass(frozen=True)
class ReadScores:
    """What one pass tells of scores and decisions.

    Attributes
    ----------
    decided : DecidedScores
    order : ScoreOrder or None
        None of rows in memory, whose scores are sorted where they lie.
    """

    decided: DecidedScores
    order: ScoreOrder | None

    @classmethod
    def of(cls, chunk: RowChunk, ordered: bool) -> ReadScores:
        """Read one chunk."""
        outcomes, weight = chunk.outcomes, chunk.weight
        assert outcomes.score is not None
        counted = slice(None) if weight is None else weight > 0
        decided = DecidedScores.of(outcomes.score[counted], outcomes.predicted[counted] == 1)
        return cls(decided, ScoreOrder.of(outcomes.score, weight) if ordered else None)

    def __add__(self, other: ReadScores) -> ReadScores:
        """Return what both row sets tell."""
        order = None if self.order is None or other.order is None else self.order + other.order
        return ReadScores(self.decided.joined(other.decided), order)


def read_decided(rows: Rows) -> ReadScores:
    """Read scores and decisions: a pass."""
    return rows.sum(ReadScores.of, rows.resident is None, plus=ReadScores.__add__)


def choose_thresholds(
    asked: AskedRows, read: ReadScores, costs: Costs, tilts: Sequence[Tilt]
) -> tuple[Array, tuple[str, ...]]:
    """Choose thresholds by the scores, some 50 and those of least cost of each group in each population.

    Parameters
    ----------
    asked : AskedRows
    read : ReadScores
        Of these rows.
    costs : Costs
    tilts : sequence of Tilt
        The populations.

    Returns
    -------
    thresholds : ndarray
        In any order, the smallest and the largest score among them.
    bounds : tuple of str
        What one in between could cost less, where rows come in chunks of very many scores.
    """
    block = asked.rows.resident
    if block is not None:
        return _choose_of_rows(block, asked.groups, asked.n_groups, costs, tilts), ()
    assert read.order is not None
    return _choose_of_cells(asked, read.order, costs, tilts)


def _choose_of_rows(block: RowChunk, groups: GroupReader, n_groups: int, costs: Costs, tilts: Sequence[Tilt]) -> Array:
    score, truth = decided_rows(block)
    spread = spread_thresholds(counted_scores(score, block.weight), MOST)
    if truth is None:
        return spread
    codes, shares = groups.codes(block), [tilt.shares(block)[3] for tilt in tilts]
    least: list[float] = []
    for k in range(n_groups):
        masked = [np.where(codes == k, share, 0.0) for share in shares]
        least += [least_cost(score, truth, weights, costs) for weights in masked if weights.any()]
    return np.concatenate([spread, least])


def _choose_of_cells(
    asked: AskedRows, order: ScoreOrder, costs: Costs, tilts: Sequence[Tilt]
) -> tuple[Array, tuple[str, ...]]:
    """Choose by cells of the score: a pass."""
    distinct = order.ranks.n_distinct
    few = distinct is not None and distinct <= MOST
    levels = np.zeros(0) if few else spread_levels(MOST)
    cuts = order.cut(most_cells(asked.n_groups * len(tilts)))
    arguments = asked.groups, asked.n_groups, tuple(tilts), cuts, order.intervals(levels)
    found: _Scores = asked.rows.sum(_Scores.of, *arguments, plus=_Scores.__add__)
    low, high = order.range
    higher = order.quantiles(levels, found.windows, higher=True)
    spread = order.ranks.low if few else np.union1d(even_thresholds(low, high, MOST), higher)
    if found.masses is None:
        return spread, ()
    parts = found.masses.reshape(-1, 2, cuts.n)
    least = [least_of_masses(each, costs, cuts) for each in parts if each.any()]
    short = max(each.short for each in least)
    words = (
        f"The threshold of least cost was sought among {cuts.n:,} scores; one between them costs less by at most "
        f"{number_above(short)} a row." if short > 0 else ""
    )  # fmt: skip
    return np.concatenate([spread, [each.threshold for each in least]]), (words,) if words else ()


@dataclass(frozen=True)
class _Scores:
    """Scores kept where quantiles lie, and weight over cells of them; None without truth."""

    windows: tuple[QuantileWindow, ...]
    masses: Array | None

    @classmethod
    def of(
        cls,
        chunk: RowChunk,
        groups: GroupReader,
        n_groups: int,
        tilts: Sequence[Tilt],
        cuts: ScoreCuts,
        intervals: Intervals,
    ) -> _Scores:
        score, truth = decided_rows(chunk)
        windows = read_windows(counted_scores(score, chunk.weight), intervals)
        return cls(windows, None if truth is None else sum_masses(chunk, groups, n_groups, tilts, cuts))

    def __add__(self, other: _Scores) -> _Scores:
        windows = tuple(one + two for one, two in zip(self.windows, other.windows, strict=True))
        masses = None if self.masses is None or other.masses is None else self.masses + other.masses
        return _Scores(windows, masses)
