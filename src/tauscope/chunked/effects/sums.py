"""What each part of the rows adds to an effect: the order of its values, its answers at the grid, in sums.

Every function takes a chunk first and is a plain one of this module, so that it can be sent to other processes.
"""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.chunked.chunks import Chunk
from tauscope.chunked.passes import KnownPart, Schema
from tauscope.data.frames import read_table
from tauscope.data.reading import read_columns
from tauscope.data.table_rows import TableRows, engine_values
from tauscope.effects import BatchOptions, Grid, Window
from tauscope.effects.curves.chunked import BinSums, GroupSums, bin_sums, conditional_sums, dependence_sums
from tauscope.model.model import Model, ResponseMethod
from tauscope.model.prediction import Prediction
from tauscope.model.response import Response, find_response
from tauscope.prediction.outputs import Predict
from tauscope.stress.chunked.quantile_sketch import QuantileSketch
from tauscope.stress.chunked.quantile_windows import QuantileWindow as Values

HEAD = 256


@dataclass(frozen=True)
class ResponseOptions:
    """What of a model's answers is followed.

    Attributes
    ----------
    known : Schema
    model : Model
    response_method, target_class
        As in `Study.effect`.
    categorical_features
        As in `Study`.
    donors : frame or None
        Rows that have every value of a feature that cannot be written as a number.
    """

    known: Schema
    model: Model
    response_method: ResponseMethod
    target_class: Hashable | None
    categorical_features: Any
    donors: Any = None


def each_plus(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Add entry by entry."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def order_of(chunk: Chunk, known: Schema, positions: tuple[int, ...]) -> tuple[QuantileSketch, ...]:
    """Return where the values of some columns lie."""
    columns = KnownPart(chunk, known).columns
    return tuple(QuantileSketch.of(engine_values(columns[p])) for p in positions)


def values_in(
    chunk: Chunk, known: Schema, position: int, intervals: tuple[tuple[float, float], ...]
) -> tuple[Values, ...]:
    """Keep the values of a column inside some intervals."""
    values = engine_values(KnownPart(chunk, known).columns[position])
    ascending = np.sort(values[~np.isnan(values)])
    return tuple(Values.of(ascending, low, high) for low, high in intervals)


def donors_of(chunk: Chunk, wanted: ResponseOptions, positions: tuple[int, ...]) -> Any:
    """Return rows of a chunk that have each value of the features that cannot be written as a number."""
    rows = TableRows(read_table(chunk.rows), KnownPart(chunk, wanted.known).columns)
    kept: list[NDArray[np.int64]] = []
    for position in positions:
        if not rows.takes_any_number(position):
            kept.append(np.unique(rows.column(position), return_index=True)[1].astype(np.int64))
    if not kept:
        return None
    return _take(chunk.rows, np.unique(np.concatenate(kept)))


def pooled(a: Any, b: Any) -> Any:
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


def _rows(chunk: Chunk, wanted: ResponseOptions) -> TableRows:
    """Return a chunk's rows, into which values that only other chunks have can be put as well."""
    own = KnownPart(chunk, wanted.known).columns
    if wanted.donors is None:
        return TableRows(read_table(chunk.rows), own)
    table = read_table(pooled(wanted.donors, chunk.rows))
    names = tuple(column.name for column in own)
    columns = read_columns(table, names, wanted.categorical_features)
    together = KnownPart(Chunk(columns, None, chunk.answers, table.n_rows), wanted.known).columns
    first = table.n_rows - chunk.n_rows
    return TableRows(table, together).part(np.arange(first, table.n_rows, dtype=np.int64))


def _response_of(chunk: Chunk, wanted: ResponseOptions) -> Response:
    """Find what is followed, from a few rows."""
    head = read_table(_take(chunk.rows, np.arange(min(HEAD, chunk.n_rows))))
    reading = wanted.known.reading
    prediction: Prediction = reading(wanted.model.ask(head), wanted.model.name)
    return find_response(wanted.model, reading, prediction, wanted.response_method, wanted.target_class)


def response_named(chunk: Chunk, wanted: ResponseOptions) -> tuple[str, tuple[str, ...]]:
    """Return what is followed, in words, and the classes it is given for."""
    found = _response_of(chunk, wanted)
    return found.name, found.classes


def _asked(chunk: Chunk, wanted: ResponseOptions) -> tuple[Predict, TableRows, BatchOptions]:
    """Return whom to ask about which rows, and in what batches."""
    return _response_of(chunk, wanted).predict, _rows(chunk, wanted), BatchOptions(wanted.model.batch_rows)


def dependence_of(
    chunk: Chunk, wanted: ResponseOptions, positions: tuple[int, ...], grids: tuple[Grid, ...]
) -> GroupSums:
    """Sum what partial dependence averages."""
    predict, rows, batches = _asked(chunk, wanted)
    return dependence_sums(predict, rows, positions, grids, batches, chunk.weight)


def conditional_of(
    chunk: Chunk,
    wanted: ResponseOptions,
    positions: tuple[int, ...],
    grids: tuple[Grid, ...],
    window: Window,
    extremes: tuple[tuple[float, float], ...],
) -> GroupSums:
    """Sum what conditional dependence averages; `extremes` are those of all rows."""
    predict, rows, batches = _asked(chunk, wanted)
    return conditional_sums(predict, rows, positions, grids, window, extremes, batches, chunk.weight)


def changes_of(chunk: Chunk, wanted: ResponseOptions, position: int, edges: Grid) -> BinSums:
    """Sum what an accumulated effect averages."""
    predict, rows, batches = _asked(chunk, wanted)
    return bin_sums(predict, rows, position, edges, batches, chunk.weight)
