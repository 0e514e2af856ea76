"""The marks of a panel in the units of its axes, from its Vega-Lite specification: what every renderer draws."""

# Decided in docs/decisions/0025-live-pictures-are-svg-with-the-hosts-colours.md.
# What a specification holds has no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from tauscope.figures import theme
from tauscope.figures.labels import in_plot
from tauscope.figures.scales import TABLEAU, Array, Scale, Side, names_of, painter_of
from tauscope.figures.specification import ChartLayer, Record, holds, layers_of, raw_values, size_of

SIDES: tuple[Side, Side] = ("x", "y")
BAR, OFFSET = 0.45, 0.9
"""Half a bar, and where marks beside each other stand, in parts of a band."""
GROUPING = ("detail", "color", "fill", "opacity", "strokeDash")


class Ink(NamedTuple):
    """A colour and how much of it, 0 … 1."""

    color: str
    opacity: float


class Stroke(NamedTuple):
    """An ink, a width in pixels, and the lengths of dashes and gaps between them."""

    ink: Ink
    width: float
    dashes: tuple[float, ...]


class Line(NamedTuple):
    """Points joined in their order, with a gap where one is NaN."""

    x: Array
    y: Array
    stroke: Stroke


class Band(NamedTuple):
    """What lies between two curves."""

    x: Array
    low: Array
    high: Array
    ink: Ink


class Rules(NamedTuple):
    """Straight lines along one axis, from one end to the other: arrays of shape (n, 2).

    `share` names the axis on which they are placed by parts of the panel, 0 … 1 from the left or from below.
    """

    x: Array
    y: Array
    strokes: list[Stroke]
    share: Side | None


class Points(NamedTuple):
    """Symbols of one shape: a name, or a path of Vega's in halves of their width, whose vertical axis points down."""

    x: Array
    y: Array
    shape: str
    widths: list[float]
    faces: list[Ink | None]
    edges: list[Ink]
    edge_width: float


class Boxes(NamedTuple):
    """Bars and cells; `stroke` is around each."""

    x: Array
    y: Array
    inks: list[Ink]
    stroke: Stroke | None
    joined: bool


class Words(NamedTuple):
    """A text beside a place, `dx` pixels from it."""

    x: float
    y: float
    text: str
    dx: float
    align: str
    color: str
    size: float


Mark = Line | Band | Rules | Points | Boxes | Words


