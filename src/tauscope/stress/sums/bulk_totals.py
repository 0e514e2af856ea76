"""Columns of Φ that a few values dwarf, in rows that come in chunks: `tauscope.stress.joint.bulk` by one more pass."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.bulk import Bulk, find_bulk
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.sums.chunk import CountedRows, MapReduce, RowChunk
from tauscope.stress.sums.moment_columns import MomentColumn, MomentTotals, merge_summaries, phi_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Near:
    """Summary of the rows of the bulk, to be added.

    Attributes
    ----------
    total : float
        Their weight.
    summary : MomentSummary or None
        None without any.
    """

    total: float
    summary: MomentSummary | None

    def __add__(self, other: "Near") -> "Near":
        """Return the same of both sets of rows."""
        if self.summary is None or other.summary is None:
            return other if self.summary is None else self
        total = self.total + other.total
        return Near(total, merge_summaries(self.summary, other.summary, other.total / total))


def summarise_chunked_bulk(
    columns: Sequence[MomentColumn], totals: MomentTotals, target: Array, total: MapReduce
) -> MomentSummary:
    """Return a summary in whose units the rows about the target lie apart; that of `totals` for ordinary columns."""
    bulk = find_bulk(totals.sample, totals.summary)
    if bulk is None:
        return totals.summary
    near = total(_sum_near, tuple(columns), bulk, plus=Near.__add__)
    return totals.summary if near.summary is None else bulk.summarise(near.summary, target, totals.summary)


def _sum_near(chunk: RowChunk, columns: Sequence[MomentColumn], bulk: Bulk) -> Near:
    counted = CountedRows.of(chunk)
    phi = phi_of(chunk, columns)[counted.rows]
    inside = bulk.holds(phi)
    if not inside.any():
        return Near(0.0, None)
    if counted.weight is None:
        return Near(float(np.count_nonzero(inside)), summarise_moments(phi[inside], None))
    weight = counted.weight[inside]
    return Near(float(weight.sum()), summarise_moments(phi[inside], weight / weight.sum()))
