"""The widget of a worst case: the worst value on a slider of how much is allowed, and the sliders that make it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict

import numpy as np
import traitlets

from tauscope.errors import TauscopeError
from tauscope.results.reliability import level_of
from tauscope.results.stress.numbers.reweight_tables import note_of
from tauscope.results.stress.tables.worst_margins import slider_taus
from tauscope.results.stress.worst_case import HeldOut, WorstCase
from tauscope.stress.reliability import REASONS, Level
from tauscope.views.base import check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.study_columns import columns_of
from tauscope.views.wire import (
    DistanceMessage,
    MetricMessage,
    NotEmpty,
    OrNaN,
    distance_message,
    finite,
    interval_words,
    metric_messages,
)
from tauscope.views.working import WorkingView

STATE = ("amount", "stress")
AMOUNTS = (0.2, 0.4, 0.6, 0.8, 1.0)
"""Parts of what was allowed, each of which is searched anew."""


class WorstCaseView(WorkingView):
    """A metric as tested and in its worst case, within parts of what was allowed, and what that leans on.

    Parameters
    ----------
    result : WorstCase
        What is shown.
    **traits
        First values of the traits below.

    Attributes
    ----------
    amount : float
        How much of what was allowed, the nearest of 0.2, 0.4, … 1. By default 1. Each is searched beforehand, by the
        kernel beside its own work, so that the page moves without one.
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none"}. A button sets it to the sliders that make the worst case shown, so
        that linked views go there; where sliders cannot, the view says why. It is not followed.
    message, path : dict, dict
        What is shown, as `tauscope.views.stress.worst_case` has it; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument (with the nearest), an amount out of range, or a stress that is none.
    """

    _esm, _css = bundle("stress/worst_case")
    result: WorstCase

    amount = traitlets.Float(1.0, help="how much of what was allowed").tag(sync=True)
    message = traitlets.Dict(help="what stays while the amount moves, as WorstCaseMessage").tag(sync=True)
    path = traitlets.Dict(help="the amounts that are there, as WorstPathMessage").tag(sync=True)

    def __init__(self, result: WorstCase, **traits: Any) -> None:
        check_arguments(traits, STATE)
        self.result = result
        self._steps: dict[float, WorstStepMessage] = {1.0: worst_step(result, 1.0, result.held_out)}
        problem = NO_STUDY if result.source is None else ""
        if self._offline and not problem:
            for amount in AMOUNTS[-2::-1]:
                self._search(amount)
        super().__init__(result, message=worst_case_message(result), path=self._path(problem), **traits)
        if len(self._steps) < len(AMOUNTS) and not problem:
            self._worker.begin(self._go_on)

    @traitlets.validate("amount")
    def _check_amount(self, proposal: dict[str, Any]) -> float:
        amount = proposal["value"]
        if not 0 < amount <= 1:
            raise traitlets.TraitError(f"amount must be above 0 and at most 1; got {amount:g}. 1 is all of it.")
        return min(AMOUNTS, key=lambda one: abs(one - amount))

    def _search(self, amount: float) -> None:
        if amount not in self._steps:
            self._steps[amount] = worst_step(self.result.at(amount), amount, self.result.held_out)

    def _go_on(self, stopped: Callable[[], bool]) -> None:
        """Search what is missing, the farthest first, and show each as it is found."""
        for amount in AMOUNTS[::-1]:
            if stopped():
                return
            try:
                self._search(amount)
            except TauscopeError as error:
                self.path = self._path(str(error))
                return
            self.path = self._path("")

    def _path(self, problem: str) -> dict[str, Any]:
        steps = [self._steps[amount] for amount in sorted(self._steps)]
        return {"steps": steps, "done": len(steps), "total": len(AMOUNTS), "problem": problem}


NO_STUDY = "This result has left its study, which has the rows to search; give it back by .with_source(study)."
OVER_ROWS = "sliders move means, and the worst reweighting of single rows is described by none"
OF_CHUNKS = "sliders weight all rows anew at each move, and these came in chunks"


class WorstHeldOutMessage(TypedDict):
    """The choice made on part of the rows, read on the others; `failed`, else "", says why it cannot be read."""

    n_chosen_on: int
    n_rows: int
    before: OrNaN
    value: OrNaN
    lower: OrNaN
    upper: OrNaN
    level: Level
    why: str
    failed: str


class WorstCaseMessage(TypedDict):
    """What `WorstCaseView` shows whatever the amount; `held_out` is of all that was allowed, None where not asked."""

    version: Literal[1]
    title: str
    n_rows: int
    worse: Literal["higher", "lower"]
    reach: float | None
    metric: MetricMessage
    before: float
    held_out: WorstHeldOutMessage | None
    confidence: float
    interval: str


class WorstMarginMessage(TypedDict):
    """The mean of a feature, and how far it is moved, standard deviations before; None where it has none."""

    feature: str
    words: str
    smd: OrNaN


class WorstStepMessage(DistanceMessage):
    """The worst case within a part of what was allowed.

    `taus` are those of the sliders that make it; where they cannot, `unsaid` says why. `why`, "" of a reliable number,
    is why the metric is not; `doubt`, "" for nothing, is what of the weights speaks against any number.
    """

    amount: float
    allowed: str
    value: OrNaN
    lower: OrNaN
    upper: OrNaN
    reliability: Level
    why: str
    level: Level
    doubt: str
    leans_on: str
    margins: list[WorstMarginMessage]
    taus: dict[str, float]
    unsaid: str
    notes: list[str]


class WorstPathMessage(TypedDict):
    """The amounts that are there, ascending, and how many of all; `problem` says why there are no more."""

    steps: Annotated[list[WorstStepMessage], NotEmpty("have a step")]
    done: int
    total: int
    problem: str


def worst_case_message(result: WorstCase) -> WorstCaseMessage:
    """Encode what stays while the amount moves."""
    return {
        "version": 1,
        "title": result.title,
        "n_rows": result.n_rows,
        "worse": result.worse,
        "reach": result.reach,
        "metric": metric_messages([result.metric])[0],
        "before": float(result.before),
        "held_out": _held_out(result),
        "confidence": result.confidence,
        "interval": interval_words(result.confidence),
    }


def worst_step(result: WorstCase, amount: float, held_out: HeldOut | None) -> WorstStepMessage:
    """Encode one amount; `held_out` is what all that was allowed was read on."""
    judged = result._judged
    taus, unsaid = _sliders(result)
    return {
        "amount": amount,
        "allowed": result.allowed,
        "value": finite(result.value),
        "lower": finite(result.lower),
        "upper": finite(result.upper),
        "reliability": REASONS[result.estimate.reason].level,
        "why": note_of(result.metric, result.estimate),
        **distance_message(result),
        "level": level_of(judged.reason),
        "doubt": judged.words,
        "leans_on": result.leans_on if result.margins else "",
        "margins": [
            {"feature": one.feature, "words": one.words, "smd": finite(one.smd)}
            for one in result.margins
            if not one.twin
        ],
        "taus": taus,
        "unsaid": unsaid,
        "notes": list(replace(result, held_out=held_out).notes),
    }


def _sliders(result: WorstCase) -> tuple[dict[str, float], str]:
    """Return the sliders' τ that make a worst case, or why there are none."""
    if result.source is None:
        return {}, NO_STUDY.rstrip(".")
    if result.stress is None:
        return {}, OF_CHUNKS if result.weights is None else OVER_ROWS
    try:
        return slider_taus(result.moved, columns_of(result.source)), ""
    except TauscopeError as error:
        return {}, str(error).rstrip(".")


def _held_out(result: WorstCase) -> WorstHeldOutMessage | None:
    held = result.held_out
    if held is None:
        return None
    one = held.estimate
    numbers = [np.nan] * 3 if held.failed else [one.value, one.lower, one.upper]
    value, lower, upper = (finite(each) for each in numbers)
    return {
        "n_chosen_on": held.n_chosen_on,
        "n_rows": held.n_rows,
        "before": finite(held.before),
        "value": value,
        "lower": lower,
        "upper": upper,
        "level": REASONS[one.reason].level,
        "why": note_of(result.metric, one),
        "failed": held.failed,
    }
