"""What a rule's features leave open: a distribution function with the span that counts as the same, or bars."""

from textwrap import wrap

import altair as alt

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.results.formatting import share
from tauscope.results.rules.distribution import SetDistribution

WIDTH, HEIGHT, ROW = 380, 180, 22
LABEL = 200
LINE = 90


def draw_distribution(caption: str, one: SetDistribution) -> alt.LayerChart:
    """Draw the distribution given the values of one set; see `Rules.chart`."""
    layers, height = (_bars(one), ROW * len(one.classes)) if one.classes else (_steps(one), HEIGHT)
    return LayerChart(
        layer=layers,
        width=WIDTH,
        height=height,
        title=heading(caption, [in_line(line) for line in wrap(str(one), LINE)]),
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
    y = name_axis("class", names, LABEL)
    tips = [alt.Tooltip("class:N", title="class"), alt.Tooltip("said:N", title="share")]
    return [
        alt.Chart(inline([record for record in records if record["same"] == same]))
        .mark_bar(color=theme.ACCENT if same else theme.IDLE, height=12)
        .encode(x=x, y=y, tooltip=tips)
        for same in (False, True)
    ]


def _steps(one: SetDistribution) -> list[alt.Chart]:
    ends = [min(one.lowest, one.decided), max(one.highest, one.decided)]
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
    span = alt.Chart(inline([{"from": max(one.low, ends[0]), "to": min(one.high, ends[1])}]))
    line = alt.Chart(inline([{"value": value, "upto": upto, "said": share(upto)} for value, upto in steps]))
    own = alt.Chart(inline([{"at": one.decided}]))
    return [
        span.mark_rect(color=theme.ACCENT, opacity=theme.BAND).encode(x=alt.X("from:Q", scale=scale), x2="to:Q"),
        line.mark_line(color=theme.INK, interpolate="step-after").encode(x=x, y=y, tooltip=tips),
        own.mark_rule(color=theme.ACCENT, strokeWidth=theme.LINE).encode(x=alt.X("at:Q", scale=scale)),
    ]
