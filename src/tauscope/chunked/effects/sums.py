"""What each chunk adds to an effect: the order of its values, and its answers at the grid, in sums.

Every function takes a chunk first and is a plain one of this module, so that it can be sent to other processes.
"""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.chunked.effects.values import FeatureValues
from tauscope.chunked.reading import Chunk
from tauscope.chunked.schema import AlignedChunk, Schema
from tauscope.data.frames import read_table
from tauscope.data.reading import read_columns
from tauscope.data.table_rows import TableRows, engine_values
from tauscope.effects import BatchOptions, Grid, Window
from tauscope.effects.curves.chunked import BinSums, GroupSums, bin_sums, conditional_sums, dependence_sums
from tauscope.model.calls import Model, ResponseMethod
from tauscope.model.prediction import Prediction
from tauscope.model.response import Response, ResponseKind, find_response
from tauscope.prediction.outputs import Predict
from tauscope.stress.chunked.quantile_windows import QuantileWindow as Values

HEAD = 256


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
    """

    schema: Schema
    model: Model
    response_method: ResponseMethod
    target_class: Hashable | None
    categorical_features: Any
    donors: Any = None


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


def take_donors(chunk: Chunk, options: ResponseOptions, positions: tuple[int, ...]) -> Any:
    """Return rows of a chunk that have each value of the features that cannot be written as a number."""
    rows = TableRows(read_table(chunk.rows), AlignedChunk(chunk, options.schema).columns)
    selected: list[NDArray[np.int64]] = []
    for position in positions:
        if not rows.takes_any_number(position):
            selected.append(np.unique(rows.column(position), return_index=True)[1].astype(np.int64))
    if not selected:
        return None
    return _take(chunk.rows, np.unique(np.concatenate(selected)))


def add_rows(a: Any, b: Any) -> Any:
    """Put rows together."""
    if isinstance(a, np.ndarray):
        return np.concatenate([a, b])
    if isinstance(a, pd.DataFrame):
        return pd.concat([a, b], ignore_index=True)
    return nw.concat([nw.from_native(a, eager_only=True), nw.from_native(b, eager_only=True)]).to_native()


def _take(rows: Any, index: NDArray[np.int64]) -> Any:
    if isinstance(rows, np.ndarray):
        return rows[index]
    if isinstance(rows, pd.DataFrame):
        return rows.take(index)
    return nw.from_native(rows, eager_only=True)[index].to_native()


def _rows(chunk: Chunk, options: ResponseOptions) -> TableRows:
    """Return a chunk's rows, into which values that only other chunks have can be put as well."""
    aligned = AlignedChunk(chunk, options.schema).columns
    if options.donors is None:
        return TableRows(read_table(chunk.rows), aligned)
    table = read_table(add_rows(options.donors, chunk.rows))
    names = tuple(column.name for column in aligned)
    columns = read_columns(table, names, options.categorical_features)
    together = AlignedChunk(Chunk(columns, None, chunk.predict, table.n_rows), options.schema).columns
    first = table.n_rows - chunk.n_rows
    return TableRows(table, together).part(np.arange(first, table.n_rows, dtype=np.int64))


def _response_of(chunk: Chunk, options: ResponseOptions) -> Response:
    """Find what is followed, from a few rows."""
    head = read_table(_take(chunk.rows, np.arange(min(HEAD, chunk.n_rows))))
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


def sum_dependence(
    chunk: Chunk, options: ResponseOptions, positions: tuple[int, ...], grids: tuple[Grid, ...]
) -> GroupSums:
    """Sum what partial dependence averages."""
    predict, rows, batches = _call_options(chunk, options)
    return dependence_sums(predict, rows, positions, grids, batches, chunk.weight)


def sum_conditional(
    chunk: Chunk,
    options: ResponseOptions,
    positions: tuple[int, ...],
    grids: tuple[Grid, ...],
    window: Window,
    extremes: tuple[tuple[float, float], ...],
) -> GroupSums:
    """Sum what conditional dependence averages; `extremes` are those of all rows."""
    predict, rows, batches = _call_options(chunk, options)
    return conditional_sums(predict, rows, positions, grids, window, extremes, batches, chunk.weight)


def sum_changes(chunk: Chunk, options: ResponseOptions, position: int, edges: Grid) -> BinSums:
    """Sum what an accumulated effect averages."""
    predict, rows, batches = _call_options(chunk, options)
    return bin_sums(predict, rows, position, edges, batches, chunk.weight)
