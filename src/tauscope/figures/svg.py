"""A chart as a still picture: SVG text from its Vega-Lite specification, with no library but NumPy."""

# What a specification holds has no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from tauscope.figures import theme
from tauscope.figures.labels import cut_apart, in_line, legible, width_of
from tauscope.figures.marks import Band, Boxes, Ink, Line, Mark, Panel, Points, Rules, Stroke, Words
from tauscope.figures.scales import Array, Scale, shades_of
from tauscope.figures.specification import Record, panels_of, title_of
from tauscope.words import escape

PAD, GAP, SPACE = 12, 6, 24
"""Pixels around the picture, between an axis and its labels, and between panels."""
SMALL, LINE = theme.FONT_SIZE - 1, 15
"""Size of labels and of the lines below a title, and the height of a line."""
KEY, BAR = 14, 12
"""Pixels of a colour beside its name, and across a scale of colours with its gap."""
SHADES = 40
SHAPES = {
    "circle": None,
    "square": "M-1,-1h2v2h-2Z",
    "diamond": "M0,-1L1,0L0,1L-1,0Z",
    "triangle-up": "M0,-.866L-1,.866L1,.866Z",
    "tick": "M0,-1L0,1",
}
"""Vega's symbols in halves of their width."""
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def draw_svg(spec: Mapping[str, Any], spoken: str) -> str:
    """Draw a chart.

    Parameters
    ----------
    spec : dict
        Vega-Lite as the package's charts have it, data inline.
    spoken : str
        What a screen reader says of the picture.

    Returns
    -------
    str
        An SVG document of its own: no script, no style sheet, nothing to fetch, an opaque ground so that it reads on
        any page. Text from the data is escaped.
    """
    parts, columns = panels_of(spec)
    datasets, single = spec.get("datasets", {}), parts[0] is spec
    panels = [Panel(part, datasets) for part in parts]
    legends = [panel.legend() for panel in panels]
    shared = legends[0] if all(one == legends[0] for one in legends) else {}
    drawn = [
        _Drawing(panel, [] if single else title_of(part), {} if shared else legend)
        for panel, part, legend in zip(panels, parts, legends, strict=True)
    ]
    left, wide, right = (
        [max(getattr(one, side) for one in drawn[k::columns]) for k in range(columns)]
        for side in ("left", "wide", "right")
    )
    rows = [drawn[k : k + columns] for k in range(0, len(drawn), columns)]
    body, width = list[str](), float(sum(left) + sum(wide) + sum(right) + SPACE * (columns - 1))
    said = title_of(spec)
    heads = [*_heading(said), *_keys(shared, PAD, PAD + LINE * len(said), max(width, 240))]
    y = float(PAD + LINE * (len(said) + _n_lines(shared, max(width, 240))) + (2 * GAP if said else 0))
    for row in rows:
        y += max(one.top for one in row)
        x = float(PAD)
        for column, one in enumerate(row):
            x += left[column]
            body += [
                f'<g transform="translate({_n(x)},{_n(y)})">',
                *one.marks(wide[column] + right[column] if columns > 1 else np.inf),
                "</g>",
            ]
            x += wide[column] + right[column] + SPACE
        y += max(one.high + one.bottom for one in row) + SPACE
    width = max(width, *(width_of(line) * (1.1 if k == 0 else 1) for k, line in enumerate(said)), 0.0) + 2 * PAD
    high = y - SPACE + PAD
    font, name = escape(theme.FONT), escape(legible(spoken))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(high)}" width="{_n(width)}" '
        f'height="{_n(high)}" role="img" aria-label="{name}" font-family="{font}" font-size="{SMALL}" '
        f'fill="{theme.MUTED}">',
        f'<rect width="{_n(width)}" height="{_n(high)}" fill="{theme.PAPER}"/>', *heads, *body, "</svg>",
    ])  # fmt: skip


