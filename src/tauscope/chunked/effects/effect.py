"""The verb `effect` of chunks: the grid of all rows, sums of the model's answers at it, and the curve from these."""

# A feature and a grid are what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from tauscope.chunked.effects.grid import chunked_grid
from tauscope.chunked.effects.sums import (
    PutRows,
    ResponseOptions,
    add_each,
    answer_sums,
    sum_answers,
    take_put_rows,
    take_response,
    take_values,
    take_windows,
)
from tauscope.chunked.effects.values import DRAWN, FeatureValues
from tauscope.data.columns import Column
from tauscope.effects import ChunkedEffect, Grid, Interval
from tauscope.effects.curves.accumulated import bin_edges
from tauscope.effects.curves.chunked import BinSums, GroupSums, effect_of_bins, effect_of_groups
from tauscope.errors import InputError
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.spec import EffectSpec, Spacing
from tauscope.rows.passes import Passes
from tauscope.rows.reading import Reader
from tauscope.rows.schema import Schema
from tauscope.rows.sources import ChunkSource
from tauscope.stress.bins.quantile_windows import QuantileWindow as Values
from tauscope.study.effects.features import effect_positions
from tauscope.study.effects.grid import grid_options, make_axis
from tauscope.study.effects.plan import interval_scale, neighbourhood_of, one_hot_notes, rereadable, settled_grid
from tauscope.study.needs_rows import check_effect_options
from tauscope.study.stress.curves import check_fraction

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.study.study import Study

ChunkedKind = Literal["pd", "cd", "ale"]


def check_spec(spec: EffectSpec) -> None:
    """Check what can be checked of an effect without rows.

    Raises
    ------
    InputError
        For a kind or an option that is none, or that needs the rows.
    """
    if spec.kind not in get_args(ChunkedKind):
        raise InputError(
            f"kind must be one of {', '.join(get_args(ChunkedKind))} for rows in chunks; "
            f"got {spec.kind!r}. Use Study.effect "
            "on rows that fit in memory for others."
        )
    if spec.spacing not in get_args(Spacing):
        raise InputError(f"spacing must be one of {', '.join(get_args(Spacing))}; got {spec.spacing!r}.")
    check_fraction("confidence", spec.confidence, 1.0)
    check_effect_options(spec)
    neighbourhood_of(spec.kind, spec.window, None)


def check_rereadable(study: ChunkedBase, what: str) -> None:
    """Refuse chunks that can be read only once; `what` reads them."""
    if isinstance(study._source, ChunkSource) and study._source.once:
        raise InputError(f"{what} the rows several times; got an iterator. Give a list, or a function.")


def chunked_effect(passes: Passes, schema: Schema, reader: Reader, spec: EffectSpec, source: Study) -> FeatureEffect:
    """Compute the curve of one feature, or the surface of two; see `tauscope.ChunkedStudy.effect`."""
    positions = effect_positions(schema, spec.feature)
    values: tuple[FeatureValues, ...] | None = passes.total(take_values, schema, positions, plus=add_each)
    assert values is not None
    columns = tuple(_column(schema, p, one) for p, one in zip(positions, values, strict=True))
    if spec.kind == "ale" and (len(positions) == 2 or columns[0].codes is not None):
        raise InputError(
            "An accumulated effect of rows in chunks is of one feature of numbers: levels are put in order of "
            "similarity, which needs the rows. Use kind='pd', or Study.effect."
        )
    sizes = [rereadable(one) for one in grid_options(spec.grid, len(positions))]
    grids, notes = _grids(passes, schema, spec, sizes, positions, columns, values)
    options = response_options(passes, schema, reader, spec, positions)
    if spec.kind != "cd":
        notes += one_hot_notes(positions, schema.feature_names, options.one_hot)
    quantity, classes, call = passes.first(take_response, options)
    interval = Interval("mean", float(spec.confidence), scale=interval_scale(spec.kind, quantity))
    computed = _compute(passes, spec, options, positions, grids, values, interval)
    names = tuple(schema.feature_names[p] for p in positions)
    return FeatureEffect(
        _spec=replace(spec, feature=names, grid=settled_grid(spec.grid, sizes)),
        _axes=tuple(make_axis(column, grid) for column, grid in zip(columns, computed.grids, strict=True)),
        quantity=quantity,
        _classes=classes,
        _computed=computed,
        _computed_from="model",
        _call=call,
        _extra_notes=tuple(notes),
        _weighted=reader.options.sample_weight is not None,
        model_name=schema.model_name,
        n_rows=schema.n_rows,
        ess=schema.ess,
        source=source,
    )


