"""Effects of rows in parts: `Study.effect` for chunks and for Dask DataFrames."""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.effects import Asking, Grid, Nearest, Window
from tauscope.effects.accumulated import bin_edges
from tauscope.effects.grids import grid_notes
from tauscope.effects.summed import BinSums, GroupSums, bin_sums, conditional_sums, dependence_sums
from tauscope.errors import InputError
from tauscope.results.effect_summed import SummedEffect
from tauscope.stress.chunks.ranks import Ranks
from tauscope.stress.chunks.windows import Window as Values
from tauscope.study.asking import Fitted, asking
from tauscope.study.chunk_passes import ChunkPasses, Known, KnownPart, PartitionPasses, Passes, know
from tauscope.study.chunks import Chunk, Source, check_chunks
from tauscope.study.columns import Column
from tauscope.study.effect import neighbourhood_of
from tauscope.study.effect_features import effect_positions
from tauscope.study.effect_grid import Spacing, make_axis
from tauscope.study.effect_rows import TableRows, engine_values
from tauscope.study.frames import read_table
from tauscope.study.model import Model, ResponseMethod
from tauscope.study.part_grid import drawn_values, part_grid
from tauscope.study.prediction import Prediction
from tauscope.study.reading import read_columns
from tauscope.study.response import Response, find_response
from tauscope.study.sketch_plan import Asked
from tauscope.study.stress import check_fraction

if TYPE_CHECKING:
    from tauscope.study.study import TaskChoice

Kind = Literal["pd", "cd", "ale"]
MOST_POINTS_OF_TWO = 20
HEAD = 256


@dataclass(frozen=True)
class Wanted:
    """What of a model's answers is followed.

    Attributes
    ----------
    known : Known
    model : Model
    response_method, target_class
        As in `Study.effect`.
    categorical_features
        As in `Study`.
    donors : frame or None
        Rows that have every value of a feature that cannot be written as a number.
    """

    known: Known
    model: Model
    response_method: ResponseMethod
    target_class: Hashable | None
    categorical_features: Any
    donors: Any = None


def effect_chunks(
    model: Fitted,
    chunks: Callable[[], Iterable[Any]] | Iterable[Any],
    feature: str | int | Sequence[str | int],
    *,
    target: str | None = None,
    kind: Kind = "pd",
    grid: Any = 50,
    spacing: Spacing = "quantile",
    response_method: ResponseMethod = "auto",
    target_class: Hashable | None = None,
    window: float | None = None,
    confidence: float = 0.95,
    pos_label: Hashable = None,
    categorical_features: Any = "infer",
    task: TaskChoice = "auto",
    classes: Sequence[Hashable] | None = None,
    batch_rows: int | None = None,
    progress: bool = True,
) -> SummedEffect:
    """Compute the curve of one feature, or the surface of two, for rows that come in chunks.

    Parameters
    ----------
    model, target, pos_label, categorical_features, task, classes, batch_rows, progress
        As in `StressSketch.from_chunks`; there has to be a model.
    chunks : callable or iterable
        As there, but such that can be read several times.
    feature, kind, grid, spacing, response_method, target_class, window, confidence
        As in `Study.effect`. Two features with kind "pd" or "cd"; an accumulated effect of a feature with levels puts
        these in order of similarity, which needs the rows.

    Returns
    -------
    SummedEffect
        The numbers of `Study.effect`, on the same grid, to 1e-9.

    Raises
    ------
    InputError, InputTypeError, UnknownName
        As in `Study.effect` and `StressSketch.from_chunks`.
    """
    check_chunks(chunks)
    if not callable(chunks) and iter(chunks) is chunks:
        raise InputError("An effect reads its rows several times; got an iterator. Give a list, or a function.")
    reader, asked = asking(
        model, target, None, None, "auto", pos_label, categorical_features, task, classes, batch_rows
    )
    passes = ChunkPasses(Source(chunks, reader), shown=progress)
    how = (kind, grid, spacing, response_method, target_class, window, confidence, categorical_features)
    return _effect(passes, reader.model, asked, feature, *how)


def effect_partitions(
    model: Fitted,
    frame: Any,
    feature: str | int | Sequence[str | int],
    *,
    target: str | None = None,
    kind: Kind = "pd",
    grid: Any = 50,
    spacing: Spacing = "quantile",
    response_method: ResponseMethod = "auto",
    target_class: Hashable | None = None,
    window: float | None = None,
    confidence: float = 0.95,
    pos_label: Hashable = None,
    categorical_features: Any = "infer",
    task: TaskChoice = "auto",
    classes: Sequence[Hashable] | None = None,
    batch_rows: int | None = None,
) -> SummedEffect:
    """Compute the curve of one feature, or the surface of two, for the rows of a Dask DataFrame.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        Divisions need not be known. Computed three or four times: `frame.persist()` first where that is dear.
    model, feature, target, kind, grid, spacing, response_method, target_class, window, confidence, pos_label, \
categorical_features, task, classes, batch_rows
        As in `effect_chunks`.

    Returns
    -------
    SummedEffect

    Raises
    ------
    FailedPartition
        Where a partition cannot be computed or the model fails on it: names the partition. Nothing is returned.
    InputError, InputTypeError, UnknownName
        As in `effect_chunks`.
    """
    reader, asked = asking(
        model, target, None, None, "auto", pos_label, categorical_features, task, classes, batch_rows
    )
    how = (kind, grid, spacing, response_method, target_class, window, confidence, categorical_features)
    return _effect(PartitionPasses(frame, reader), reader.model, asked, feature, *how)