class _Drawing:
    """A panel with what stands around it: the pixels of each side, and the marks from its upper left corner."""

    def __init__(self, panel: Panel, title: Sequence[str], legend: Record) -> None:
        self.panel, self.title, self.legend = panel, title, legend
        self.wide, self.high = panel.size["width"], panel.size["height"]
        x, y = panel.scales["x"], panel.scales["y"]
        self.ticks = {"x": [] if x.hidden else x.ticks(self.wide), "y": [] if y.hidden else y.ticks(self.high)}
        self.layers = [*panel.marks()]
        names = [max(map(width_of, text.split("\n"))) for _, text in self._labelled("y")]
        self.labels = max(names, default=0.0) + (GAP if names else 0)
        titles = {side: 0 if scale.hidden or not scale.title else LINE * (1 + scale.title.count("\n"))
                  for side, scale in panel.scales.items()}  # fmt: skip
        self.turned = bool(x.names) and any(
            width_of(text) > self.wide / len(x.names) - 2 for _, text in self._labelled("x")
        )
        lines = [width_of(text) if self.turned else LINE * (1 + text.count("\n")) for _, text in self._labelled("x")]
        self.below = GAP + max(lines, default=0.0)
        over = [*self._overhang()]
        self.left = max([self.labels + titles["y"], *(-start for start, _ in over)])
        self.mapped = panel.mapped()
        self.right = max([0.0, *(end - self.wide for _, end in over), self._room_of_colors()])
        self.top = LINE * (len(title) + _n_lines(legend, self.wide + self.right)) + (GAP if title or legend else 0)
        high = max(map(width_of, y.title.split("\n"))) if titles["y"] else 0.0
        self.top = max(self.top, (high - self.high) / 2)
        self.bottom = self.below + titles["x"]

    def _labelled(self, side: str) -> list[tuple[float, str]]:
        return self.ticks[side] if self.panel.scales[side].axis.get("labels", True) else []

    def _overhang(self) -> Iterator[tuple[float, float]]:
        """Yield where texts begin and end, in pixels from the panel's left side."""
        for at, text in self._labelled("x"):
            half = 0.0 if self.turned else max(map(width_of, text.split("\n"))) / 2
            yield self._x(at) - half, self._x(at) + half
        for mark in (mark for marks, _ in self.layers for mark in marks):
            if isinstance(mark, Words):
                room = width_of(mark.text) * mark.size / SMALL
                start = self._x(mark.x) + mark.dx - {"left": 0.0, "center": 0.5, "right": 1.0}[mark.align] * room
                yield start, start + room

    def _room_of_colors(self) -> float:
        if self.mapped is None:
            return 0.0
        labels = [width_of(text) for _, text in self._color_labels(*self.mapped)]
        return 2 * BAR + GAP + max(labels, default=0.0) + (LINE if self._color_title(self.mapped[0]) else 0)

    def _x(self, values: Any) -> Any:
        return self.wide * self.panel.scales["x"].shares(values)

    def _y(self, values: Any) -> Any:
        return self.high * (1 - self.panel.scales["y"].shares(values))

    def marks(self, room: float) -> Iterator[str]:
        """Yield the axes, the marks of each layer, and the titles, cut where there is no more room."""
        for k, line in enumerate(self.title):
            look = f'fill="{theme.INK}" font-weight="600"' if k == 0 else ""
            yield _text(0, LINE * (k + 1) - 4 - self.top, cut_apart([line], room)[line], look)
        yield from _keys(self.legend, 0, LINE * len(self.title) - self.top, self.wide + self.right)
        for side, scale in self.panel.scales.items():
            yield from self._axis(scale, side == "x")
        for marks, clip in self.layers:
            drawn = [part for mark in marks for part in self._draw(mark)]
            if drawn:
                yield from (
                    [f'<svg width="{_n(self.wide)}" height="{_n(self.high)}">', *drawn, "</svg>"] if clip else drawn
                )
        if self.mapped is not None:
            yield from self._colors(*self.mapped)

    def _axis(self, scale: Scale, across: bool) -> Iterator[str]:
        if scale.hidden:
            return
        place, end = (self._x, self.high) if across else (self._y, self.wide)
        ticks = self.ticks[scale.side]
        if scale.axis.get("grid", not scale.names):
            for at in (_n(place(at)) for at, _ in ticks):
                line = f'x1="{at}" x2="{at}" y2="{_n(end)}"' if across else f'x2="{_n(end)}" y1="{at}" y2="{at}"'
                yield f'<line {line} stroke="{theme.GRID}"/>'
        if scale.axis.get("domain", True):
            line = f'y1="{_n(self.high)}" y2="{_n(self.high)}" x2="{_n(self.wide)}"' if across else (
                f'y2="{_n(self.high)}"'
            )  # fmt: skip
            yield f'<line {line} stroke="{theme.GRID}"/>'
        for at, text in _apart(self._labelled(scale.side), place, across and not self.turned):
            if across and self.turned:
                x, y = place(at) + 4, self.high + GAP
                yield _text(x, y, text, f'text-anchor="end" transform="rotate(-90 {_n(x)} {_n(y)})"')
            elif across:
                for k, line in enumerate(text.split("\n")):
                    yield _text(place(at), self.high + GAP + 9 + LINE * k, line, 'text-anchor="middle"')
            else:
                yield _text(-GAP, place(at) + 4, text, 'text-anchor="end"')
        lines = scale.title.split("\n") if scale.title else []
        for k, line in enumerate(lines):
            if across:
                yield _text(self.wide / 2, self.high + self.below + LINE * (k + 1) - 4, line, 'text-anchor="middle"')
            else:
                x, y = -self.labels - LINE * (len(lines) - k) + 11, self.high / 2
                yield _text(x, y, line, f'text-anchor="middle" transform="rotate(-90 {_n(x)} {_n(y)})"')

    def _draw(self, mark: Mark) -> Iterator[str]:
        match mark:
            case Line():
                yield from _path(self._x(mark.x), self._y(mark.y), f'fill="none" {_stroke(mark.stroke)}')
            case Band():
                for some in _stretches(np.isfinite(mark.x) & np.isfinite(mark.low) & np.isfinite(mark.high)):
                    x = self._x(np.concatenate([mark.x[some], mark.x[some][::-1]]))
                    y = self._y(np.concatenate([mark.low[some], mark.high[some][::-1]]))
                    yield from _path(x, y, _fill(mark.ink))
            case Rules():
                x = self.wide * mark.x if mark.share == "x" else self._x(mark.x)
                y = self.high * (1 - mark.y) if mark.share == "y" else self._y(mark.y)
                for ends, heights, stroke in zip(x, y, mark.strokes, strict=True):
                    yield from _path(ends, heights, _stroke(stroke))
            case Points():
                yield from self._points(mark)
            case Boxes():
                yield from self._boxes(mark)
            case Words():
                anchor = {"left": "start", "center": "middle", "right": "end"}[mark.align]
                look = f'text-anchor="{anchor}" font-size="{mark.size}" fill="{mark.color}"'
                yield _text(self._x(mark.x) + mark.dx, self._y(mark.y) + 0.35 * mark.size, mark.text, look)

    def _points(self, mark: Points) -> Iterator[str]:
        x, y = self._x(mark.x), self._y(mark.y)
        for k in np.flatnonzero(np.isfinite(x) & np.isfinite(y)):
            half, face, edge = mark.widths[k] / 2, mark.faces[k], Stroke(mark.edges[k], mark.edge_width, ())
            fill = 'fill="none"' if face is None else _fill(face)
            look = f"{fill} {_stroke(edge)}" if edge.width else fill
            shape = SHAPES.get(mark.shape, mark.shape)
            if shape is None:
                yield f'<circle cx="{_n(x[k])}" cy="{_n(y[k])}" r="{_n(half)}" {look}/>'
            else:
                sized = NUMBER.sub(lambda part, half=half: f"{_n(half * float(part[0]), 2)} ", shape)
                yield f'<path transform="translate({_n(x[k])},{_n(y[k])})" d="{sized}" {look}/>'

    def _boxes(self, mark: Boxes) -> Iterator[str]:
        """Yield boxes of one colour as one path, which a map of thousands of cells needs."""
        edge = f" {_stroke(mark.stroke)}" if mark.stroke else ' shape-rendering="crispEdges"' if mark.joined else ""
        left, top = np.sort(self._x(mark.x), axis=1), np.sort(self._y(mark.y), axis=1)
        paths: dict[Ink, list[str]] = {}
        for (x, x2), (y, y2), ink in zip(left, top, mark.inks, strict=True):
            if np.isfinite([x, x2, y, y2]).all():
                paths.setdefault(ink, []).append(f"M{_n(x)},{_n(y)}h{_n(x2 - x)}v{_n(y2 - y)}h{_n(x - x2)}z")
        for ink, path in paths.items():
            if ink.opacity > 0 and ink.color != "none":
                yield f'<path d="{"".join(path)}" {_fill(ink)}{edge}/>'

    def _color_labels(self, shown: Record, rows: Sequence[Record]) -> list[tuple[float, str]]:
        legend, (_, (low, high)) = shown.get("legend", {}), shades_of(shown, rows)
        axis = {key: legend[key] for key in ("values", "labelExpr") if key in legend}
        scale = Scale.between(low, high, axis)
        return [(float(at), text) for at, text in scale.ticks(self.high)]

    def _color_title(self, shown: Record) -> str:
        return in_line(shown.get("legend", {}).get("title", shown.get("title")) or "")

    def _colors(self, shown: Record, rows: Sequence[Record]) -> Iterator[str]:
        """Yield the scale of colours, upright beside the panel."""
        shade, (low, high) = shades_of(shown, rows)
        step, x = self.high / SHADES, self.wide + BAR
        for k in range(SHADES):
            color = shade(high - (high - low) * (k + 0.5) / SHADES)
            yield f'<rect x="{_n(x)}" y="{_n(step * k)}" width="{BAR}" height="{_n(step + 0.3)}" fill="{color}"/>'
        labels = self._color_labels(shown, rows)
        for at, text in labels:
            yield _text(x + BAR + GAP, self.high * (high - at) / (high - low) + 4, text)
        title, room = self._color_title(shown), max((width_of(text) for _, text in labels), default=0.0)
        if title:
            x, y = x + BAR + GAP + room + LINE - 4, self.high / 2
            yield _text(x, y, title, f'text-anchor="middle" transform="rotate(-90 {_n(x)} {_n(y)})"')


