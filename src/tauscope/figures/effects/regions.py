"""The curves of two regions beside that of all rows, as an Altair chart."""

from typing import Any

import altair as alt

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.effects.scales import (
    HEIGHT,
    LEVEL,
    WIDTH,
    effect_axis,
    extremes,
    finite,
    header,
    level_axis,
    point_of,
    points_of,
    x_axis,
)
from tauscope.figures.labels import in_tooltip, inline, legible
from tauscope.results.effects.regions import EffectRegions
from tauscope.results.effects.text import paragraph

ALL = "all rows"


def draw(result: EffectRegions) -> alt.LayerChart:
    """Draw the curves; see `EffectRegions.chart`."""
    effect = result.effect
    axis, curve = effect._axes[0], effect._computed.effect[result._output]
    curves = {ALL: curve} | dict(zip(result.names, (region.effect for region in result._computed.regions), strict=True))
    low, high = extremes(*curves.values())
    records = [
        {"value": point_of(axis, place), "label": axis.label(place), "region": name, "effect": finite(values[place])}
        for name, values in curves.items()
        for place in points_of(axis)
    ]
    names = [legible(name) for name in curves]
    scale = alt.Scale(domain=names, range=[theme.MUTED, theme.PALETTE[0], theme.PALETTE[1]][: len(names)])
    color = alt.Color("region:N", sort=None, scale=scale, legend=alt.Legend(title=None, symbolOpacity=1))
    dash = alt.StrokeDash(
        "region:N", sort=None, scale=alt.Scale(domain=names, range=[[2, 2], [1, 0], [1, 0]][: len(names)]), legend=None
    )
    tips = [alt.Tooltip("label:N", title=in_tooltip(axis.name)), "region:N", alt.Tooltip("effect:Q", format=",.4~g")]
    layers: list[Any]
    if axis.kind == "levels":
        y = level_axis(axis, alt.Y, domain=False)
        x = effect_axis(effect, low, high, channel=alt.X)
        layers = [alt.Chart().mark_point(size=60, filled=True, opacity=0.9).encode(x=x, y=y, color=color, tooltip=tips)]
    else:
        x, y = x_axis(axis), effect_axis(effect, low, high)
        line = alt.Chart().mark_line(strokeWidth=theme.LINE)
        layers = [
            line.encode(x=x, y=y, color=color, strokeDash=dash),
            alt.Chart().mark_point(size=90, opacity=0).encode(x=x, y=y, detail="region:N", tooltip=tips),
        ]
    words = paragraph(f"{result.sentence[:1].upper()}{result.sentence[1:]}.")
    return LayerChart(
        data=inline(records),
        layer=layers,
        width=WIDTH,
        height=HEIGHT if axis.kind != "levels" else max(60, LEVEL * len(axis)),
        title=header(effect, *words),
    )
