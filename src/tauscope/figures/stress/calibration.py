"""A reliability diagram: observed shares over predicted probabilities, above a histogram of these."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from tauscope.figures import theme
from tauscope.figures.chart import VConcatChart
from tauscope.figures.labels import heading, inline, legible
from tauscope.results.base import records
from tauscope.results.stress.calibration import LABELS, POPULATIONS, Calibration, write_measure

SIZE, BELOW, DOT = 320, 56, 45
WHOLE = alt.Scale(domain=[0, 1], nice=False)
AXIS: dict[str, Any] = {"labelExpr": theme.AXIS_SHARE, "tickCount": 5}


def draw(result: Calibration) -> alt.VConcatChart:
    """Draw the diagram and the histogram; see `Calibration.chart`."""
    frame, scores = result.frame, result.scores
    moved = len(result.populations) > 1
    if result.grouped_by:
        frame, scores = (each[each["population"] == result.populations[-1]] for each in (frame, scores))
    rows = [{**row, "line": _line(row, result)} for row in records(frame)]
    color = _color(result, moved=moved)
    title = heading(result.title, [*_words(result), _legend(result)])
    return VConcatChart(
        vconcat=[_diagram(rows, result, color), _histogram(result, scores, color)], title=title, spacing=10
    )


def _line(row: dict[str, Any], result: Calibration) -> str:
    if result.grouped_by:
        return legible(str(row["group"]))
    return POPULATIONS[result.populations.index(row["population"])]


def _color(result: Calibration, *, moved: bool) -> Any:
    if result.grouped_by:
        groups = list(dict.fromkeys(legible(str(label)) for label in result.summary["group"]))
        palette = [theme.PALETTE[k % len(theme.PALETTE)] for k in range(len(groups))]
        scale = alt.Scale(domain=groups, range=palette)
        return alt.Color("line:N", title=legible(result.grouped_by), sort=None, scale=scale)
    if not moved:
        return alt.value(theme.ACCENT)
    scale = alt.Scale(domain=[*POPULATIONS], range=[theme.IDLE, theme.ACCENT])
    return alt.Color("line:N", title=None, sort=None, scale=scale, legend=alt.Legend(orient="top"))


def _words(result: Calibration) -> list[str]:
    """Say the measures of the population drawn last, where it is of no groups."""
    if result.grouped_by:
        return [result.populations[-1]]
    summary = result.summary
    last = records(summary[summary["population"] == result.populations[-1]])
    lines = [
        f"{LABELS[row['measure']]} {write_measure(row['measure'], row['value'])} "
        f"({write_measure(row['measure'], row['lower'])} … {write_measure(row['measure'], row['upper'])})"
        for row in last
    ]
    return [result.populations[-1], *lines]


def _legend(result: Calibration) -> str:
    return f"Bars: intervals at {100 * result.confidence:g} %; hollow dots: unreliable. Below: share of the weight."


def _diagram(rows: list[dict[str, Any]], result: Calibration, color: Any) -> alt.LayerChart:
    drawn = alt.Chart(inline(rows))
    x = alt.X("predicted:Q", scale=WHOLE, axis=alt.Axis(title=None, labels=False, tickCount=5))
    of_class = legible(result.target_class)
    y: Any = {"scale": WHOLE, "axis": alt.Axis(title=f"observed share of {of_class}", **AXIS)}
    tips = [
        *([alt.Tooltip("line:N")] if result.grouped_by or len(result.populations) > 1 else []),
        *(alt.Tooltip(f"{name}:Q", format=".3~f") for name in ("predicted", "observed", "lower", "upper")),
        *(alt.Tooltip(f"{name}:Q", format=",.0f") for name in ("n_rows", "ess")),
        alt.Tooltip("reliability:N"),
        alt.Tooltip("note:N"),
    ]
    dots: dict[str, Any] = {"size": DOT, "opacity": 1, "strokeWidth": 1.5}
    at: dict[str, Any] = {"x": x, "y": alt.Y("observed:Q", **y), "color": color, "tooltip": tips}
    diagonal = alt.Chart(inline([{"at": 0.0}, {"at": 1.0}])).mark_line(
        color=theme.MUTED, strokeDash=[3, 3], strokeWidth=1
    )
    return alt.LayerChart(
        layer=[
            diagonal.encode(x=alt.X("at:Q", scale=WHOLE), y=alt.Y("at:Q", **y)),
            drawn.mark_rule(opacity=0.6).encode(x=x, y=alt.Y("lower:Q", **y), y2="upper:Q", color=color),
            drawn.mark_line(strokeWidth=theme.LINE_IDLE).encode(x=x, y=alt.Y("observed:Q", **y), color=color),
            drawn.transform_filter("datum.reliability !== 'unreliable'").mark_point(filled=True, **dots).encode(**at),
            drawn.transform_filter("datum.reliability === 'unreliable'")
            .mark_point(filled=False, fill=theme.PAPER, **dots)
            .encode(**at),
        ],
        width=SIZE,
        height=SIZE,
    )


def _histogram(result: Calibration, frame: pd.DataFrame, color: Any) -> alt.Chart:
    """Draw the weight over the probability; populations lie one before the other."""
    rows = [{**row, "line": _line(row, result)} for row in records(frame)]
    axis = alt.Axis(title=None, labelExpr=theme.AXIS_SHARE, tickCount=2)
    return (
        alt.Chart(inline(rows), width=SIZE, height=BELOW)
        .mark_bar(opacity=0.4, binSpacing=1)
        .encode(
            x=alt.X("left:Q", scale=WHOLE, axis=alt.Axis(title="predicted probability", **AXIS)),
            x2="right:Q",
            y=alt.Y("share:Q", axis=axis, stack=None),
            y2=alt.datum(0),
            color=color,
        )
    )