def _heading(lines: Sequence[str]) -> Iterator[str]:
    for k, line in enumerate(lines):
        look = f'fill="{theme.INK}" font-size="{theme.FONT_SIZE + 1}" font-weight="600"' if k == 0 else ""
        yield _text(PAD, PAD + LINE * (k + 1) - 4, line, look)


def _placed(legend: Record, room: float) -> list[tuple[float, int, str, Any]]:
    """Return where the names of colours stand, a new line where one is full: pixels, line, name and colour."""
    out, x, line = list[tuple[float, int, str, Any]](), 0.0, 0
    for name, color in legend.items():
        if name or color:
            text, key = (name, KEY + GAP) if name else (str(color), 0)
            wide = key + width_of(text) + PAD
            x, line = (0.0, line + 1) if x and x + wide > room else (x, line)
            out.append((x, line, text, color if name else None))
            x += wide
    return out


def _n_lines(legend: Record, room: float) -> int:
    return max((line + 1 for _, line, _, _ in _placed(legend, room)), default=0)


def _keys(legend: Record, left: float, top: float, room: float) -> Iterator[str]:
    """Yield the names of colours in rows; the title, under "", goes before them."""
    for x, line, name, color in _placed(legend, room):
        y = top + LINE * line + LINE / 2
        if color is not None:
            ends = f'x1="{_n(left + x)}" x2="{_n(left + x + KEY)}" y1="{_n(y)}" y2="{_n(y)}"'
            yield f'<line {ends} stroke="{color}" stroke-width="3"/>'
        yield _text(left + x + (KEY + GAP if color is not None else 0), y + 4, name)


