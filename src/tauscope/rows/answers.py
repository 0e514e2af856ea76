"""What each chunk adds to an effect: its values, and the model's answers at the points of a grid, in sums.

Every function takes a chunk first and is a plain one of this module, so that it can be sent to other processes.
"""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.data.frames import join_rows, read_table, take_rows
from tauscope.data.one_hot import LevelCounts, OneHotGroup
from tauscope.data.reading import read_columns
from tauscope.data.table_rows import TableRows, engine_values
from tauscope.effects import BatchOptions, Grid, Window
from tauscope.effects.curves.sums import BinSums, GroupSums, bin_sums, conditional_sums, dependence_sums
from tauscope.effects.trees.exact import TreeAnswers, read_answers
from tauscope.model.calls import Model, ResponseMethod
from tauscope.model.prediction import Prediction
from tauscope.model.response import find_response
from tauscope.prediction.outputs import Predict
from tauscope.prediction.rows import Rows
from tauscope.rows.reading import Chunk
from tauscope.rows.rows import RowGroups
from tauscope.rows.schema import AlignedChunk, Schema
from tauscope.rows.value_order import FeatureValues
from tauscope.stress.bins.quantile_windows import QuantileWindow
from tauscope.stress.sums.group_weights import GroupWeights
from tauscope.stress.sums.projection import Tilt
from tauscope.trees.checked import CHECKED_ROWS
from tauscope.trees.tree_model import TreeModel, UnreadableModel
from tauscope.weights.arrays import sums_by

Array = NDArray[np.float64]
Sums = GroupSums | BinSums
MOST_BINARY = 1_000
"""Columns of 0 and 1 of which every two are compared."""


class PutRows(NamedTuple):
    """What is to be known of all rows before values are put into some.

    Attributes
    ----------
    donors : frame or None
        Rows that have each value of the features that cannot be written as a number.
    levels : LevelCounts or None
        Of columns of 0 and 1, where a feature is one.
    plain : bool
        Whether trees can compare the rows; see `TableRows.plain`.
    """

    donors: Any
    levels: LevelCounts | None
    plain: bool

    def __add__(self, other: PutRows) -> PutRows:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return what is known of both row sets."""
        donors = self.donors if self.donors is None else join_rows([self.donors, other.donors])
        levels = self.levels if self.levels is None or other.levels is None else self.levels + other.levels
        return PutRows(donors, levels, self.plain and other.plain)


def add_each(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Add entry by entry."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def take_features(chunk: Chunk, schema: Schema, positions: tuple[int, ...]) -> tuple[PutRows | FeatureValues, ...]:
    """Return what is known before values are put in, and where the values of some columns lie."""
    columns = AlignedChunk(chunk, schema).columns
    rows = TableRows(read_table(chunk.rows), columns, ())
    put = PutRows(_take_donors(chunk, rows, positions), _count_levels(columns, schema, positions), rows.plain)
    return put, *(FeatureValues.of(rows.column(position), chunk.weight) for position in positions)


def take_windows(
    chunk: Chunk, schema: Schema, position: int, intervals: tuple[tuple[float, float], ...]
) -> tuple[QuantileWindow, ...]:
    """Keep the values of a column inside some intervals."""
    values = engine_values(AlignedChunk(chunk, schema).columns[position])
    ascending = np.sort(values[~np.isnan(values)])
    return tuple(QuantileWindow.of(ascending, low, high) for low, high in intervals)


def _count_levels(columns: tuple[Any, ...], schema: Schema, positions: tuple[int, ...]) -> LevelCounts | None:
    """Count in the columns of 0 and 1, the nearest ones where there are many; None where no feature is one."""
    binary = [j for j, column in enumerate(schema.columns) if column.reading == "0/1" or column.kind == "boolean"]
    features = [position for position in positions if position in binary]
    if not features:
        return None
    near = sorted(binary, key=lambda j: min(abs(j - position) for position in features))[:MOST_BINARY]
    return LevelCounts.of(sorted(near), np.column_stack([engine_values(columns[j]) for j in sorted(near)]))


def _take_donors(chunk: Chunk, rows: TableRows, positions: tuple[int, ...]) -> Any:
    """Return rows of a chunk that have each value of the features that cannot be written as a number."""
    uncastable = [position for position in positions if not rows.takes_any_number(position)]
    if not uncastable:
        return None
    selected = [np.unique(rows.column(position), return_index=True)[1] for position in uncastable]
    return take_rows(chunk.rows, np.unique(np.concatenate(selected)).astype(np.int64))


@dataclass(frozen=True)
class AnswersWanted:
    """The answers that an effect averages.

    Attributes
    ----------
    schema : Schema
    model : Model
    example : Prediction
        Of a few rows, by which it is known what of the model's answers is followed.
    response_method, target_class
        As in `Study.effect`.
    categorical_features
        As in `Study`.
    kind : {"pd", "cd", "ale"}
    columns : tuple of int
    grids : tuple of Grid
        Of an accumulated effect the edges of its bins.
    extremes : tuple of (float, float)
        Smallest and largest value of each feature in all rows; conditional dependence takes its windows from them.
    window : Window
        Of conditional dependence.
    donors : frame or None
        Rows that have every value of a feature that cannot be written as a number.
    one_hot : tuple of OneHotGroup
        Columns that are levels of one, in all rows: those of the features.
    trees : TreeModel or None
        What partial dependence is read from, in place of asking the model.
    """

    schema: Schema
    model: Model
    example: Prediction
    response_method: ResponseMethod
    target_class: Hashable | None
    categorical_features: Any
    kind: str
    columns: tuple[int, ...]
    grids: tuple[Grid, ...]
    extremes: tuple[tuple[float, float], ...]
    window: Window
    donors: Any
    one_hot: tuple[OneHotGroup, ...]
    trees: TreeModel | None = None

    @property
    def most_model_rows(self) -> int:
        """How many rows the model may be asked about."""
        if self.trees is not None:
            return 0
        return (2 if self.kind == "ale" else int(np.prod([len(grid) for grid in self.grids]))) * self.schema.n_rows

    def sum(
        self, predict: Predict, rows: Rows, batches: BatchOptions, weight: Array | None, trees: TreeAnswers | None
    ) -> Sums:
        """Sum the answers for some rows."""
        if self.kind == "ale":
            return bin_sums(predict, rows, self.columns[0], self.grids[0], batches, weight)
        if self.kind == "pd":
            return dependence_sums(predict, rows, self.columns, self.grids, batches, weight, trees)
        where = self.columns, self.grids, self.window, self.extremes
        return conditional_sums(predict, rows, *where, batches, weight)

    def called(self, chunk: Chunk) -> tuple[Predict, TableRows, BatchOptions]:
        """Return what is called, on which rows, and in what batches."""
        outputs = self.schema.outputs
        response = find_response(self.model, outputs, self.example, self.response_method, self.target_class)
        return response.predict, self._rows(chunk), BatchOptions(self.model.batch_rows)

    def _rows(self, chunk: Chunk) -> TableRows:
        """Return a chunk's rows, into which values that only other chunks have can be put as well."""
        aligned = AlignedChunk(chunk, self.schema).columns
        if self.donors is None:
            return TableRows(read_table(chunk.rows), aligned, self.one_hot)
        table = read_table(join_rows([self.donors, chunk.rows]))
        columns = read_columns(table, tuple(column.name for column in aligned), self.categorical_features)
        together = AlignedChunk(Chunk(columns, None, chunk.predict, table.n_rows), self.schema).columns
        first = table.n_rows - chunk.n_rows
        return TableRows(table, together, self.one_hot).part(np.arange(first, table.n_rows, dtype=np.int64))

    def read_trees(self, predict: Predict, rows: Rows, batches: BatchOptions) -> TreeAnswers | None:
        """Check the trees on some rows of a chunk, as many as its share of all; None without trees.

        Raises
        ------
        UnreadableModel
            Where the model answers otherwise.
        """
        if self.trees is None:
            return None
        most = CHECKED_ROWS * rows.n_rows // self.schema.n_rows
        return read_answers(self.trees, predict, rows, self.columns, self.grids, batches, most)


