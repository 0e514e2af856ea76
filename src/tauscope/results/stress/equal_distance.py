"""Curves read where each feature has moved the population equally far, both ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from tauscope.results.reliability import caveats, judge_carriers, level_of
from tauscope.results.stress.natural_units import reading_of
from tauscope.stress.curves import Curves
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
AROUND = 3
"""Steps of τ on either side of the distance that numbers between them follow."""


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


def shifts_at(curves: Curves, features: tuple[Feature, ...], metric: int, distance: float) -> list[Shift]:
    """Read one metric where each feature has moved the population by a distance, both ways.

    Parameters
    ----------
    curves : Curves
    features : tuple of Feature
        Of these curves, in order; of a column with two levels the second says what the first does, and is left out.
    metric : int
        Its place in the curves.
    distance : float
        Total variation, in (0, 1).

    Returns
    -------
    list of Shift
        In the order of the features, down before up.
    """
    rows = [row for row in range(len(features)) if not _mirrors_another(features, curves.mean, row)]
    return [shift for row in rows for shift in _of_feature(curves, features[row], row, metric, distance)]


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


def _of_feature(curves: Curves, feature: Feature, row: int, metric: int, distance: float) -> Iterator[Shift]:
    zero = int(curves.taus.searchsorted(0.0))
    sides: tuple[tuple[Direction, NDArray[np.intp]], ...] = (
        ("down", np.arange(zero, -1, -1)),
        ("up", np.arange(zero, len(curves.taus))),
    )
    for direction, side in sides:
        tv = curves.tv[row, side]
        known = side[: int(np.append(np.isnan(tv), True).argmax())]
        reaches = np.flatnonzero(curves.tv[row, known] >= distance * (1 - 1e-9))
        if reaches.size:
            yield _between_steps(curves, feature, row, metric, distance, direction, known, int(reaches[0]))
        else:
            yield _out_of_reach(curves, feature, row, metric, direction, known)


def _between_steps(
    curves: Curves,
    feature: Feature,
    row: int,
    metric: int,
    distance: float,
    direction: Direction,
    side: NDArray[np.intp],
    first: int,
) -> Shift:
    """Read the numbers at a distance that the step `first` of a side is the first to reach."""
    near = side[max(first - AROUND, 0) : first + AROUND]
    near = near[np.append(np.diff(curves.tv[row, near]) > 0, True)]
    tau = _follow(curves.tv[row, near], np.abs(curves.taus[near]), distance)
    at = side[first]

    def read(values: Array) -> float:
        ends = values[side[first - 1 : first + 1]]
        if not np.isfinite(ends).all():
            return float(values[at]) if curves.tv[row, at] <= distance * (1 + 1e-9) else float("nan")
        there = near[np.isfinite(values[near])]
        return _follow(np.abs(curves.taus[there]), values[there], tau)

    before, value = float(curves.value[row, metric, side[0]]), read(curves.value[row, metric])
    carriers = Carriers(int(curves.n_carriers[row, at]), read(curves.carried[row]))
    reason, amount = int(curves.reason[row, metric, at]), float(curves.amount[row, metric, at])
    level, note = _judged(reason, amount, carriers, curves.metrics[metric])
    return Shift(
        feature.name,
        feature.kind,
        direction,
        mean=float(curves.mean[row]),
        target=read(curves.target[row]),
        tau=tau if direction == "up" else -tau,
        before=before,
        value=value,
        change=value - before,
        lower=read(curves.lower[row, metric]) - before,
        upper=read(curves.upper[row, metric]) - before,
        distance=distance,
        ess=read(curves.ess[row]),
        reliability=level,
        note=note,
        unit=_unit(feature),
    )


def _follow(x: Array, values: Array, at: float) -> float:
    """Read a number between steps; in a unit of its own, as the inverse of the least floats is none."""
    exponent = int(np.frexp(np.ptp(values))[1])
    return float(np.ldexp(PchipInterpolator(x, np.ldexp(values, -exponent))(at), exponent))


def _out_of_reach(
    curves: Curves, feature: Feature, row: int, metric: int, direction: Direction, side: NDArray[np.intp]
) -> Shift:
    most, end = (float(each[side[-1]]) if side.size else 0.0 for each in (curves.tv[row], curves.taus))
    before = float(curves.value[row, metric, int(curves.taus.searchsorted(0.0))])
    return _short_of(feature, direction, float(curves.mean[row]), before, most, end)


def _short_of(feature: Feature, direction: Direction, mean: float, before: float, most: float, end: float) -> Shift:
    """Return a shift that ends before the distance."""
    nothing = float("nan")
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
        note=f"total variation is {most:.2g} at the end of its τ, {end:g}".replace("-", "−"),
        unit=_unit(feature),
    )


def _unit(feature: Feature) -> Reading:
    return reading_of(feature) if feature.kind == "numeric" else ""