def _effect(
    passes: Passes,
    model: Model | None,
    asked: Asked,
    feature: Any,
    kind: Kind,
    grid: Any,
    spacing: Spacing,
    response_method: ResponseMethod,
    target_class: Hashable | None,
    window: float | None,
    confidence: float,
    categorical_features: Any,
) -> SummedEffect:
    if model is None:
        raise InputError("An effect asks a model; got none. Give a fitted model, or a function of rows.")
    if kind not in get_args(Kind):
        raise InputError(f"kind must be one of {', '.join(get_args(Kind))}; got {kind!r}.")
    if spacing not in get_args(Spacing):
        raise InputError(f"spacing must be one of {', '.join(get_args(Spacing))}; got {spacing!r}.")
    check_fraction("confidence", confidence, 1.0)
    near = neighbourhood_of(kind, window, None) or Window()
    known = know(passes, asked)
    positions = effect_positions(cast(Any, _Named(known)), feature)
    order: tuple[Ranks, ...] | None = passes.total(_order, known, positions, plus=_each)
    assert order is not None
    columns = tuple(_column(known, p, ranks) for p, ranks in zip(positions, order, strict=True))
    if kind == "ale" and (len(positions) == 2 or columns[0].codes is not None):
        raise InputError(
            "An accumulated effect of rows in parts is of one feature of numbers: levels are put in order of "
            "similarity, which needs the rows. Use kind='pd', or Study.effect."
        )
    sizes = _sizes(grid, len(positions))
    grids: list[Grid] = []
    notes: list[str] = []
    for place, (column, ranks, one) in enumerate(zip(columns, order, sizes, strict=True)):

        def look(intervals: list[tuple[float, float]], place: int = place) -> list[Values]:
            found: tuple[Values, ...] | None = passes.total(
                _look, known, positions[place], tuple(intervals), plus=_each
            )
            assert found is not None
            return list(found)

        made, said = part_grid(column, ranks, one, spacing, look)
        grids.append(made)
        notes += said
    wanted = Wanted(known, model, response_method, target_class, categorical_features)
    donors = passes.total(_donors, wanted, positions, plus=_pool)
    wanted = Wanted(known, model, response_method, target_class, categorical_features, donors)
    response = passes.first(_response, wanted)
    points = tuple(grids)
    shape = tuple(len(one) for one in points)
    if kind == "ale":
        edges = bin_edges(points[0])
        bins: BinSums | None = passes.total(_bins, wanted, positions[0], edges, plus=BinSums.__add__)
        assert bins is not None
        points, n, model_rows = (edges,), np.append(0, bins.changes.n), bins.changes.model_rows
        effect, lower, upper = bins.interval(confidence)
        notes += [*grid_notes(points), *bins.notes]
    else:
        function = _pd if kind == "pd" else _cd
        extra = () if kind == "pd" else (near, tuple(_extremes(ranks) for ranks in order))
        sums: GroupSums | None = passes.total(function, wanted, positions, points, *extra, plus=GroupSums.__add__)
        assert sums is not None
        effect, lower, upper = (a.reshape(len(a), *shape) for a in sums.interval(confidence))
        n, model_rows = sums.n.reshape(shape), sums.model_rows
        notes += grid_notes(points)
        n_empty = int(np.count_nonzero(n == 0))
        if n_empty:
            notes.append(f"{n_empty} of {n.size} grid points have no row near them: there the curve has no value")
    return SummedEffect(
        kind=kind,
        axes=tuple(make_axis(column, one) for column, one in zip(columns, points, strict=True)),
        response=response[0],
        classes=response[1],
        effect=effect,
        lower=lower,
        upper=upper,
        n=n,
        n_rows=known.n_rows,
        model_rows=model_rows,
        confidence=float(confidence),
        notes=tuple(notes),
        model_name=known.model_name,
    )


class _Named:
    """The columns of all rows, as features are found by name in them."""

    def __init__(self, known: Known) -> None:
        self.columns = tuple(Column(c.name, c.kind, levels=c.levels) for c in known.columns)
        self.feature_names = tuple(column.name for column in self.columns)


