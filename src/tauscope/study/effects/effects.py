"""The verb `effects`: the curves of many features, of trees in one traversal."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope import effects as engine
from tauscope.errors import InputError
from tauscope.model.progress_bar import Bar, Callback
from tauscope.results.effects.effect import FeatureEffect, Kind
from tauscope.results.effects.effects import FeatureEffects
from tauscope.study.effects.effect import EffectInterval, effect
from tauscope.study.effects.features import column_positions
from tauscope.study.effects.grid import Spacing, make_grid
from tauscope.study.effects.spec import Method
from tauscope.study.effects.trees import has_trees
from tauscope.weights.seeds import RandomState

if TYPE_CHECKING:
    from tauscope.model.model import ResponseMethod
    from tauscope.model.response import Response
    from tauscope.study.effects.source import EffectSource

ICE_BYTES = 2**28


def effects(
    source: EffectSource,
    features: Sequence[str | int] | None = None,
    *,
    kind: Kind = "pd",
    grid: int = 50,
    spacing: Spacing = "quantile",
    response_method: ResponseMethod = "auto",
    target_class: Hashable | None = None,
    individual: bool = False,
    interval: EffectInterval = "analytic",
    confidence: float = 0.95,
    random_state: RandomState = None,
    ice_bytes: int = ICE_BYTES,
    method: Method = "auto",
    progress: bool = True,
    callback: Callback | None = None,
) -> FeatureEffects:
    """Compute the curves of many features; parameters and what is raised as in `Study.effects`."""
    if isinstance(grid, bool) or not isinstance(grid, int | np.integer):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"The grid of many features is a number of points; got {grid!r}. Use effect for one of them.")
    asked, skipped = _columns(source, features, kind)
    rows, response = source.rows, source.response(response_method, target_class)
    options: dict[str, Any] = {
        "kind": kind,
        "spacing": spacing,
        "response_method": response_method,
        "target_class": target_class,
        "interval": interval,
        "confidence": confidence,
        "random_state": random_state,
        "ice_bytes": ice_bytes // len(asked),
        "method": method,
        "progress": False,
    }
    trees = kind == "pd" and method == "auto" and not individual and interval == "analytic"
    with Bar(f"Asking {source.model.name}", unit="feature", shown=progress, callback=callback) as bar:
        if trees and has_trees(source.model.model, rows, response) and _sums(source, response):
            found = _together(source, response, asked, int(grid), spacing, options)
            bar.update(len(asked), len(asked))
        else:
            found = _one_by_one(source, asked, int(grid), options, bar)
    status = "complete" if len(found) == len(asked) else (
        f"stopped after {len(found)} of {len(asked)} features: run it again for all"
    )  # fmt: skip
    return FeatureEffects(tuple(found), skipped, status, sum(one.n_model_rows for one in found))


def _columns(
    source: EffectSource, features: Sequence[str | int] | None, kind: Kind
) -> tuple[tuple[int, ...], tuple[tuple[str, str], ...]]:
    """Find the columns, and those left out where none were named."""
    rows, names = source.rows, source.study.feature_names
    if features is not None:
        return column_positions(source.study, features, "features"), ()
    kept: list[int] = []
    skipped: list[tuple[str, str]] = []
    for position in range(rows.n_columns):
        values = rows.column(position)
        present = np.unique(values[~np.isnan(values)])
        lacking = position in rows.categorical and bool(np.isnan(values).any())
        if not len(present) or len(present) + lacking < 2:
            skipped.append((names[position], "one value only" if len(present) else "every value is missing"))
        elif kind == "dale" and position in rows.categorical:
            skipped.append((names[position], "derivatives are along numbers"))
        else:
            kept.append(position)
    if not kept:
        raise InputError("No column has an effect to show: " + "; ".join(f"{a!r}: {b}" for a, b in skipped[:5]) + ".")
    return tuple(kept), tuple(skipped)


def _sums(source: EffectSource, response: Response) -> bool:
    return engine.sums_leaves(source.model.model, response.method.rpartition(".")[2], response.columns or None)


def _together(
    source: EffectSource,
    response: Response,
    asked: tuple[int, ...],
    size: int,
    spacing: Spacing,
    options: dict[str, Any],
) -> list[FeatureEffect]:
    """Add up the leaves for all features in one traversal."""
    grids = [make_grid(source.rows, one, size, spacing)[0] for one in asked]
    found = engine.exact_dependences(
        source.model.model,
        response.predict,
        source.rows,
        asked,
        grids,
        response=response.method.rpartition(".")[2],
        outputs=response.columns or None,
        sample_weight=source.study.sample_weight,
        asking=engine.BatchOptions(source.model.batch_rows, predicted=response.known),
    )
    return [
        effect(source, one, grid=size, computed=computed, **options) for one, computed in zip(asked, found, strict=True)
    ]


def _one_by_one(
    source: EffectSource, asked: tuple[int, ...], size: int, options: dict[str, Any], bar: Bar
) -> list[FeatureEffect]:
    """Compute one feature after another, until stopped."""
    found: list[FeatureEffect] = []
    for number, position in enumerate(asked, start=1):
        try:
            one = effect(source, position, grid=size, **options)
        except KeyboardInterrupt:
            if not found:
                raise
            break
        if one.status != "complete" and found:
            break
        found.append(one)
        if bar.update(number, len(asked)) or one.status != "complete":
            break
    return found
