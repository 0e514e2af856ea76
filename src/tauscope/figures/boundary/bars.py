"""Horizontal bars around zero, a feature each: what the charts of this room share."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import in_line, inline, legible, name_axis

WIDTH, ROW = 320, 18
LABEL = 220


def bar_chart(
    records: Sequence[dict[str, Any]], field: str, axis: str, tips: Sequence[alt.Tooltip], title: alt.TitleParams
) -> alt.LayerChart:
    """Draw one bar a record from zero.

    Parameters
    ----------
    records : sequence of dict
        With `feature`, the label of the bar, and `field`, its length; in the order drawn.
    field : str
    axis : str
        Title of the axis.
    tips : sequence of Tooltip
    title : TitleParams
    """
    limit = max([1e-12, *(abs(record[field]) for record in records)])
    names = [legible(record["feature"]) for record in records]
    y = name_axis("feature", names, LABEL)
    domain = alt.Scale(domain=[-1.05 * limit, 1.05 * limit], nice=False)
    x = alt.X(f"{field}:Q", axis=alt.Axis(title=in_line(axis)), scale=domain)
    bars = alt.Chart(inline(records))
    return LayerChart(
        layer=[
            bars.mark_bar(color=theme.ACCENT, opacity=0.75).encode(x=x, y=y, tooltip=list(tips)),
            alt.Chart(inline([{"at": 0.0}])).mark_rule(color=theme.MUTED).encode(x=alt.X("at:Q")),
        ],
        width=WIDTH,
        height=ROW * max(len(records), 1),
        title=title,
    )


def tooltips(*fields: tuple[str, str]) -> list[alt.Tooltip]:
    """Make a line of a tooltip for each field and its title."""
    return [
        alt.Tooltip(field, title=title, format=",.4~g") if field.endswith(":Q") else alt.Tooltip(field, title=title)
        for field, title in fields
    ]
