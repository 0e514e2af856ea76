"""Shifts of one size where no script runs: a still picture and a table, without Altair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tauscope.figures import theme
from tauscope.figures.labels import SMALL, cut_apart, legible
from tauscope.results.formatting import number, share
from tauscope.results.stress.harm import StressHarm, moved_words
from tauscope.results.stress.numbers.equal_distance import Shift
from tauscope.words import count, escape

MARKS = "Full: reliable. Pale: wide, read the interval. Outlined: unreliable. Lines: intervals."
FILL = {"reliable": theme.ACCENT, "wide": theme.ACCENT, "unreliable": theme.PAPER}
OPACITY = {"reliable": 0.75, "wide": 0.3, "unreliable": 1.0}
PICTURE_WIDTH, LEFT, RIGHT, TOP, LINE = 680, 330, 656, 72, 22
LONGEST = 46


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
    spoken, font = escape(legible(result._caption)), escape(theme.FONT)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {height}" width="{PICTURE_WIDTH}" '
        f'height="{height}" role="img" aria-label="{spoken}" font-family="{font}" font-size="{theme.FONT_SIZE}" '
        f'fill="{theme.MUTED}">',
        f'<rect width="{PICTURE_WIDTH}" height="{height}" rx="6" fill="{theme.PAPER}"/>',
        _text(20, 28, result.title, f'fill="{theme.INK}" font-size="15" font-weight="600"'),
        _text(20, 48, asked(result)),
    ]
    names = [each.feature for each in shifts]
    for k, (each, cells) in enumerate(zip(shifts, result._lines(), strict=True)):
        parts += _bar(each, cells, TOP + LINE * k, x, names)
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
        for name, *cells in result._lines()
    )
    head = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    notes = "".join(f"<p>{escape(note)}</p>" for note in result.notes)
    return (
        f"<table><caption>{escape(result._caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>{notes}"
    )


def asked(result: StressHarm) -> str:
    """Say how large each shift is, of how many rows."""
    return f"each moves {share(result._asked)} of the weight; {count(result.n_rows, 'row')}"


def _bar(each: Shift, cells: tuple[str, ...], top: float, x: Any, names: Sequence[str]) -> list[str]:
    name, to = each.feature, moved_words(each)
    label = f"{cut_apart(names, SMALL * (LONGEST - len(to) - 1))[name]} {to}"
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


def _end(result: StressHarm, value: float) -> str:
    return f"{number(100 * value)} pt" if result.metric.kind == "share" else number(value)


def _text(x: float, y: float, words: str, attributes: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{escape(legible(words))}</text>'
