"""What each chunk adds to an effect: the order of its values, and its answers at the grid, in sums.

Every function takes a chunk first and is a plain one of this module, so that it can be sent to other processes.
"""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.effects.values import FeatureValues
from tauscope.data.frames import join_rows, read_table, take_rows
from tauscope.data.one_hot import LevelCounts, OneHotGroup
from tauscope.data.reading import read_columns
from tauscope.data.table_rows import TableRows, engine_values
from tauscope.effects import BatchOptions, Grid, Window
from tauscope.effects.curves.accumulated import bin_edges
from tauscope.effects.curves.chunked import BinSums, GroupSums, bin_sums, conditional_sums, dependence_sums
from tauscope.model.calls import Model, ResponseMethod
from tauscope.model.prediction import Prediction
from tauscope.model.response import Response, ResponseKind, find_response
from tauscope.prediction.outputs import Predict
from tauscope.results.effects.spec import EffectSpec
from tauscope.rows.chunked_groups import ChunkedGroups
from tauscope.rows.reading import Chunk
from tauscope.rows.schema import AlignedChunk, Schema
from tauscope.stress.bins.quantile_windows import QuantileWindow as Values
from tauscope.stress.sums.group_weights import GroupWeights
from tauscope.stress.sums.projection import Tilt
from tauscope.study.effects.plan import neighbourhood_of
from tauscope.weights.arrays import sums_by

Array = NDArray[np.float64]
AnswerSums = Callable[..., GroupSums | BinSums]
"""Takes what is called, rows, batches and weights, and sums the answers; one that can be sent to other processes."""
HEAD = 256
MOST_BINARY = 1_000
"""Columns of 0 and 1 of which every two are compared."""


@dataclass(frozen=True)
class ResponseOptions:
    """What of a model's answers is followed.

    Attributes
    ----------
    schema : Schema
    model : Model
    response_method, target_class
        As in `Study.effect`.
    categorical_features
        As in `Study`.
    donors : frame or None
        Rows that have every value of a feature that cannot be written as a number.
    one_hot : tuple of OneHotGroup
        Columns that are levels of one, in all rows: those of the features.
    """

    schema: Schema
    model: Model
    response_method: ResponseMethod
    target_class: Hashable | None
    categorical_features: Any
    donors: Any = None
    one_hot: tuple[OneHotGroup, ...] = ()


class AnswersOfGroup(NamedTuple):
    """What the rows of one group add to its curve, and how evenly their weight lies on them."""

    answers: GroupSums | BinSums
    weights: GroupWeights

    def plus(self, other: AnswersOfGroup) -> AnswersOfGroup:
        """Return the sums over both row sets."""
        answers: Any = self.answers
        return AnswersOfGroup(answers + other.answers, self.weights + other.weights)

    @property
    def n_model_rows(self) -> int:
        """Rows the model was called on."""
        answers = self.answers
        return (answers.changes if isinstance(answers, BinSums) else answers).n_model_rows


