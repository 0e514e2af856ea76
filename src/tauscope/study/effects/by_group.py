"""The effect of one feature in groups of rows: under the weights of one population, or each group's moved by itself."""

# Decided in docs/decisions/0039-an-effect-by-group-is-the-same-answers-under-other-weights.md.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.effects import ChunkedEffect, CurveOfRows, GroupCurve
from tauscope.effects.curves.by_group import curve_of_sums
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.results.effects.by_group import EffectByGroup, GroupEffects
from tauscope.results.effects.text import weighting
from tauscope.results.reliability import Judged, judge_size
from tauscope.results.stress.by_group import UNMOVED, Group
from tauscope.results.stress.numbers.natural_units import with_names
from tauscope.results.stress.numbers.population import changes, population
from tauscope.results.stress.reweight import Reweighting, check_met
from tauscope.rows.answers import AnswersOfGroup, sum_answers_by_group, sum_shares
from tauscope.rows.in_chunks import InChunks
from tauscope.rows.sketches.sums import add_groups
from tauscope.stress.joint.constraints import as_stress
from tauscope.stress.joint.gaps import Gaps, measure_gaps
from tauscope.stress.sums.group_weights import GroupWeights
from tauscope.stress.sums.groups import NoTilt
from tauscope.study.effects.compute import sum_over_chunks, wanted_answers
from tauscope.study.effects.plan import check_spec, plan_effect
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.populations import solve_stress
from tauscope.study.stress.scenarios.scenario import refuse_scenario
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.stress.scenario import Scenario
    from tauscope.rows.rows import RowGroups
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.study.base import StudyBase
    from tauscope.study.verbs import Asked

Array = NDArray[np.float64]

SAID = 4
"""Groups whose populations are put in words."""


class _Moved(NamedTuple):
    """The curve of each group at any level, under weights that each may have for itself.

    Attributes
    ----------
    under : callable
        A level in (0, 1) to the curve of each group.
    weights : sequence of GroupWeights
    totals : ndarray of shape (n_groups,)
        Weight of each.
    population : str
        In words.
    notes : tuple of str
        What is to be said of it.
    n_model_rows : int
    """

    under: Callable[[float], list[GroupCurve]]
    weights: Sequence[GroupWeights]
    totals: Array
    population: str
    notes: tuple[str, ...] = ()
    n_model_rows: int = 0


def effect_by_group(
    self: Asked,
    effect: FeatureEffect,
    by: Any,
    stress: Constraint | Stress | Scenario | Reweighting | None = None,
    *,
    within: bool = False,
    quantile: float = 0.05,
) -> EffectByGroup:
    """Return the curve of every group of rows; see `FeatureEffect.by`.

    Parameters
    ----------
    effect : FeatureEffect
        Of this study and one feature.
    by, stress, within, quantile
        As in `FeatureEffect.by`.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `FeatureEffect.by`.
    """
    in_chunks = effect._chunked
    if in_chunks:
        _check_chunks(self, effect, stress, within=within)
    check_fraction("quantile", quantile, 0.5)
    with self._bars(True):
        rows = self._as_rows()
        groups = rows.groups(() if by is None else by)
        if isinstance(rows, InChunks):
            moved = _of_chunks(self, rows, groups, effect, stress, float(quantile))
        else:
            moved = _of_rows(cast("StudyBase", self), groups, effect, stress, float(quantile), within=within)
    found = moved.under(effect.confidence)
    curves = GroupEffects.of(found)
    before = np.array(groups.weight) / sum(groups.weight)
    share = before if within else moved.totals / moved.totals.sum()  # within, each was moved among its own rows
    ess = [one.ess for one in moved.weights]
    made = zip(groups.labels, groups.n_rows, before.tolist(), share.tolist(), ess, strict=True)
    of_groups = (f"{label}: {note}" for label, each in zip(groups.labels, found, strict=True) for note in each.notes)
    return EffectByGroup(
        effect=effect,
        grouped_by=groups.name,
        groups=tuple(Group(*each) for each in made),
        shift="within" if within else "marginal",
        population=moved.population,
        curves=curves,
        gaps_of_curves=_gaps_of_curves(moved.under, curves.effect, effect.confidence),
        _judged=tuple(_judge(one) for one in moved.weights),
        _extra_notes=(*moved.notes, *of_groups),
        n_model_rows=moved.n_model_rows,
        source=self._as_source(),
    )


def _judge(weights: GroupWeights) -> Judged:
    if not weights.n_held:
        return Judged()
    return judge_size(weights.degrees_of_freedom, weights.pareto_k, weights.carriers)


def _gaps_of_curves(under: Callable[[float], Sequence[GroupCurve]], values: Array, confidence: float) -> Gaps:
    """Measure how far the groups are apart at each point; they have no row in common, so that they vary apart."""

    @cache
    def ends(level: float) -> tuple[Array, Array]:
        found = under(level)
        return np.stack([each.lower for each in found]), np.stack([each.upper for each in found])

    apart = np.eye(len(values))[:, :, None, None] * np.ones(values.shape[1:])
    return measure_gaps(values, ends, apart, confidence)


