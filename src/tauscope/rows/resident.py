"""Rows in memory: one block of all of them, with the answers that the model gave once."""

# What a protocol lists is described where it is.
# ruff: noqa: D102

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.features import Feature, features_by_name
from tauscope.data.groups import read_groups
from tauscope.data.table_rows import TableRows
from tauscope.effects.curves.grids import SortedValues
from tauscope.model.progress_bar import progress
from tauscope.rows.judged import JudgedRows, ask_moment, score_range
from tauscope.rows.rows import AllRows, FoundCurves, OrderedColumns, RowGroups
from tauscope.rows.values import quantities
from tauscope.stress.bins.outer_values import OuterValues
from tauscope.stress.column.column import sketch_column
from tauscope.stress.column.far_values import FarValues, find_far_values
from tauscope.stress.curves import Curves, stress_curves
from tauscope.stress.equal_distance import Shifts, equal_shifts
from tauscope.stress.groups.group_curves import GroupCurves, Shift, group_curves
from tauscope.stress.joint.constraints import Moment, Stress
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project
from tauscope.stress.joint.terms import Moments, subjects_of
from tauscope.stress.metrics import Quantities, SummedMetric, Units, choose, define_quantities, measure_units
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.sums.chunk import RowChunk
from tauscope.stress.sums.groups import weighted_rows
from tauscope.stress.sums.projection import SolvedStress
from tauscope.weights.measures import effective_size

Array = NDArray[np.float64]
T = TypeVar("T")


class Held(Protocol):
    """What holds rows in memory; a study."""

    @property
    def n_rows(self) -> int: ...
    @property
    def X(self) -> Any: ...
    @property
    def _columns(self) -> Sequence[Column]: ...
    @property
    def sample_weight(self) -> Array | None: ...
    @property
    def _outcomes(self) -> Outcomes: ...
    @property
    def _table_rows(self) -> TableRows: ...


@dataclass(frozen=True, eq=False)
class Block:
    """All rows of a study, as one chunk."""

    held: Held
    judged: JudgedRows

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.held.n_rows

    @property
    def weight(self) -> Array | None:
        """Sample weights; None where rows are not weighted."""
        return self.held.sample_weight

    @property
    def outcomes(self) -> Outcomes:
        """What the model said of the rows, and the truth."""
        return self.judged.outcomes

    @property
    def scores(self) -> tuple[float, float]:
        """Smallest and largest score; (∞, -∞) without."""
        return score_range(self.judged.outcomes)

    @property
    def quantities(self) -> Quantities:
        """What metrics are made of."""
        return self.judged.quantities

    def outer_values(self, size: int) -> dict[str, OuterValues]:
        """Return the outermost values of every quantity whose spread is a metric."""
        return self.judged.outer_values(size)

    def part(self, rows: NDArray[np.intp]) -> JudgedRows:
        """Return some of the rows, by their places."""
        return self.judged.take(rows)

    def values(self, name: str) -> Array:
        """Return one number per row of a feature or a quantity of the model."""
        return quantities(self.held._columns, lambda: self.held._outcomes)(name)

    def moment(self, constraint: Moment) -> Array:
        """Return what a moment's function gives for the rows, shape (n_rows, q)."""
        return ask_moment(constraint, self.held.X, self.n_rows)


class ResidentGroups(NamedTuple):
    """Rows in memory in groups; see `tauscope.rows.rows.RowGroups`."""

    name: str
    labels: tuple[str, ...]
    n_rows: tuple[int, ...]
    n_counted: tuple[int, ...]
    weight: tuple[float, ...]
    of_rows: NDArray[np.intp]
    columns: tuple[str, ...] = ()

    def codes(self, chunk: RowChunk) -> NDArray[np.intp]:
        """See `tauscope.stress.sums.groups.GroupReader`; the chunk is all rows."""
        return self.of_rows


@dataclass(frozen=True, eq=False)
class ResidentColumns:
    """See `tauscope.rows.rows.MovedColumns`: each column is summarised from its rows, when it is looked at."""

    held: Held
    outcomes: Outcomes
    quantile: float
    metrics: Sequence[str]

    @property
    def columns(self) -> Sequence[Column]:
        """Those of the rows."""
        return self.held._columns

    @property
    def weight(self) -> Array | None:
        """Of the rows."""
        return self.held.sample_weight

    def _values(self, features: Sequence[Feature], doing: str = "Stressing") -> Iterable[Array]:
        return progress((feature.values() for feature in features), doing, len(features), "feature")

    def curves(self, features: Sequence[Feature], taus: Array, confidence: float) -> FoundCurves:
        """See `tauscope.rows.rows.MovedColumns`."""
        curves = stress_curves(
            self._values(features),
            self.outcomes,
            taus=taus,
            quantile=self.quantile,
            confidence=confidence,
            metrics=self.metrics or None,
            sample_weight=self.weight,
        )
        return FoundCurves(curves, tuple(features))

    def shifts(self, features: Sequence[Feature], distance: float, confidence: float) -> tuple[Shifts, SummedMetric]:
        """See `tauscope.rows.rows.MovedColumns`."""
        quantities, every = define_quantities(self.outcomes, names=self.metrics)
        metric = choose(every, self.metrics or None)[0]
        columns = (sketch_column(each, quantities, self.quantile, self.weight) for each in self._values(features))
        return equal_shifts(columns, metric, distance, confidence), metric

    def group_curves(
        self, features: Sequence[Feature], groups: RowGroups, curves: Curves, shift: Shift, confidence: float
    ) -> GroupCurves:
        """See `tauscope.rows.rows.MovedColumns`."""
        assert groups.of_rows is not None
        return group_curves(
            self._values(features, "Stressing groups"),
            self.outcomes,
            groups.of_rows,
            taus=curves.taus,
            shift=shift,
            quantile=self.quantile,
            confidence=confidence,
            metrics=self.metrics,
            sample_weight=self.weight,
        )


