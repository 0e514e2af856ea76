"""Whether another threshold would decide better."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd

from tauscope.results.base import records
from tauscope.results.formatting import number, share
from tauscope.results.stress.thresholds import ThresholdCurves
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.sections import drawn, table

if TYPE_CHECKING:
    from tauscope.results.base import Study


def sections(audit: Audit) -> Iterator[Section]:
    """Compare thresholds of the score where there are scores and the truth, as tested and under each scenario."""
    if not can_be_asked(audit.study):
        return
    for scenario in (None, *audit.options.scenarios):
        found: ThresholdCurves = audit.study.threshold_curves(scenario)
        where = "" if scenario is None else f" in “{scenario.name}”"
        best = records(found.best)
        if best:
            yield Section(
                f"Would another threshold decide better{where}?",
                _answer(found, best[-1]),
                drawn(found.chart(), found.title) + _table(best, found),
                f"study.threshold_curves({'' if scenario is None else repr(scenario)}).best",
                caveats=found.notes,
            )


def can_be_asked(study: Study) -> bool:
    """Tell whether a study has a score to compare thresholds of, and the truth."""
    return study._task == "binary" and study._true_values is not None and study._outcomes.score is not None


def _answer(found: ThresholdCurves, best: dict[str, Any]) -> str:
    said = (
        f"Where both errors cost the same, a threshold of {_best_words(best)} costs least; those from "
        f"{number(best['lower'])} to {number(best['upper'])} cannot be told from it at {share(found.confidence)}."
    )
    present = found.present
    if present is None:
        return f"{said} The predictions follow no threshold of the score."
    inside = best["lower"] <= present <= best["upper"]
    told = "is among them: these rows do not show a better one" if inside else "is not among them"
    return f"{said} The present one, {found._present_words}, {told}."


def _best_words(best: dict[str, Any]) -> str:
    return f"{number(best['threshold'])} ({best['note']})" if best["note"] else number(best["threshold"])


def _table(best: list[dict[str, Any]], found: ThresholdCurves) -> str:
    rows = [
        (
            one["population"],
            _best_words(one),
            f"{number(one['lower'])} to {number(one['upper'])}",
            number(one["cost"]),
            number(one["present_cost"]),
        )
        for one in best
    ]
    columns = ["population", "costs least", "cannot be told from it", "its cost a row", "cost a row at the present one"]
    return table(found.title, pd.DataFrame(rows, columns=columns))
