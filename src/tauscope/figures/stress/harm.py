"""Shifts of one size and what each does to a metric: bars with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.figures import theme
from tauscope.figures.labels import in_line, legible_records, level_axis, title_and_lines
from tauscope.figures.specification import Record
from tauscope.figures.still import html_table
from tauscope.results.formatting import number, share
from tauscope.results.stress.harm import StressHarm, moved_words
from tauscope.results.stress.numbers.equal_distance import Shift
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

WIDTH, ROW = 340, 20
LABEL = 300
MARKS = "Full: reliable. Pale: wide, read the interval. Outlined: unreliable. Lines: intervals."
FILL = {"reliable": theme.ACCENT, "wide": theme.ACCENT, "unreliable": theme.PAPER}
OPACITY = {"reliable": 0.75, "wide": 0.3, "unreliable": 1.0}


def draw(result: StressHarm, n: int = 15) -> alt.LayerChart:
    """Draw the first shifts as bars; see `StressHarm.chart`."""
    from tauscope.figures.chart import charted

    return charted(picture(result, n))


def picture(result: StressHarm, n: int = 10) -> Record:
    """Specify the first shifts as bars."""
    shifts = [each for each in result.shifts if each.reliability != "out of reach"][:n]
    percent = result.metric.kind == "share"
    rows = legible_records([_record(each, percent) for each in shifts])
    y = {"field": "shift", **level_axis([row["shift"] for row in rows], LABEL)}
    title = in_line(f"change of {result.metric.label}" + (f", {theme.POINTS}" if percent else ""))
    x = {
        "type": "quantitative",
        "axis": {"title": title, "labelExpr": theme.AXIS_POINTS if percent else theme.AXIS_VALUE},
    }
    tips = [
        {"field": name, "type": "nominal", "title": title}
        for name, title in (
            ("shift", " "), ("said", "change"), ("between", "interval"), ("size", "effective rows"),
            ("reliability", "reliability"), ("note", "note"),
        )
    ]  # fmt: skip
    by_level = {"field": "reliability", "type": "nominal", "legend": None}
    fill, opacity = (
        {**by_level, "scale": {"domain": [*shown], "range": [*shown.values()]}} for shown in (FILL, OPACITY)
    )
    bars = {"x": {"field": "change", **x}, "y": y, "fill": fill, "fillOpacity": opacity, "tooltip": tips}
    ends = {"x": {"field": "lower", "type": "quantitative"}, "x2": {"field": "upper"}, "y": y, "tooltip": tips}
    none = {"x": {"field": "at", "type": "quantitative"}}
    return {
        "data": {"values": rows},
        "layer": [
            {"mark": {"type": "bar", "stroke": theme.ACCENT, "strokeWidth": 1}, "encoding": bars},
            {"mark": {"type": "rule", "color": theme.INK}, "encoding": ends},
            {"data": {"values": [{"at": 0.0}]}, "mark": {"type": "rule", "color": theme.MUTED}, "encoding": none},
        ],
        "width": WIDTH,
        "height": ROW * max(len(rows), 1),
        "title": title_and_lines(result.title, [asked(result), MARKS]),
    }


def draw_table(result: StressHarm) -> str:
    """Write the first ten as an HTML table; every word from the data is escaped."""
    heads = ("feature", "moved to", "change", f"{100 * result.confidence:g} % interval", "effective rows", "")
    return html_table(result._caption, heads, [*result._lines()], result.notes)


def asked(result: StressHarm) -> str:
    """Say how large each shift is, of how many rows."""
    return f"each moves {share(result._asked)} of the weight; {count(result.n_rows, 'row')}"


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
