"""What engines see of rows, wherever these are: sums over them, and what tells groups of them apart."""

# Decided in docs/decisions/0042-rows-are-an-interface-below-results.md.

# What a protocol lists is described where it is.
# ruff: noqa: D102

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.features import Feature
from tauscope.data.one_hot import OneHotGroup
from tauscope.data.table_rows import TableRows
from tauscope.effects.curves.grids import ValueOrder
from tauscope.stress.curves import Curves
from tauscope.stress.equal_distance import Shifts
from tauscope.stress.groups.group_curves import GroupCurves, Shift
from tauscope.stress.joint.constraints import Stress
from tauscope.stress.joint.terms import Described
from tauscope.stress.metrics import SummedMetric, Units
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.sums.chunk import RowChunk
from tauscope.stress.sums.groups import GroupReader
from tauscope.stress.sums.paired import SecondReader
from tauscope.stress.sums.projection import SolvedStress

T = TypeVar("T")


class RowGroups(GroupReader, Protocol):
    """Rows in disjoint groups.

    Attributes
    ----------
    name : str
        What they are groups by: "sex", "sex, race".
    labels : tuple of str
        Distinct; each has a row.
    n_rows, n_counted : tuple of int
        Rows of each, and those of weight above zero.
    weight : tuple of float
        Of each, as the rows give it.
    columns : tuple of str
        Those that tell them apart; empty where rows in memory do, and for all rows as one group.
    of_rows : ndarray of shape (n_rows,) or None
        Each row's place among the labels, where rows are in memory.
    """

    @property
    def name(self) -> str: ...
    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def n_rows(self) -> tuple[int, ...]: ...
    @property
    def n_counted(self) -> tuple[int, ...]: ...
    @property
    def weight(self) -> tuple[float, ...]: ...
    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def of_rows(self) -> NDArray[np.intp] | None: ...


@dataclass(frozen=True)
class AllRows:
    """All rows as one group without a name; see `RowGroups`."""

    n_rows: tuple[int, ...]
    n_counted: tuple[int, ...]
    weight: tuple[float, ...]

    name = ""
    labels = ("",)
    columns = ()
    of_rows = None

    def codes(self, chunk: RowChunk) -> NDArray[np.intp]:
        """See `tauscope.stress.sums.groups.GroupReader`."""
        return np.zeros(chunk.n_rows, np.intp)


class OrderedColumns(NamedTuple):
    """Features of an effect, with what a grid and the values put into rows follow from.

    Attributes
    ----------
    columns : tuple of Column
        With the values of all rows, or a thousand that stand for them.
    orders : tuple of ValueOrder
    one_hot : tuple of OneHotGroup
        Columns that are levels of one: those of the features at least.
    plain : bool
        Whether trees can compare the rows; see `tauscope.data.table_rows.TableRows.plain`.
    rows : TableRows or None
        Rows in memory.
    donors : frame or None
        Rows of chunks with each value of the features that cannot be written as a number.
    """

    columns: tuple[Column, ...]
    orders: tuple[ValueOrder, ...]
    one_hot: tuple[OneHotGroup, ...]
    plain: bool
    rows: TableRows | None = None
    donors: Any = None


class Summed(Protocol):
    """What is summed over rows.

    Attributes
    ----------
    units : mapping of str to Unit
        That the sums of each quantity are in.
    asked : tuple of str
        Metrics that are summed for besides those that always are.
    n_rows, n_counted : int
        Rows, and those of weight above zero.
    features : mapping of str to Described
        By name.
    weighted : bool
        Whether rows come with weights.
    ess : float
        Effective sample size of these; the number of rows without.
    """

    @property
    def n_rows(self) -> int: ...
    @property
    def n_counted(self) -> int: ...
    @property
    def features(self) -> Mapping[str, Described]: ...
    @property
    def weighted(self) -> bool: ...
    @property
    def ess(self) -> float: ...
    @property
    def units(self) -> Units: ...
    @property
    def asked(self) -> tuple[str, ...]: ...

    @property
    def allowing(self) -> Outcomes:
        """Outcomes that tell which metrics may be asked for: of all rows in memory, else of none."""
        ...

    def no_rows(self, *, scored: bool = True) -> Outcomes:
        """Return outcomes of no rows, for what there would be; `scored` says whether there are scores."""
        ...


