"""Effects of rows in parts: `Study.effect` for chunks and for Dask DataFrames."""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np

from tauscope.chunked.chunks import Source, check_chunks
from tauscope.chunked.effects.grid import drawn_values, part_grid
from tauscope.chunked.effects.sums import (
    ResponseOptions,
    changes_of,
    conditional_of,
    dependence_of,
    donors_of,
    each_plus,
    order_of,
    pooled,
    response_named,
    values_in,
)
from tauscope.chunked.options import Fitted, asking
from tauscope.chunked.passes import ChunkPasses, PartitionPasses, Passes, Schema, read_schema
from tauscope.chunked.stress.sketch_plan import TaskOptions
from tauscope.data.columns import Column
from tauscope.effects import Grid, Window
from tauscope.effects.curves.accumulated import bin_edges
from tauscope.effects.curves.chunked import BinSums, GroupSums
from tauscope.effects.curves.grids import grid_notes
from tauscope.errors import InputError
from tauscope.model.model import Model, ResponseMethod
from tauscope.results.effects.chunked import SummedEffect
from tauscope.stress.chunked.quantile_sketch import QuantileSketch
from tauscope.stress.chunked.quantile_windows import QuantileWindow as Values
from tauscope.study.effects.effect import neighbourhood_of
from tauscope.study.effects.features import effect_positions
from tauscope.study.effects.grid import Spacing, asked_grids, make_axis
from tauscope.study.stress.curves import check_fraction

if TYPE_CHECKING:
    from tauscope.study.study import TaskChoice

Kind = Literal["pd", "cd", "ale"]


def effect_chunks(
    model: Fitted,
    chunks: Callable[[], Iterable[Any]] | Iterable[Any],
    feature: str | int | Sequence[str | int],
    *,
    target: str | None = None,
    sample_weight: str | None = None,
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
    model, target, sample_weight, pos_label, categorical_features, task, classes, batch_rows, progress
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
        model, target, None, None, sample_weight, "auto", pos_label, categorical_features, task, classes, batch_rows
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
    sample_weight: str | None = None,
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
    model, feature, target, sample_weight, kind, grid, spacing, response_method, target_class, window, confidence, \
pos_label, categorical_features, task, classes, batch_rows
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
        model, target, None, None, sample_weight, "auto", pos_label, categorical_features, task, classes, batch_rows
    )
    how = (kind, grid, spacing, response_method, target_class, window, confidence, categorical_features)
    return _effect(PartitionPasses(frame, reader), reader.model, asked, feature, *how)


def _effect(
    passes: Passes,
    model: Model | None,
    asked: TaskOptions,
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
    assert isinstance(near, Window)
    known = read_schema(passes, asked)
    positions = effect_positions(cast(Any, _Named(known)), feature)
    order: tuple[QuantileSketch, ...] | None = passes.total(order_of, known, positions, plus=each_plus)
    assert order is not None
    columns = tuple(_column(known, p, ranks) for p, ranks in zip(positions, order, strict=True))
    if kind == "ale" and (len(positions) == 2 or columns[0].codes is not None):
        raise InputError(
            "An accumulated effect of rows in parts is of one feature of numbers: levels are put in order of "
            "similarity, which needs the rows. Use kind='pd', or Study.effect."
        )
    sizes = asked_grids(grid, len(positions))
    grids: list[Grid] = []
    notes: list[str] = []
    for place, (column, ranks, one) in enumerate(zip(columns, order, sizes, strict=True)):

        def look(intervals: list[tuple[float, float]], place: int = place) -> list[Values]:
            found: tuple[Values, ...] | None = passes.total(
                values_in, known, positions[place], tuple(intervals), plus=each_plus
            )
            assert found is not None
            return list(found)

        made, said = part_grid(column, ranks, one, spacing, look)
        grids.append(made)
        notes += said
    wanted = ResponseOptions(known, model, response_method, target_class, categorical_features)
    donors = passes.total(donors_of, wanted, positions, plus=pooled)
    wanted = ResponseOptions(known, model, response_method, target_class, categorical_features, donors)
    response = passes.first(response_named, wanted)
    points = tuple(grids)
    shape = tuple(len(one) for one in points)
    if kind == "ale":
        edges = bin_edges(points[0])
        bins: BinSums | None = passes.total(changes_of, wanted, positions[0], edges, plus=BinSums.__add__)
        assert bins is not None
        points, n, n_model_rows = (edges,), np.append(0, bins.changes.n), bins.changes.n_model_rows
        effect, lower, upper = bins.interval(confidence)
        notes += [*grid_notes(points), *bins.notes]
    else:
        function = dependence_of if kind == "pd" else conditional_of
        extra = () if kind == "pd" else (near, tuple(_extremes(ranks) for ranks in order))
        sums: GroupSums | None = passes.total(function, wanted, positions, points, *extra, plus=GroupSums.__add__)
        assert sums is not None
        effect, lower, upper = (a.reshape(len(a), *shape) for a in sums.interval(confidence))
        n, n_model_rows = sums.n.reshape(shape), sums.n_model_rows
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
        ess=known.ess,
        n_model_rows=n_model_rows,
        confidence=float(confidence),
        notes=tuple(notes),
        model_name=known.model_name,
    )


class _Named:
    """The columns of all rows, as features are found by name in them."""

    def __init__(self, known: Schema) -> None:
        self.columns = tuple(Column(c.name, c.kind, levels=c.levels) for c in known.columns)
        self.feature_names = tuple(column.name for column in self.columns)


def _column(known: Schema, position: int, ranks: QuantileSketch) -> Column:
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


def _extremes(ranks: QuantileSketch) -> tuple[float, float]:
    return (float(ranks.low[0]), float(ranks.high[-1])) if ranks.n else (np.nan, np.nan)
