"""A planned effect, computed: from cached answers, from trees, or by calling the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tauscope import effects
from tauscope.effects import AccumulatedEffect, BatchOptions, Effect, PartialDependence
from tauscope.errors import InputError
from tauscope.model.progress_bar import Bar, Callback
from tauscope.study.effects.trees import dependence_of_trees, has_trees

if TYPE_CHECKING:
    from tauscope.results.effects.numbers import ComputedFrom
    from tauscope.study.base import StudyBase
    from tauscope.study.effects.plan import EffectPlan


def compute_effect(
    study: StudyBase, plan: EffectPlan, *, progress: bool, callback: Callback | None
) -> tuple[Effect, ComputedFrom]:
    """Compute an effect, and keep its answers for the studies derived from this one.

    Parameters
    ----------
    study : Study
    plan : EffectPlan
    progress : bool
    callback : callable or None

    Returns
    -------
    effect : Effect
        With `n_model_rows` 0 where every answer was known.
    computed_from : {"model", "trees", "gradient", "cache"}
    """
    weight, cache, interval = study.sample_weight, study._cache, plan.interval
    from_model = plan.slopes is None  # answers behind derivatives given are no answers of the model
    if from_model and plan.spec.ice_bytes > 0:
        cached = cache.find(plan.key(), plan.grids, study._cache_rows, weight, interval, study.n_rows)
        if cached is not None:
            return cached, "cache"
    with Bar(f"Asking {study._model_name}", shown=progress, callback=callback) as bar:
        batches = BatchOptions(plan.response.batch_rows, bar.update, plan.response.predictions)
        effect = _compute(study, plan, {"sample_weight": weight, "interval": interval, "batches": batches})
    keep_answers(study, plan, effect)
    return effect, computed_from(effect)


def keep_answers(study: StudyBase, plan: EffectPlan, effect: Effect) -> None:
    """Keep the model's answers behind an effect for the studies derived from this one."""
    if plan.slopes is None:
        study._cache.keep(plan.key(), plan.grids, study._cache_rows, effect)


def computed_from(effect: Effect) -> ComputedFrom:
    """Tell how an effect that was computed anew came about."""
    if isinstance(effect, AccumulatedEffect) and effect.source == "gradient":
        return "gradient"
    if isinstance(effect, PartialDependence) and effect.n_trees:
        return "trees"
    return "model" if effect.n_model_rows else "cache"


def _compute(study: StudyBase, plan: EffectPlan, common: dict[str, Any]) -> Effect:
    rows, predict, positions, grids = study._table_rows, plan.response.predict, plan.positions, plan.grids
    match plan.spec.kind:
        case "pd":
            memory = {"ice_bytes": plan.spec.ice_bytes}
            alone = all(rows.group_of(position) is None for position in positions)  # others follow a level of a group
            if alone and plan.spec.method == "auto" and has_trees(study, plan.response):
                return dependence_of_trees(study, plan, **memory, **common)
            return effects.partial_dependence(predict, rows, positions, grids, **memory, **common)
        case "cd":
            cached = study._cache.find(plan.key("pd"), grids, study._cache_rows, None, plan.interval, study.n_rows)
            dependence = cached if isinstance(cached, PartialDependence) else None
            neighbourhood = plan.neighbourhood
            return effects.conditional_dependence(
                predict, rows, positions, grids, neighbourhood=neighbourhood, dependence=dependence, **common
            )
        case "dale":
            model = None if plan.slopes is not None else predict
            smooth_rows = rows.with_reals(positions[0])
            return effects.derivative_effect(
                smooth_rows, positions[0], grids[0], gradient=plan.slopes, predict=model, step=plan.spec.step, **common
            )
        case "ale":
            return _accumulated(study, plan, common)


def _accumulated(study: StudyBase, plan: EffectPlan, common: dict[str, Any]) -> Effect:
    rows, positions, grids, predict = study._table_rows, plan.positions, plan.grids, plan.response.predict
    levels = [p for p in positions if p in rows.categorical]
    if len(positions) == 2:
        if levels:
            raise InputError(
                f"An accumulated effect of two features takes numbers; {rows.columns[levels[0]].name!r} holds levels. "
                "Use kind='pd'."
            )
        return effects.accumulated_surface(predict, rows, (positions[0], positions[1]), (grids[0], grids[1]), **common)
    if levels:
        return effects.accumulated_levels(
            predict,
            rows,
            positions[0],
            grids[0],
            categorical=rows.categorical,
            ordered=rows.ordered(positions[0]),
            **common,
        )
    return effects.accumulated_effect(predict, rows, positions[0], grids[0], **common)
