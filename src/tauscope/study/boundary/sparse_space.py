"""How sparse rows are measured and what of them may change: of all columns, and of the few that move."""

# SciPy's sparse containers carry no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from tauscope.arguments import describe
from tauscope.boundary.space import Limits, Space
from tauscope.data.sparse import SparseColumns, SparseTable
from tauscope.data.sparse_one_hot import binary_columns, most_in_a_row
from tauscope.errors import InputError, InputTypeError
from tauscope.results.boundary.columns import BoundaryColumn, HeldWhy
from tauscope.study.boundary.limits import read_directions, read_range
from tauscope.study.boundary.space import StudySpace
from tauscope.study.columns import column_position, column_positions
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.boundary.spec import BoundarySpec
    from tauscope.study.base import StudyBase

SparseMetric = Literal["euclidean", "manhattan"]
METRICS: tuple[SparseMetric, ...] = ("euclidean", "manhattan")
NOTE = "distances are in the matrix' own units"
NOT_NEGATIVE = "what is nowhere below 0 in the matrix stays at 0 or above"


@dataclass(frozen=True, eq=False)
class SparseSpace:
    """All columns of a sparse matrix.

    Distances are in the matrix' own units, not in standard deviations: rows of tf-idf weights have length 1 already,
    and a word that few rows have would count for nothing but its rarity.

    Attributes
    ----------
    columns : SparseColumns
    metric : {"euclidean", "manhattan"}
    one_hot : tuple of tuple of int
        Groups of 0/1 columns that change together.
    lower, upper : ndarray of shape (p,)
        Ends: 0 for what is nowhere below, what the matrix' type holds, and the user's own bounds in their place.
    sign : ndarray of shape (p,)
        1 for a column that may only increase, −1 for one that may only decrease.
    fixed : ndarray of bool, shape (p,)
        Named by the user.
    bounds : dict of int to (lowest, highest)
        As the user gave them.
    whole : ndarray of bool, shape (p,)
        Columns searched in whole numbers, those of 0 and 1 included.
    """

    columns: SparseColumns
    metric: SparseMetric
    one_hot: tuple[tuple[int, ...], ...]
    lower: Floats
    upper: Floats
    sign: Ints
    fixed: Bools
    bounds: dict[int, Any]
    whole: Bools

    @property
    def table(self) -> SparseTable:
        """The matrix."""
        return self.columns.table

    @cached_property
    def constant(self) -> Bools:
        """Columns of one value, which stay as they are; a level that no row has goes with the others of its group."""
        constant = self.table.lower == self.table.upper
        for group in self.one_hot:
            if not constant[list(group)].all():
                constant[list(group)] = False
        return constant

    @cached_property
    def binary(self) -> Bools:
        """Columns of 0 and 1, which are levels."""
        return binary_columns(self.table) & self.whole

    @cached_property
    def group_of(self) -> dict[int, tuple[int, ...]]:
        """The group of each column that has one."""
        return {j: group for group in self.one_hot for j in group}

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the distances and ends."""
        return (NOTE, NOT_NEGATIVE) if (self.lower == 0).any() else (NOTE,)

    def with_groups(self, active: Ints) -> Ints:
        """Add to columns the others of their groups, and one column where there is none."""
        more = {k for j in active.tolist() for k in self.group_of.get(j, ())} if self.one_hot else set[int]()
        if more:
            active = np.union1d(active, np.array(sorted(more)))
        return active if len(active) else np.zeros(1, dtype=np.int64)

    def ends(self, active: Ints | slice, start: Floats) -> tuple[Floats, Floats]:
        """Return the least and greatest value of some columns for a start that has these values."""
        sign = self.sign[active]
        lower = np.where(sign > 0, start, np.minimum(self.lower[active], start))
        upper = np.where(sign < 0, start, np.maximum(self.upper[active], start))
        held = self.fixed[active] | self.constant[active]
        return np.where(held, start, lower), np.where(held, start, upper)

    def limits(self, active: Ints, start: Floats) -> Limits:
        """Return the ends of some columns as the limits of one start (p,)."""
        lower, upper = self.ends(active, start)
        return Limits(lower[None], upper[None], {})

    def part(self, active: Ints, points: Floats) -> StudySpace:
        """Measure points (m, p) in some of the columns."""
        place = {int(j): k for k, j in enumerate(active)}
        groups = {self.group_of[j] for j in place if j in self.group_of}
        alone = [(place[int(j)],) for j in active[self.binary[active]] if int(j) not in self.group_of]
        one_hot = tuple(sorted(tuple(place[j] for j in group) for group in groups))
        blocks = tuple(sorted([*one_hot, *alone]))
        block_of = {k: number for number, block in enumerate(blocks) for k in block}
        columns = tuple(
            BoundaryColumn(
                self.columns.names[j],
                "number",
                integer=bool(self.whole[j]),
                block=block_of.get(k, -1),
                held=cast(HeldWhy, "constant" if self.constant[j] else ""),
            )
            for k, j in enumerate(active.tolist())
        )
        space = Space(self.metric, np.ones(len(active)), blocks, self.whole[active])
        return StudySpace(space, columns, points, one_hot, ())


def sparse_space(study: StudyBase, columns: SparseColumns, spec: BoundarySpec) -> SparseSpace:
    """Read how sparse rows are measured and what may change.

    Raises
    ------
    UnknownName
        For a column that is not there.
    InputError, InputTypeError
        For a metric, groups or bounds that are none here.
    """
    table = columns.table
    metric = _metric(spec)
    if not isinstance(spec.vertices, str) or spec.vertices == "groups" or spec.keep_sample:
        given = "keep_sample" if spec.keep_sample else f"vertices={describe(spec.vertices)}"
        raise InputError(
            f"Vertices in groups or of your own, and keep_sample, are for dense rows; got {given} for sparse ones. "
            "Leave it out."
        )
    lower = np.where(table.lower >= 0, 0.0, -np.inf)
    upper = np.full(table.n_columns, np.inf)
    bounds = {column_position(study, name): given for name, given in (spec.bounds or {}).items()}
    for j, given in bounds.items():
        lower[j], upper[j] = read_range(BoundaryColumn(columns.names[j], "number"), given)
    if table.csr.dtype.kind != "f":
        least, most = _type_ends(table)
        lower, upper = np.maximum(lower, least), np.minimum(upper, most)
    sign = np.zeros(table.n_columns, dtype=np.int64)
    for j, way in read_directions(study, spec.monotonic_cst, lambda j: BoundaryColumn(columns.names[j], "number")):
        sign[j] = way
    fixed = np.zeros(table.n_columns, dtype=np.bool_)
    if isinstance(spec.fixed, str | int) or len(spec.fixed):
        fixed[list(column_positions(study, spec.fixed, "fixed"))] = True
    one_hot = _one_hot(study, table, spec.one_hot)
    whole = table.whole.copy()
    if spec.whole is None and table.csr.dtype.kind != "b":
        whole[~np.isin(np.arange(len(whole)), [j for group in one_hot for j in group])] = False
    return SparseSpace(columns, metric, one_hot, lower, upper, sign, fixed, bounds, whole)


def check_starts(space: SparseSpace, rows: Any) -> None:
    """Refuse bounds that exclude what one of CSR rows has already.

    Raises
    ------
    InputError
    """
    named = np.zeros(len(space.columns), dtype=np.bool_)
    named[list(space.bounds)] = True
    column = rows.indices
    outside = named[column] & ((rows.data < space.lower[column]) | (rows.data > space.upper[column]))
    zeros_outside = [j for j in space.bounds if not space.lower[j] <= 0 <= space.upper[j]]
    for j in [*np.unique(column[outside]).tolist(), *zeros_outside]:
        values = np.asarray(rows[:, [j]].toarray(), dtype=np.float64).ravel()
        wrong = np.flatnonzero((values < space.lower[j]) | (values > space.upper[j]))
        if len(wrong):
            several = f", and {count(len(wrong) - 1, 'more row is', 'more rows are')} outside" if len(wrong) > 1 else ""
            raise InputError(
                f"bounds must hold what a row has already; {space.columns.names[j]!r} is {values[wrong[0]]:g} and "
                f"must be in {space.bounds[j]!r}{several}. Widen them, or give other rows."
            )


def _metric(spec: BoundarySpec) -> SparseMetric:
    if spec.metric == "auto":
        return "euclidean"
    if spec.metric not in METRICS:
        raise InputError(
            f"metric must be 'auto', euclidean or manhattan on sparse rows; got {spec.metric!r}. Gower's and Jaccard's "
            "take dense ones."
        )
    return spec.metric


def _type_ends(table: SparseTable) -> tuple[float, float]:
    if table.csr.dtype.kind == "b":
        return 0.0, 1.0
    whole = np.iinfo(table.csr.dtype)
    most = float(whole.max)  # 2⁶³ − 1 as a float is 2⁶³, which the type no longer holds
    return float(whole.min), most if int(most) <= int(whole.max) else float(np.nextafter(most, 0))


def _one_hot(study: StudyBase, table: SparseTable, choice: Any) -> tuple[tuple[int, ...], ...]:
    if choice is None or choice is False:
        return ()
    if isinstance(choice, str):
        if choice != "auto":
            raise InputError(f"one_hot must be 'auto', None or groups of columns; got {choice!r}.")
        return tuple(group.columns for group in study._one_hot_groups)
    if not isinstance(choice, Sequence):
        raise InputTypeError(f"one_hot must be 'auto', None or groups of columns; got {choice!r}.")
    groups = tuple(column_positions(study, group, "one_hot") for group in cast(Sequence[Any], choice))
    binary = binary_columns(table)
    for group in groups:
        if not binary[list(group)].all() or most_in_a_row(table, list(group)) > 1:
            raise InputError(
                f"A group of one_hot must be columns of 0 and 1, at most one of them 1 in every row; "
                f"{[study.feature_names[j] for j in group]} are not. Leave it out, or mend the rows."
            )
    if len({j for group in groups for j in group}) < sum(map(len, groups)):
        raise InputError("A column belongs to one group of one_hot at most; some are named twice. Name each once.")
    return groups
