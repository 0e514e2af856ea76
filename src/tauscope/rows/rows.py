"""What engines see of rows, wherever these are: sums over them, and what tells groups of them apart."""

# Decided in docs/decisions/0042-rows-are-an-interface-below-results.md.

# What a protocol lists is described where it is.
# ruff: noqa: D102

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.joint.constraints import Stress
from tauscope.stress.joint.terms import Described
from tauscope.stress.metrics import Units
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
    """

    @property
    def n_rows(self) -> int: ...
    @property
    def n_counted(self) -> int: ...
    @property
    def features(self) -> Mapping[str, Described]: ...
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

    def groups(self, by: Any) -> RowGroups:
        """Tell groups of rows apart, by what `metrics_by` takes; None for all rows as one, `AllRows`.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            For what names no groups, or too many.
        """
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