def response_options(
    passes: Passes, schema: Schema, reader: Reader, spec: EffectSpec, positions: tuple[int, ...]
) -> ResponseOptions:
    """Find what of the model's answers is followed, and rows that have the values to be put in."""
    assert reader.model is not None
    levels = reader.options.categorical_features
    options = ResponseOptions(schema, reader.model, spec.response_method, spec.target_class, levels)
    put: PutRows | None = passes.total(take_put_rows, options, positions, plus=PutRows.plus)
    assert put is not None
    groups = put.levels.groups(schema.feature_names) if put.levels else ()
    return replace(options, donors=put.donors, one_hot=groups)


def _grids(
    passes: Passes,
    schema: Schema,
    spec: EffectSpec,
    sizes: list[Any],
    positions: tuple[int, ...],
    columns: tuple[Column, ...],
    values: tuple[FeatureValues, ...],
) -> tuple[tuple[Grid, ...], list[str]]:
    """Choose the points of each feature, and say what has to be said of them."""
    grids: list[Grid] = []
    notes: list[str] = []
    for position, column, of_feature, size in zip(positions, columns, values, sizes, strict=True):

        def look(intervals: list[tuple[float, float]], position: int = position) -> list[Values]:
            windows: tuple[Values, ...] | None = passes.total(
                take_windows, schema, position, tuple(intervals), plus=add_each
            )
            assert windows is not None
            return list(windows)

        grid, grid_notes = chunked_grid(column, of_feature.ranks, size, spec.spacing, look)
        grids.append(grid)
        notes += grid_notes
    return tuple(grids), notes


def _compute(
    passes: Passes,
    spec: EffectSpec,
    options: ResponseOptions,
    positions: tuple[int, ...],
    grids: tuple[Grid, ...],
    values: tuple[FeatureValues, ...],
    interval: Interval,
) -> ChunkedEffect:
    """Call the model on every chunk, add up what the effect averages, and average."""
    n_rows, extremes = options.schema.n_rows, tuple(one.extremes for one in values)
    sums = answer_sums(spec, positions, grids, extremes)
    added: GroupSums | BinSums | None = passes.total(sum_answers, options, sums, plus=operator.add)
    assert added is not None
    if isinstance(added, BinSums):
        return effect_of_bins(added, positions[0], bin_edges(grids[0]), interval, n_rows, DRAWN)
    return effect_of_groups(added, positions, grids, interval, n_rows, DRAWN)


def _column(schema: Schema, position: int, values: FeatureValues) -> Column:
    """Return a column with the distribution of all rows, a thousand of them."""
    column, sample, ranks = schema.columns[position], values.sample, values.ranks
    if column.kind != "numeric":
        codes = np.where(np.isnan(sample), -1, sample).astype(np.int32)
        return Column(column.name, column.kind, codes=codes, levels=column.levels, n_missing=ranks.n_missing)
    low, high = values.extremes
    return _ColumnOfAllRows(
        column.name, "numeric", numbers=sample, lower=low, upper=high, n_missing=ranks.n_missing, unit=column.unit,
        whole=bool(ranks.n and ranks.whole),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _ColumnOfAllRows(Column):
    """A column that knows whether all numbers of the rows it stands for are whole."""

    whole: bool = False

    @property
    def integer(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.whole
