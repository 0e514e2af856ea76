"""Shifts of one size and what each does to a metric: bars with their intervals."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.figures.stress.harm_picture import FILL, MARKS, OPACITY, asked
from tauscope.results.formatting import number
from tauscope.results.stress.harm import StressHarm, moved_words
from tauscope.results.stress.numbers.equal_distance import Shift

WIDTH, ROW = 340, 20
LABEL = 300


def draw(result: StressHarm, n: int = 15) -> alt.LayerChart:
    """Draw the first shifts as bars; see `StressHarm.chart`."""
    shifts = [each for each in result.shifts if each.reliability != "out of reach"][:n]
    rows = [_record(each, result.metric.kind == "share") for each in shifts]
    names = [legible(row["shift"]) for row in rows]
    y = name_axis("shift", names, LABEL)
    percent = result.metric.kind == "share"
    label = theme.AXIS_POINTS if percent else theme.AXIS_VALUE
    title = in_line(f"change of {result.metric.label}" + (f", {theme.POINTS}" if percent else ""))
    axis = alt.Axis(title=title, labelExpr=label)
    tips = [
        alt.Tooltip(f"{name}:N", title=title)
        for name, title in (
            ("shift", " "), ("said", "change"), ("between", "interval"), ("size", "effective rows"),
            ("reliability", "reliability"), ("note", "note"),
        )
    ]  # fmt: skip
    drawn = alt.Chart(inline(rows))
    levels = [*FILL]
    fill = alt.Fill("reliability:N", legend=None, scale=alt.Scale(domain=levels, range=[*FILL.values()]))
    opacity = alt.FillOpacity("reliability:N", legend=None, scale=alt.Scale(domain=levels, range=[*OPACITY.values()]))
    return LayerChart(
        layer=[
            drawn.mark_bar(stroke=theme.ACCENT, strokeWidth=1).encode(
                x=alt.X("change:Q", axis=axis), y=y, fill=fill, fillOpacity=opacity, tooltip=tips
            ),
            drawn.mark_rule(color=theme.INK).encode(x=alt.X("lower:Q"), x2="upper:Q", y=y, tooltip=tips),
            alt.Chart(inline([{"at": 0.0}])).mark_rule(color=theme.MUTED).encode(x=alt.X("at:Q")),
        ],
        width=WIDTH,
        height=ROW * max(len(rows), 1),
        title=heading(result.title, [asked(result), MARKS]),
    )


def _record(each: Shift, percent: bool) -> dict[str, Any]:
    def write(value: float) -> str:
        return f"{number(100 * value)} pt" if percent else number(value)

    numbers = {name: getattr(each, name) for name in ("change", "lower", "upper")}
    return {
        "shift": f"{each.feature} {moved_words(each)}",
        **{name: value if np.isfinite(value) else None for name, value in numbers.items()},
        "said": write(each.change),
        "between": f"{write(each.lower)} to {write(each.upper)}",
        "size": f"{each.ess:,.0f}",
        "reliability": each.reliability,
        "note": each.note,
    }
