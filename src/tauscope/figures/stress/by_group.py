"""Metrics in groups of rows: where each group was and where a stress leaves it, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError, UnknownName
from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.results.base import records
from tauscope.results.stress.by_group import MARGINAL, UNMOVED, MetricsByGroup
from tauscope.stress.metrics import Metric

WIDTH, ROW = 260, 24
MARKS = "Rings: before. Dots: under the stress, with intervals; hollow ones are unreliable."
MARKS_UNMOVED = "Dots: with intervals; hollow ones are unreliable."


def draw(result: MetricsByGroup, metrics: str | Sequence[str] | None = None) -> alt.ConcatChart:
    """Draw a panel for each metric; see `MetricsByGroup.chart`."""
    every = records(result.frame)
    chosen = choose_metrics(result.metrics, metrics)
    panels = [panel([row for row in every if row["metric"] == metric.name], metric) for metric in chosen]
    words = [MARKS_UNMOVED] if result.population == UNMOVED else [MARKS, MARGINAL]
    title = heading(result.title, [result.population, *words])
    return ConcatChart(concat=panels, columns=min(3, len(panels)), title=title)


def choose_metrics(metrics: Sequence[Metric], names: str | Sequence[str] | None) -> list[Metric]:
    """Return the metrics to draw, all by default.

    Raises
    ------
    UnknownName
        For one that is not there, with the nearest names.
    InputError
        For none.
    """
    known = {metric.name: metric for metric in metrics}
    chosen = list(known) if names is None else [names] if isinstance(names, str) else list(names)
    if not chosen:
        raise InputError("At least one metric is needed; got none. Leave metrics=None for all.")
    for name in chosen:
        if name not in known:
            raise UnknownName.among("metric", name, list(known))
    return [known[name] for name in chosen]


def panel(rows: Sequence[Mapping[str, Any]], metric: Metric) -> alt.LayerChart:
    """Draw one metric: a line for each `group`, a ring at `before`, a dot at `value` from `lower` to `upper`.

    Parameters
    ----------
    rows : sequence of mapping
        With `ess`, `reliability` and `note` besides.
    metric : Metric
    """
    rows = [_record(row) for row in rows]
    names = [legible(row["group"]) for row in rows]
    y = name_axis("group", names, 180, grid=True)
    label = theme.AXIS_SHARE if metric.kind == "share" else theme.AXIS_VALUE
    axis, scale = alt.Axis(title=None, labelExpr=label, tickCount=4), alt.Scale(zero=False)
    x = alt.X("value:Q", axis=axis, scale=scale)
    tips = [
        alt.Tooltip(f"{name}:{kind}", title=title, format=text)
        for name, kind, title, text in (
            ("group", "N", " ", ""), ("before", "Q", "before", ",.4~g"), ("value", "Q", "value", ",.4~g"),
            ("lower", "Q", "lower", ",.4~g"), ("upper", "Q", "upper", ",.4~g"), ("ess", "Q", "effective rows", ",.0f"),
            ("reliability", "N", "reliability", ""), ("note", "N", "note", ""),
        )
    ]  # fmt: skip
    drawn = alt.Chart(inline(rows))
    levels = alt.Scale(domain=["reliable", "wide", "unreliable"], range=[theme.ACCENT, theme.ACCENT, theme.PAPER])
    return alt.LayerChart(
        layer=[
            drawn.mark_rule(color=theme.ACCENT, strokeWidth=1.5).encode(
                x=alt.X("lower:Q", axis=axis, scale=scale), x2="upper:Q", y=y, tooltip=tips
            ),
            drawn.mark_point(size=70, opacity=1, color=theme.MUTED).encode(x=alt.X("before:Q"), y=y, tooltip=tips),
            drawn.mark_point(size=50, opacity=1, stroke=theme.ACCENT, strokeWidth=1.2).encode(
                x=x, y=y, fill=alt.Fill("reliability:N", legend=None, scale=levels), tooltip=tips
            ),
        ],
        width=WIDTH,
        height=ROW * max(len(rows), 1),
        title=in_line(metric.label),
    )


def _record(row: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: row[name] for name in ("group", "reliability", "note")}
    numbers = {name: float(row[name]) for name in ("before", "value", "lower", "upper", "ess")}
    return {**kept, **{name: value if np.isfinite(value) else None for name, value in numbers.items()}}
