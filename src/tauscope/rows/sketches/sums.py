"""The sums of a sketch: made of one chunk, added to those of another, turned into columns that curves read."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data import validation
from tauscope.data.columns import Column
from tauscope.errors import InputError
from tauscope.rows.chunked_groups import ChunkedGroups
from tauscope.rows.first_pass import FirstPass, merge_levels
from tauscope.rows.judged import score_range
from tauscope.rows.outputs import OutputStart, no_outcomes
from tauscope.rows.passes import Passes
from tauscope.rows.reading import Chunk, Reader
from tauscope.rows.schema import AlignedChunk, Schema
from tauscope.rows.score_steps import most_steps, read_steps
from tauscope.rows.sketches.plan import (
    ColumnPlan,
    ColumnWindows,
    Plan,
    Windows,
    add_windows,
    check_same,
    make_plan,
    read_windows,
    window_intervals,
    windows_of,
)
from tauscope.stress.bins.binned import BinnedSums, empty_sums
from tauscope.stress.bins.binned_rows import sum_rows
from tauscope.stress.bins.outer_values import OuterValues, keep_outer
from tauscope.stress.bins.units import change_units, units_of
from tauscope.stress.bins.value_counts import ValueCounts, count_values, empty_counts
from tauscope.stress.bins.weight_powers import layers
from tauscope.stress.metric_definitions import check_allowed, ranks
from tauscope.stress.metrics import Quantities, Units, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.tails import Tails

Array = NDArray[np.float64]

MOST_VALUES = 4096
"""Different values up to which a column is kept value by value."""

CHANGED = (
    "Rows must be the same at every reading; these were others the last time. Give a function that starts anew, or "
    "frame.persist()."
)


@dataclass(frozen=True)
class ColumnSums:
    """One column's sums.

    Attributes
    ----------
    levels : tuple of str
        Names of the codes of a column of levels; empty for numbers.
    sums : Binned or ValueCounts
    """

    levels: tuple[str, ...]
    sums: BinnedSums | ValueCounts

    def __add__(self, other: "ColumnSums") -> "ColumnSums":
        """Return the sums over both row sets; levels of either are kept."""
        if isinstance(self.sums, BinnedSums) and isinstance(other.sums, BinnedSums):
            return ColumnSums((), self.sums + other.sums)
        assert isinstance(self.sums, ValueCounts)
        assert isinstance(other.sums, ValueCounts)
        levels = merge_levels(self.levels, other.levels)
        return ColumnSums(levels, _recode(self, levels) + _recode(other, levels))


@dataclass(frozen=True)
class SketchSums:
    """Everything summed over some rows.

    Attributes
    ----------
    plan : Plan
    n_rows : int
    columns : tuple of ColumnSums
    scores : tuple of float
        Smallest and largest score seen; (∞, -∞) for none.
    outer : dict of str to OuterValues
        Of each quantity whose spread is a metric, in the plan's units.
    """

    plan: Plan
    n_rows: int
    columns: tuple[ColumnSums, ...]
    scores: tuple[float, float]
    outer: dict[str, OuterValues] = field(default_factory=dict[str, OuterValues])

    def __add__(self, other: "SketchSums") -> "SketchSums":
        """Return the sums over both row sets.

        Raises
        ------
        InputError
            Where the two are not of one plan, with what differs.
        """
        if self.plan is not other.plan:
            check_same(self.plan, other.plan)
        return SketchSums(
            self.plan,
            self.n_rows + other.n_rows,
            tuple(a + b for a, b in zip(self.columns, other.columns, strict=True)),
            (min(self.scores[0], other.scores[0]), max(self.scores[1], other.scores[1])),
            {name: values + other.outer[name] for name, values in self.outer.items()},
        )

    @property
    def quantities(self) -> Quantities:
        """What is summed, over no rows."""
        return define_quantities(self.plan.no_outcomes, self.plan.units, True, names=self.plan.asked)[0]

    @property
    def totals(self) -> Array:
        """Every sum over all rows, shape (Q,), or (5Q,) where they are weighted."""
        sums = self.columns[0].sums
        inside = sums.moments[0] if isinstance(sums, BinnedSums) else sums.sums
        return inside.sum(0) + sums.rest

    @property
    def probable(self) -> bool:
        """Whether every score lies in [0, 1]."""
        return self.scores[0] >= 0 and self.scores[1] <= 1

    def in_data_units(self) -> "tuple[SketchSums, Units]":
        """Return the sums in the units that the rows themselves would have given, with these."""
        collected, old = self.quantities, self.plan.units
        new = units_of(self.totals, collected, old)
        columns = tuple(ColumnSums(c.levels, change_units(c.sums, collected, old, new)) for c in self.columns)
        return replace(self, columns=columns), new

    def with_windows(self, windows: ColumnWindows) -> "SketchSums":
        """Return the sums with the values about the quantiles that an earlier pass over the same rows kept."""

        def with_own(column: ColumnSums, by_rows: Windows, by_weight: Windows) -> ColumnSums:
            if not isinstance(column.sums, BinnedSums):
                return column
            own = by_weight if column.sums.weighted else by_rows
            return replace(column, sums=replace(column.sums, windows=own))

        columns = tuple(with_own(column, *own) for column, own in zip(self.columns, windows, strict=True))
        return replace(self, columns=columns)

    def tails(self, units: Units) -> Tails:
        """Return how heavy the tail of each spread's squares is; units are those that the rows have given."""
        return {
            (each.quantity.name, each.form): self.outer[each.quantity.name].tail(
                each, self.plan.units[each.quantity.name], units[each.quantity.name]
            )
            for each in self.plan.spreads
        }

    def check_classes(self) -> None:
        """Ask for rows of both classes of a binary task with truth."""
        if self.plan.labelled and self.plan.outputs.task == "binary":
            totals = layers(self.totals, self.plan.sample_weight is not None)[0]
            of_truth = totals[1 : 1 + self.quantities.n_cells].reshape(-1, 2, 2).sum((0, 2))
            validation.check_both_classes(np.flatnonzero(of_truth), None, self.plan.outputs.classes)


