"""A study's rows as a forest takes them: numbers as they are, levels as codes in the order of what is decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.results.rules.columns import Kind, RuleColumn
from tauscope.weights.arrays import Floats, Ints

if TYPE_CHECKING:
    from tauscope.data.columns import Column
    from tauscope.study.base import StudyBase


@dataclass(frozen=True, eq=False)
class RuleTable:
    """Rows for a forest.

    Attributes
    ----------
    columns : tuple of RuleColumn
    rows : ndarray of shape (n_rows, n_columns)
        Numbers, and codes by `rank`; NaN where missing.
    rank : tuple of ndarray or None
        Of a column of levels the place of each of the study's codes; None for numbers.
    """

    columns: tuple[RuleColumn, ...]
    rows: Floats
    rank: tuple[Ints | None, ...]

    def encode(self, points: Floats) -> Floats:
        """Turn rows of numbers and the study's codes (n, p) into rows for the forest."""
        coded = points.copy()
        for j, rank in enumerate(self.rank):
            if rank is not None:
                known = ~np.isnan(points[:, j])
                coded[known, j] = rank[points[known, j].astype(np.int64)]
        return coded

    def codes(self, j: int, entries: Floats) -> Floats:
        """Turn entries of a column of levels back into the study's codes."""
        rank = self.rank[j]
        assert rank is not None
        return np.argsort(rank)[entries.astype(np.int64)].astype(np.float64)


def rule_table(study: StudyBase, decided: Floats) -> RuleTable:
    """Read a study's rows for a forest.

    Parameters
    ----------
    study : Study
    decided : ndarray of shape (n_rows,)
        What orders levels: the mean of it over a level's rows. Levels that no row has come last.
    """
    columns: list[RuleColumn] = []
    ranks: list[Ints | None] = []
    for column in study.columns:
        if column.codes is None:
            columns.append(RuleColumn(column.name, _kind(column), integer=column.integer))
            ranks.append(None)
            continue
        order: list[int] = _order_levels(column.codes, len(column.levels), decided).tolist()
        columns.append(RuleColumn(column.name, "levels", tuple(column.levels[code] for code in order)))
        ranks.append(np.argsort(order))
    points = np.column_stack([study.rows.column(j) for j in range(len(columns))])
    table = RuleTable(tuple(columns), points, tuple(ranks))
    return RuleTable(table.columns, table.encode(points), table.rank)


def _kind(column: Column) -> Kind:
    kinds: dict[str, Kind] = {"year": "date", "days": "duration"}
    return kinds.get(column.unit, "number")


def _order_levels(codes: NDArray[np.int32], n_levels: int, decided: Floats) -> Ints:
    known = codes >= 0
    n = np.bincount(codes[known], minlength=n_levels)
    total = np.bincount(codes[known], decided[known], minlength=n_levels)
    mean = np.where(n > 0, total / np.maximum(n, 1), np.inf)
    return np.argsort(mean, kind="stable")