def _of_rows(
    study: StudyBase, groups: RowGroups, effect: FeatureEffect, stress: Any, quantile: float, *, within: bool
) -> _Moved:
    """Put weights on the answers that were kept of rows in memory."""
    assert groups.of_rows is not None
    inside = [groups.of_rows == code for code in range(len(groups.labels))]
    curves = [CurveOfRows(effect._computed, rows) for rows in inside]
    weights, words, notes = (
        _within(study, groups, inside, stress, quantile) if within else _move(study, effect, stress, quantile)
    )
    own = [weights[rows] for rows in inside]
    totals = np.array([each.sum() for each in own])
    shares = zip(own, totals.tolist(), groups.n_rows, groups.n_counted, strict=True)

    def under(level: float) -> list[GroupCurve]:
        return [curve.under(each, level) for curve, each in zip(curves, own, strict=True)]

    return _Moved(
        under,
        [GroupWeights.of(each / (total or 1.0), n_rows, n) for each, total, n_rows, n in shares],
        totals,
        words,
        notes,
    )


def _move(study: StudyBase, effect: FeatureEffect, stress: Any, quantile: float) -> tuple[Array, str, tuple[str, ...]]:
    """Return the weights of one population, in words, and what is to be said of it."""
    if stress is None:
        return effect._computed.sample_weight, weighting(effect) or UNMOVED, ()
    is_solved = isinstance(stress, Reweighting)
    solved: Reweighting = stress if is_solved else study._as_source().reweight(stress, quantile=quantile)
    solved._check_usable(study.n_rows)
    return solved._row_weights("effects by group"), solved.population, ()


def _within(
    study: StudyBase, groups: RowGroups, inside: Sequence[NDArray[np.bool_]], stress: Any, quantile: float
) -> tuple[Array, str, tuple[str, ...]]:
    """Solve the stress among the rows of each group; one whose rows cannot meet it gets no weight."""
    if stress is None or isinstance(stress, Reweighting):
        got = "none" if stress is None else "weights of all rows"
        raise InputTypeError(
            f"within=True moves each group by itself, by a stress to solve; got {got}. Give by(…, stress)."
        )
    weights, moved, notes = np.zeros(study.n_rows), list[str](), list[str]()
    for label, of_group in zip(groups.labels, inside, strict=True):
        try:
            solved: Reweighting = study.where(of_group)._as_source().reweight(stress, quantile=quantile)
            solved._check_usable(int(np.count_nonzero(of_group)))
        except UnknownName:
            raise
        except InputError as error:
            notes.append(f"{label}: not moved, and without a curve. {error}")
            continue
        weights[of_group] = solved._row_weights("effects by group")
        moved.append(f"{label}: {changes(solved._terms, solved.values.tolist())}")
    if not moved:
        raise InputError(f"No group can be moved by itself. {notes[0]}")
    more = f"; and {count(len(moved) - SAID, 'group')} more" if len(moved) > SAID else ""
    return weights, f"{'; '.join(moved[:SAID])}{more}", tuple(notes)


def _check_chunks(study: Asked, effect: FeatureEffect, stress: Any, *, within: bool) -> None:
    """Refuse what curves by group of rows in chunks cannot answer."""
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
    refuse_scenario(stress, "sample().effect(…).by(by, stress)")
    check_spec(study, effect._spec)


def _of_chunks(
    study: Asked, rows: InChunks, groups: RowGroups, effect: FeatureEffect, stress: Any, quantile: float
) -> _Moved:
    """Sum the answers of each group's rows in chunks, none of which was kept, under the weights of one population.

    Three passes, and one more where a column of groups holds numbers, and under a stress, besides those that solve it.
    Only the last one calls the model at the points, where it is not read from trees: on as many rows as for the
    effect, rows that are alike in several groups once for each of them.
    """
    tilt, totals, solved = NoTilt(float(sum(groups.weight))), np.array(groups.weight) / sum(groups.weight), None
    if stress is not None:
        if isinstance(stress, Reweighting):
            stress._check_usable(rows.summed.n_rows)
            stress, quantile = stress.stress, stress.quantile
        solved = solve_stress(study, rows, with_names(as_stress(stress), study), quantile)
        assert solved.found is not None
        check_met(solved.found.status, solved.found.message)
        tilt = solved.weighted.tilt
        totals: Any = rows.passes.total(sum_shares, rows.summed, groups, tilt, plus=np.add)
    computed = effect._computed
    assert isinstance(computed, ChunkedEffect)
    wanted, _ = wanted_answers(rows, plan_effect(study, rows, replace(effect._spec, grid=computed.grid)))
    added, _, _ = sum_over_chunks(rows, wanted, sum_answers_by_group, groups, tilt, totals, plus=add_groups)
    sums: list[AnswersOfGroup] = [added[code] for code in range(len(groups.labels))]
    words = weighting(effect) or UNMOVED
    if solved is not None:
        squares = totals**2 @ np.array([one.weights.squares for one in sums])
        words = population(solved.terms, solved.values.tolist(), float(totals.sum() ** 2 / squares), effect.n_rows)
    with_weight = [(one.answers, total > 0) for one, total in zip(sums, totals.tolist(), strict=True)]

    def under(level: float) -> list[GroupCurve]:
        return [curve_of_sums(one, computed, level, weighted=weighted) for one, weighted in with_weight]

    return _Moved(
        under,
        [one.weights for one in sums],
        totals,
        words,
        n_model_rows=sum(one.n_model_rows for one in sums),
    )
