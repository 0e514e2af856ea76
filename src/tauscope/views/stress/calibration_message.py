"""Calibration as the messages of its view, word for word as TypeScript reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

import numpy as np
import pandas as pd

from tauscope.errors import TauscopeError
from tauscope.results.base import records
from tauscope.results.stress.calibration import IN_THE_LARGE, LABELS, MEASURES, Calibration
from tauscope.stress.calibration.calibration import ECE
from tauscope.stress.reliability import Level
from tauscope.views.followed_message import FollowedMessage, GroupedMessage, followed_message, offline_words
from tauscope.views.shared_stress import StressState
from tauscope.views.solved import solve_stress
from tauscope.views.study_columns import columns_of
from tauscope.views.wire import OrNaN, finite, interval_words

NO_STUDY = "this calibration has left its study, and a stress weighs the study's rows"
NO_KERNEL = "this page has no kernel to compare the probabilities under it"
KINDS: Mapping[str, Literal["points", "share"]] = {IN_THE_LARGE: "points", ECE: "share"}


class CalibrationMeasureMessage(TypedDict):
    """A measure: its name in code, its words on screen, and its unit; `kind` "points" is of a difference of shares."""

    name: str
    label: str
    kind: Literal["points", "share", "value"]


class CalibrationMessage(GroupedMessage):
    """What `CalibrationView` shows whatever the stress."""

    target_class: str
    measures: list[CalibrationMeasureMessage]


class CalibrationBinMessage(TypedDict):
    """A bin that has rows; `left` and `right` are its edges, and of few rows it may have no interval."""

    left: float
    right: float
    predicted: float
    observed: float
    lower: OrNaN
    upper: OrNaN
    n_rows: int
    ess: float
    share: float
    level: Level
    why: str


class CalibrationMeasuredMessage(TypedDict):
    """A measure as tested and now, None where it is not defined; the change is None without a stress, or without one.

    `if_calibrated` is what a calibrated model would have, now.
    """

    before: OrNaN
    before_lower: OrNaN
    before_upper: OrNaN
    value: OrNaN
    lower: OrNaN
    upper: OrNaN
    if_calibrated: OrNaN
    change: OrNaN
    change_lower: OrNaN
    change_upper: OrNaN
    level: Level
    why: str


class CalibratedGroupMessage(TypedDict):
    """Rows that are told of; `tested` and `bins` are the diagram as tested and now, histograms have 20 shares each."""

    ess: float
    n_rows: int
    tested: list[CalibrationBinMessage]
    bins: list[CalibrationBinMessage]
    tested_scores: list[float]
    scores: list[float]
    measures: list[CalibrationMeasuredMessage]


class CalibrationGapMessage(TypedDict):
    """Largest less smallest of a measure, which are places among the groups."""

    measure: int
    largest: int
    smallest: int
    gap: OrNaN
    lower: OrNaN
    upper: OrNaN


class CalibrationShownMessage(FollowedMessage, total=False):
    """Calibration in one population, beside the rows as tested."""

    groups: list[CalibratedGroupMessage]
    gaps: list[CalibrationGapMessage]
    notes: list[str]


def calibration_message(result: Calibration, *, kernel: bool) -> CalibrationMessage:
    """Encode what stays; without a `kernel` no stress can be asked for."""
    return {
        "version": 1,
        "title": result.title,
        "n_rows": result.n_rows,
        "target_class": result.target_class,
        "by": result.grouped_by,
        "groups": _labels(result),
        "measures": [{"name": name, "label": LABELS[name], "kind": KINDS.get(name, "value")} for name in MEASURES],
        "confidence": result.confidence,
        "interval": interval_words(result.confidence),
        "offline": offline_words(result.source, kernel=kernel, no_kernel=NO_KERNEL, no_study=NO_STUDY),
    }


def shown_message(result: Calibration, stress: StressState | None = None) -> CalibrationShownMessage:
    """Encode the population of a result, under the stress that views share where it is of one."""
    population = followed_message(result.populations[-1], result.ess, result.reweighting, stress)
    labels = _labels(result)
    return {
        **population,
        "groups": [_group(result, place, label) for place, label in enumerate(labels)],
        "gaps": _gaps(result.gaps, labels),
        "notes": list(result.notes),
    }


def shown_under(result: Calibration, stress: StressState) -> CalibrationShownMessage:
    """Compare under a stress that moves something; what keeps from it is said in words."""
    try:
        if result.source is None:
            return {"stress": stress, "error": NO_STUDY}
        solved = solve_stress(result.source, columns_of(result.source), stress)
        return shown_message(result.under(solved), stress)
    except TauscopeError as error:
        return {"stress": stress, "error": str(error)}


def _labels(result: Calibration) -> list[str]:
    return [group.label for group in result.groups] or [""]


def _group(result: Calibration, place: int, label: str) -> CalibratedGroupMessage:
    group = result.groups[place] if result.groups else None
    first, last = result.populations[0], result.populations[-1]
    moved = len(result.populations) > 1

    def of(table: pd.DataFrame, population: str) -> list[dict[str, Any]]:
        rows = table if group is None else table[table["group"] == label]
        return records(rows[rows["population"] == population])

    changes = result.changes
    own = changes if group is None or not moved else changes[changes["group"] == label]
    changed = {row["measure"]: row for row in records(own)}
    before = {row["measure"]: row for row in of(result.summary, first)}
    now = of(result.summary, last)
    return {
        "ess": float(result.ess if group is None else group.ess),
        "n_rows": result.n_rows if group is None else group.n_rows,
        "tested": [_bin(row) for row in of(result.frame, first)],
        "bins": [_bin(row) for row in of(result.frame, last)],
        "tested_scores": [float(row["share"]) for row in of(result.scores, first)],
        "scores": [float(row["share"]) for row in of(result.scores, last)],
        "measures": [_measured(before[row["measure"]], row, changed.get(row["measure"], {})) for row in now],
    }


def _bin(row: Mapping[str, Any]) -> CalibrationBinMessage:
    return {
        "left": float(row["left"]),
        "right": float(row["right"]),
        "predicted": float(row["predicted"]),
        "observed": float(row["observed"]),
        "lower": finite(row["lower"]),
        "upper": finite(row["upper"]),
        "n_rows": int(row["n_rows"]),
        "ess": float(row["ess"]),
        "share": float(row["share"]),
        "level": row["reliability"],
        "why": row["note"],
    }


def _measured(
    before: Mapping[str, Any], now: Mapping[str, Any], change: Mapping[str, Any]
) -> CalibrationMeasuredMessage:
    def moved(name: str) -> float | None:
        return finite(change.get(name, np.nan))

    return {
        "before": finite(before["value"]),
        "before_lower": finite(before["lower"]),
        "before_upper": finite(before["upper"]),
        "value": finite(now["value"]),
        "lower": finite(now["lower"]),
        "upper": finite(now["upper"]),
        "if_calibrated": finite(now["if_calibrated"]),
        "change": moved("change"),
        "change_lower": moved("lower"),
        "change_upper": moved("upper"),
        "level": now["reliability"],
        "why": now["note"],
    }


def _gaps(gaps: pd.DataFrame, labels: Sequence[str]) -> list[CalibrationGapMessage]:
    return [
        {
            "measure": MEASURES.index(row["metric"]),
            "largest": labels.index(row["largest"]),
            "smallest": labels.index(row["smallest"]),
            "gap": finite(row["gap"]),
            "lower": finite(row["gap_lower"]),
            "upper": finite(row["gap_upper"]),
        }
        for row in records(gaps)
        if row["largest"] in labels and row["smallest"] in labels
    ]
