"""A study's rows as a forest takes them: numbers as they are, levels as codes in the order of what is decided."""

# Decided in docs/decisions/0030-levels-are-one-column-of-a-rules-forest.md.

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tauscope.data.one_hot import NO_LEVEL, level_names, one_hot_codes
from tauscope.results.rules.columns import Kind, RuleColumn
from tauscope.weights.arrays import Floats, Ints

if TYPE_CHECKING:
    from tauscope.data.columns import Column
    from tauscope.results.rules.spec import Groups
    from tauscope.study.base import StudyBase


@dataclass(frozen=True, eq=False)
class RuleTable:
    """Rows for a forest.

    Attributes
    ----------
    columns : tuple of RuleColumn
        The features: the study's columns, and groups of them.
    rows : ndarray of shape (n_rows, n_features)
        Numbers, and codes by `rank`; NaN where missing.
    rank : tuple of ndarray or None
        Of a column of levels the place of each of the study's codes; None for numbers and groups.
    sources : tuple of ndarray of int
        The study's columns of each feature, those of a group in the order of its levels.
    """

    columns: tuple[RuleColumn, ...]
    rows: Floats
    rank: tuple[Ints | None, ...]
    sources: tuple[Ints, ...]

    def encode(self, points: Floats) -> Floats:
        """Turn rows of numbers and the study's codes (n, p) into rows for the forest.

        Raises
        ------
        InputError
            For rows in which the columns of a group are not one-hot.
        """
        coded = np.empty((len(points), len(self.columns)))
        for k, (column, rank, source) in enumerate(zip(self.columns, self.rank, self.sources, strict=True)):
            if column.one_hot:
                coded[:, k] = column.read_group(points[:, source])
                continue
            coded[:, k] = points[:, source[0]]
            if rank is not None:
                known = ~np.isnan(coded[:, k])
                coded[known, k] = rank[coded[known, k].astype(np.int64)]
        return coded

    def values(self, k: int, entries: Floats) -> Floats:
        """Turn entries of a feature of levels into those of the study's columns: shape (m, g)."""
        rank, one_hot = self.rank[k], self.columns[k].one_hot
        if one_hot:
            places = [place for place, name in enumerate(one_hot) if name]
            return (entries[:, None] == np.array(places)).astype(np.float64)
        assert rank is not None
        return np.argsort(rank)[entries.astype(np.int64)][:, None].astype(np.float64)

    def sources_of(self, features: list[int]) -> Ints:
        """Return the study's columns of some features."""
        return np.concatenate([self.sources[k] for k in features])


def study_points(study: StudyBase, rows: Ints | None = None) -> Floats:
    """Return the study's rows, or some, as numbers and its codes of levels: shape (n, p)."""
    columns = (study._table_rows.column(j) for j in range(len(study._columns)))
    return np.column_stack([column if rows is None else column[rows] for column in columns])


def feature_names(study: StudyBase, groups: Groups) -> tuple[str, ...]:
    """Return the names of the features of rules: of columns, and of groups in the place of their first column."""
    return tuple(name for name, _ in _features(study, groups))


def rule_table(study: StudyBase, decided: Floats, groups: Groups) -> RuleTable:
    """Read a study's rows for a forest.

    Parameters
    ----------
    study : Study
    decided : ndarray of shape (n_rows,)
        What orders levels: the mean of it over a level's rows. Levels that no row has come last.
    groups : mapping of names to columns
    """
    points = study_points(study)
    read = [_read(study, points, decided, groups, *one) for one in _features(study, groups)]
    columns, ranks, sources = zip(*read, strict=True)
    table = RuleTable(columns, points, ranks, sources)
    return replace(table, rows=table.encode(points))


def _read(
    study: StudyBase, points: Floats, decided: Floats, groups: Groups, name: str, source: Ints
) -> tuple[RuleColumn, Ints | None, Ints]:
    if name in groups and len(source) > 1:
        column = _read_group(name, groups[name], points[:, source], decided)
        return column, None, np.array([study.feature_names.index(one) for one in column.names])
    own: Column = study._columns[int(source[0])]
    if own.codes is None:
        return RuleColumn(name, _kind(own), integer=own.integer), None, source
    order = _order_levels(points[:, source[0]], len(own.levels), decided)
    codes: list[int] = order.tolist()
    return RuleColumn(name, "levels", tuple(own.levels[code] for code in codes)), np.argsort(order), source


def _read_group(name: str, columns: tuple[str, ...], values: Floats, decided: Floats) -> RuleColumn:
    codes = one_hot_codes(name, values)
    levels = (*level_names(name, columns), NO_LEVEL)
    n = len(columns) + int((codes == len(columns)).any())  # the last level where some row has it
    order: list[int] = _order_levels(codes, n, decided).tolist()
    return RuleColumn(
        name, "levels", tuple(levels[code] for code in order), one_hot=tuple((*columns, "")[code] for code in order)
    )


def _features(study: StudyBase, groups: Groups) -> list[tuple[str, Ints]]:
    names = study.feature_names
    group_of = {column: name for name, columns in groups.items() for column in columns}
    found: dict[str, Ints] = {}
    for j, name in enumerate(names):
        group = group_of.get(name)
        if group is None:
            found[name] = np.array([j])
        elif group not in found:
            found[group] = np.array([names.index(column) for column in groups[group]])
    return list(found.items())


def _kind(column: Column) -> Kind:
    kinds: dict[str, Kind] = {"year": "date", "days": "duration"}
    return kinds.get(column.unit, "number")


def _order_levels(codes: Floats, n_levels: int, decided: Floats) -> Ints:
    known = ~np.isnan(codes)
    code = codes[known].astype(np.int64)
    n = np.bincount(code, minlength=n_levels)
    total = np.bincount(code, decided[known], minlength=n_levels)
    mean = np.where(n > 0, total / np.maximum(n, 1), np.inf)
    return np.argsort(mean, kind="stable")
