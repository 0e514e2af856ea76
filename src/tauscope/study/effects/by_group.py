"""The effect of one feature in groups of rows: under the weights of one population, or each group's moved by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tauscope.data.groups import Groups, read_groups
from tauscope.effects import CurveOfRows, GroupCurve
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.results.effects.by_group import EffectByGroup, GroupEffects
from tauscope.results.effects.text import weighting
from tauscope.results.reliability import Judged, judge_weights
from tauscope.results.stress.by_group import UNMOVED, Group
from tauscope.results.stress.population import changes
from tauscope.results.stress.reweight import Reweighting
from tauscope.stress.joint.gaps import Gaps, measure_gaps
from tauscope.weights.measures import effective_size
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.stress.scenario import Scenario
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.study.base import StudyBase

Array = NDArray[np.float64]

SAID = 4
"""Groups whose populations are put in words."""


class _Moved(NamedTuple):
    """Weights of all rows, 0 in a group that cannot be moved, the population in words, and what is to be said of it."""

    weights: Array
    population: str
    notes: tuple[str, ...] = ()


def effect_by_group(
    self: StudyBase,
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
    groups = read_groups(by, self._columns, self.X, self.n_rows)
    inside = [groups.codes == code for code in range(len(groups.labels))]
    curves = [CurveOfRows(effect._computed, rows) for rows in inside]
    base = effect._computed.sample_weight
    moved = _within(self, groups, stress, quantile) if within else _move(self, effect, stress, quantile)
    own = [moved.weights[rows] for rows in inside]

    def under(level: float) -> list[GroupCurve]:
        return [curve.under(weights, level) for curve, weights in zip(curves, own, strict=True)]

    found = under(effect.confidence)
    every = GroupEffects.of(found)
    made = tuple(_describe_group(*each, moved.weights, base) for each in zip(groups.labels, inside, strict=True))
    if within:  # each group was moved among its own rows: the shares stay
        made = tuple(replace(group, share=group.share_before) for group in made)
    return EffectByGroup(
        effect=effect,
        grouped_by=groups.name,
        groups=made,
        shift="within" if within else "marginal",
        population=moved.population,
        curves=every,
        gaps_of_curves=gaps_of_curves(under, every.effect, effect.confidence),
        _judged=tuple(judge_weights(each) if each.any() else Judged() for each in own),
        _extra_notes=(*moved.notes, *notes_of_groups(groups.labels, found)),
        source=self._as_source(),
    )


def gaps_of_curves(under: Callable[[float], Sequence[GroupCurve]], values: Array, confidence: float) -> Gaps:
    """Measure how far the groups are apart at each point; they have no row in common, so that they vary apart.

    Parameters
    ----------
    under : callable
        A level in (0, 1) to the curve of each group with its interval.
    values : ndarray of shape (n_groups, q, G)
        The curves.
    confidence : float
    """

    @cache
    def ends(level: float) -> tuple[Array, Array]:
        found = under(level)
        return np.stack([each.lower for each in found]), np.stack([each.upper for each in found])

    apart = np.eye(len(values))[:, :, None, None] * np.ones(values.shape[1:])
    return measure_gaps(values, ends, apart, confidence)


def _move(study: StudyBase, effect: FeatureEffect, stress: Any, quantile: float) -> _Moved:
    """Return the weights of one population."""
    if stress is None:
        return _Moved(effect._computed.sample_weight, weighting(effect) or UNMOVED)
    is_solved = isinstance(stress, Reweighting)
    solved: Reweighting = stress if is_solved else study._as_source().reweight(stress, quantile=quantile)
    solved._check_usable(study.n_rows)
    return _Moved(solved._row_weights("effects by group"), solved.population)


def _within(study: StudyBase, groups: Groups, stress: Any, quantile: float) -> _Moved:
    """Solve the stress among the rows of each group; one whose rows cannot meet it gets no weight."""
    if stress is None or isinstance(stress, Reweighting):
        got = "none" if stress is None else "weights of all rows"
        raise InputTypeError(
            f"within=True moves each group by itself, by a stress to solve; got {got}. Give by(…, stress)."
        )
    weights, moved, notes = np.zeros(study.n_rows), list[str](), list[str]()
    for code, label in enumerate(groups.labels):
        inside = groups.codes == code
        try:
            solved: Reweighting = study.where(inside)._as_source().reweight(stress, quantile=quantile)
            solved._check_usable(int(np.count_nonzero(inside)))
        except UnknownName:
            raise
        except InputError as error:
            notes.append(f"{label}: not moved, and without a curve. {error}")
            continue
        weights[inside] = solved._row_weights("effects by group")
        moved.append(f"{label}: {changes(solved._terms, solved.values.tolist())}")
    if not moved:
        raise InputError(f"No group can be moved by itself. {notes[0]}")
    more = f"; and {count(len(moved) - SAID, 'group')} more" if len(moved) > SAID else ""
    return _Moved(weights, f"{'; '.join(moved[:SAID])}{more}", tuple(notes))


def notes_of_groups(labels: Sequence[str], found: Sequence[GroupCurve]) -> tuple[str, ...]:
    """Return what is to be known of single groups' curves."""
    return tuple(f"{label}: {note}" for label, each in zip(labels, found, strict=True) for note in each.notes)


def _describe_group(
    label: str, inside: NDArray[np.bool_], weights: NDArray[np.float64], base: NDArray[np.float64]
) -> Group:
    """Return a group of rows with what weights make of it, under a stress and before."""
    own = weights[inside]
    return Group(
        label=label,
        n_rows=int(np.count_nonzero(inside)),
        share_before=float(base[inside].sum() / base.sum()),
        share=float(own.sum() / weights.sum()),
        ess=float(effective_size(own)) if own.any() else 0.0,
    )
