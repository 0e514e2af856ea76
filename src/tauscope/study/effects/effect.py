"""The verb `effect`: what a model's answer is along one feature, or over two, in the user's terms."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from tauscope.effects import Effect
from tauscope.model.progress_bar import Callback
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.numbers import ComputedFrom
from tauscope.results.effects.spec import (
    ICE_BYTES,
    MOST_POINTS,
    EffectInterval,
    EffectKind,
    EffectMethod,
    EffectSpec,
    Spacing,
)
from tauscope.study.effects.compute import compute_effect
from tauscope.study.effects.grid import make_axis
from tauscope.study.effects.plan import EffectPlan, check_spec, plan_effect

if TYPE_CHECKING:
    from tauscope.model.calls import ResponseMethod
    from tauscope.rows.rows import Rows
    from tauscope.study.verbs import Asked
    from tauscope.weights.seeds import RandomState


def effect(
    self: Asked,
    feature: str | int | Sequence[str | int],
    *,
    kind: EffectKind = "pd",
    grid: Any = MOST_POINTS,
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
    method: EffectMethod = "auto",
    progress: bool = True,
    callback: Callback | None = None,
) -> FeatureEffect:
    """Compute what the model's answer is along one feature, or over two.

    Parameters
    ----------
    feature : name, position, or two of them
        A column, of numbers, dates, bools or levels.
    kind : {"pd", "cd", "ale", "dale"}, default "pd"
        Partial dependence sets the value in every row; conditional dependence in the rows near it; an accumulated
        local effect adds up changes within bins, centred to mean 0. Two features of "ale": their interaction.
        "dale" adds up derivatives at the rows instead, of a smooth answer to one number. Rows in chunks have no
        "dale", and "ale" of one feature of numbers alone: levels are put in order of similarity, which needs the rows.
    grid : int or sequence, default 50
        Most points: values that occur, or levels, the most frequent first; of two features an int above 20
        counts as 20 for each. Or the points themselves: numbers, dates, names of levels, None for missing; of two
        features a pair of such. Points outside the data are allowed, and said. Weights take no part in it, so
        that `study.under(stress).effect(…)` stands on the same points.
    spacing : {"quantile", "equidistant"}, default "quantile"
        Of numbers.
    response_method : {"auto", "predict_proba", "decision_function", "predict"}, default "auto"
        What is followed: the study's scores where there are any, else the share predicted; "predict" of a
        classifier is that share too. Of a regression its values.
    target_class : label, optional
        By default the positive class of two, and every class of several.
    window : float, optional
        kind="cd": half the width of the window around each point, in the feature's unit; by default 1/18 of its
        range.
    n_neighbors : int, optional
        kind="cd": the nearest rows, instead.
    gradient : array of shape (n_rows,) or (n_rows, n_classes), or callable, optional
        kind="dale": the answer's derivative along the feature at each row, or a function of the rows that gives
        it. By default differences are taken over a small step, for 2 rows of the model each.
    step : float, optional
        kind="dale": half of that step, in the feature's unit; by default 1e-4 of its range.
    interval : {"analytic", "bootstrap"}, default "analytic"
        Of the mean over rows, the model held fixed: Student t, or percentiles of 200 replicates of the rows. Of
        kinds "pd" and "cd" of a probability or a share of labels Student t is on the logit scale, and stays in [0, 1];
        "ale" and "dale" are differences, whose intervals lie evenly around the curve. Weights of the rows, of a stress
        too, are taken as known: that a stress would be met by other weights on other rows is no part of the interval.
    confidence : float, default 0.95
        Level of the interval, in (0, 1).
    random_state : int, Generator or None
        Draws the replicates.
    ice_bytes : int, default 2**28
        Memory for individual curves; where they need more they are not kept, and the result has no bounds.
    method : {"auto", "brute"}, default "auto"
        "auto" reads partial dependence on one feature or two from the nodes of tree ensembles of scikit-learn,
        LightGBM, XGBoost and CatBoost, where columns are numbers, or levels of pandas that the library takes itself:
        the same numbers, and the model is called on a few rows only, as a check. "brute" always calls it.
    progress : bool, default True
        Whether a bar shows after two seconds. An interrupt leaves the effect of the rows predicted so far.
    callback : callable, optional
        Called as callback(done, total) after each batch of rows; something true stops there, as an interrupt does.
        Not of rows in chunks.

    Returns
    -------
    FeatureEffect
        `.frame`, `.chart()`, `.bounds()`, `.breakdown()`, `.under(stress)`, `.n_model_rows`.

    Raises
    ------
    UnknownName
        For a feature, level or class that is not there, with the nearest names.
    InputError, InputTypeError
        For a constant feature, a grid that cannot be used, or a study without a model. Of rows in chunks also for what
        needs them in memory, and chunks that can be read only once.

    Notes
    -----
    Answers are kept, up to 512 MiB, for this study and those derived from it: the same effect under a stress, at
    the same points of a subgroup, or conditional dependence where partial dependence is known, asks nothing.

    Rows in chunks give the same numbers on the same grid to 1e-9, from sums: two passes, and up to two more for the
    quantiles of a feature of many values. No answer of a single row is kept, so that there is no `ice`, `bounds`,
    `breakdown` or `regions`, and no stress can be put on the effect. Its `by` reads the rows again. Where the model is
    asked about a million rows or more, the bar says about how many, and about how many `sample()` would.

    Examples
    --------
    >>> effect = study.effect("mean radius", grid=5)
    >>> effect.frame["effect"].round(2).tolist()
    [0.99, 0.86, 0.73, 0.43, 0.0]
    """
    spec = EffectSpec(
        feature,
        kind=kind,
        grid=grid,
        spacing=spacing,
        response_method=response_method,
        target_class=target_class,
        window=window,
        n_neighbors=n_neighbors,
        gradient=gradient,
        step=step,
        interval=interval,
        confidence=confidence,
        random_state=random_state,
        ice_bytes=ice_bytes,
        method=method,
    )
    check_spec(self, spec, callback)
    return _effect(self, spec, progress=progress, callback=callback)


def effect_from(
    self: Asked, spec: EffectSpec, *, progress: bool = True, callback: Callback | None = None
) -> FeatureEffect:
    """Compute an effect from a record of its options, such as another effect's changed with `dataclasses.replace`.

    Parameters
    ----------
    spec : EffectSpec
        As in `effect`; that of a `FeatureEffect` computes it again.
    progress, callback
        As in `effect`; a pass over chunks is not stopped by the callback.

    Returns
    -------
    FeatureEffect

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `effect`.
    """
    check_spec(self, spec)
    return _effect(self, spec, progress=progress, callback=callback)


def _effect(self: Asked, spec: EffectSpec, *, progress: bool, callback: Callback | None) -> FeatureEffect:
    with self._bars(progress):
        rows = self._as_rows()
        plan = plan_effect(self, rows, spec)
        computed, computed_from = compute_effect(self, rows, plan, progress=progress, callback=callback)
    return feature_effect(self, rows, plan, computed, computed_from)


def feature_effect(
    study: Asked, rows: Rows, plan: EffectPlan, computed: Effect, computed_from: ComputedFrom
) -> FeatureEffect:
    """Give an effect that was computed in the user's terms."""
    columns = plan.ordered.columns
    return FeatureEffect(
        _spec=plan.spec,
        _axes=tuple(make_axis(column, grid) for column, grid in zip(columns, computed.grids, strict=True)),
        quantity=plan.response.quantity,
        _classes=plan.response.classes,
        _computed=computed,
        _computed_from=computed_from,
        _call=plan.response.label,
        _extra_notes=plan.notes,
        _weighted=rows.summed.weighted,
        model_name=study._model_name,
        n_rows=rows.summed.n_rows,
        ess=rows.summed.ess,
        source=study._as_source(),
    )
