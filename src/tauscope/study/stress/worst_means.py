"""The worst case of means: which moves of them, within limits, harm a metric most, and what held-out rows say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import default_features
from tauscope.errors import InputError
from tauscope.results.stress.numbers.joint_answer import MetricEstimate
from tauscope.results.stress.worst_case import HeldOut, Side, WorstCase
from tauscope.results.stress.worst_within import Within
from tauscope.rows.resident import Resident
from tauscope.stress.distances import mean_and_deviation
from tauscope.stress.joint.constraints import Mean, Share, Stress
from tauscope.stress.joint.estimates import metric_values
from tauscope.stress.metric_definitions import definitions
from tauscope.stress.metrics import Quantities, SummedMetric, Units, choose, define_quantities
from tauscope.stress.sums.projection import SolvedStress
from tauscope.stress.tails import measure_tails
from tauscope.stress.worst.rows import Distance
from tauscope.stress.worst.search import FARTHEST, Allowed, Found, find_nearest, find_worst
from tauscope.stress.worst.shares import MetricOfShares
from tauscope.stress.worst.tilts import TiltFamily
from tauscope.study.stress.curves import Features
from tauscope.study.stress.populations import MeasuredPopulation, measure_solved, solve_stress
from tauscope.study.stress.worst_limits import Movable, find_movable, free_names, short_shift, varying
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Array = NDArray[np.float64]
Tick = Callable[[], object]
QUANTILE = 0.05
"""Of τ, which no shift is given in."""
COARSE = 1e-4
"""Standard deviations between neighbouring floats at a mean from which on its shifts are not what they say."""
LOST, ROUNDING = 1e-3, 1e-6
"""Share of a change, and of the metric, that saying shifts to eight digits may cost."""
FEWEST = 20
"""Rows of each part that a choice is made on and read on."""


@dataclass(frozen=True)
class Question:
    """One question, checked.

    Attributes
    ----------
    metric : str
    worse : {"higher", "lower"}
    within : Within
    reach : float or None
    features : names, or None
    confidence : float
    """

    metric: str
    worse: Side
    within: Within
    reach: float | None
    features: Features | None
    confidence: float

    @property
    def sign(self) -> float:
        """+1 where the metric is worse when higher."""
        return 1.0 if self.worse == "higher" else -1.0


def measure_metric(study: StudyBase, metric: str, units: Units | None = None) -> tuple[Quantities, SummedMetric, float]:
    """Return what a metric is made of, in units of the rows, and its value on the rows as they are."""
    outcomes = study._outcomes
    tails = None if units is None else measure_tails(definitions(outcomes, [metric]), outcomes, units)
    quantities, every = define_quantities(outcomes, units, tails=tails, names=[metric])
    definition = choose(every, [metric])[0]
    base = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    before = metric_values(quantities, [definition], base)[0]
    check_defined(definition, before)
    return quantities, definition, before


def check_defined(metric: SummedMetric, before: float) -> None:
    """Refuse a metric that the rows as they are have no value of."""
    if not np.isfinite(before):
        raise InputError(f"The {metric.label} is not defined on these rows, which have none that it is about.")


def over_means(
    study: StudyBase,
    asked: Question,
    quantities: Quantities,
    metric: SummedMetric,
    before: float,
    options: Mapping[str, Any],
    tick: Tick,
) -> WorstCase:
    """Move means only."""
    movable, moved, found = _choose(study, asked, quantities, metric, tick)
    stress = _stress(movable, moved)
    solved, measured = _answer(study, stress, asked)
    (estimate,) = measured.there
    _check_said(moved, estimate.value, found, before)
    assert solved.found is not None
    return WorstCase(
        metric=metric.in_words(),
        worse=asked.worse,
        over="means",
        within=asked.within,
        reach=asked.reach,
        weights=solved.weights,
        _sample_weight=study.sample_weight,
        n_rows=study.n_rows,
        features=default_features(study._columns, study.sample_weight)[0],
        stress=stress,
        moved=moved,
        before=before,
        estimate=estimate,
        held_out=_hold_out(study, asked, float(options["held_out"]), int(options["random_state"]), tick),
        ess=measured.sums.rows.ess,
        degrees_of_freedom=measured.sums.degrees_of_freedom,
        kl=solved.found.kl,
        tv=measured.sums.tv,
        pareto_k=measured.pareto_k,
        carriers=measured.sums.carriers,
        status=found.status,
        _options=options,
        confidence=asked.confidence,
        model_name=study._model_name,
        left_out=movable.left_out,
        source=study._as_source(),
    )


def _choose(
    study: StudyBase, asked: Question, quantities: Quantities, metric: SummedMetric, tick: Tick
) -> tuple[Movable, tuple[tuple[str, float, float], ...], Found]:
    """Find the worst shifts of means; of each that a stress names its mean before and how far it is moved."""
    moves = {name: (low, high) for name, low, high in asked.within.moves}
    movable = find_movable(study, list(moves) if moves else asked.features)
    base = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    family = TiltFamily(movable.phi, base / base.sum(), MetricOfShares(quantities, metric))
    k, n_features = movable.phi.shape[1], len(movable.features)
    low, high = np.zeros(k), np.zeros(k)
    low[:n_features], high[:n_features] = -np.inf, np.inf
    for j, feature in enumerate(movable.features):
        if feature.name in moves:
            ends = np.array(moves[feature.name]) * movable.scale[j] / family.sd[j]
            low[j], high[j] = ends
    allowed = Allowed(low, high, asked.within.distance or Distance("kl", FARTHEST))
    if asked.reach is None:
        found = find_worst(family, allowed, asked.sign, tick)
    else:
        found = find_nearest(family, allowed, asked.reach, tick)
    shifts = found.shifts[:n_features] * family.sd[:n_features] / movable.scale
    moved = [
        _moved(study, movable, place, float(shifts[place]), moves.get(movable.features[place].name, ()))
        for place in movable.named
    ]
    return movable, tuple(moved), found


def _moved(
    study: StudyBase, movable: Movable, place: int, shift: float, ends: tuple[float, ...]
) -> tuple[str, float, float]:
    values = movable.features[place].values()
    name = movable.features[place].name
    mean, deviation = mean_and_deviation(values, study.sample_weight)
    if np.spacing(abs(mean)) > COARSE * deviation:
        raise InputError(
            f"The mean of {name!r}, {mean:.17g}, cannot be moved exactly: floats there are {np.spacing(abs(mean)):g} "
            "apart. Subtract a constant from the column, or leave it out."
        )
    room = float(np.nanmin(values)) - mean, float(np.nanmax(values)) - mean
    return name, mean, short_shift(shift, ends, room)


def _check_said(moved: tuple[tuple[str, float, float], ...], value: float, found: Found, before: float) -> None:
    """Refuse shifts that, said in the columns' units, are not those that were found."""
    if abs(value - found.value) > LOST * abs(found.value - before) + ROUNDING * abs(before):
        names = ", ".join(name for name, _, _ in moved)
        raise InputError(
            f"A worst case is given as shifts of means; that of {names} is lost in their rounding, as a few values "
            "dwarf the others. Clip these values, mark them as missing, or leave the column out."
        )