class FoundCurves(NamedTuple):
    """Curves of some features.

    Attributes
    ----------
    curves : Curves
    features : tuple of Feature
        As results keep them.
    bounds : tuple of (SummedMetric, float)
        Metrics in steps of the score, and how far each can be off at most.
    inexact : mapping of str to str
        By name, features whose sums are not exact enough, and why.
    """

    curves: Curves
    features: tuple[Feature, ...]
    bounds: tuple[tuple[SummedMetric, float], ...] = ()
    inexact: Mapping[str, str] = MappingProxyType({})


class MovedColumns(Protocol):
    """Columns of which the mean of one at a time is moved, and metrics that follow.

    Attributes
    ----------
    columns : sequence of Column
        In which features are found.
    weight : ndarray of shape (n_rows,) or None
        By which they are found, where rows are in memory.
    """

    @property
    def columns(self) -> Sequence[Column]: ...
    @property
    def weight(self) -> NDArray[np.float64] | None: ...

    def curves(self, features: Sequence[Feature], taus: NDArray[np.float64], confidence: float) -> FoundCurves:
        """Follow every metric along τ for every feature."""
        ...

    def shifts(self, features: Sequence[Feature], distance: float, confidence: float) -> tuple[Shifts, SummedMetric]:
        """Move every feature both ways by a total variation, and estimate what changes in the first metric."""
        ...

    def group_curves(
        self, features: Sequence[Feature], groups: RowGroups, curves: Curves, shift: Shift, confidence: float
    ) -> GroupCurves:
        """Follow every metric of every group; `curves` are those of all rows."""
        ...


class Rows(Protocol):
    """Rows that are in memory, come in chunks, or are kept by Dask's workers."""

    @property
    def summed(self) -> Summed:
        """What is summed over them."""
        ...

    @property
    def resident(self) -> RowChunk | None:
        """The rows themselves where they are in memory, one block of all; for engines that are faster so."""
        ...

    def sum(self, function: Callable[..., T | None], *args: Any, plus: Callable[[T, T], T]) -> T:
        """Take one pass: function(block, *args) of each block of rows, added; None adds nothing."""
        ...

    def solve(self, stress: Stress, quantile: float, weights: NDArray[np.float64] | None = None) -> SolvedStress:
        """Find the weights closest to the present ones that meet a stress.

        Parameters
        ----------
        stress : Stress
            In numbers, with its functions.
        quantile : float
            τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
        weights : ndarray of shape (n_rows,), optional
            Those of rows in memory, where they are known.

        Raises
        ------
        InfeasibleTarget, DependentConstraints, UnknownName, InputError
            As `Study.reweight`.
        """
        ...

    def moved(self, quantile: float, metrics: Sequence[str]) -> MovedColumns:
        """Return the columns for stress curves; `metrics` are checked names, none for those of the task.

        Raises
        ------
        InputError
            For rows that are others at each reading, and sums that were made for other metrics.
        """
        ...

    def groups(self, by: Any) -> RowGroups:
        """Tell groups of rows apart, by what `metrics_by` takes; None for all rows as one, `AllRows`.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            For what names no groups, or too many.
        """
        ...

    def ordered(self, positions: tuple[int, ...]) -> OrderedColumns:
        """Return some columns with the order of their values."""
        ...

    def asking(self, metrics: Sequence[str]) -> Rows:
        """Return the same rows, summed for these metrics besides those that always are; their names are checked."""
        ...


class Pair(NamedTuple):
    """Two models on the same rows.

    Attributes
    ----------
    rows, second : Rows
        As the first model answered for them, and as the second did.
    read : callable
        Turns the second, summed for the same metrics, into what gives its blocks beside those of the first.
    outcomes : (Outcomes, Outcomes)
        Of both; in chunks of no rows.
    """

    rows: Rows
    second: Rows
    read: Callable[[Rows], SecondReader]
    outcomes: tuple[Outcomes, Outcomes]
