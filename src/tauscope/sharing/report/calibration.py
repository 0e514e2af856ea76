"""Whether its probabilities say how often it is so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from tauscope.results.base import records
from tauscope.results.formatting import number, points, share
from tauscope.results.stress.calibration import IN_THE_LARGE, LABELS, SLOPE, Calibration, write_measure
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.report.words import doubt, relied
from tauscope.sharing.sections import drawn, table
from tauscope.stress.calibration.calibration import ECE

if TYPE_CHECKING:
    from tauscope.results.base import Study


def sections(audit: Audit) -> Iterator[Section]:
    """Compare probabilities with the truth where there are both, as tested and under each scenario."""
    if not has_probabilities(audit.study):
        return
    for scenario in (None, *audit.options.scenarios):
        found: Calibration = audit.study.calibration(scenario)
        where = "" if scenario is None else f" in “{scenario.name}”"
        yield Section(
            f"Do its probabilities say how often it is so{where}?",
            _answer(found),
            drawn(found.chart(), found.title) + _table(found),
            f"study.calibration({'' if scenario is None else repr(scenario)}).summary",
            caveats=(_error(found), *found.notes),
            looked_at={"calibration": (found.target_class,)},
        )


def has_probabilities(study: Study) -> bool:
    """Tell whether a study has probabilities of two classes, and the truth."""
    score = study._outcomes.score if study._task == "binary" else None
    return score is not None and study._true_values is not None and bool(score.min() >= 0 and score.max() <= 1)


def _answer(found: Calibration) -> str:
    """Say how far the mean is off, and what slope and intervals say."""
    rows = _measures(found)
    mean, slope = rows[IN_THE_LARGE], rows[SLOPE]
    level = share(found.confidence)
    if np.isnan(mean["value"]):
        return relied(mean["reliability"], mean["note"])
    side = "above" if mean["value"] > 0 else "below"
    told = mean["lower"] <= 0 <= mean["upper"]
    ends = f"{write_measure(IN_THE_LARGE, mean['lower'])} to {write_measure(IN_THE_LARGE, mean['upper'])}"
    off = "these rows do not show that it is off" if told else "the interval leaves out 0"
    said = (
        f"The mean probability of {found.target_class} is {points(abs(mean['value']))} {side} its share "
        f"({level} interval of the difference {ends}): {off}."
    )
    if np.isnan(slope["value"]):
        return f"{said} {relied(mean['reliability'], mean['note'])} No slope can be fitted."
    return f"{said} {_slope(slope)} {relied(slope['reliability'], slope['note'])}"


def _error(found: Calibration) -> str:
    row = _measures(found)[ECE]
    ends = f"{share(row['lower'])} to {share(row['upper'])}"
    return (
        f"The expected calibration error is {share(row['value'])} ({ends}); of a calibrated model these rows would "
        f"show {share(row['if_calibrated'])} by chance."
    )


def _measures(found: Calibration) -> dict[str, dict[str, Any]]:
    summary = found.summary
    return {row["measure"]: row for row in records(summary[summary["population"] == found.populations[-1]])}


def _slope(row: dict[str, Any]) -> str:
    value, lower, upper = (row[name] for name in ("value", "lower", "upper"))
    if upper < 1:
        said = "probabilities are too far apart"
    elif lower > 1:
        said = "probabilities are too near each other"
    else:
        said = "1, of a calibrated model, is within it"
    return f"The slope is {number(value)} ({number(lower)} to {number(upper)}): {said}."


def _table(found: Calibration) -> str:
    rows = [
        (
            LABELS[row["measure"]],
            row["population"],
            write_measure(row["measure"], row["value"]),
            f"{write_measure(row['measure'], row['lower'])} to {write_measure(row['measure'], row['upper'])}",
            write_measure(row["measure"], row["if_calibrated"]),
            doubt(row["reliability"], row["note"]),
        )
        for row in records(found.summary)
    ]
    columns = ["measure", "population", "value", f"{share(found.confidence)} interval", "if calibrated", "reliability"]
    return table(found.title, pd.DataFrame(rows, columns=columns))
