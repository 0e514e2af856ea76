"""The widget of shifts of one size: a bar for each, which moves the population there, and whatever is linked to it."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

import traitlets

from tauscope.figures.stress.harm import draw_table
from tauscope.results.stress.harm import StressHarm
from tauscope.results.stress.numbers.equal_distance import Direction, Shift, Standing
from tauscope.views.base import LinkedView, check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.wire import MetricMessage, OrNaN, finite, interval_words, metric_messages

STATE = ("stress",)


class StressHarmView(LinkedView):
    """Shifts of one size to choose from: click a bar, or use the arrow keys.

    Parameters
    ----------
    result : StressHarm
        What is shown.
    **traits
        First value of the trait below.

    Attributes
    ----------
    stress : dict
        The shift that is chosen, as views share it: {"taus": {feature: τ}, "hold": …}, of the curves' own hold.
        Default unstressed, with no bar chosen. The widget says where a stress set elsewhere is none of its shifts.
    message : dict
        What is shown, as `tauscope.views.stress.harm.StressHarmMessage`; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument (with the nearest), or τ outside [-1, 1].
    """

    _esm, _css = bundle("stress/harm")
    result: StressHarm

    message = traitlets.Dict(help="what is shown, as StressHarmMessage").tag(sync=True)

    def __init__(self, result: StressHarm, **traits: Any) -> None:
        check_arguments(traits, STATE)
        super().__init__(result, message=stress_harm_message(result), **traits)

    def fallback(self) -> dict[str, str]:
        """Say the first ten in text, a table and a picture."""
        return self._with_table(draw_table(self.result))


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
