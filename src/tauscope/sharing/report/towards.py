"""Whether it still decides well in a population that is known already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from tauscope.results.base import records
from tauscope.results.formatting import share
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.report.words import doubt, interval, relied, stated, written
from tauscope.sharing.sections import drawn, table


def sections(audit: Audit) -> Iterator[Section]:
    """Say what is expected in the other population, and what was seen there."""
    found = audit.options.towards
    if found is None:
        return
    metrics = {metric.name: metric for metric in found._metric_definitions}
    by_name = {row["metric"]: row for row in records(found.metrics)}
    leading = metrics.get(audit.metric.name, found._metric_definitions[0])
    row = by_name[leading.name]
    seen = ""
    if "observed" in row and row["observed"] == row["observed"]:
        ends = interval(leading, row["observed_lower"], row["observed_upper"])
        seen = f" On its labelled rows {written(leading, row['observed'])} ({ends}) is observed."
    said = stated(leading, row["value"], row["lower"], row["upper"], found.confidence)
    yield Section(
        f"Does it still decide well in the population of {found.target.name}?",
        f"There the {leading.label} is expected to be {said}; as tested it is {written(leading, row['before'])}.{seen} "
        f"{relied(row['reliability'], row['note'])} {found.message}",
        _table(metrics, list(by_name.values()), found.confidence) + drawn(found.chart(), found.title),
        "there.metrics  # there = study.towards(…)",
        caveats=(f"{found.population}.", *found.notes),
        looked_at={"populations": (found.target.name,)},
    )


def _table(metrics: dict[str, Any], rows: list[dict[str, Any]], confidence: float) -> str:
    shown = [
        (
            metrics[row["metric"]].label,
            written(metrics[row["metric"]], row["before"]),
            f"{written(metrics[row['metric']], row['value'])} "
            f"({interval(metrics[row['metric']], row['lower'], row['upper'])})",
            "–"
            if "observed" not in row
            else f"{written(metrics[row['metric']], row['observed'])} "
            f"({interval(metrics[row['metric']], row['observed_lower'], row['observed_upper'])})",
            doubt(row["reliability"], row["note"]),
        )
        for row in rows
    ]
    columns = ["metric", "as tested", "expected there", "observed there", "reliability"]
    return table(f"Each metric, with {share(confidence)} intervals", pd.DataFrame(shown, columns=columns))
