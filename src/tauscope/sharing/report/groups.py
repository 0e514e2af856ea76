"""Who is treated differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from tauscope.results.base import records
from tauscope.results.formatting import number, points, share
from tauscope.results.stress.by_group import MetricsByGroup
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.report.words import doubt, interval, relied, written
from tauscope.sharing.sections import drawn, table


def sections(audit: Audit) -> Iterator[Section]:
    """Compare the groups as tested and under each scenario."""
    by = audit.options.by
    if by is None:
        return
    found: MetricsByGroup = audit.study.metrics_by(by)
    yield _section(audit, found, f"Who is treated differently, by {found.grouped_by}?", "study.metrics_by({by}).gaps")
    for one in audit.options.scenarios:
        moved: MetricsByGroup = audit.study.reweight(one).by(by)
        question = f"Who is treated differently in “{one.name}”, by {moved.grouped_by}?"
        yield _section(audit, moved, question, f"study.reweight({one!r}).by({{by}}).gaps")


def _section(audit: Audit, found: MetricsByGroup, question: str, code: str) -> Section:
    metrics = {metric.name: metric for metric in found.metrics}
    rows = [
        (
            one["group"],
            f"{one['n_rows']:,}",
            metric.label,
            written(metric, one["value"]),
            interval(metric, one["lower"], one["upper"]),
            doubt(one["reliability"], one["note"]),
        )
        for one in records(found.frame)
        for metric in (metrics[one["metric"]],)
    ]
    frame = pd.DataFrame(rows, columns=["group", "rows", "metric", "value", "interval", "reliability"])
    gaps = {row["metric"]: row for row in records(found.gaps)}
    by = audit.options.by
    named = repr(by) if isinstance(by, str | int) else "by"
    return Section(
        question,
        _answer(audit, found, gaps),
        _gaps_table(metrics, gaps, found) + drawn(found.chart(), found.title) + table(found.title, frame),
        code.replace("{by}", named),
        caveats=(f"Population: {found.population}.", *found.notes),
        looked_at={"groups": (found.grouped_by,)},
    )


def _answer(audit: Audit, found: MetricsByGroup, gaps: Mapping[str, Mapping[str, Any]]) -> str:
    """Say the gap of the leading metric, and that of the share predicted positive."""
    if not gaps:
        return f"There is one group by {found.grouped_by}, and nothing to compare it with."
    metrics = {metric.name: metric for metric in found.metrics}
    leading = next((metric.name for metric in found.metrics if metric.leading), None)
    wanted = dict.fromkeys((audit.metric.name, leading))
    names = [name for name in wanted if name is not None and name in gaps]
    return " ".join(_gap_words(metrics[name], gaps[name], found) for name in names)


def _gap_words(metric: Any, gap: Mapping[str, Any], found: MetricsByGroup) -> str:
    write = points if metric.kind == "share" else number
    values = {one["group"]: one["value"] for one in records(found.frame) if one["metric"] == metric.name}
    high, low = gap["largest"], gap["smallest"]
    why = gap["note"] and f"reliability: {gap['note']}"
    told = (
        "The interval reaches 0: these rows do not show a gap."
        if gap["gap_lower"] <= 0
        else "The interval lies above 0."
    )
    return (
        f"The {metric.label} is highest for {high}, {written(metric, values[high])}, and lowest for {low}, "
        f"{written(metric, values[low])}: a gap of {write(gap['gap'])} ({share(found.confidence)} interval "
        f"{write(gap['gap_lower'])} to {write(gap['gap_upper'])}). {told} {relied(gap['reliability'], why)}"
    )


def _gaps_table(metrics: Mapping[str, Any], gaps: Mapping[str, Mapping[str, Any]], found: MetricsByGroup) -> str:
    rows: list[tuple[str, ...]] = []
    for name, gap in gaps.items():
        write = points if metrics[name].kind == "share" else number
        rows.append(
            (
                metrics[name].label,
                str(gap["largest"]),
                str(gap["smallest"]),
                f"{write(gap['gap'])} ({write(gap['gap_lower'])} to {write(gap['gap_upper'])})",
                doubt(gap["reliability"], gap["note"]),
            )
        )
    columns = ["metric", "highest", "lowest", f"gap, with its {share(found.confidence)} interval", "reliability"]
    return table("How far the groups are apart", pd.DataFrame(rows, columns=columns)) if rows else ""