def add_each(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Add entry by entry."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def take_values(chunk: Chunk, schema: Schema, positions: tuple[int, ...]) -> tuple[FeatureValues, ...]:
    """Return where the values of some columns lie."""
    columns = AlignedChunk(chunk, schema).columns
    return tuple(FeatureValues.of(engine_values(columns[p]), chunk.weight) for p in positions)


def take_windows(
    chunk: Chunk, schema: Schema, position: int, intervals: tuple[tuple[float, float], ...]
) -> tuple[Values, ...]:
    """Keep the values of a column inside some intervals."""
    values = engine_values(AlignedChunk(chunk, schema).columns[position])
    ascending = np.sort(values[~np.isnan(values)])
    return tuple(Values.of(ascending, low, high) for low, high in intervals)


class PutRows(NamedTuple):
    """What is to be known of all rows before values are put into some.

    Attributes
    ----------
    donors : frame or None
        Rows that have each value of the features that cannot be written as a number.
    levels : LevelCounts or None
        Of columns of 0 and 1, where a feature is one.
    """

    donors: Any
    levels: LevelCounts | None

    def plus(self, other: PutRows) -> PutRows:
        """Return what is known of both row sets."""
        donors = self.donors if self.donors is None else join_rows([self.donors, other.donors])
        levels = self.levels if self.levels is None or other.levels is None else self.levels + other.levels
        return PutRows(donors, levels)


def take_put_rows(chunk: Chunk, options: ResponseOptions, positions: tuple[int, ...]) -> PutRows:
    """Return the donors of a chunk, and its counts of levels."""
    return PutRows(_take_donors(chunk, options, positions), _count_levels(chunk, options.schema, positions))


def _count_levels(chunk: Chunk, schema: Schema, positions: tuple[int, ...]) -> LevelCounts | None:
    """Count in the columns of 0 and 1, the nearest ones where there are many; None where no feature is one."""
    binary = [j for j, column in enumerate(schema.columns) if column.reading == "0/1" or column.kind == "boolean"]
    features = [position for position in positions if position in binary]
    if not features:
        return None
    near = sorted(binary, key=lambda j: min(abs(j - position) for position in features))[:MOST_BINARY]
    aligned = AlignedChunk(chunk, schema).columns
    return LevelCounts.of(sorted(near), np.column_stack([engine_values(aligned[j]) for j in sorted(near)]))


def _take_donors(chunk: Chunk, options: ResponseOptions, positions: tuple[int, ...]) -> Any:
    """Return rows of a chunk that have each value of the features that cannot be written as a number."""
    rows = TableRows(read_table(chunk.rows), AlignedChunk(chunk, options.schema).columns, ())
    selected: list[NDArray[np.int64]] = []
    for position in positions:
        if not rows.takes_any_number(position):
            selected.append(np.unique(rows.column(position), return_index=True)[1].astype(np.int64))
    if not selected:
        return None
    return take_rows(chunk.rows, np.unique(np.concatenate(selected)))


def _rows(chunk: Chunk, options: ResponseOptions) -> TableRows:
    """Return a chunk's rows, into which values that only other chunks have can be put as well."""
    aligned = AlignedChunk(chunk, options.schema).columns
    if options.donors is None:
        return TableRows(read_table(chunk.rows), aligned, options.one_hot)
    table = read_table(join_rows([options.donors, chunk.rows]))
    names = tuple(column.name for column in aligned)
    columns = read_columns(table, names, options.categorical_features)
    together = AlignedChunk(Chunk(columns, None, chunk.predict, table.n_rows), options.schema).columns
    first = table.n_rows - chunk.n_rows
    return TableRows(table, together, options.one_hot).part(np.arange(first, table.n_rows, dtype=np.int64))


def _response_of(chunk: Chunk, options: ResponseOptions) -> Response:
    """Find what is followed, from a few rows."""
    head = read_table(take_rows(chunk.rows, np.arange(min(HEAD, chunk.n_rows))))
    outputs = options.schema.outputs
    prediction: Prediction = outputs(options.model.ask(head), options.model.name)
    return find_response(options.model, outputs, prediction, options.response_method, options.target_class)


def take_response(chunk: Chunk, options: ResponseOptions) -> tuple[ResponseKind, tuple[str, ...], str]:
    """Return what is followed, the classes it is given for, and what is called."""
    response = _response_of(chunk, options)
    return response.quantity, response.classes, response.label


def _call_options(chunk: Chunk, options: ResponseOptions) -> tuple[Predict, TableRows, BatchOptions]:
    """Return what is called, on which rows, and in what batches."""
    return _response_of(chunk, options).predict, _rows(chunk, options), BatchOptions(options.model.batch_rows)


def answer_sums(
    spec: EffectSpec,
    positions: tuple[int, ...],
    grids: tuple[Grid, ...],
    extremes: tuple[tuple[float, float], ...],
) -> AnswerSums:
    """Return what sums the answers that an effect averages, over some rows.

    Parameters
    ----------
    spec : EffectSpec
    positions : tuple of int
        Its features.
    grids : tuple of Grid
    extremes : tuple of (float, float)
        Smallest and largest value of each feature in all rows; conditional dependence takes its windows from them.
    """
    if spec.kind == "ale":
        return partial(bin_sums, column=positions[0], edges=bin_edges(grids[0]))
    if spec.kind == "pd":
        return partial(dependence_sums, columns=positions, grids=grids)
    window = neighbourhood_of(spec.kind, spec.window, None) or Window()
    assert isinstance(window, Window)  # nearest rows are refused
    return partial(conditional_sums, columns=positions, grids=grids, window=window, extremes=extremes)


def sum_answers(chunk: Chunk, options: ResponseOptions, sums: AnswerSums) -> Any:
    """Call the model on a chunk, and add up what an effect averages."""
    predict, rows, batches = _call_options(chunk, options)
    return sums(predict, rows, batches=batches, weight=chunk.weight)


def sum_answers_by_group(
    chunk: Chunk, options: ResponseOptions, sums: AnswerSums, groups: ChunkedGroups, tilt: Tilt, totals: Array
) -> dict[int, AnswersOfGroup]:
    """Do so for each group with a row in the chunk, under a tilt; `totals` are the weight of each group under it."""
    predict, rows, batches = _call_options(chunk, options)
    aligned = AlignedChunk(chunk, options.schema)
    codes, share = groups.codes(aligned), tilt.shares(aligned)[3]
    out: dict[int, AnswersOfGroup] = {}
    there: list[int] = np.unique(codes).tolist()
    for code in there:
        inside = np.flatnonzero(codes == code)
        own = share[inside] / (totals[code] or 1.0)
        answers = sums(predict, rows.part(inside), batches=batches, weight=own)
        out[code] = AnswersOfGroup(answers, GroupWeights.of(own, groups.n_rows[code], groups.n_counted[code]))
    return out


def add_groups(a: dict[int, AnswersOfGroup], b: dict[int, AnswersOfGroup]) -> dict[int, AnswersOfGroup]:
    """Add group by group; one may be absent from either."""
    return a | {code: a[code].plus(sums) if code in a else sums for code, sums in b.items()}


def sum_shares(chunk: Chunk, schema: Schema, groups: ChunkedGroups, tilt: Tilt) -> Array:
    """Sum the weight of each group under a tilt, shape (n_groups,)."""
    aligned = AlignedChunk(chunk, schema)
    return sums_by(groups.codes(aligned).astype(np.int64), tilt.shares(aligned)[3], len(groups.labels))
