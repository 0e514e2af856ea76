"""Scenarios side by side: each metric as tested and where every scenario takes it, with its interval."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import heading
from tauscope.figures.stress.by_group import choose_metrics, panel
from tauscope.results.base import records
from tauscope.results.stress.scenarios import ScenarioComparison

MARKS = "Rings: as tested. Dots: each population, with intervals; hollow ones are unreliable."


def draw(result: ScenarioComparison, metrics: str | Sequence[str] | None = None) -> alt.ConcatChart:
    """Draw a panel for each metric; see `ScenarioComparison.chart`."""
    rows = [{**row, "group": row["scenario"]} for row in records(result.frame)]
    chosen = choose_metrics(result.metrics, metrics)
    panels = [panel([row for row in rows if row["metric"] == metric.name], metric) for metric in chosen]
    title = heading(result.title, [MARKS, *result.notes])
    return ConcatChart(concat=panels, columns=min(3, len(panels)), title=title)
