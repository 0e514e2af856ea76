"""How far many decisions are from flipping: a tick for each row, by what is predicted."""

from typing import Any

import altair as alt

from tauscope.figures import theme
from tauscope.figures.boundary.bars import LABEL, tooltips
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, inline, legible, name_axis
from tauscope.results.boundary.boundaries import Boundaries
from tauscope.results.boundary.text import UNITS, found_sentence

WIDTH, ROW = 380, 44


def draw(result: Boundaries) -> alt.LayerChart:
    """Draw the distances; see `Boundaries.chart`."""
    numbers = result._numbers
    reached = numbers.inspection.label
    records: list[dict[str, Any]] = [
        {
            "row": int(numbers.row[i]),
            "predicted": numbers.classes[numbers.label[i]],
            "reached": numbers.classes[reached[i]],
            "distance": float(numbers.inspection.distance[i]),
        }
        for i in range(numbers.n)
        if numbers.status(i) == "found"
    ]
    named = [name for code, name in enumerate(numbers.classes) if code in numbers.label]
    names = [legible(name) for name in named]
    y = name_axis("predicted", names, LABEL, title="predicted")
    x = alt.X("distance:Q", title=f"distance to the boundary, {UNITS[numbers.measure]}", scale=alt.Scale(zero=True))
    tips = tooltips(
        ("row:Q", "row"), ("predicted:N", "predicted"), ("reached:N", "becomes"), ("distance:Q", "distance")
    )
    ticks = alt.Chart(inline(records))
    return LayerChart(
        layer=[
            ticks.mark_tick(color=theme.ACCENT, opacity=0.55, thickness=1.5, size=22).encode(x=x, y=y, tooltip=tips),
            ticks.mark_point(shape="diamond", size=90, filled=True, opacity=1, color=theme.INK).encode(
                x=alt.X("median(distance):Q"), y=y
            ),
        ],
        width=WIDTH,
        height=ROW * max(len(named), 1),
        title=heading(result._caption, [f"{found_sentence(result)}. Diamond: median.", *result.notes]),
    )