def _sizes(grid: Any, n: int) -> list[Any]:
    if n == 1:
        return [grid]
    if isinstance(grid, int | np.integer) and not isinstance(grid, bool):
        return [min(int(grid), MOST_POINTS_OF_TWO)] * 2
    if isinstance(grid, str | bytes) or not isinstance(grid, Sequence) or len(grid) != 2:
        raise InputError(f"The grid of two features is a number of points, or one grid for each; got {grid!r}.")
    return list(grid)


def _column(known: Known, position: int, ranks: Ranks) -> Column:
    """Return a column with the distribution of all rows, a thousand of them."""
    survey, drawn = known.columns[position], drawn_values(ranks)
    if survey.kind != "numeric":
        codes = np.where(np.isnan(drawn), -1, drawn).astype(np.int32)
        return Column(survey.name, survey.kind, codes=codes, levels=survey.levels, n_missing=ranks.n_missing)
    low, high = _extremes(ranks)
    return _Whole(
        survey.name, "numeric", numbers=drawn, lower=low, upper=high, n_missing=ranks.n_missing, unit=survey.unit,
        whole=bool(ranks.n and ranks.whole),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Whole(Column):
    """A column that knows whether all numbers of the rows it stands for are whole."""

    whole: bool = False

    @property
    def integer(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.whole


def _extremes(ranks: Ranks) -> tuple[float, float]:
    return (float(ranks.low[0]), float(ranks.high[-1])) if ranks.n else (np.nan, np.nan)


def _each(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _order(chunk: Chunk, known: Known, positions: tuple[int, ...]) -> tuple[Ranks, ...]:
    columns = KnownPart(chunk, known).columns
    return tuple(Ranks.of(engine_values(columns[p])) for p in positions)


def _look(chunk: Chunk, known: Known, position: int, intervals: tuple[tuple[float, float], ...]) -> tuple[Values, ...]:
    values = engine_values(KnownPart(chunk, known).columns[position])
    ascending = np.sort(values[~np.isnan(values)])
    return tuple(Values.of(ascending, low, high) for low, high in intervals)


def _donors(chunk: Chunk, wanted: Wanted, positions: tuple[int, ...]) -> Any:
    """Return rows of a chunk that have each value of the features that cannot be written as a number."""
    rows = TableRows(read_table(chunk.rows), KnownPart(chunk, wanted.known).columns)
    kept: list[NDArray[np.int64]] = []
    for position in positions:
        if not rows.takes_any_number(position):
            kept.append(np.unique(rows.column(position), return_index=True)[1].astype(np.int64))
    if not kept:
        return None
    return _take(chunk.rows, np.unique(np.concatenate(kept)))


def _pool(a: Any, b: Any) -> Any:
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


def _rows(chunk: Chunk, wanted: Wanted) -> TableRows:
    """Return a chunk's rows, into which values that only other chunks have can be put as well."""
    own = KnownPart(chunk, wanted.known).columns
    if wanted.donors is None:
        return TableRows(read_table(chunk.rows), own)
    table = read_table(_pool(wanted.donors, chunk.rows))
    names = tuple(column.name for column in own)
    columns = read_columns(table, names, wanted.categorical_features)
    together = KnownPart(Chunk(columns, None, chunk.answers, table.n_rows), wanted.known).columns
    first = table.n_rows - chunk.n_rows
    return TableRows(table, together).part(np.arange(first, table.n_rows, dtype=np.int64))


def _response_of(chunk: Chunk, wanted: Wanted) -> Response:
    """Find what is followed, from a few rows."""
    head = read_table(_take(chunk.rows, np.arange(min(HEAD, chunk.n_rows))))
    reading = wanted.known.reading
    prediction: Prediction = reading(wanted.model.ask(head), wanted.model.name)
    return find_response(wanted.model, reading, prediction, wanted.response_method, wanted.target_class)


def _response(chunk: Chunk, wanted: Wanted) -> tuple[str, tuple[str, ...]]:
    found = _response_of(chunk, wanted)
    return found.name, found.classes


def _pd(chunk: Chunk, wanted: Wanted, positions: tuple[int, ...], grids: tuple[Grid, ...]) -> GroupSums:
    predict, asking_ = _response_of(chunk, wanted).predict, Asking(wanted.model.batch_rows)
    return dependence_sums(predict, _rows(chunk, wanted), positions, grids, asking_)


def _cd(
    chunk: Chunk,
    wanted: Wanted,
    positions: tuple[int, ...],
    grids: tuple[Grid, ...],
    window: Window | Nearest,
    extremes: tuple[tuple[float, float], ...],
) -> GroupSums:
    assert isinstance(window, Window)
    predict, asking_ = _response_of(chunk, wanted).predict, Asking(wanted.model.batch_rows)
    return conditional_sums(predict, _rows(chunk, wanted), positions, grids, window, extremes, asking_)


def _bins(chunk: Chunk, wanted: Wanted, position: int, edges: Grid) -> BinSums:
    predict, asking_ = _response_of(chunk, wanted).predict, Asking(wanted.model.batch_rows)
    return bin_sums(predict, _rows(chunk, wanted), position, edges, asking_)
