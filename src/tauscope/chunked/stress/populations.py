"""Rows in chunks as they are and under a stress, whole or in groups: what verbs that compare the two have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.stress.by_group import describe_group_of_chunks
from tauscope.chunked.stress.reweight import reweight_chunks, solve_stress
from tauscope.errors import InputError
from tauscope.results.stress.by_group import UNMOVED, Group
from tauscope.results.stress.joint_answer import support_of
from tauscope.results.stress.natural_units import with_names
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario
from tauscope.rows.chunked_groups import ChunkedGroups, read_groups_of_chunks
from tauscope.rows.schema import Schema, over_chunks
from tauscope.stress.chunked.groups import GroupSums, NoTilt
from tauscope.stress.chunked.projection import ChunkedTilt, Tilt
from tauscope.stress.joint.constraints import as_stress
from tauscope.stress.reliability import Support

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.rows.passes import Passes
    from tauscope.stress.chunked.chunk import MapReduce, RowChunk
    from tauscope.stress.chunked.moments import ChunkedMoments
    from tauscope.stress.joint.constraints import Constraint, Stress

Array = NDArray[np.float64]


@dataclass(frozen=True)
class AllRows:
    """All rows as one group without a name."""

    name: str = ""
    labels: tuple[str, ...] = ("",)

    def codes(self, chunk: RowChunk) -> NDArray[np.intp]:
        """See `tauscope.stress.chunked.groups.GroupReader`."""
        return np.zeros(chunk.n_rows, np.intp)


class Population(NamedTuple):
    """Rows under some weights.

    Attributes
    ----------
    name : str
    tilt : Tilt
    moments : ChunkedMoments or None
        None for the rows as they are.
    """

    name: str
    tilt: Tilt
    moments: ChunkedMoments | None

    @property
    def unstressed(self) -> bool:
        """Whether every mean is the one the rows have anyway."""
        return self.moments is None or self.moments.unstressed

    @property
    def target_covariance(self) -> Array:
        """What rows add to the targets, see `tauscope.stress.joint.estimates.joint_estimates`."""
        return np.zeros((1, 1)) if self.moments is None else self.moments.target_covariance

    def support(self, sums: GroupSums | None) -> Support | None:
        """Return where it leads the rows of a group; None for a group without weight."""
        if sums is None or not sums.share > 0:
            return None
        moments = self.moments
        n_beyond, in_doubt = (np.inf, False) if moments is None else (moments.n_beyond, moments.in_doubt)
        return support_of(n_beyond, in_doubt, sums.pareto_k)


class AskedRows(NamedTuple):
    """Rows in chunks, in groups or not, as they are and under a stress.

    Attributes
    ----------
    study : ChunkedBase
    passes : Passes
    schema : Schema
    groups : ChunkedGroups or AllRows
    reweighting : Reweighting or None
        None where nothing is moved.
    """

    study: ChunkedBase
    passes: Passes
    schema: Schema
    groups: ChunkedGroups | AllRows
    reweighting: Reweighting | None

    @classmethod
    def of(
        cls,
        study: ChunkedBase,
        passes: Passes,
        stress: Constraint | Stress | Reweighting | None,
        by: Any,
        quantile: float,
    ) -> AskedRows:
        """Solve the stress and find the groups."""
        schema = study.schema(passes)
        moved = None if stress is None else _reweighting(study, passes, schema, stress, quantile)
        groups = AllRows() if by is None else read_groups_of_chunks(by, passes, schema)
        return cls(study, passes, schema, groups, moved)

    @property
    def total(self) -> MapReduce:
        """A pass over the chunks."""
        return over_chunks(self.passes, self.schema)

    @property
    def n_groups(self) -> int:
        """Number of groups; 1 for all rows."""
        return len(self.groups.labels)

    @property
    def labels(self) -> list[str | None]:
        """What the groups are called; None for all rows."""
        return list(self.groups.labels) if isinstance(self.groups, ChunkedGroups) else [None]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that tell the groups apart."""
        return self.groups.columns(self.schema) if isinstance(self.groups, ChunkedGroups) else ()

    def populations(self, weight: float) -> list[Population]:
        """Return the rows as they are, of so much weight, and under the stress where there is one."""
        tested = Population(UNMOVED, NoTilt(weight), None)
        if self.reweighting is None:
            return [tested]
        found = self.reweighting
        stress = self.study.functions.with_functions(as_stress(found.stress))
        moments, projection = solve_stress(self.study, self.total, self.schema, stress, found.quantile)
        return [tested, Population(found.population, ChunkedTilt.of(moments, projection), moments)]

    def counts(self, n_counted: int) -> list[tuple[int, int]]:
        """Return the rows of each group, those of weight above zero and all; `n_counted` of these are there in all."""
        if isinstance(self.groups, ChunkedGroups):
            return list(zip(self.groups.n_counted, self.groups.n_rows, strict=True))
        return [(n_counted, self.schema.n_rows)]

    def describe(self, sums: Sequence[GroupSums | None]) -> tuple[Group, ...]:
        """Return the groups with what the weights make of them; none of all rows."""
        if not isinstance(self.groups, ChunkedGroups):
            return ()
        return tuple(describe_group_of_chunks(self.groups, k, each) for k, each in enumerate(sums))


def refuse_scenario(stress: object, instead: str) -> None:
    """Ask for constraints in the place of a scenario, or for what samples answer."""
    if isinstance(stress, Scenario):
        raise InputError(
            f"A scenario moves sliders, which take rows in memory; got {stress!r}. Give constraints, ts.Mean(…) & "
            f"ts.Share(…), or ask a sample: {instead}."
        )


def _reweighting(
    study: ChunkedBase, passes: Passes, schema: Schema, stress: Constraint | Stress | Reweighting, quantile: float
) -> Reweighting:
    if isinstance(stress, Reweighting):
        stress.check_usable(schema.n_rows)
        return stress
    resolved = study.functions.with_functions(with_names(as_stress(stress), study))
    found = reweight_chunks(study, passes, resolved, quantile, 0.95)
    found.check_usable(schema.n_rows)
    return replace(found, stress=study.functions.name_functions(resolved))
