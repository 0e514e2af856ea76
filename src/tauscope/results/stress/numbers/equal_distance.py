"""Curves read where each feature has moved the population equally far, both ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tauscope.results.reliability import caveats, judge_carriers, level_of
from tauscope.stress.equal_distance import Shifts
from tauscope.stress.joint.terms import Reading
from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import LEVELS, Level
from tauscope.weights.carriers import Carriers

if TYPE_CHECKING:
    from tauscope.data.features import Feature

Array = NDArray[np.float64]
Direction = Literal["down", "up"]
Standing = Literal["reliable", "wide", "unreliable", "out of reach"]

OF_SHIFTS = ("target", "tau", "value", "lower", "upper", "ess")
"""Numbers of a shift that an engine gives as they are."""
STUCK = "cannot be moved while the others are held"


@dataclass(frozen=True)
class Shift:
    """One feature moved one way, and what a metric makes of it.

    Attributes
    ----------
    feature : str
    kind : {"numeric", "share"}
    direction : {"up", "down"}
        Which way its mean, or the share of its level, was moved.
    mean, target : float
        That mean as it is and moved, in the feature's unit; a share in [0, 1].
    tau : float
        The τ that stands for the target.
    before, value, change : float
        The metric as it is, moved, and the difference.
    lower, upper : float
        Ends of the interval of the change.
    distance : float
        Total variation; where the feature does not reach the distance asked for, the most it reaches.
    ess : float
        Effective sample size, rows.
    reliability : {"reliable", "wide", "unreliable", "out of reach"}
        The worse of what is said of the metric and of the population.
    note : str
        Why, "" of a reliable one.
    unit : {"", "year", "days", "0/1"}
        Of means: "year" for dates as decimal years, "days" for lengths of time.
    """

    feature: str
    kind: Literal["numeric", "share"]
    direction: Direction
    mean: float
    target: float
    tau: float
    before: float
    value: float
    change: float
    lower: float
    upper: float
    distance: float
    ess: float
    reliability: Standing
    note: str
    unit: Reading


def list_shifts(features: Sequence[Feature], found: Shifts, metric: Metric) -> list[Shift]:
    """Return the shifts of an engine by feature, down before up; of two levels those of the first.

    Parameters
    ----------
    features : sequence of Feature
    found : Shifts
        Of these, in order.
    metric : Metric
    """
    shifts: list[Shift] = []
    for row, feature in enumerate(features):
        if _mirrors_another(features, found.mean, row):
            continue
        for side, direction in enumerate(get_args(Direction)):
            numbers = {name: float(getattr(found, name)[row, side]) for name in OF_SHIFTS}
            mean, before, distance = float(found.mean[row]), float(found.before[row]), float(found.distance[row, side])
            if not found.reached[row, side]:
                shifts.append(_short_of(feature, direction, mean, before, distance, float(found.end[row, side])))
                continue
            carriers = Carriers(int(found.n_carriers[row, side]), float(found.carried[row, side]))
            level, note = _judged(int(found.reason[row, side]), float(found.amount[row, side]), carriers, metric)
            change = numbers["value"] - before
            if metric.kind != "value":  # it lies in [0, 1]
                numbers |= {"lower": max(numbers["lower"], -1.0), "upper": min(numbers["upper"], 1.0)}
            of_feature = (feature.name, feature.kind, direction, mean)
            shifts.append(
                Shift(
                    *of_feature,
                    **numbers,
                    before=before,
                    change=change,
                    distance=distance,
                    reliability=level,
                    note=note,
                    unit=_unit(feature),
                )
            )
    return shifts


def _judged(reason: int, amount: float, carriers: Carriers, metric: Metric) -> tuple[Level, str]:
    """Return the worse of what is said of a metric and of the population, and why."""
    judged = judge_carriers(carriers)
    worst = LEVELS[max(LEVELS.index(level_of(code)) for code in (reason, judged.reason))]
    return worst, "; ".join((*judged.caveats, *caveats(reason, amount, metric.events)))


def _mirrors_another(features: Sequence[Feature], means: Array, row: int) -> bool:
    """Tell whether a level is all rows that an earlier one of its column is not."""
    feature = features[row]
    same = [k for k, each in enumerate(features) if each.column == feature.column and each.kind == "share"]
    return feature.kind == "share" and len(same) == 2 and row == same[1] and abs(means[same].sum() - 1) < 1e-9


def _short_of(feature: Feature, direction: Direction, mean: float, before: float, most: float, end: float) -> Shift:
    """Return a shift that ends before the distance."""
    nothing = float("nan")
    note = f"total variation is {most:.2g} at the end of its τ, {end:g}"
    if end == 0:  # of those that hold others alone
        note = f"holding the others moves {most:.2g} of the weight by itself" if most else STUCK
    return Shift(
        feature.name,
        feature.kind,
        direction,
        mean=mean,
        target=nothing,
        tau=nothing,
        before=before,
        value=nothing,
        change=nothing,
        lower=nothing,
        upper=nothing,
        distance=most,
        ess=nothing,
        reliability="out of reach",
        note=note.replace("-", "−"),
        unit=_unit(feature),
    )


def _unit(feature: Feature) -> Reading:
    return feature.reading if feature.kind == "numeric" else ""
