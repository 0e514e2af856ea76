"""Metrics over the thresholds of a score: as tested and under a stress, with the threshold that costs least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import heading, in_line, inline, legible
from tauscope.figures.stress.by_group import choose_metrics
from tauscope.results.base import records
from tauscope.results.formatting import number
from tauscope.results.stress.tables.threshold_tables import NONE_REACHES
from tauscope.results.stress.thresholds import ThresholdCurves
from tauscope.stress.metrics import Metric
from tauscope.stress.thresholds import COST

WIDTH, HEIGHT, STEP = 260, 160, 5
TICKS = alt.Axis(title="threshold", tickCount=5, grid=False)


def draw(result: ThresholdCurves, metrics: str | Sequence[str] | None = None) -> alt.ConcatChart:
    """Draw a panel for each metric; see `ThresholdCurves.chart`."""
    frame = result.frame
    if "group" not in frame:
        frame.insert(0, "group", "")
    chosen = choose_metrics(result.metrics, metrics)
    panels = [_panel(result, frame[frame["metric"] == metric.name], metric) for metric in chosen]
    words = "Line and band: with the interval. Dashed: as tested. Grey line: the threshold of the study."
    best = "Of the cost, bars along the axis: thresholds that cannot be told from the best."
    told = [best, *_above_words(result)] if len(result.best) else []
    title = heading(result.title, [result.population, words, *told])
    return ConcatChart(concat=panels, columns=min(3, len(panels)), title=title)


def _panel(result: ThresholdCurves, rows: pd.DataFrame, metric: Metric) -> alt.LayerChart:
    said = [{**row, "group": legible(row["group"])} for row in records(rows)]
    label = theme.AXIS_SHARE if metric.kind == "share" else theme.AXIS_VALUE
    axis, scale = alt.Axis(title=None, labelExpr=label, tickCount=4), alt.Scale(zero=False)
    drawn = alt.Chart(inline(said))
    x = alt.X("threshold:Q", axis=TICKS, scale=alt.Scale(zero=False, nice=False))
    color: Any = (
        alt.Color("group:N", title=legible(result.grouped_by), sort=None)
        if result.grouped_by
        else alt.value(theme.ACCENT)
    )
    tips = [
        *([alt.Tooltip("group:N")] if result.grouped_by else []),
        alt.Tooltip("threshold:Q", format=".4~g"),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("before", "value", "lower", "upper")),
        alt.Tooltip("reliability:N"),
        alt.Tooltip("note:N"),
    ]
    layers: list[Any] = [
        drawn.mark_area(opacity=0.2).encode(x=x, y=alt.Y("lower:Q", axis=axis, scale=scale), y2="upper:Q", color=color),
        drawn.mark_line(strokeDash=[3, 3], strokeWidth=1).encode(
            x=x, y=alt.Y("before:Q", axis=axis, scale=scale), color=color
        ),
        drawn.mark_line().encode(x=x, y=alt.Y("value:Q", axis=axis, scale=scale), color=color, tooltip=tips),
    ]
    if result.present is not None:
        now = alt.Chart(inline([{"threshold": result.present}]))
        layers.append(now.mark_rule(color=theme.MUTED).encode(x="threshold:Q"))
    if metric.name == COST and len(result.best):
        layers += _best(result, color)
    return alt.LayerChart(layer=layers, width=WIDTH, height=HEIGHT, title=in_line(metric.label))


def _best(result: ThresholdCurves, color: Any) -> list[alt.Chart]:
    """Draw the interval of the best threshold of the population shown, of each group above the one before."""
    return [
        alt.Chart(inline([{**row, "group": legible(str(row.get("group", "")))}]))
        .mark_rule(strokeWidth=3)
        .encode(x="lower:Q", x2="upper:Q", y=alt.value(HEIGHT - 2 - STEP * place), color=color)
        for place, row in enumerate(_best_shown(result))
    ]


def _best_shown(result: ThresholdCurves) -> list[dict[str, Any]]:
    best = result.best
    return records(best[best["population"] == result.population])


def _above_words(result: ThresholdCurves) -> list[str]:
    """Say where the best threshold lies above every score."""
    said = [row for row in _best_shown(result) if row["note"]]
    told = [f"{row.get('group', '')} at {number(row['threshold'])}".strip() for row in said]
    return [f"Least cost {NONE_REACHES}: {', '.join(told)}."] if told else []