@dataclass(frozen=True, eq=False)
class Resident:
    """See `tauscope.rows.rows.Rows`."""

    held: Held
    asked: tuple[str, ...] = ()
    answers: Outcomes | None = None
    """Those of another model, where the sums are to be of these."""

    @property
    def summed(self) -> Resident:
        """What is summed over them."""
        return self

    @property
    def units(self) -> Units:
        """Those of the rows."""
        return self._block.judged.units

    @property
    def allowing(self) -> Outcomes:
        """Those of all rows, whose scores are known to be probabilities or not."""
        return self.held._outcomes if self.answers is None else self.answers

    def no_rows(self, *, scored: bool = True) -> Outcomes:
        """Return outcomes of no rows; whether there are scores is known."""
        return self.allowing.take(np.zeros(0, np.intp))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.held.n_rows

    @property
    def n_counted(self) -> int:
        """Rows of weight above zero."""
        weight = self.held.sample_weight
        return self.held.n_rows if weight is None else int(np.count_nonzero(weight))

    @property
    def features(self) -> Mapping[str, Feature]:
        """Every feature by its name."""
        return features_by_name(self.held._columns)

    @property
    def resident(self) -> RowChunk:
        """All rows."""
        return self._block

    @cached_property
    def _block(self) -> Block:
        outcomes = self.allowing
        return Block(self.held, JudgedRows(outcomes, measure_units(outcomes, self.asked), self.asked))

    def sum(self, function: Callable[..., T | None], *args: Any, plus: Callable[[T, T], T]) -> T:
        """Apply a function to all rows at once."""
        added = function(self.resident, *args)
        assert added is not None
        return added

    def solve(self, stress: Stress, quantile: float, weights: Array | None = None) -> SolvedStress:
        """See `tauscope.rows.rows.Rows`; a target at the edge of what the rows allow has its limit here."""
        held, base = self.held, self.held.sample_weight
        look_up = quantities(held._columns, lambda: held._outcomes)
        moments = resolve(stress, look_up, held.n_rows, rows=held.X, quantile=quantile, sample_weight=base)
        found, values, far = None, moments.target, {}
        if weights is None:
            found = project(moments.phi, moments.target, sample_weight=base, names=moments.names)
            weights, values, far = found.weights, moments.to_quantities(found.achieved), self._far_values(moments)
            weights.flags.writeable = False
        weighted = weighted_rows(moments, weights, base)
        return SolvedStress(
            moments.terms, values, weighted, moments.n_beyond, moments.in_doubt, moments.notes, far, found, weights
        )

    def _far_values(self, moments: Moments) -> dict[str, tuple[FarValues, ...]]:
        features, base = self.features, self.held.sample_weight
        named = [features[name] for name in subjects_of(moments.terms) if name in features]
        return {each.name: find_far_values(*each.counted_values(base)) for each in named if each.kind == "numeric"}

    def moved(self, quantile: float, metrics: Sequence[str]) -> ResidentColumns:
        """See `tauscope.rows.rows.Rows`."""
        return ResidentColumns(self.held, self.allowing, quantile, metrics)

    def groups(self, by: Any) -> ResidentGroups | AllRows:
        """Read who belongs to which group."""
        held = self.held
        weight = np.ones(held.n_rows) if held.sample_weight is None else held.sample_weight
        if by is None:
            return AllRows((held.n_rows,), (int(np.count_nonzero(weight)),), (float(weight.sum()),))
        name, labels, codes = read_groups(by, held._columns, held.X, held.n_rows)
        every = (None, weight > 0, weight)
        n_rows, n_counted, sums = (np.bincount(codes, each, len(labels)).tolist() for each in every)
        counted = tuple(map(int, n_counted))
        return ResidentGroups(name, labels, tuple(n_rows), counted, tuple(sums), codes)

    @property
    def weighted(self) -> bool:
        """Whether the rows are weighted."""
        return self.held.sample_weight is not None

    @property
    def ess(self) -> float:
        """Effective sample size."""
        weight = self.held.sample_weight
        return float(self.n_rows) if weight is None else float(effective_size(weight))

    def ordered(self, positions: tuple[int, ...]) -> OrderedColumns:
        """Return some columns, and their values in order."""
        rows = self.held._table_rows
        orders = tuple(SortedValues(rows.column(position)) for position in positions)
        return OrderedColumns(tuple(rows.columns[p] for p in positions), orders, rows.one_hot, rows.plain, rows)

    def asking(self, metrics: Sequence[str]) -> Resident:
        """Return the same rows, summed for these metrics too."""
        return replace(self, asked=tuple(metrics))
