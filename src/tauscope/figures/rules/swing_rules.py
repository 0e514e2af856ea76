"""Swing rules as bars: how far each feature has to move before the decision is another."""

import math
from textwrap import wrap
from typing import Any

import altair as alt

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.results.formatting import number
from tauscope.results.rules.swing_rules import Move, SwingRule, SwingRules

WIDTH, ROW = 380, 22
LABEL = 320
LINE = 110
"""Characters of a line above the chart."""


def draw(result: SwingRules) -> alt.LayerChart:
    """Draw the rules, the nearest first; see `SwingRules.chart`."""
    records = [record for place, swing in enumerate(result) for record in _records(place, swing)]
    names = [record["label"] for record in records]
    y = name_axis("label", names, LABEL)
    axis = alt.Axis(title="least change, in standard deviations; 1 for another level")
    tips = [alt.Tooltip("label:N", title="move"), alt.Tooltip("words:N", title="least change")]
    bars = alt.Chart(inline(records))
    return LayerChart(
        layer=[
            bars.mark_bar(color=theme.ACCENT, opacity=0.75, height=10).encode(
                x=alt.X("distance:Q", axis=axis), y=y, tooltip=tips
            ),
            bars.mark_tick(color=theme.INK, thickness=2, height=16).encode(x=alt.X("distance:Q"), y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=ROW * max(len(records), 1),
        title=heading(
            f"{result.title}: {result.explanation.model_name}", [in_line(line) for line in _sentences(result)]
        ),
    )


def _sentences(result: SwingRules) -> list[str]:
    said = [f"{place + 1}. {swing}" for place, swing in enumerate(result)]
    return [
        line
        for one in said or [f"No row is decided otherwise as surely. {result.explanation.message}"]
        for line in wrap(one, LINE)
    ]


def _records(place: int, swing: SwingRule) -> list[dict[str, Any]]:
    return [_record(f"{place + 1}. ", move) for move in swing.moves if move.needed]


def _record(start: str, move: Move) -> dict[str, Any]:
    column, entry = move.condition.column, move.entry
    short = column.kind == "number" and not column.integer and not math.isnan(entry)
    own = number(entry) if short else column.label(entry)
    return {
        "label": legible(f"{start}{move.condition} instead of {own}"),
        "distance": move.distance,
        "words": legible(move.words),
    }
