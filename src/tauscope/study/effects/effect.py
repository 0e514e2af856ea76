"""The verb `effect`: a study's rows and model to the effects engine, its curve back in the user's terms."""

# A feature and a grid are what a person typed.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Hashable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from tauscope import effects
from tauscope.data.table_rows import TableRows
from tauscope.effects import BatchOptions, Grid, Nearest, Window
from tauscope.errors import InputError, InputTypeError
from tauscope.model.progress_bar import Callback
from tauscope.results.effects.effect import FeatureEffect, Kind
from tauscope.results.effects.origin import EffectOrigin
from tauscope.study.effects.features import effect_positions
from tauscope.study.effects.gradient import read_gradient
from tauscope.study.effects.grid import Spacing, asked_grids, make_axis, make_grid
from tauscope.study.effects.spec import EffectAsked, Method, compute
from tauscope.study.effects.trees import how
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.reweight import reweight, stressed_weights
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.effects import Effect
    from tauscope.model.model import ResponseMethod
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.study.effects.source import EffectSource
    from tauscope.study.study import Study

EffectInterval = Literal["analytic", "bootstrap"]
MOST_POINTS = 50
ICE_BYTES = 2**28


def effect(
    source: EffectSource,
    feature: str | int | Sequence[str | int],
    *,
    kind: Kind = "pd",
    grid: Any = 50,
    spacing: Spacing = "quantile",
    response_method: ResponseMethod = "auto",
    target_class: Hashable | None = None,
    window: float | None = None,
    n_neighbors: int | None = None,
    gradient: Any = None,
    step: float | None = None,
    interval: EffectInterval = "analytic",
    confidence: float = 0.95,
    random_state: RandomState = None,
    ice_bytes: int = ICE_BYTES,
    method: Method = "auto",
    progress: bool = True,
    callback: Callback | None = None,
    computed: Effect | None = None,
) -> FeatureEffect:
    """Compute the curve of one feature, or the surface of two; arguments as in `Study.effect`.

    The study's sample weight weights the rows; the grid comes from all rows whatever they weigh, so that the effect
    under a stress stands on the same points. `computed` is the very effect asked for, where it is known already.
    """
    study, model, rows = source.study, source.model, source.rows
    if kind not in get_args(Kind):
        raise InputError(f"kind must be one of {', '.join(get_args(Kind))}; got {kind!r}.")
    if interval not in get_args(EffectInterval):
        raise InputError(f"interval must be one of {', '.join(get_args(EffectInterval))}; got {interval!r}.")
    if spacing not in get_args(Spacing):
        raise InputError(f"spacing must be one of {', '.join(get_args(Spacing))}; got {spacing!r}.")
    if method not in get_args(Method):
        raise InputError(f"method must be one of {', '.join(get_args(Method))}; got {method!r}.")
    check_fraction("confidence", confidence, 1.0)
    positions = effect_positions(study, feature)
    grids, notes = _grids(rows, positions, grid, spacing)
    response = source.response(response_method, target_class)
    drawn = effects.Interval(
        "mean" if interval == "analytic" else "bootstrap",
        float(confidence),
        random_state=seed_of(random_state) if interval == "bootstrap" else None,
    )
    neighbourhood = neighbourhood_of(kind, window, n_neighbors)
    slopes = read_gradient(source, positions, response, kind, gradient, step)
    asked = EffectAsked(
        kind, positions, grids, response, neighbourhood, slopes, None if step is None else float(step), method
    )
    found = compute(source, asked, drawn, ice_bytes, progress, callback) if computed is None else computed

    def weights_under(stress: Constraint | Stress | Reweighting, quantile: float) -> tuple[NDArray[np.float64], str]:
        from tauscope.results.stress.reweight import Reweighting

        solved = stress if isinstance(stress, Reweighting) else reweight(study, stress, quantile=quantile)
        return stressed_weights(study, solved, quantile), solved.population

    def another(asked: Sequence[str], other: Kind, hook: Callback) -> FeatureEffect:
        same = [study.feature_names[p] for p in positions] == list(asked)
        return effect(
            source,
            asked,
            kind=other,
            grid=grid if same or isinstance(grid, int | np.integer) else MOST_POINTS,
            spacing=spacing,
            response_method=response_method,
            target_class=target_class,
            interval=interval,
            confidence=confidence,
            random_state=random_state,
            ice_bytes=ice_bytes,
            method=method,
            progress=False,
            callback=hook,
        )

    def of_model(other: Any, shown: bool) -> FeatureEffect:
        return effect(
            source.of_model(other),
            feature,
            kind=kind,
            grid=found.grids[0] if len(positions) == 1 else found.grids,
            response_method=response_method,
            target_class=target_class,
            window=window,
            n_neighbors=n_neighbors,
            step=step,
            interval=interval,
            confidence=confidence,
            random_state=random_state,
            ice_bytes=ice_bytes,
            method=method,
            progress=shown,
        )

    return FeatureEffect(
        kind=kind,
        axes=tuple(make_axis(rows.columns[p], g) for p, g in zip(positions, found.grids, strict=True)),
        response=response.name,
        response_kind=response.kind,
        classes=response.classes,
        responses=response.names,
        computed=found,
        method=how(found, response),
        notes=(*notes, *found.notes),
        weighted=study.sample_weight is not None,
        model_name=study.model_name,
        study=cast("Study", study),
        _weights_under=weights_under,
        _another=another,
        origin=EffectOrigin(of_model, response.predict, rows, rows.drawn, BatchOptions(model.batch_rows)),
    )


def _grids(
    rows: TableRows, positions: tuple[int, ...], grid: Any, spacing: Spacing
) -> tuple[tuple[Grid, ...], tuple[str, ...]]:
    made = [
        make_grid(rows, p, one, spacing) for p, one in zip(positions, asked_grids(grid, len(positions)), strict=True)
    ]
    return tuple(one for one, _ in made), tuple(note for _, notes in made for note in notes)


def neighbourhood_of(kind: Kind, window: object, n_neighbors: object) -> Window | Nearest | None:
    """Return which rows count as near a point, of what was asked; None where nothing was."""
    if window is None and n_neighbors is None:
        return None
    if kind != "cd":
        raise InputError(f"window and n_neighbors are of kind='cd'; got kind={kind!r}. Leave them out.")
    if window is not None and n_neighbors is not None:
        raise InputError("Rows near a point are those in a window or the nearest; got both. Give one of the two.")
    if window is not None:
        if isinstance(window, bool) or not isinstance(window, Real):
            raise InputTypeError(f"window must be half a width in the feature's unit; got {window!r}.")
        return Window(float(window))
    if isinstance(n_neighbors, bool) or not isinstance(n_neighbors, int | np.integer):
        raise InputTypeError(f"n_neighbors must be a number of rows; got {n_neighbors!r}.")
    return Nearest(int(n_neighbors))