def _apart(labels: Sequence[tuple[float, str]], place: Any, across: bool) -> Sequence[tuple[float, str]]:
    """Leave out every other label until none touches the next."""

    def ends(label: tuple[float, str]) -> tuple[float, float]:
        half = max(map(width_of, label[1].split("\n"))) / 2 if across else LINE / 2 - 2
        return place(label[0]) - half, place(label[0]) + half

    while len(labels) > 1:
        spans = sorted(map(ends, labels))
        if all(one[1] <= other[0] for one, other in pairwise(spans)):
            break
        labels = labels[::2]
    return labels


def _text(x: float, y: float, words: str, look: str = "") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}"{look and " "}{look}>{escape(legible(words))}</text>'


def _stretches(there: Any) -> list[Any]:
    """Return the runs of places that are there, of two or more."""
    breaks = np.flatnonzero(np.diff(there)) + 1
    return [some for some in np.split(np.arange(len(there)), breaks) if len(some) > 1 and there[some[0]]]


def _path(x: Array, y: Array, look: str) -> Iterator[str]:
    """Yield the lines through finite points, with a gap where there is none."""
    runs = _stretches(np.isfinite(x) & np.isfinite(y))
    if runs:
        steps = "".join("M" + "L".join(f"{_n(x[k])},{_n(y[k])}" for k in run) for run in runs)
        yield f'<path d="{steps}" {look}/>'


def _fill(ink: Ink) -> str:
    return f'fill="{ink.color}"' + (f' fill-opacity="{_n(ink.opacity, 3)}"' if ink.opacity < 1 else "")


def _stroke(stroke: Stroke) -> str:
    (color, opacity), width, dashes = stroke
    return (
        f'stroke="{color}" stroke-width="{_n(width, 2)}"'
        + (f' stroke-opacity="{_n(opacity, 3)}"' if opacity < 1 else "")
        + (f' stroke-dasharray="{" ".join(_n(dash) for dash in dashes)}"' if dashes else "")
    )


def _n(value: Any, digits: int = 1) -> str:
    """Write a number as short as so many digits allow."""
    return f"{round(float(value), digits) + 0.0:.{digits}f}".rstrip("0").rstrip(".")
