"""Shifts of one size as the message of their view, word for word as TypeScript reads it."""

from typing import Literal, TypedDict

from tauscope.results.stress.equal_distance import Direction, Shift, Standing
from tauscope.results.stress.harm import StressHarm
from tauscope.views.wire import MetricMessage, OrNaN, finite, interval_words, metric_messages


class HarmShiftMessage(TypedDict):
    """One feature moved one way; numbers are None where it cannot be moved so far, or the metric is not defined.

    `unit` is "year" for dates as decimal years, "days" for durations, "0/1" for zeros and ones,
    else "". `distance` is the total variation, and
    of a shift out of reach the most that it has.
    """

    feature: str
    kind: Literal["numeric", "share"]
    unit: str
    direction: Direction
    mean: float
    target: OrNaN
    tau: OrNaN
    value: OrNaN
    change: OrNaN
    lower: OrNaN
    upper: OrNaN
    distance: float
    ess: OrNaN
    reliability: Standing
    note: str


class StressHarmMessage(TypedDict):
    """What `StressHarmView` shows: shifts in the order of the table.

    `distance` is the total variation asked for, `size` the same in words; `before` is the metric as it is; `hold` is
    what stays while a feature moves.
    """

    version: Literal[1]
    title: str
    size: str
    n_rows: int
    metric: MetricMessage
    before: OrNaN
    distance: float
    confidence: float
    interval: str
    hold: Literal["none", "means", "uncorrelated"]
    shifts: list[HarmShiftMessage]


def stress_harm_message(result: StressHarm) -> StressHarmMessage:
    """Encode shifts and what they do."""
    (metric,) = metric_messages([result.metric])
    return {
        "version": 1,
        "title": result.title,
        "size": result.size,
        "n_rows": result.n_rows,
        "metric": metric,
        "before": finite(result.shifts[0].before) if result.shifts else None,
        "distance": result._asked,
        "confidence": result.confidence,
        "interval": interval_words(result.confidence, "the mean that the shift leads to"),
        "hold": result.hold or "none",
        "shifts": [_shift(each) for each in result.shifts],
    }


def _shift(each: Shift) -> HarmShiftMessage:
    return {
        "feature": each.feature,
        "kind": each.kind,
        "unit": each.unit,
        "direction": each.direction,
        "mean": each.mean,
        "target": finite(each.target),
        "tau": finite(each.tau),
        "value": finite(each.value),
        "change": finite(each.change),
        "lower": finite(each.lower),
        "upper": finite(each.upper),
        "distance": each.distance,
        "ess": finite(each.ess),
        "reliability": each.reliability,
        "note": each.note,
    }
