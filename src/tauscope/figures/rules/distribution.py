"""The projected distribution given some values of a row: steps, or bars of classes; of several rows a line for each."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import altair as alt

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.results.base import records
from tauscope.results.formatting import share
from tauscope.results.rules.distribution import LEVELS, ProjectedDistribution, SetDistribution
from tauscope.results.rules.text import mean_sentence
from tauscope.words import count

WIDTH, HEIGHT, ROW = 380, 180, 22
ANSWER_LABEL, ROW_LABEL = 200, 260
CAPTION_LINE = 90
MOST = 40
"""Rows drawn, the first ones."""


def draw(result: ProjectedDistribution) -> alt.LayerChart:
    """Draw one row's distribution, or several; see `ProjectedDistribution.chart`."""
    if len(result) == 1:
        return draw_distribution(result._caption, result[0], mean_sentence(result[0]))
    frame = result.frame.head(MOST)
    places = range(len(frame))
    where = [f"row {row}" if row >= 0 else f"new row {place}" for place, row in zip(places, frame["row"], strict=True)]
    lines = [
        {**line, "label": legible(f"{name}: {line['given']}")} for name, line in zip(where, records(frame), strict=True)
    ]
    y = name_axis("label", [record["label"] for record in lines], ROW_LABEL)
    drawn = [f"The first {MOST} of {count(len(result), 'row')}."] if len(result) > MOST else []
    return LayerChart(
        layer=_dots(result, lines, y) if result.classes else _ranges(lines, y),
        width=WIDTH,
        height=ROW * len(lines),
        title=heading(result._caption, [in_line(line) for one in (*drawn, *result.notes) for line in wrap(one, 110)]),
    )


def _dots(result: ProjectedDistribution, lines: list[dict[str, Any]], y: alt.Y) -> list[alt.Chart]:
    names = [legible(name) for name in result.classes]
    dots = [
        {"label": record["label"], "class": name, "share": record[f"probability_{own}"]}
        for record in lines
        for name, own in zip(names, result.classes, strict=True)
    ]
    x = alt.X("share:Q", axis=alt.Axis(title="probability", labelExpr=theme.AXIS_SHARE), scale=alt.Scale(domain=[0, 1]))
    palette = [theme.PALETTE[k % len(theme.PALETTE)] for k in range(len(names))]
    colour = alt.Color("class:N", title=None, scale=alt.Scale(domain=names, range=palette))
    tips = [alt.Tooltip("class:N", title="class"), alt.Tooltip("share:Q", title="probability", format=".3~%")]
    chart = alt.Chart(inline(dots))
    return [chart.mark_point(filled=True, size=50, opacity=1).encode(x=x, y=y, color=colour, tooltip=tips)]


def _ranges(lines: list[dict[str, Any]], y: alt.Y) -> list[alt.Chart]:
    low, left, middle, right, high = (f"q{round(100 * level):02d}" for level in LEVELS)
    data = alt.Chart(inline(lines))
    x = alt.X(f"{low}:Q", axis=alt.Axis(title="value", labelExpr=theme.AXIS_VALUE), scale=alt.Scale(zero=False))
    tips = [alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("mean", low, left, middle, right, high, "ess")]
    return [
        data.mark_rule(color=theme.IDLE, strokeWidth=theme.LINE_IDLE).encode(x=x, x2=f"{high}:Q", y=y, tooltip=tips),
        data.mark_bar(color=theme.ACCENT, opacity=theme.FADED, height=8).encode(
            x=alt.X(f"{left}:Q"), x2=f"{right}:Q", y=y, tooltip=tips
        ),
        data.mark_tick(color=theme.INK, thickness=2, height=14).encode(x=alt.X(f"{middle}:Q"), y=y, tooltip=tips),
        data.mark_point(color=theme.ACCENT, filled=True, size=40, opacity=1).encode(
            x=alt.X("mean:Q"), y=y, tooltip=tips
        ),
    ]


def draw_distribution(caption: str, one: SetDistribution, *more: str) -> alt.LayerChart:
    """Draw the distribution given the values of one set, with further sentences above; see `Rules.chart`."""
    layers, height = (_bars(one), ROW * len(one.classes)) if one.classes else (_steps(one), HEIGHT)
    return LayerChart(
        layer=layers,
        width=WIDTH,
        height=height,
        title=heading(caption, [in_line(line) for said in (str(one), *more) for line in wrap(said, CAPTION_LINE)]),
    )


def _bars(one: SetDistribution) -> list[alt.Chart]:
    records = [
        {"class": legible(name), "share": float(part), "said": share(float(part)), "same": bool(same)}
        for name, part, same in zip(one.classes, one.share, one.same, strict=True)
    ]
    names = [legible(name) for name in one.classes]
    x = alt.X(
        "share:Q", axis=alt.Axis(title="share of rows", labelExpr=theme.AXIS_SHARE), scale=alt.Scale(domain=[0, 1])
    )
    y = name_axis("class", names, ANSWER_LABEL)
    tips = [alt.Tooltip("class:N", title="class"), alt.Tooltip("said:N", title="share")]
    return [
        alt.Chart(inline([record for record in records if record["same"] == same]))
        .mark_bar(color=theme.ACCENT if same else theme.IDLE, height=12)
        .encode(x=x, y=y, tooltip=tips)
        for same in (False, True)
    ]


def _steps(one: SetDistribution) -> list[alt.Chart]:
    known = one.decided == one.decided  # else not all of the row's values were given
    ends = [min(one.lowest, one.decided), max(one.highest, one.decided)] if known else [one.lowest, one.highest]
    steps = [(ends[0], 0.0), *zip(one.values.tolist(), one.cumulative.tolist(), strict=True), (ends[1], 1.0)]
    scale = alt.Scale(domain=ends, nice=False)
    axis = alt.Axis(title="value", labelExpr=theme.AXIS_VALUE)
    x = alt.X("value:Q", axis=axis, scale=scale)
    y = alt.Y(
        "upto:Q",
        axis=alt.Axis(title="share of rows up to it", labelExpr=theme.AXIS_SHARE),
        scale=alt.Scale(domain=[0, 1]),
    )
    tips = [alt.Tooltip("value:Q", format=",.4~g"), alt.Tooltip("said:N", title="share up to it")]
    span = alt.Chart(inline([{"from": max(one.low, ends[0]), "to": min(one.high, ends[1])}] if known else []))
    line = alt.Chart(inline([{"value": value, "upto": upto, "said": share(upto)} for value, upto in steps]))
    own = alt.Chart(inline([{"at": one.decided}] if known else []))
    return [
        span.mark_rect(color=theme.ACCENT, opacity=theme.BAND).encode(x=alt.X("from:Q", scale=scale), x2="to:Q"),
        line.mark_line(color=theme.INK, interpolate="step-after").encode(x=x, y=y, tooltip=tips),
        own.mark_rule(color=theme.ACCENT, strokeWidth=theme.LINE).encode(x=alt.X("at:Q", scale=scale)),
    ]
