"""An effect in groups of rows in chunks: each group's sums of the model's answers, under the weights of one population.

No answer of a single row was kept, so that the model is asked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.effects.effect import check_rereadable, check_spec, response_options
from tauscope.chunked.effects.sums import (
    AnswersOfGroup,
    add_each,
    add_groups,
    answer_sums,
    sum_answers_by_group,
    sum_shares,
    take_values,
)
from tauscope.effects import ChunkedEffect, GroupCurve
from tauscope.effects.curves.by_group import curve_of_sums
from tauscope.errors import InputError
from tauscope.results.effects.by_group import EffectByGroup, GroupEffects
from tauscope.results.effects.text import weighting
from tauscope.results.reliability import Judged, judge_size
from tauscope.results.stress.by_group import UNMOVED, Group
from tauscope.results.stress.natural_units import with_names
from tauscope.results.stress.population import population
from tauscope.results.stress.reweight import Reweighting, check_met
from tauscope.rows.chunked_groups import ChunkedGroups, read_groups_of_chunks
from tauscope.rows.in_chunks import InChunks
from tauscope.stress.joint.constraints import as_stress
from tauscope.stress.sums.groups import NoTilt
from tauscope.stress.sums.projection import SolvedStress, Tilt
from tauscope.study.effects.by_group import gaps_of_curves, notes_of_groups
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.populations import solve_stress
from tauscope.study.stress.scenarios.scenario import refuse_scenario

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.chunked.effects.values import FeatureValues
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.rows.passes import Passes
    from tauscope.rows.schema import Schema
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.study.verbs import Asked

Array = NDArray[np.float64]


def effect_by_group(
    self: ChunkedBase,
    effect: FeatureEffect,
    by: Any,
    stress: Constraint | Stress | Reweighting | None = None,
    *,
    within: bool = False,
    quantile: float = 0.05,
) -> EffectByGroup:
    """Return the curve of every group of rows; see `FeatureEffect.by`.

    Parameters
    ----------
    effect : FeatureEffect
        Of this study and one feature.
    by : str or sequence of str
        As in `metrics_by`.
    stress, quantile
        As in `FeatureEffect.by`.
    within : bool, default False
        True is refused: each group's own quantiles need its rows in order.

    Returns
    -------
    EffectByGroup
        The numbers of the rows in memory to 1e-9.

    Raises
    ------
    InputError
        For a shift within groups, two features, a scenario, a mask or labels; else as `effect` and
        `FeatureEffect.by`.

    Notes
    -----
    Three passes, and one more where a column of groups holds numbers, of conditional dependence, and under a stress,
    besides those that solve it. Only the last one calls the model at the points, group by group in each chunk: on as
    many rows as `effect` did, rows that are alike in several groups once for each of them; `n_model_rows` counts them.
    A stress on what the model answers calls it on the rows as they are, in every pass that weighs them.
    """
    _check(effect, within=within)
    refuse_scenario(stress, "sample().effect(…).by(by, stress)")
    check_rereadable(self, "Curves by group read")
    self._check_model("Curves by group ask")
    check_spec(effect._spec)
    check_fraction("quantile", quantile, 0.5)
    with self._bars(True):
        rows = self._as_rows()
        groups = read_groups_of_chunks(by, rows.passes, rows.summed)
        moved = _move(self, rows, groups, stress, float(quantile))
        sums = _sum(self, rows.passes, rows.summed, effect, groups, moved)
    return _result(self, effect, groups, moved, sums)


class _Moved(NamedTuple):
    """Weights of all rows, what each group has of them, and the stress that they meet; None where nothing is moved."""

    tilt: Tilt
    totals: Array
    solved: SolvedStress | None


def _check(effect: FeatureEffect, *, within: bool) -> None:
    if within:
        raise InputError(
            "A shift within groups needs the rows in memory: the end of τ of each group is a quantile of its own rows. "
            "Use a sample: sample().effect(…).by(…, within=True), or a study of chunks of one group."
        )
    if len(effect.feature_names) != 1:
        raise InputError(
            f"Curves by group are of one feature; got an effect of {' and '.join(effect.feature_names)}. "
            f"Ask for one: effect({effect.feature_names[0]!r}).by(…)."
        )


def _move(study: ChunkedBase, rows: InChunks, groups: ChunkedGroups, stress: Any, quantile: float) -> _Moved:
    weight = np.array(groups.weight)
    if stress is None:
        return _Moved(NoTilt(float(weight.sum())), weight / weight.sum(), None)
    if isinstance(stress, Reweighting):
        stress._check_usable(rows.summed.n_rows)
        stress, quantile = stress.stress, stress.quantile
    solved = solve_stress(cast("Asked", study), rows, with_names(as_stress(stress), study), quantile)
    assert solved.found is not None
    check_met(solved.found.status, solved.found.message)
    tilt = solved.weighted.tilt
    totals = rows.passes.total(sum_shares, rows.summed, groups, tilt, plus=np.add)
    assert totals is not None
    return _Moved(tilt, totals, solved)


def _sum(
    study: ChunkedBase, passes: Passes, schema: Schema, effect: FeatureEffect, groups: ChunkedGroups, moved: _Moved
) -> list[AnswersOfGroup]:
    """Call the model on every chunk, and add up the answers of each group."""
    computed, spec = effect._computed, effect._spec
    extremes: tuple[tuple[float, float], ...] = ()
    if spec.kind == "cd":
        values: tuple[FeatureValues, ...] | None = passes.total(take_values, schema, computed.columns, plus=add_each)
        assert values is not None
        extremes = tuple(one.extremes for one in values)
    options = response_options(passes, schema, study._reader, spec, computed.columns)
    added = passes.total(
        sum_answers_by_group,
        options,
        answer_sums(spec, computed.columns, computed.grids, extremes),
        groups,
        moved.tilt,
        moved.totals,
        plus=add_groups,
    )
    assert added is not None
    return [added[code] for code in range(len(groups.labels))]


def _result(
    study: ChunkedBase, effect: FeatureEffect, groups: ChunkedGroups, moved: _Moved, sums: list[AnswersOfGroup]
) -> EffectByGroup:
    computed, totals = effect._computed, moved.totals
    assert isinstance(computed, ChunkedEffect)

    def under(level: float) -> list[GroupCurve]:
        return [
            curve_of_sums(one.answers, computed, level, weighted=weight > 0)
            for one, weight in zip(sums, totals.tolist(), strict=True)
        ]

    found = under(effect.confidence)
    curves = GroupEffects.of(found)
    return EffectByGroup(
        effect=effect,
        grouped_by=groups.name,
        groups=_describe(groups, totals, sums),
        shift="marginal",
        population=_population(effect, moved, sums),
        curves=curves,
        gaps_of_curves=gaps_of_curves(under, curves.effect, effect.confidence),
        _judged=tuple(_judge(one) for one in sums),
        _extra_notes=notes_of_groups(groups.labels, found),
        n_model_rows=sum(one.n_model_rows for one in sums),
        source=study._as_source(),
    )


def _describe(groups: ChunkedGroups, totals: Array, sums: list[AnswersOfGroup]) -> tuple[Group, ...]:
    before, share = np.array(groups.weight) / sum(groups.weight), totals / totals.sum()
    ess = [one.weights.ess for one in sums]
    rows = zip(groups.labels, groups.n_rows, before.tolist(), share.tolist(), ess, strict=True)
    return tuple(Group(*each) for each in rows)


def _judge(sums: AnswersOfGroup) -> Judged:
    own = sums.weights
    return judge_size(own.degrees_of_freedom, own.pareto_k, own.carriers) if own.n_held else Judged()


def _population(effect: FeatureEffect, moved: _Moved, sums: list[AnswersOfGroup]) -> str:
    """Say which population it is, in words."""
    if moved.solved is None:
        return weighting(effect) or UNMOVED
    squares = moved.totals**2 @ np.array([one.weights.squares for one in sums])
    ess = float(moved.totals.sum() ** 2 / squares)
    return population(moved.solved.terms, moved.solved.values.tolist(), ess, effect.n_rows)