def sum_answers(chunk: Chunk, wanted: AnswersWanted) -> Sums | str:
    """Sum the answers for a chunk; why its trees cannot be read, where they were to be."""
    predict, rows, batches = wanted.called(chunk)
    try:
        trees = wanted.read_trees(predict, rows, batches)
    except UnreadableModel as reason:
        return str(reason)
    return wanted.sum(predict, rows, batches, chunk.weight, trees)


def add_unless_refused(plus: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Add sums of answers; a reason not to read trees stands for all rows."""
    return a if isinstance(a, str) else b if isinstance(b, str) else plus(a, b)


class AnswersOfGroup(NamedTuple):
    """What the rows of one group add to its curve, and how evenly their weight lies on them."""

    answers: Any
    weights: GroupWeights

    def __add__(self, other: AnswersOfGroup) -> AnswersOfGroup:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return what the rows of both add."""
        return AnswersOfGroup(*add_each(self, other))

    @property
    def n_model_rows(self) -> int:
        """Rows the model was called on."""
        return (self.answers.changes if isinstance(self.answers, BinSums) else self.answers).n_model_rows


def sum_answers_by_group(
    chunk: Chunk, wanted: AnswersWanted, groups: RowGroups, tilt: Tilt, totals: Array
) -> dict[int, AnswersOfGroup] | str:
    """Do so for each group with a row in the chunk, under a tilt; `totals` are the weight of each group under it."""
    predict, rows, batches = wanted.called(chunk)
    aligned = AlignedChunk(chunk, wanted.schema)
    codes, share = groups.codes(aligned), tilt.shares(aligned)[3]
    try:
        trees = wanted.read_trees(predict, rows, batches)
    except UnreadableModel as reason:
        return str(reason)
    out: dict[int, AnswersOfGroup] = {}
    there: list[int] = np.unique(codes).tolist()
    for code in there:
        inside = np.flatnonzero(codes == code).astype(np.int64)
        own = share[inside] / (totals[code] or 1.0)
        of_group = None if trees is None else trees.part(inside)
        answers = wanted.sum(predict, rows.part(inside), batches, own, of_group)
        out[code] = AnswersOfGroup(answers, GroupWeights.of(own, groups.n_rows[code], groups.n_counted[code]))
    return out


def sum_shares(chunk: Chunk, schema: Schema, groups: RowGroups, tilt: Tilt) -> Array:
    """Sum the weight of each group under a tilt, shape (n_groups,)."""
    aligned = AlignedChunk(chunk, schema)
    return sums_by(groups.codes(aligned).astype(np.int64), tilt.shares(aligned)[3], len(groups.labels))
