"""The verb `effects`: the curves of many features, of trees in one traversal."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tauscope.effects import Effect
from tauscope.errors import InputError
from tauscope.model.jobs import check_n_jobs, run_units
from tauscope.model.progress_bar import Bar, Callback
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.effects import FeatureEffects
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
from tauscope.study.columns import column_positions
from tauscope.study.effects.compute import compute_in_memory, computed_from, keep_answers
from tauscope.study.effects.effect import feature_effect
from tauscope.study.effects.plan import EffectPlan, check_spec, plan_effect
from tauscope.study.effects.trees import dependences_of_leaves, has_trees, sums_leaves
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.model.calls import ResponseMethod
    from tauscope.study.base import StudyBase


def effects(
    self: StudyBase,
    features: Sequence[str | int] | None = None,
    *,
    kind: EffectKind = "pd",
    grid: int = MOST_POINTS,
    spacing: Spacing = "quantile",
    response_method: ResponseMethod = "auto",
    target_class: Hashable | None = None,
    individual: bool = False,
    interval: EffectInterval = "analytic",
    confidence: float = 0.95,
    random_state: RandomState = None,
    ice_bytes: int = ICE_BYTES,
    method: EffectMethod = "auto",
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
) -> FeatureEffects:
    """Compute the curves of many features, to compare and rank them.

    Parameters
    ----------
    features : names or positions, optional
        By default every column with two values.
    kind, spacing, response_method, target_class, interval, confidence, random_state, method
        As in `effect`.
    grid : int, default 50
        Most points of each.
    individual : bool, default False
        Whether to follow rows one by one where the answer is a sum of trees (a regression, a forest's
        probability, a boosted margin). Without it their leaves are added up for all features in one traversal,
        many times faster: the same curves, but no interval and no bounds.
    ice_bytes : int, default 2**28
        Memory for the individual curves of all features together; those that need more are not kept.
    n_jobs : int, optional
        Features at a time, in processes of their own, where the model is called for each. -1 means all cores; None
        means 1 unless in a `joblib.parallel_config` context. The same numbers come of any.
    progress : bool, default True
        Whether a bar shows after two seconds. An interrupt leaves the features done so far.
    callback : callable, optional
        Called as callback(done, total) after each feature; something true stops there.

    Returns
    -------
    FeatureEffects
        `.frame`, `.rank()`, `.chart()`, and each `FeatureEffect` by name.

    Raises
    ------
    UnknownName
        For a feature or class that is not there.
    InputError, InputTypeError
        As `effect`, and where no column has two values.

    Examples
    --------
    >>> study.effects(grid=5).rank().round(2)
               feature  importance  lowest  highest
    0      mean radius        0.23    0.00     0.99
    1     mean texture        0.10    0.12     0.79
    2   mean concavity        0.08    0.27     0.72
    3  mean smoothness        0.07    0.35     0.76
    """
    size: Any = grid
    if isinstance(size, bool) or not isinstance(size, Integral):
        raise InputError(f"The grid of many features is a number of points; got {grid!r}. Use effect for one of them.")
    check_n_jobs(n_jobs)
    positions, skipped = _columns(self, features, kind)
    spec = EffectSpec(
        positions[0],
        kind=kind,
        grid=int(size),
        spacing=spacing,
        response_method=response_method,
        target_class=target_class,
        interval=interval,
        confidence=confidence,
        random_state=random_state,
        ice_bytes=ice_bytes // len(positions),
        method=method,
    )
    check_spec(self, spec)
    alone = tuple(position for position in positions if self._table_rows.group_of(position) is None)
    at_once = not individual and bool(alone) and _sums_leaves(self, spec)
    with Bar(f"Asking {self._model_name}", unit="feature", shown=progress, callback=callback) as bar:
        known = _compute_together(self, spec, alone) if at_once else {}
        if known:
            bar.update(len(known), len(positions))
        results = _compute_each(self, spec, positions, known, bar, n_jobs)
    return FeatureEffects(tuple(results), skipped, len(positions), source=self._as_source())


def _columns(
    study: StudyBase, features: Sequence[str | int] | None, kind: EffectKind
) -> tuple[tuple[int, ...], tuple[tuple[str, str], ...]]:
    """Find the columns, and those left out where none were named."""
    rows, names = study._table_rows, study.feature_names
    if features is not None:
        return column_positions(study, features, "features"), ()
    selected: list[int] = []
    skipped: list[tuple[str, str]] = []
    for position in range(rows.n_columns):
        values = rows.column(position)
        present = np.unique(values[~np.isnan(values)])
        with_missing = position in rows.categorical and bool(np.isnan(values).any())
        if not len(present) or len(present) + with_missing < 2:
            skipped.append((names[position], "one value only" if len(present) else "every value is missing"))
        elif kind == "dale" and (position in rows.categorical or rows.group_of(position)):
            skipped.append((names[position], "derivatives are along numbers"))
        else:
            selected.append(position)
    if not selected:
        raise InputError("No column has an effect to show: " + "; ".join(f"{a!r}: {b}" for a, b in skipped[:5]) + ".")
    return tuple(selected), tuple(skipped)


def _sums_leaves(study: StudyBase, spec: EffectSpec) -> bool:
    """Tell whether the leaves of the model's trees can be added up for all features at once."""
    if (spec.kind, spec.method, spec.interval) != ("pd", "auto", "analytic"):
        return False
    response = study._response(spec.response_method, spec.target_class)
    return has_trees(study, response) and sums_leaves(study, response)


