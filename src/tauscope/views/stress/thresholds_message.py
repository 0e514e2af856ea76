"""Metrics and cost at every threshold as the messages of their view, word for word as TypeScript reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import TauscopeError
from tauscope.results.base import records
from tauscope.results.formatting import number
from tauscope.results.stress.tables.threshold_tables import NONE_REACHES
from tauscope.results.stress.thresholds import ThresholdCurves
from tauscope.stress.thresholds import Costs
from tauscope.views.followed_message import FollowedMessage, GroupedMessage, followed_message, offline_words
from tauscope.views.shared_stress import StressState
from tauscope.views.solved import solve_stress
from tauscope.views.study_columns import columns_of
from tauscope.views.wire import (
    OF_GAP,
    Ascending,
    Block,
    DoubtMessage,
    Layout,
    Metrics,
    float32,
    interval_words,
    layout_of,
    metric_messages,
)

NO_STUDY = "these thresholds have left their study, and a stress weighs the study's rows"
NO_KERNEL = "this page has no kernel to count decisions under it"
COST_NAMES: Mapping[str, str] = {
    "fp": "false positive",
    "fn": "false negative",
    "tp": "true positive",
    "tn": "true negative",
}

OF_CELL = ("before", "value", "lower", "upper", "note")
TABLES = ((OF_CELL, "group threshold metric field"), (OF_GAP, "threshold metric field"))


class BestThresholdMessage(TypedDict):
    """A threshold of least cost, the ends of those that cannot be told from it, and what it costs a row."""

    threshold: float
    lower: float
    upper: float
    cost: float


class ThresholdGroupMessage(TypedDict):
    """Rows that thresholds are chosen for; `name` is "" of all rows together.

    `share` is of all weight, in [0, 1]; `n_reached` counts the thresholds that some of the rows reach. Best thresholds
    are None where there is none.
    """

    name: str
    ess: float
    n_rows: int
    share: float
    n_reached: int
    best_tested: BestThresholdMessage | None
    best: BestThresholdMessage | None


class ThresholdsMessage(GroupedMessage):
    """What `ThresholdCurvesView` shows whatever the stress and the thresholds chosen.

    `present` is None where no threshold of the score made the predictions; `costs` is "", and there is no metric
    "cost", without the truth; `none_reaches` says of a threshold that it is above every score.
    """

    metrics: Metrics
    present: float | None
    costs: str
    none_reaches: str
    notes: list[str]


class DecisionsMessage(FollowedMessage, total=False):
    """Decisions at every threshold in one population; `notes` are those that numbers refer to."""

    thresholds: Ascending
    groups: list[ThresholdGroupMessage]
    notes: list[DoubtMessage]
    layout: Layout


class Decided(NamedTuple):
    """One population in words, and in numbers.

    Attributes
    ----------
    words : DecisionsMessage
    numbers : bytes
        Float32, as `layout` says: a note and groups by their places; of several groups their gaps, NaN where there is
        none.
    """

    words: DecisionsMessage
    numbers: bytes


def thresholds_message(result: ThresholdCurves, *, kernel: bool) -> ThresholdsMessage:
    """Encode what stays; without a `kernel` no stress can be asked for."""
    known = any(metric.name == "cost" for metric in result.metrics)
    return {
        "version": 1,
        "title": result.title,
        "n_rows": result.n_rows,
        "by": result.grouped_by,
        "groups": _labels(result),
        "metrics": metric_messages(result.metrics),
        "present": result.present,
        "costs": cost_words(result.costs) if known else "",
        "none_reaches": NONE_REACHES,
        "confidence": result.confidence,
        "interval": interval_words(result.confidence),
        "notes": list(result.notes),
        "offline": offline_words(result.source, kernel=kernel, no_kernel=NO_KERNEL, no_study=NO_STUDY),
    }


def cost_words(costs: Costs) -> str:
    """Say what decisions cost: "false positive 1, false negative 5"."""
    given = {words: getattr(costs, name) for name, words in COST_NAMES.items()}
    return ", ".join(f"{words} {number(value)}" for words, value in given.items() if value) or "nothing"


def decisions_message(result: ThresholdCurves, stress: StressState | None = None) -> Decided:
    """Encode the population of a result, under the stress that views share where it is of one."""
    words, tables = _tables(result)
    population = followed_message(result.population, result.ess, result.reweighting, stress)
    message: DecisionsMessage = {
        **population,
        "thresholds": [float(each) for each in result.thresholds],
        "groups": _groups(result),
        "notes": words,
        "layout": layout_of(
            Block(names, dims, table.shape) for (names, dims), table in zip(TABLES, tables, strict=False)
        ),
    }
    return Decided(message, b"".join(map(float32, tables)))


def decide_under(result: ThresholdCurves, stress: StressState) -> Decided:
    """Decide under a stress that moves something; what keeps from it is said in words."""
    try:
        if result.source is None:
            return Decided({"stress": stress, "error": NO_STUDY}, b"")
        solved = solve_stress(result.source, columns_of(result.source), stress)
        return decisions_message(result.under(solved), stress)
    except TauscopeError as error:
        return Decided({"stress": stress, "error": str(error)}, b"")


def _labels(result: ThresholdCurves) -> list[str]:
    return [group.label for group in result.groups] or [""]


def _groups(result: ThresholdCurves) -> list[ThresholdGroupMessage]:
    best = records(result.best)
    found: list[ThresholdGroupMessage] = []
    for place, name in enumerate(_labels(result)):
        own = [_best(row) for row in best if row.get("group", "") == name]
        group = result.groups[place] if result.groups else None
        found.append(
            {
                "name": name,
                "ess": float(result.ess if group is None else group.ess),
                "n_rows": result.n_rows if group is None else group.n_rows,
                "share": 1.0 if group is None else float(group.share),
                "n_reached": result.n_reached[place],
                "best_tested": own[0] if own else None,
                "best": own[-1] if own else None,
            }
        )
    return found


def _best(row: Mapping[str, Any]) -> BestThresholdMessage | None:
    if not np.isfinite(row["threshold"]):
        return None
    return {name: float(row[name]) for name in ("threshold", "lower", "upper", "cost")}  # pyright: ignore[reportReturnType]


def _tables(result: ThresholdCurves) -> tuple[list[DoubtMessage], list[NDArray[np.float64]]]:
    """Return the notes, each once, and the numbers that refer to them; of several groups their gaps too."""
    frame, n_metrics = result.frame, len(result.metrics)
    said = list(zip(frame["reliability"], frame["note"], strict=True))
    places = {each: place for place, each in enumerate(dict.fromkeys(said))}
    values = frame[["before", "value", "lower", "upper"]].to_numpy(np.float64)
    every = np.column_stack([values, [places[each] for each in said]])
    every = every.reshape(-1, len(result.thresholds), n_metrics, len(OF_CELL))
    notes: list[DoubtMessage] = [{"level": level, "words": words} for level, words in places]
    if len(result.groups) < 2:
        return notes, [every]
    return notes, [every, _gaps(result, n_metrics)]


def _gaps(result: ThresholdCurves, n_metrics: int) -> NDArray[np.float64]:
    gaps: Any = result.gaps
    names = {metric.name: place for place, metric in enumerate(result.metrics)}
    groups = {label: place for place, label in enumerate(_labels(result))}
    found = np.full((len(result.thresholds), n_metrics, 5), np.nan)
    at = np.searchsorted(result.thresholds, np.asarray(gaps["threshold"], np.float64))
    metric = gaps["metric"].map(names).to_numpy(np.intp)
    found[at, metric, 0] = gaps["largest"].map(groups)
    found[at, metric, 1] = gaps["smallest"].map(groups)
    found[at, metric, 2:] = gaps[["gap", "gap_lower", "gap_upper"]]
    return found