def make_sums(
    passes: Passes,
    first: FirstPass,
    start: OutputStart,
    reader: Reader,
    quantile: float,
    asked: Collection[str] = (),
) -> SketchSums:
    """Read rows once more, or twice, and return their sums.

    Parameters
    ----------
    passes : Passes
        The model is called at the last one.
    first : FirstPass
        With the order of each column's numbers.
    start : OutputStart
    reader : Reader
    quantile : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 will stand for.
    asked : collection of str
        Metrics to sum for besides those that always are; their names are checked.

    Raises
    ------
    InputError
        For rows that are not those of the first pass.
    """
    intervals, windows = window_intervals(first, quantile), windows_of(first)
    read = None
    ranked = ranks(no_outcomes(start.spec, labelled=first.labels is not None, scored=start.scored), asked)
    passes.expect(1 + ranked + (windows is None))
    if windows is None:
        windows = read = passes.total(read_windows, intervals, plus=add_windows)
        assert windows is not None
    plan = make_plan(first, windows, intervals, start, reader, quantile, asked)
    if ranked:
        most = most_steps(first.columns, [column.layout for column in plan.columns], weighted=first.weight is not None)
        plan = replace(plan, steps=read_steps(passes, plan.outputs, plan.model_name, most))
    sums: SketchSums | None = passes.total(sum_chunk, plan, read is None, plus=SketchSums.__add__)
    if sums is None or sums.n_rows != first.n_rows:
        raise InputError(CHANGED)
    return sums if read is None else sums.with_windows(read)


def sum_chunk(chunk: Chunk, plan: Plan, windows: bool = True) -> SketchSums:
    """Sum over a chunk, calling the model on it.

    Parameters
    ----------
    chunk : Chunk
    plan : Plan
    windows : bool
        Whether to keep the values about the quantiles too; False where a pass over the same rows has them.

    Raises
    ------
    InputError
        For values outside the range the plan was made for, other columns, or classes that are not there.
    """
    check_columns(chunk, plan)
    outcomes = plan.outcomes(chunk)
    if (outcomes.truth is not None) != plan.labelled:
        raise InputError(f"Rows must come {'with' if plan.labelled else 'without'} y, as those of the sketch did.")
    check_allowed(outcomes, plan.asked)
    return _sum_outcomes(chunk.columns, outcomes, chunk.weight, plan, windows)


