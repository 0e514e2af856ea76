"""The verb `effect` of chunks: the grid of all rows, sums of the model's answers at it, and the curve from these."""

# A feature and a grid are what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

import numpy as np

from tauscope.chunked.effects.grid import chunked_grid, drawn_values
from tauscope.chunked.effects.sums import (
    ResponseOptions,
    add_each,
    add_rows,
    sum_changes,
    sum_conditional,
    sum_dependence,
    take_donors,
    take_response,
    take_values,
    take_windows,
)
from tauscope.chunked.passes import Passes
from tauscope.chunked.schema import Schema
from tauscope.data.columns import Column
from tauscope.effects import Grid, Window
from tauscope.effects.curves.accumulated import bin_edges
from tauscope.effects.curves.chunked import BinSums, GroupSums
from tauscope.effects.curves.grids import grid_notes
from tauscope.errors import InputError
from tauscope.model.model import Model, ResponseMethod
from tauscope.results.effects.chunked import SummedEffect
from tauscope.results.effects.spec import Spacing
from tauscope.stress.chunked.quantile_sketch import QuantileSketch
from tauscope.stress.chunked.quantile_windows import QuantileWindow as Values
from tauscope.study.effects.features import effect_positions
from tauscope.study.effects.grid import asked_grids, make_axis
from tauscope.study.effects.plan import neighbourhood_of
from tauscope.study.stress.curves import check_fraction

Kind = Literal["pd", "cd", "ale"]


@dataclass(frozen=True)
class ChunkedEffectSpec:
    """An effect as it is asked for; each as `tauscope.ChunkedStudy.effect` takes it."""

    feature: Any
    kind: Kind
    grid: Any
    spacing: Spacing
    response_method: ResponseMethod
    target_class: Hashable | None
    window: float | None
    confidence: float

    def __post_init__(self) -> None:
        """Check what can be checked without rows."""
        if self.kind not in get_args(Kind):
            raise InputError(
                f"kind must be one of {', '.join(get_args(Kind))} for rows in chunks; got {self.kind!r}. Use "
                "Study.effect on rows in memory for others."
            )
        if self.spacing not in get_args(Spacing):
            raise InputError(f"spacing must be one of {', '.join(get_args(Spacing))}; got {self.spacing!r}.")
        check_fraction("confidence", self.confidence, 1.0)
        neighbourhood_of(self.kind, self.window, None)

    @property
    def neighbourhood(self) -> Window:
        """The window of conditional dependence."""
        near = neighbourhood_of(self.kind, self.window, None) or Window()
        assert isinstance(near, Window)
        return near


def chunked_effect(
    passes: Passes, schema: Schema, model: Model, categorical_features: Any, spec: ChunkedEffectSpec
) -> SummedEffect:
    """Compute the curve of one feature, or the surface of two; see `tauscope.ChunkedStudy.effect`."""
    positions = effect_positions(cast(Any, schema), spec.feature)
    values: tuple[QuantileSketch, ...] | None = passes.total(take_values, schema, positions, plus=add_each)
    assert values is not None
    columns = tuple(_column(schema, p, ranks) for p, ranks in zip(positions, values, strict=True))
    if spec.kind == "ale" and (len(positions) == 2 or columns[0].codes is not None):
        raise InputError(
            "An accumulated effect of rows in chunks is of one feature of numbers: levels are put in order of "
            "similarity, which needs the rows. Use kind='pd', or Study.effect."
        )
    grids, notes = _grids(passes, schema, spec, positions, columns, values)
    wanted = ResponseOptions(schema, model, spec.response_method, spec.target_class, categorical_features)
    wanted = replace(wanted, donors=passes.total(take_donors, wanted, positions, plus=add_rows))
    response, classes = passes.first(take_response, wanted)
    sums = _sum(passes, spec, wanted, positions, grids, values)
    effect, lower, upper = sums.interval(spec.confidence)
    if isinstance(sums, BinSums):
        grids, n, n_model_rows = (bin_edges(grids[0]),), np.append(0, sums.changes.n), sums.changes.n_model_rows
        notes += [*grid_notes(grids), *sums.notes]
    else:
        shape = tuple(len(grid) for grid in grids)
        effect, lower, upper = (array.reshape(len(array), *shape) for array in (effect, lower, upper))
        n, n_model_rows = sums.n.reshape(shape), sums.n_model_rows
        notes += grid_notes(grids)
        n_empty = int(np.count_nonzero(n == 0))
        if n_empty:
            notes.append(f"{n_empty} of {n.size} grid points have no row near them: there the curve has no value")
    return SummedEffect(
        kind=spec.kind,
        axes=tuple(make_axis(column, grid) for column, grid in zip(columns, grids, strict=True)),
        response=response,
        classes=classes,
        effect=effect,
        lower=lower,
        upper=upper,
        n=n,
        n_rows=schema.n_rows,
        ess=schema.ess,
        n_model_rows=n_model_rows,
        confidence=float(spec.confidence),
        notes=tuple(notes),
        model_name=schema.model_name,
    )