def _compute_together(study: StudyBase, spec: EffectSpec, positions: tuple[int, ...]) -> dict[int, FeatureEffect]:
    rows = study._as_rows()
    plans = [plan_effect(study, rows, replace(spec, feature=study.feature_names[position])) for position in positions]
    results = dependences_of_leaves(study, plans[0].response, positions, [plan.grids[0] for plan in plans])
    return {
        position: feature_effect(study, rows, plan, effect, computed_from(effect))
        for position, plan, effect in zip(positions, plans, results, strict=True)
    }


def _compute_each(
    study: StudyBase,
    spec: EffectSpec,
    positions: tuple[int, ...],
    known: Mapping[int, FeatureEffect],
    bar: Bar,
    n_jobs: int | None,
) -> list[FeatureEffect]:
    """Compute one feature after another but those known, until stopped."""
    results: list[FeatureEffect] = []
    specs = {
        position: replace(spec, feature=study.feature_names[position], random_state=_seed(spec))
        for position in positions
        if position not in known
    }
    computed = run_units(_ComputeFeature(study), list(specs.values()), n_jobs)
    n_done = len(known)
    for position in positions:
        if position in known:
            results.append(known[position])
            continue
        of_feature, n_done = specs[position], n_done + 1
        try:
            effect = next(computed).named(study, of_feature)
        except KeyboardInterrupt:
            if not results:
                raise
            break
        if effect.status == "stopped" and results:
            break
        results.append(effect)
        if bar.update(n_done, len(positions)) or effect.status == "stopped":
            break
    return results


def _seed(spec: EffectSpec) -> RandomState:
    """Return what draws the replicates of one more feature."""
    return seed_of(spec.random_state) if spec.interval == "bootstrap" else spec.random_state


class _ComputedFeature(NamedTuple):
    """A feature's effect.

    Attributes
    ----------
    effect : Effect
    computed_from : {"model", "trees", "gradient", "cache"}
    plan : EffectPlan or None
        None from another process.
    n_away : int
        Rows that another process called the model on.
    """

    effect: Effect
    computed_from: ComputedFrom
    plan: EffectPlan | None
    n_away: int

    def named(self, study: StudyBase, spec: EffectSpec) -> FeatureEffect:
        """Return the effect in the study's terms; what comes from another process is kept and counted here."""
        plan = self.plan
        if plan is None:
            plan = plan_effect(study, study._as_rows(), spec)
            study._require_model("has effects").n_model_rows += self.n_away
            keep_answers(study, plan, self.effect)
        return feature_effect(study, study._as_rows(), plan, self.effect, self.computed_from)


class _ComputeFeature:
    """The options of a feature to its effect, here or in another process."""

    def __init__(self, study: StudyBase) -> None:
        self._study, self._away = study, False

    def __call__(self, spec: EffectSpec) -> _ComputedFeature:
        plan = plan_effect(self._study, self._study._as_rows(), spec)
        model = self._study._require_model("has effects")
        n_before = model.n_model_rows
        computed = compute_in_memory(self._study, plan, progress=False, callback=None)
        if self._away:
            return _ComputedFeature(*computed, None, model.n_model_rows - n_before)
        return _ComputedFeature(*computed, plan, 0)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_away": True}
