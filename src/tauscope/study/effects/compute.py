"""A planned effect, computed: from cached answers, from trees, or by calling the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import add
from typing import TYPE_CHECKING, Any, cast

from tauscope import effects
from tauscope.effects import AccumulatedEffect, BatchOptions, ChunkedEffect, Effect, PartialDependence, Window
from tauscope.effects.curves.accumulated import bin_edges
from tauscope.effects.curves.sums import BinSums, effect_of_bins, effect_of_groups
from tauscope.errors import InputError
from tauscope.model.progress_bar import Bar, Callback
from tauscope.rows.answers import AnswersWanted, add_unless_refused, sum_answers
from tauscope.rows.in_chunks import InChunks
from tauscope.rows.value_order import DRAWN
from tauscope.study.effects.trees import dependence_of_trees, has_trees, reads_trees
from tauscope.study.needs_rows import SAMPLE_ROWS
from tauscope.trees.adapters import read_trees
from tauscope.trees.tree_model import UnreadableModel
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.effects.numbers import ComputedFrom
    from tauscope.rows.rows import Rows
    from tauscope.study.base import StudyBase
    from tauscope.study.effects.plan import EffectPlan
    from tauscope.study.verbs import Asked


MANY_MODEL_ROWS = 1_000_000
"""Of so many it is said beforehand how many they are, and what a sample would take."""


def compute_effect(
    study: Asked, rows: Rows, plan: EffectPlan, *, progress: bool, callback: Callback | None
) -> tuple[Effect, ComputedFrom]:
    """Compute an effect: of rows in memory with its answers, of rows in chunks from sums of these.

    Parameters
    ----------
    study : Asked
    rows : Rows
        Of it.
    plan : EffectPlan
    progress : bool
    callback : callable or None

    Returns
    -------
    effect : Effect
        With `n_model_rows` 0 where every answer was known.
    computed_from : {"model", "trees", "gradient", "cache"}
    """
    if isinstance(rows, InChunks):
        effect = _of_chunks(rows, plan)
        return effect, computed_from(effect)
    return compute_in_memory(cast("StudyBase", study), plan, progress=progress, callback=callback)


def compute_in_memory(
    study: StudyBase, plan: EffectPlan, *, progress: bool, callback: Callback | None
) -> tuple[Effect, ComputedFrom]:
    """Compute an effect of rows in memory, and keep its answers for the studies derived from this one."""
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
    if isinstance(effect, PartialDependence | ChunkedEffect) and effect.n_trees:
        return "trees"
    return "model" if effect.n_model_rows else "cache"


def wanted_answers(rows: InChunks, plan: EffectPlan) -> tuple[AnswersWanted, str]:
    """Return the answers that an effect of rows in chunks averages, and why they are not read from trees, if at all."""
    spec, response, grids, ordered = plan.spec, plan.response, plan.grids, plan.ordered
    assert rows.reader is not None
    model, levels = rows.reader.model, rows.reader.options.categorical_features
    assert model is not None
    if spec.kind == "ale":
        if len(grids) == 2 or ordered.columns[0].codes is not None:
            raise InputError(
                "An accumulated effect of rows in chunks is of one feature of numbers: levels are put in order of "
                "similarity, which needs the rows. Use kind='pd', or a sample: sample().effect(…)."
            )
        grids = (bin_edges(grids[0]),)
    trees, unread = None, ""
    alone = not any(position in group.columns for group in ordered.one_hot for position in plan.positions)
    auto = (spec.kind, spec.method) == ("pd", "auto") and alone
    if auto and reads_trees(model.model, response, plain=ordered.plain):
        try:
            trees = read_trees(model.model, response.method, response.columns or None)
        except UnreadableModel as reason:
            unread = str(reason)
    window = plan.neighbourhood or Window()
    assert isinstance(window, Window)  # nearest rows are refused
    wanted = AnswersWanted(
        rows.summed,
        model,
        rows.summed.example,
        spec.response_method,
        spec.target_class,
        levels,
        spec.kind,
        plan.positions,
        grids,
        tuple((order.low, order.high) for order in ordered.orders),
        window,
        ordered.donors,
        ordered.one_hot,
        trees,
    )
    return wanted, unread


def sum_over_chunks(
    rows: InChunks, wanted: AnswersWanted, function: Callable[..., Any], *args: Any, plus: Callable[[Any, Any], Any]
) -> tuple[Any, AnswersWanted, str]:
    """Sum answers over all chunks, from the model where trees give others; with the answers summed, and why."""

    def total(wanted: AnswersWanted) -> Any:
        many = wanted.most_model_rows >= MANY_MODEL_ROWS
        adding = partial(add_unless_refused, plus)
        return rows.passes.total(function, wanted, *args, plus=adding, doing=_doing(wanted), at_once=many)

    added = total(wanted)
    if not isinstance(added, str):
        return added, wanted, ""
    rows.passes.expect(1)
    wanted = replace(wanted, trees=None)
    return total(wanted), wanted, added


def _of_chunks(rows: InChunks, plan: EffectPlan) -> Effect:
    wanted, unread = wanted_answers(rows, plan)
    added, wanted, reason = sum_over_chunks(rows, wanted, sum_answers, plus=add)
    of_trees: Any = {"n_trees": wanted.trees.trees.n_trees if wanted.trees else 0, "unread": unread or reason}
    n_rows = rows.summed.n_rows
    if isinstance(added, BinSums):
        return effect_of_bins(added, plan.positions[0], wanted.grids[0], plan.interval, n_rows, DRAWN)
    return replace(effect_of_groups(added, plan.positions, plan.grids, plan.interval, n_rows, DRAWN), **of_trees)


def _doing(wanted: AnswersWanted) -> str:
    """Say what a pass does, and of many model rows what a sample would take."""
    name, most, n_rows = wanted.model.name, wanted.most_model_rows, wanted.schema.n_rows
    if wanted.trees is not None:
        return f"Following {count(n_rows, 'row')} through {count(wanted.trees.trees.n_trees, 'tree')}"
    words = f"Asking {name} about {'up to ' * (wanted.kind == 'cd')}{count(most, 'row')}"
    if most < MANY_MODEL_ROWS or n_rows <= SAMPLE_ROWS:
        return words
    share = SAMPLE_ROWS / n_rows
    return f"{words}; sample().effect(…) asks about {most * share:,.0f}, for intervals {share**-0.5:.2g} times as wide"


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