def _grids(
    passes: Passes,
    schema: Schema,
    spec: ChunkedEffectSpec,
    positions: tuple[int, ...],
    columns: tuple[Column, ...],
    values: tuple[QuantileSketch, ...],
) -> tuple[tuple[Grid, ...], list[str]]:
    """Choose the points of each feature, and say what has to be said of them."""
    grids: list[Grid] = []
    notes: list[str] = []
    sizes = asked_grids(spec.grid, len(positions))
    for position, column, ranks, size in zip(positions, columns, values, sizes, strict=True):

        def look(intervals: list[tuple[float, float]], position: int = position) -> list[Values]:
            windows: tuple[Values, ...] | None = passes.total(
                take_windows, schema, position, tuple(intervals), plus=add_each
            )
            assert windows is not None
            return list(windows)

        grid, said = chunked_grid(column, ranks, size, spec.spacing, look)
        grids.append(grid)
        notes += said
    return tuple(grids), notes


def _sum(
    passes: Passes,
    spec: ChunkedEffectSpec,
    wanted: ResponseOptions,
    positions: tuple[int, ...],
    grids: tuple[Grid, ...],
    values: tuple[QuantileSketch, ...],
) -> BinSums | GroupSums:
    """Call the model on every chunk and add up what the effect averages."""
    sums: BinSums | GroupSums | None
    if spec.kind == "ale":
        sums = passes.total(sum_changes, wanted, positions[0], bin_edges(grids[0]), plus=BinSums.__add__)
    elif spec.kind == "pd":
        sums = passes.total(sum_dependence, wanted, positions, grids, plus=GroupSums.__add__)
    else:
        extremes = tuple(_extremes(ranks) for ranks in values)
        near = spec.neighbourhood
        sums = passes.total(sum_conditional, wanted, positions, grids, near, extremes, plus=GroupSums.__add__)
    assert sums is not None
    return sums


def _column(schema: Schema, position: int, ranks: QuantileSketch) -> Column:
    """Return a column with the distribution of all rows, a thousand of them."""
    known, drawn = schema.columns[position], drawn_values(ranks)
    if known.kind != "numeric":
        codes = np.where(np.isnan(drawn), -1, drawn).astype(np.int32)
        return Column(known.name, known.kind, codes=codes, levels=known.levels, n_missing=ranks.n_missing)
    low, high = _extremes(ranks)
    return _ColumnOfAllRows(
        known.name, "numeric", numbers=drawn, lower=low, upper=high, n_missing=ranks.n_missing, unit=known.unit,
        whole=bool(ranks.n and ranks.whole),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _ColumnOfAllRows(Column):
    """A column that knows whether all numbers of the rows it stands for are whole."""

    whole: bool = False

    @property
    def integer(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.whole


def _extremes(ranks: QuantileSketch) -> tuple[float, float]:
    return (float(ranks.low[0]), float(ranks.high[-1])) if ranks.n else (np.nan, np.nan)