class Panel:
    """One panel of a chart: its scales, its legend and its marks."""

    def __init__(self, part: Mapping[str, Any], datasets: Record, epoch: float = 0.0) -> None:
        self.size = size_of(part)
        self.layers = layers_of(part, datasets, [], {})
        self.rows = [row for layer in self.layers for row in layer.rows]
        self.scales: dict[str, Scale] = {side: Scale(self.layers, side, epoch) for side in SIDES}
        self.paints: dict[int, Callable[[Any], Any]] = {}

    def label_as(self, other: Panel) -> None:
        """Take the labels of the axis that only the other panel writes."""
        for side, scale in self.scales.items():
            if not scale.axis.get("labels", True):
                scale.axis, scale.title = other.scales[side].axis, other.scales[side].title

    def legend(self) -> dict[str, Any]:
        """Return the names that colours stand for, with a title under ""; empty where the chart has no legend."""
        for layer in self.layers:
            shown = layer.channels.get("color", {})
            legend = shown.get("legend", {})
            if "field" not in shown or shown["type"] == "quantitative" or None in (legend, shown.get("scale", {})):
                continue
            paint, title = painter_of(shown, self.rows), legend.get("title", shown.get("title", shown["field"]))
            return {"": in_plot(title or ""), **{in_plot(str(one)): paint(one) for one in names_of(shown, self.rows)}}
        return {}

    def mapped(self) -> tuple[Record, list[Record]] | None:
        """Return the channel whose numbers are colours, and its rows, where the chart explains them beside it."""
        for layer in self.layers:
            shown = layer.channels.get("color", {})
            if layer.rows and shown.get("type") == "quantitative" and shown.get("legend", {}) is not None:
                return shown, layer.rows
        return None

    def marks(self) -> Iterator[tuple[list[Mark], bool]]:
        """Yield the marks of each layer, each above the one before, and whether they end where the panel does."""
        draw: dict[str, Callable[[ChartLayer], Iterator[Mark]]] = {
            "line": self._lines, "area": self._bands, "rule": self._rules, "point": self._points, "bar": self._boxes,
            "rect": self._boxes, "tick": self._points, "text": self._words,
        }  # fmt: skip
        for layer in self.layers:
            yield [*draw[layer.mark["type"]](layer)] if layer.rows else [], layer.mark.get("clip", False)

    def _at(self, layer: ChartLayer, channel: str) -> Array:
        """Return where a channel places its rows, in the units of the axis."""
        side = channel[0]
        at = self.scales[side].numbers(raw_values(layer, channel))
        offset = layer.channels.get(f"{side}Offset")
        if offset and len(at):
            names, n = self._offsets(offset)
            at = at + OFFSET * (np.array([names.index(row[offset["field"]]) + 0.5 for row in layer.rows]) / n - 0.5)
        return at

    def _offsets(self, offset: Record) -> tuple[list[Any], int]:
        names = (offset.get("scale") or {}).get("domain") or list(
            dict.fromkeys(row[offset["field"]] for row in self.rows if offset["field"] in row)
        )
        return names, len(names)

    def _shown(self, layer: ChartLayer, channel: str, row: Record, default: Any = None) -> Any:
        """Return what a channel shows of a row: a colour, an opacity, dashes, a size or a shape."""
        shown = layer.channels.get(channel)
        if shown is None:
            return layer.mark.get(channel, default)
        if "condition" in shown and holds(shown["condition"]["test"], row):
            return shown["condition"]["value"]
        if "field" not in shown:
            return shown.get("value", default)
        value = row.get(shown["field"])
        if shown.get("scale", {}) is None:
            return value
        if id(shown) not in self.paints:
            self.paints[id(shown)] = painter_of(shown, self.rows)
        return self.paints[id(shown)](value)

    def _ink(self, layer: ChartLayer, row: Record, opacity: float = 1.0, own: str = "") -> Ink:
        color = (self._shown(layer, own, row) if own else None) or self._shown(layer, "color", row, TABLEAU[0])
        return Ink(color, float(self._shown(layer, "opacity", row, opacity)))

    def _stroke(self, layer: ChartLayer, row: Record, width: float) -> Stroke:
        """Return the colour, width and dashes of a line of this row."""
        dashes = tuple(self._shown(layer, "strokeDash", row) or ())
        ink = self._ink(layer, row, own="stroke")
        return Stroke(ink, float(self._shown(layer, "strokeWidth", row, width)), dashes if any(dashes[1::2]) else ())

    def _groups(self, layer: ChartLayer) -> list[tuple[Record, list[int]]]:
        """Return the rows of each line: of one group each, in the order of their places."""
        fields = [
            one["field"]
            for name in GROUPING
            for one in (_listed(layer.channels.get(name)))
            if "field" in one and one.get("type") != "quantitative"
        ]
        order = layer.channels.get("order")
        along = np.array([row[order["field"]] for row in layer.rows]) if order else self._at(layer, "x")
        groups: dict[Any, list[int]] = {}
        for place in np.argsort(along, kind="stable"):
            row = layer.rows[place]
            groups.setdefault(tuple(row.get(name) for name in fields), []).append(int(place))
        return [(layer.rows[places[0]], places) for places in groups.values()]

    def _lines(self, layer: ChartLayer) -> Iterator[Line]:
        x, y = self._at(layer, "x"), self._at(layer, "y")
        stepwise = layer.mark.get("interpolate") == "step-after"
        for row, places in self._groups(layer):
            across, up = x[places], y[places]
            if stepwise:
                across, up = np.repeat(across, 2)[1:], np.repeat(up, 2)[:-1]
            yield Line(across, up, self._stroke(layer, row, 2))

    def _bands(self, layer: ChartLayer) -> Iterator[Band]:
        x, low = self._at(layer, "x"), self._at(layer, "y")
        high = self._at(layer, "y2") if "y2" in layer.channels else np.zeros(len(x))
        for row, places in self._groups(layer):
            yield Band(x[places], low[places], high[places], self._ink(layer, row, 0.7))

    def _rules(self, layer: ChartLayer) -> Iterator[Rules]:
        strokes = [self._stroke(layer, row, 1) for row in layer.rows]
        upright = "x2" not in layer.channels and ("y2" in layer.channels or "x" in layer.channels)
        side, along = ("x", "y") if upright else ("y", "x")
        at, n = layer.channels.get(side), len(layer.rows)
        share: Side | None = None
        if along not in layer.channels:
            share, where, ends = along, self._at(layer, side), np.tile([0.0, 1.0], (n, 1))
        else:
            ends = np.stack([self._at(layer, along), self._at(layer, f"{along}2")], axis=1)
            if at is None or "value" in at:  # a place in pixels, such as of a bar along the axis
                part = 0.5 if at is None else at["value"] / self.size["width" if side == "x" else "height"]
                share, where = side, np.full(n, 1 - part if side == "y" else part)
            else:
                where = self._at(layer, side)
        both = np.stack([where, where], axis=1)
        yield Rules(both, ends, strokes, share) if upright else Rules(ends, both, strokes, share)

    def _points(self, layer: ChartLayer) -> Iterator[Points]:
        mark, tick = layer.mark, layer.mark["type"] == "tick"
        n, looks = len(layer.rows), list[tuple[str, float, Ink | None, Ink]]()
        x, y = (self._at(layer, side) if side in layer.channels else np.full(n, 0.5) for side in ("x", "y"))
        for row in layer.rows:
            color, opacity = self._ink(layer, row, 0.7)
            face = self._shown(layer, "fill", row) or (color if mark.get("filled", False) else None)
            fill = opacity * float(self._shown(layer, "fillOpacity", row, 1.0))
            wide = mark.get("height", mark.get("size", 0.7 * self._band("y"))) if tick else (
                np.sqrt(self._shown(layer, "size", row, 30))
            )  # fmt: skip
            shape = "tick" if tick else self._shown(layer, "shape", row, "circle")
            edge = Ink(self._shown(layer, "stroke", row) or color, opacity)
            looks.append((shape, float(wide), None if face is None else Ink(face, fill), edge))
        if all(edge.opacity == 0 for *_, edge in looks):
            return  # of the page alone: where its tooltips are
        # a filled point of Vega has no edge
        width = mark.get("thickness", 1) if tick else 0 if mark.get("filled") else mark.get("strokeWidth", 2)
        for shape in dict.fromkeys(look[0] for look in looks):
            some = [k for k, look in enumerate(looks) if look[0] == shape]
            widths, faces, edges = ([looks[k][j] for k in some] for j in (1, 2, 3))
            yield Points(x[some], y[some], shape, widths, faces, edges, width)  # pyright: ignore[reportArgumentType]

    def _band(self, side: Side) -> float:
        """Return the pixels of a level, or of the panel where there are none."""
        return self.size["width" if side == "x" else "height"] / max(1, len(self.scales[side].names))

    def _boxes(self, layer: ChartLayer) -> Iterator[Boxes]:
        inks = [self._ink(layer, row, own="fill") for row in layer.rows]
        opacities = [float(self._shown(layer, "fillOpacity", row, 1.0)) for row in layer.rows]
        inks = [Ink(ink.color, ink.opacity * part) for ink, part in zip(inks, opacities, strict=True)]
        color = layer.mark.get("stroke")
        stroke = Stroke(Ink(color, 1.0), layer.mark.get("strokeWidth", 1), ()) if color else None
        yield Boxes(self._span(layer, "x"), self._span(layer, "y"), inks, stroke, layer.mark["type"] == "rect")

    def _span(self, layer: ChartLayer, side: Side) -> Array:
        """Return both ends of bars or cells along an axis: shape (n, 2)."""
        n, size = len(layer.rows), layer.mark.get("width" if side == "x" else "height", layer.mark.get("size"))
        if side not in layer.channels:
            return np.tile([0.0, 1.0], (n, 1))
        at = self._at(layer, side)
        if self.scales[side].names:
            offset = layer.channels.get(f"{side}Offset")
            half = 0.5 if layer.mark["type"] == "rect" else BAR / (self._offsets(offset)[1] if offset else 1)
            half = half if size is None else size / self._band(side) / 2
            return np.stack([at - half, at + half], axis=1)
        return np.stack([self._at(layer, f"{side}2") if f"{side}2" in layer.channels else np.zeros(n), at], axis=1)

    def _words(self, layer: ChartLayer) -> Iterator[Words]:
        mark = layer.mark
        for row, text, x, y in zip(
            layer.rows, raw_values(layer, "text"), self._at(layer, "x"), self._at(layer, "y"), strict=True
        ):
            if np.isfinite([x, y]).all():
                color, size = self._shown(layer, "color", row, theme.INK), mark.get("fontSize", theme.FONT_SIZE)
                yield Words(x, y, in_plot(str(text)), mark.get("dx", 0), mark.get("align", "center"), color, size)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []
