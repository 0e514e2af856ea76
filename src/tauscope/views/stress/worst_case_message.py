"""A worst case as the messages of its view, word for word as TypeScript reads them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal, TypedDict

import numpy as np

from tauscope.errors import TauscopeError
from tauscope.results.reliability import level_of
from tauscope.results.stress.reweight_tables import note_of
from tauscope.results.stress.worst_case import HeldOut, WorstCase
from tauscope.results.stress.worst_margins import slider_taus
from tauscope.stress.reliability import REASONS, Level
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