def _stress(movable: Movable, moved: tuple[tuple[str, float, float], ...]) -> Stress:
    """Say the shifts as constraints."""
    out: list[Mean | Share] = []
    for place, (name, _, shift) in zip(movable.named, moved, strict=True):
        feature = movable.features[place]
        if feature.kind == "numeric":
            out.append(Mean(name, shift=shift))
        else:
            out.append(Share(feature.column, feature.level, shift=shift))
    return Stress(tuple(out))


def _answer(study: StudyBase, stress: Stress, asked: Question) -> tuple[SolvedStress, MeasuredPopulation]:
    """Reweight to a stress as `reweight` does."""
    rows = Resident(study, (asked.metric,))
    solved = solve_stress(study, rows, stress, QUANTILE)
    return solved, measure_solved(rows, solved, asked.confidence)


def _hold_out(study: StudyBase, asked: Question, share: float, seed: int, tick: Tick) -> HeldOut | None:
    """Choose again on part of the rows, and read the choice on the others."""
    if share == 0:
        return None
    chosen_on = np.ones(study.n_rows, np.bool_)
    n_held = round(share * study.n_rows)
    chosen_on[np.random.default_rng(seed).permutation(study.n_rows)[:n_held]] = False
    n_chosen = study.n_rows - n_held
    nothing = MetricEstimate(np.nan, np.nan, np.nan)
    if min(n_chosen, n_held) < FEWEST:
        failed = f"{n_chosen} and {count(n_held, 'row')} are too few to choose on one part and read on the other."
        return HeldOut(n_chosen, n_held, np.nan, np.nan, nothing, failed)
    before = np.nan
    try:
        first, other = study.where(chosen_on), study.where(~chosen_on)
        quantities, metric, before_chosen = measure_metric(first, asked.metric)
        movable, moved, found = _choose(first, _asked_of(first, asked), quantities, metric, tick)
        stress = _stress(movable, moved)
        chosen = _answer(first, stress, asked)[1].there[0].value
        _check_said(moved, chosen, found, before_chosen)
        before = measure_metric(other, asked.metric)[2]
        (there,) = _answer(other, _stress_of(other, stress, moved), asked)[1].there
    except InputError as error:  # moves that rows do not reach, or a feature named that one part has one value of
        return HeldOut(n_chosen, n_held, np.nan, before, nothing, str(error))
    return HeldOut(n_chosen, n_held, chosen, before, there)


def _asked_of(part: StudyBase, asked: Question) -> Question:
    """Leave out the moves of levels that a part of the rows lacks."""
    there = {feature.name for feature in varying(part, [name for name, *_ in asked.within.moves])}
    moves = tuple(move for move in asked.within.moves if move[0] in there)
    return replace(asked, within=Within(asked.within.distance, moves)) if moves else asked


def _stress_of(part: StudyBase, stress: Stress, moved: tuple[tuple[str, float, float], ...]) -> Stress:
    """Leave out the means that a part of the rows cannot move, or that follow from the others there."""
    free = free_names(part, [name for name, _, _ in moved])
    kept = [one for one, (name, _, _) in zip(stress.constraints, moved, strict=True) if name in free]
    return Stress(tuple(kept)) if kept else stress
