"""Whether the other model decides better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from tauscope.results.base import records
from tauscope.results.formatting import share
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.report.words import changed, doubt, interval, relied, written
from tauscope.sharing.sections import drawn, table


def sections(audit: Audit) -> Iterator[Section]:
    """Put the other model beside this one, by their paired differences."""
    found = audit.options.beside
    if found is None:
        return
    metrics = {metric.name: metric for metric in found.metrics}
    leading = metrics.get(audit.metric.name, found.metrics[0])
    rows = records(found.frame)
    row = next(each for each in rows if each["metric"] == leading.name)
    first, second = found.names
    told = f"By it {row['better']} decides better." if row["better"] else "The interval does not tell the two apart."
    yield Section(
        f"Does {second} decide better than {first}?",
        f"The {leading.label} is {written(leading, row['second'])} for {second} and {written(leading, row['first'])} "
        f"for {first}: {changed(leading, row['difference'])} ({share(found.confidence)} interval "
        f"{changed(leading, row['lower'])} to {changed(leading, row['upper'])}). {told} "
        f"{relied(row['reliability'], row['note'])}",
        _table(metrics, rows, found.names, found.confidence) + drawn(found.chart(), found.title),
        "ts.compare(study, other)",
        caveats=found.notes,
        looked_at={"models": (second,)},
    )


def _table(metrics: Mapping[str, Any], rows: list[dict[str, Any]], names: tuple[str, str], confidence: float) -> str:
    shown = [
        (
            row["population"],
            metric.label,
            f"{written(metric, row['first'])} ({interval(metric, row['first_lower'], row['first_upper'])})",
            f"{written(metric, row['second'])} ({interval(metric, row['second_lower'], row['second_upper'])})",
            f"{changed(metric, row['difference'])} ({changed(metric, row['lower'])} to "
            f"{changed(metric, row['upper'])})",
            doubt(row["reliability"], row["note"]),
        )
        for row in rows
        for metric in (metrics[row["metric"]],)
    ]
    head = ["population", "metric", *names, "difference", "reliability"]
    return table(f"Each metric, with {share(confidence)} intervals", pd.DataFrame(shown, columns=head))
