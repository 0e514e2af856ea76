"""Shares before and under a stress as dumbbells, and the line of π."""

from __future__ import annotations

from textwrap import wrap
from typing import Any, TypedDict

import altair as alt

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, name_axis
from tauscope.results.formatting import share

WIDTH, ROW = 380, 20
LABEL = 260
LINE = 110
"""Characters of a line above the chart."""


class Dumbbell(TypedDict):
    """A line of the chart: its label, and the share before and under the stress; None where there is none."""

    label: str
    before: float | None
    after: float | None


def draw_dumbbells(
    records: list[Dumbbell], pi: float, axis_title: str, caption: str, lines: list[str]
) -> alt.LayerChart:
    """Draw each share before a stress as a ring and under it as a dot, joined by a line.

    Parameters
    ----------
    records : list of Dumbbell
        From top to bottom; labels differ.
    pi : float
        Where the dashed line stands.
    axis_title, caption : str
    lines : list of str
        Said above the chart.

    Returns
    -------
    altair.LayerChart
    """
    names = [record["label"] for record in records]
    y = name_axis("label", names, LABEL)
    domain = alt.Scale(domain=[0, 1])
    x = alt.X("before:Q", axis=alt.Axis(title=axis_title, labelExpr=theme.AXIS_SHARE), scale=domain)
    tips = [
        alt.Tooltip("label:N", title=" "),
        alt.Tooltip("was:N", title="before"),
        alt.Tooltip("now:N", title="under the stress"),
    ]
    drawn = alt.Chart(inline([_record(record) for record in records]))
    return LayerChart(
        layer=[
            drawn.mark_rule(color=theme.IDLE, strokeWidth=theme.LINE).encode(x=x, x2="after:Q", y=y, tooltip=tips),
            drawn.mark_point(color=theme.IDLE, filled=False, size=50).encode(x=x, y=y, tooltip=tips),
            drawn.mark_point(color=theme.ACCENT, filled=True, size=50, opacity=1).encode(
                x=alt.X("after:Q"), y=y, tooltip=tips
            ),
            alt.Chart(inline([{"pi": pi}])).mark_rule(color=theme.MUTED, strokeDash=[4, 3]).encode(x=alt.X("pi:Q")),
        ],
        width=WIDTH,
        height=ROW * max(len(records), 1),
        title=heading(caption, [in_line(part) for line in lines for part in wrap(line, LINE)]),
    )


def _record(record: Dumbbell) -> dict[str, Any]:
    said = {"was": record["before"], "now": record["after"]}
    return {**record, **{name: "none inside" if value is None else share(value) for name, value in said.items()}}
