"""Shifts of one size and what each does to a metric: bars with their intervals, a still picture, a table."""

from __future__ import annotations

from html import escape
from typing import Any

import altair as alt
import numpy as np

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, legible
from tauscope.results.formatting import number, share
from tauscope.results.stress.equal_distance import Shift
from tauscope.results.stress.harm import StressHarm, moved_words

WIDTH, ROW = 340, 20
LABEL = 300
MARKS = "Full: reliable. Pale: wide, read the interval. Outlined: unreliable. Lines: intervals."
FILL = {"reliable": theme.ACCENT, "wide": theme.ACCENT, "unreliable": theme.PAPER}
OPACITY = {"reliable": 0.75, "wide": 0.3, "unreliable": 1.0}
PICTURE_WIDTH, LEFT, RIGHT, TOP, LINE = 680, 330, 656, 72, 22
LONGEST = 46


def draw(result: StressHarm, n: int = 15) -> alt.LayerChart:
    """Draw the first shifts as bars; see `StressHarm.chart`."""
    shifts = [each for each in result.shifts if each.reliability != "out of reach"][:n]
    rows = [_record(each, result.metric.kind == "share") for each in shifts]
    names = alt.Scale(domain=[legible(row["shift"]) for row in rows])
    y = alt.Y("shift:N", sort=None, scale=names, title=None, axis=alt.Axis(labelLimit=LABEL))
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
        title=heading(result.title, [_asked(result), MARKS]),
    )


def draw_picture(result: StressHarm) -> str:
    """Draw the first ten as an SVG document of its own: no script, nothing to fetch, text from the data escaped."""
    shifts = result.shown
    ends = np.array([[s.lower, s.change, s.upper] for s in shifts]).reshape(-1)
    seen = ends[np.isfinite(ends)]
    low, high = (float(min(0, *seen)), float(max(0, *seen))) if seen.size else (0.0, 0.0)
    span = high - low or 1.0

    def x(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (value - low) / span

    height = TOP + LINE * len(shifts) + 38
    bottom = TOP + LINE * len(shifts)
    spoken, font = escape(legible(result.caption), quote=True), escape(theme.FONT)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {height}" width="{PICTURE_WIDTH}" '
        f'height="{height}" role="img" aria-label="{spoken}" font-family="{font}" font-size="{theme.FONT_SIZE}" '
        f'fill="{theme.MUTED}">',
        f'<rect width="{PICTURE_WIDTH}" height="{height}" rx="6" fill="{theme.PAPER}"/>',
        _text(20, 28, result.title, f'fill="{theme.INK}" font-size="15" font-weight="600"'),
        _text(20, 48, _asked(result)),
    ]
    for k, (each, cells) in enumerate(zip(shifts, result.lines(), strict=True)):
        parts += _bar(each, cells, TOP + LINE * k, x)
    zero = f"{x(0.0):.1f}"
    parts.append(f'<line x1="{zero}" y1="{TOP}" x2="{zero}" y2="{bottom}" stroke="{theme.MUTED}"/>')
    for end, anchor in ((low, "start"), (high, "end")):
        parts.append(_text(x(end), bottom + 14, _end(result, end), f'text-anchor="{anchor}" font-size="11"'))
    parts.append(_text(20, height - 8, MARKS, 'font-size="11"'))
    return "\n".join([*parts, "</svg>"])


def draw_table(result: StressHarm) -> str:
    """Write the first ten as an HTML table; every word from the data is escaped."""
    heads = ("feature", "moved to", "change", f"{100 * result.confidence:g} % interval", "effective rows", "")
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'
        for name, *cells in result.lines()
    )
    head = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    notes = "".join(f"<p>{escape(note)}</p>" for note in result.notes)
    return (
        f"<table><caption>{escape(result.caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>{notes}"
    )


def _bar(each: Shift, cells: tuple[str, ...], top: float, x: Any) -> list[str]:
    name, to = each.feature, moved_words(each)
    room = LONGEST - len(to) - 1
    label = f"{name if len(name) <= room else _cut(name, room)} {to}"
    parts = [_text(LEFT - 8, top + 15, label, f'text-anchor="end" fill="{theme.INK}"')]
    if np.isfinite(each.change):
        left, right = sorted((x(0.0), x(each.change)))
        parts.append(
            f'<rect x="{left:.1f}" y="{top + 4}" width="{right - left:.1f}" height="{LINE - 8}" '
            f'fill="{FILL[each.reliability]}" fill-opacity="{OPACITY[each.reliability]}" stroke="{theme.ACCENT}">'
            f"<title>{escape(legible(', '.join(cells)))}</title></rect>"
        )
    if np.isfinite([each.lower, each.upper]).all():
        middle = top + LINE / 2
        ends = f'x1="{x(each.lower):.1f}" y1="{middle}" x2="{x(each.upper):.1f}" y2="{middle}"'
        parts.append(f'<line {ends} stroke="{theme.INK}"/>')
    return parts


def _cut(name: str, room: int) -> str:
    """Leave out the middle of a name: its end is what tells levels of a column apart."""
    half = max(room - 1, 2) // 2
    return f"{name[: room - 1 - half]}…{name[-half:]}"


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


def _asked(result: StressHarm) -> str:
    return f"each moves {share(result.asked)} of the weight; {result.n_rows:,} rows"


def _end(result: StressHarm, value: float) -> str:
    return f"{number(100 * value)} pt" if result.metric.kind == "share" else number(value)


def _text(x: float, y: float, words: str, attributes: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{escape(legible(words))}</text>'
