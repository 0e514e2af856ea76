"""Rows in groups or not, as they are and under a stress: what verbs that compare the two have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.results.stress.by_group import UNMOVED, Group
from tauscope.results.stress.reweight import Reweighting
from tauscope.stress.sums.groups import GroupSums, NoTilt
from tauscope.stress.sums.projection import Weighted
from tauscope.study.stress.populations import Population, moved_population

if TYPE_CHECKING:
    from tauscope.rows.rows import RowGroups, Rows
    from tauscope.study.verbs import Asked


class AskedRows(NamedTuple):
    """Rows in groups or not, as they are and under a stress.

    Attributes
    ----------
    study : Asked
    rows : Rows
    groups : RowGroups
    reweighting : Reweighting or None
        None where nothing is moved.
    """

    study: Asked
    rows: Rows
    groups: RowGroups
    reweighting: Reweighting | None

    @property
    def n_groups(self) -> int:
        """Number of groups; 1 for all rows."""
        return len(self.groups.labels)

    @property
    def grouped(self) -> bool:
        """Whether they are in groups."""
        return self.groups.name != ""

    @property
    def codes(self) -> NDArray[np.int32] | None:
        """Each row's place among the groups, where rows are in memory and in groups."""
        return None if self.groups.of_rows is None else self.groups.of_rows.astype(np.int32)

    @property
    def counts(self) -> list[tuple[int, int]]:
        """Rows of each group, those of weight above zero and all."""
        return list(zip(self.groups.n_counted, self.groups.n_rows, strict=True))

    def populations(self) -> list[Population]:
        """Return the rows as they are, and under the stress where there is one."""
        tested = Population(UNMOVED, Weighted(NoTilt(float(sum(self.groups.weight)))))
        moved = self.reweighting
        return [tested] if moved is None else [tested, moved_population(self.study, self.rows, moved)]

    def describe(self, sums: Sequence[GroupSums | None]) -> tuple[Group, ...]:
        """Return the groups with what the weights make of them; none of all rows."""
        if not self.grouped:
            return ()
        return tuple(describe_sums(self.groups, k, each) for k, each in enumerate(sums))


def describe_sums(groups: RowGroups, code: int, sums: GroupSums | None) -> Group:
    """Return a group of rows with what the weights make of it."""
    return Group(
        label=groups.labels[code],
        n_rows=groups.n_rows[code],
        share_before=groups.weight[code] / sum(groups.weight),
        share=0.0 if sums is None else sums.share,
        ess=0.0 if sums is None else sums.ess,
    )