def sum_groups(chunk: Chunk, plan: Plan, schema: Schema, groups: ChunkedGroups) -> dict[int, SketchSums]:
    """Sum over the rows of each group that a chunk has, calling the model on it once.

    Parameters
    ----------
    chunk : Chunk
    plan : Plan
        Of some of the columns.
    schema : Schema
        Of all columns, by which groups are told apart.
    groups : ChunkedGroups
    """
    codes, outcomes = groups.codes(AlignedChunk(chunk, schema)), plan.outcomes(chunk)
    place = {column.name: column for column in chunk.columns}
    columns = [place[planned.name] for planned in plan.columns]
    there: list[int] = np.unique(codes).tolist()
    out: dict[int, SketchSums] = {}
    for code in there:
        rows = np.flatnonzero(codes == code)
        taken = tuple(column.taken(rows) for column in columns)
        out[code] = _sum_outcomes(
            taken, outcomes.take(rows), None if chunk.weight is None else chunk.weight[rows], plan
        )
    return out


def add_groups(a: dict[int, Any], b: dict[int, Any]) -> dict[int, Any]:
    """Add the sums of groups, of which either may lack some."""
    return {**a, **{code: a[code] + sums if code in a else sums for code, sums in b.items()}}


def _sum_outcomes(
    columns: Sequence[Column], outcomes: Outcomes, weight: Array | None, plan: Plan, windows: bool = True
) -> SketchSums:
    collected = define_quantities(outcomes, plan.units, True, names=plan.asked)[0]
    sums = tuple(_sum_column(c, p, collected, weight, windows) for c, p in zip(columns, plan.columns, strict=True))
    outer = keep_outer(plan.spreads, outcomes, plan.units, plan.n_outer)
    return SketchSums(plan, outcomes.n_rows, sums, score_range(outcomes), outer)


def no_sums(plan: Plan, levels: tuple[tuple[str, ...], ...]) -> SketchSums:
    """Return the sums over no rows."""
    n_sums = define_quantities(plan.no_outcomes, plan.units, True, names=plan.asked)[0].n_sums
    columns = tuple(
        ColumnSums(
            names,
            empty_counts(n_sums, column.keep) if column.layout is None else empty_sums(column.layout, n_sums),
        )
        for column, names in zip(plan.columns, levels, strict=True)
    )
    outer = keep_outer(plan.spreads, plan.no_outcomes, plan.units, plan.n_outer)
    return SketchSums(plan, 0, columns, (np.inf, -np.inf), outer)


def check_columns(chunk: Chunk, plan: Plan) -> None:
    """Refuse a chunk whose columns are not those of the plan, by name and kind."""
    names, expected = tuple(c.name for c in chunk.columns), tuple(c.name for c in plan.columns)
    if names != expected:
        odd = [name for name in (*names, *expected) if name not in names or name not in expected]
        raise InputError(
            f"Rows must have the columns of the sketch, {list(expected[:10])!r}; got others: {odd or list(names)}."
        )
    for column, planned in zip(chunk.columns, plan.columns, strict=True):
        if column.kind != planned.kind and column.n_missing < column.n_rows:
            raise InputError(
                f"The column {planned.name!r} is {planned.kind} in the sketch, and {column.kind} here. "
                "Convert it first."
            )


def _sum_column(
    column: Column, plan: ColumnPlan, collected: Quantities, weight: Array | None, windows: bool
) -> ColumnSums:
    if plan.kind != "numeric":
        codes = np.full(column.n_rows, np.nan)
        if column.codes is not None:
            codes = np.where(column.codes < 0, np.nan, column.codes)
        return ColumnSums(column.levels, count_values(codes, collected, weight, plan.keep))
    if column.codes is not None:
        return _sum_column(_all_missing(column), plan, collected, weight, windows)
    values = column.values
    assert values is not None
    if plan.layout is None:
        sums = count_values(values, collected, weight, plan.keep)
        if len(sums.values) > MOST_VALUES:
            raise InputError(
                f"The column {plan.name!r} had few different values in the sketch; here it has {len(sums.values):,}. "
                "Make a sketch of all rows."
            )
        return ColumnSums((), sums)
    try:
        return ColumnSums((), sum_rows(values, collected, plan.layout, weight, windows=windows))
    except InputError as error:
        raise InputError(f"In the column {plan.name!r}: {error}") from None


def _all_missing(column: Column) -> Column:
    """Return a column of levels without a value as one of numbers without."""
    return Column(column.name, "numeric", numbers=np.full(column.n_rows, np.nan), n_missing=column.n_rows)


def _recode(column: ColumnSums, levels: tuple[str, ...]) -> ValueCounts:
    assert isinstance(column.sums, ValueCounts)
    if column.levels == levels:
        return column.sums
    place = {level: code for code, level in enumerate(levels)}
    codes = np.array([place[column.levels[int(code)]] for code in column.sums.values], np.float64)
    return column.sums.rename_values(codes)
