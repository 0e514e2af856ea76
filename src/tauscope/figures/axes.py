"""A chart drawn on matplotlib's Axes, from its Vega-Lite specification; matplotlib is imported when that happens."""

# Keywords of matplotlib have no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.labels import in_plot
from tauscope.figures.scales import PLAIN, TABLEAU, Array, Scale, Side, color_map, names_of, painter_of, writer_of
from tauscope.figures.specification import (
    ChartLayer,
    Record,
    holds,
    layers_of,
    panels_of,
    raw_values,
    size_of,
    title_of,
)
from tauscope.figures.stress.panel import spread
from tauscope.results.effects.text import paragraph

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINT = 0.8
"""Points of a chart's pixel, so that matplotlib's type of 10 points has the room of Vega's."""
LETTER, TITLE_SIZE = 5.0, 9
"""Points that a letter of a title takes, and of its type."""
WIDE = 1.3
"""Panels this much wider than high are widened to their title; a map is not."""
FEWEST_LETTERS, MOST_LETTERS = 24, 112
MARGIN, LEGEND, LINE = 70, 80, 17
"""Pixels of a panel's axis with its title, of colours beside their names, and of a line of words."""
BAR, OFFSET = 0.45, 0.9
"""Half a bar, and where marks beside each other stand, in parts of a band."""
GROUPING = ("detail", "color", "fill", "opacity", "strokeDash")
SHAPES = {"circle": "o", "diamond": "D", "triangle-up": "^", "square": "s"}


def draw_on_axes(spec: Mapping[str, Any], ax: Axes | None) -> Any:
    """Draw a chart with matplotlib; see `Charted.plot`.

    Parameters
    ----------
    spec : dict
        Vega-Lite as the package's charts have it, data inline.
    ax : matplotlib.axes.Axes or None
        None for a new figure.

    Returns
    -------
    Axes, or ndarray of Axes
        Of several panels one each, in their order.

    Raises
    ------
    ImportError
        Without matplotlib, with the line that installs it.
    InputError
        For Axes where the chart has several panels.
    """
    try:
        import_module("matplotlib")
    except ImportError as error:
        raise ImportError(
            'plot needs matplotlib, which is not installed. Run: pip install "tauscope[plot]". '
            "Without it, .chart() and .frame work."
        ) from error
    parts, columns = panels_of(spec)
    datasets, words = spec.get("datasets", {}), title_of(spec)
    beside = "concat" not in spec and _has_strips(parts)
    n_panels = 1 if beside else len(parts)
    if ax is not None and n_panels > 1:
        raise InputError(
            f"ax takes one panel; this chart has {n_panels}. Leave ax out, which makes a figure of them and returns an "
            "array of Axes, or choose one, such as metrics=… where the result has it."
        )
    drawn = [_Panel(part, datasets) for part in parts]
    if ax is not None and beside:
        drawn[0].label_as(drawn[1])
    legends = [panel.legend() for panel in drawn]
    panels = _new_axes(parts, drawn, columns, words, n_panels) if ax is None else [ax]
    for on, panel in zip(panels, drawn, strict=False):
        panel.draw(on)
    _write_legends(panels[:n_panels], legends, outside=ax is None)
    figure: Any = panels[0].figure
    if ax is None:
        figure.get_layout_engine().execute(figure)
    for on, part in zip(panels[:n_panels], parts, strict=False):
        own = title_of(part) if part is not spec else []
        # beside a panel alone in its figure a title has the room above the legend, too
        room = figure.bbox.width - on.bbox.x0 if ax is None and n_panels == 1 else on.bbox.width
        lines = _lines([*words, *own] if n_panels == 1 else own, room * 72 / figure.dpi)
        on.set_title("\n".join(lines), loc="left", fontsize=TITLE_SIZE, **PLAIN)
    for on in panels:
        for label, room in ((on.xaxis.label, on.bbox.width), (on.yaxis.label, on.bbox.height)):
            label.set_text("\n".join(_lines(label.get_text().split("\n"), room * 72 / figure.dpi)))
    if n_panels == 1:
        return panels[0]
    lines = _lines(words, figure.bbox.width * 72 / figure.dpi)
    figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=TITLE_SIZE, **PLAIN)
    out = np.empty(n_panels, dtype=object)
    out[:] = panels
    return out


def _has_strips(parts: Sequence[Any]) -> bool:
    """Return True if all but the first only accompany it, as the shares of rows do below a curve."""
    (main, *rest) = (size_of(part) for part in parts)
    return bool(rest) and all(2 * one["height"] <= main["height"] or 2 * one["width"] <= main["width"] for one in rest)


def _new_axes(
    parts: Sequence[Any], drawn: Sequence[_Panel], columns: int, words: Sequence[str], n_panels: int
) -> list[Any]:
    """Return the Axes of a new figure, which a notebook then shows, with room for its words and names."""
    from matplotlib import pyplot

    sizes = [size_of(panel) for panel in parts]
    if n_panels == 1 and sizes[0]["width"] > WIDE * sizes[0]["height"]:
        sizes[0]["width"] = max(
            sizes[0]["width"], 1.05 * LETTER / POINT * min(MOST_LETTERS, max(map(len, words), default=0))
        )
    widths = [max(one["width"] for one in sizes[k::columns]) for k in range(columns)]
    rows = [sizes[k : k + columns] for k in range(0, len(sizes), columns)]
    heights = [max(one["height"] for one in row) for row in rows]
    names = sum(max(panel.room for panel in drawn[k::columns]) for k in range(columns))
    wide = sum(widths) + names + MARGIN * columns + max(panel.room_of_colors for panel in drawn)
    lines = _lines(words, POINT * (widths[0] if n_panels == 1 else wide))
    high = sum(heights) + MARGIN * len(rows) + LINE * len(lines)
    figure = pyplot.figure(figsize=(wide * POINT / 72, high * POINT / 72), layout="constrained")
    grid = figure.add_gridspec(len(rows), columns, width_ratios=widths, height_ratios=heights)
    return [figure.add_subplot(grid[divmod(place, columns)]) for place in range(len(parts))]


def _lines(texts: Sequence[str], points: float) -> list[str]:
    """Return texts in lines as long as there is room."""
    letters = max(FEWEST_LETTERS, int(points / LETTER))
    return [line for text in texts if text for line in paragraph(in_plot(text), letters)]


class _Panel:
    """One panel on its Axes."""

    def __init__(self, part: Mapping[str, Any], datasets: Record) -> None:
        self.ax: Any = None
        self.size = size_of(part)
        self.layers = layers_of(part, datasets, [], {})
        self.rows = [row for layer in self.layers for row in layer.rows]
        self.scales: dict[str, Scale] = {"x": Scale(self.layers, "x"), "y": Scale(self.layers, "y")}
        self.paints: dict[int, Callable[[Any], Any]] = {}
        self.texts: list[Any] = []

    def label_as(self, other: _Panel) -> None:
        """Take the labels of the axis that only the other panel writes."""
        for side, scale in self.scales.items():
            if not scale.axis.get("labels", True):
                scale.axis, scale.title = other.scales[side].axis, other.scales[side].title

    def draw(self, ax: Any) -> None:
        """Draw each layer above the one before."""
        self.ax, before = ax, ax.has_data()
        draw = {
            "line": self._line, "area": self._area, "rule": self._rule, "point": self._point, "bar": self._box,
            "rect": self._box, "tick": self._point, "text": self._text,
        }  # fmt: skip
        for order, layer in enumerate(self.layers):
            if layer.rows:
                draw[layer.mark["type"]](layer, {"zorder": 2 + order / 100})
        for scale in self.scales.values():
            scale.write(ax, before=before)
        self._spread_texts()

    @property
    def room(self) -> float:
        """Pixels of the names beside the panel."""
        return max((LETTER / POINT * len(name) for name in self.scales["y"].written()), default=0.0)

    @property
    def room_of_colors(self) -> float:
        """Pixels of a legend or of a scale of colours beside the panel."""
        letters = max(map(len, self.legend()), default=0)
        mapped = any(layer.channels.get("color", {}).get("legend") for layer in self.layers)
        return LEGEND + LETTER / POINT * letters if letters or mapped else 0.0

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

    def _look(self, layer: ChartLayer, row: Record, width: float) -> Record:
        """Return the colour, width and dashes of a line of this row."""
        width = POINT * self._shown(layer, "strokeWidth", row, width)
        dashes = [POINT * one / width for one in self._shown(layer, "strokeDash", row) or ()]
        color = self._shown(layer, "stroke", row) or self._shown(layer, "color", row, TABLEAU[0])
        return {
            "color": _rgba(color, self._opacity(layer, row)), "linewidth": width,
            "linestyle": (0, dashes) if any(dashes[1::2]) else "solid",
        }  # fmt: skip

    def _opacity(self, layer: ChartLayer, row: Record, default: float = 1.0) -> float:
        return float(self._shown(layer, "opacity", row, default))

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

    def _line(self, layer: ChartLayer, options: Record) -> None:
        x, y = self._at(layer, "x"), self._at(layer, "y")
        for row, places in self._groups(layer):
            look = self._look(layer, row, 2)
            self.ax.plot(x[places], y[places], label="_line", dash_capstyle="butt", **look, **options)

    def _area(self, layer: ChartLayer, options: Record) -> None:
        x, low = self._at(layer, "x"), self._at(layer, "y")
        high = self._at(layer, "y2") if "y2" in layer.channels else np.zeros(len(x))
        for row, places in self._groups(layer):
            color = self._shown(layer, "color", row, TABLEAU[0])
            look: Record = {"color": color, "alpha": self._opacity(layer, row, 0.7), "linewidth": 0, "label": "_band"}
            self.ax.fill_between(x[places], low[places], high[places], **look, **options)

    def _rule(self, layer: ChartLayer, options: Record) -> None:
        looks = [self._look(layer, row, 1) for row in layer.rows]
        style = {f"{key}s": [look[key] for look in looks] for key in ("linewidth", "linestyle")}
        style |= {"colors": [look["color"] for look in looks], "label": "_rule", **options}
        upright = "x2" not in layer.channels and ("y2" in layer.channels or "x" in layer.channels)
        side, across = ("x", "y") if upright else ("y", "x")
        draw = self.ax.vlines if upright else self.ax.hlines
        at = layer.channels.get(side)
        if across in layer.channels:
            if at is None or "value" in at:
                # a place in pixels, such as a bar along the axis
                style["transform"] = self.ax.get_xaxis_transform() if side == "y" else self.ax.get_yaxis_transform()
                share = 0.5 if at is None else at["value"] / self.size["width" if side == "x" else "height"]
                where = np.full(len(layer.rows), 1 - share if side == "y" else share)
            else:
                where = self._at(layer, side)
            draw(where, self._at(layer, across), self._at(layer, f"{across}2"), **style)
            return
        style["transform"] = self.ax.get_xaxis_transform() if upright else self.ax.get_yaxis_transform()
        draw(self._at(layer, side), 0, 1, **style)

    def _point(self, layer: ChartLayer, options: Record) -> None:
        mark, tick = layer.mark, layer.mark["type"] == "tick"
        n = len(layer.rows)
        x, y = (self._at(layer, side) if side in layer.channels else np.full(n, 0.5) for side in ("x", "y"))
        faces: list[Any] = []
        looks: list[Record] = []
        for row in layer.rows:
            color = self._shown(layer, "color", row, TABLEAU[0])
            opacity = self._opacity(layer, row, 0.7)
            filled = mark.get("filled", False)
            edge = self._shown(layer, "stroke", row) or color
            face = self._shown(layer, "fill", row) or (color if filled else "none")
            fill = opacity * float(self._shown(layer, "fillOpacity", row, 1.0))
            faces.append((0, 0, 0, 0) if face == "none" else _rgba(face, fill))
            size = mark.get("height", mark.get("size", 0.7 * self._band("y"))) ** 2 if tick else None
            looks.append({
                "edge": _rgba(edge, opacity),
                "size": POINT**2 * (size or 4 / np.pi * self._shown(layer, "size", row, 30)),
                "marker": "tick" if tick else self._shown(layer, "shape", row, "circle"),
            })  # fmt: skip
        # a filled point of Vega has no edge
        width = mark.get("thickness", 1) if tick else 0 if mark.get("filled") else mark.get("strokeWidth", 2)
        if all(look["edge"][3] == 0 for look in looks):
            return  # of the page alone: where its tooltips are
        for marker in dict.fromkeys(look["marker"] for look in looks):
            some = [k for k, look in enumerate(looks) if look["marker"] == marker]
            edges = [looks[k]["edge"] for k in some]
            style: Record = {"c": edges} if tick else {"facecolors": [faces[k] for k in some], "edgecolors": edges}
            self.ax.scatter(
                x[some], y[some], [looks[k]["size"] for k in some], marker=_marker(marker), label=f"_{marker}",
                linewidths=POINT * width, clip_on=mark.get("clip", False), **style, **options,
            )  # fmt: skip

    def _band(self, side: Side) -> float:
        """Return the pixels of a level, or of the panel where there are none."""
        return self.size["width" if side == "x" else "height"] / max(1, len(self.scales[side].names))

    def _box(self, layer: ChartLayer, options: Record) -> None:
        from matplotlib.collections import PolyCollection

        (left, right), (low, high) = self._span(layer, "x"), self._span(layer, "y")
        corners = np.stack([np.stack([left, low], 1), np.stack([left, high], 1), np.stack([right, high], 1),
                            np.stack([right, low], 1)], axis=1)  # fmt: skip
        colors = [
            _rgba(
                self._shown(layer, "fill", row) or self._shown(layer, "color", row, TABLEAU[0]),
                self._opacity(layer, row) * self._shown(layer, "fillOpacity", row, 1.0),
            )
            for row in layer.rows
        ]
        stroke = layer.mark.get("stroke")
        boxes = PolyCollection(
            corners, facecolors=colors, edgecolors=stroke or "none", label="_box",  # pyright: ignore[reportArgumentType]
            linewidths=POINT * layer.mark.get("strokeWidth", 1) if stroke else 0,
            antialiased=layer.mark["type"] != "rect", **options,
        )  # fmt: skip
        self.ax.add_collection(boxes)
        shown = layer.channels.get("color", {})
        if shown.get("type") == "quantitative":
            self._colorbar(shown, layer.rows)

    def _span(self, layer: ChartLayer, side: Side) -> tuple[Array, Array]:
        """Return both ends of bars or cells along an axis."""
        n, size = len(layer.rows), layer.mark.get("width" if side == "x" else "height", layer.mark.get("size"))
        if side not in layer.channels:
            return np.zeros(n), np.ones(n)
        at = self._at(layer, side)
        if self.scales[side].names:
            offset = layer.channels.get(f"{side}Offset")
            half = 0.5 if layer.mark["type"] == "rect" else BAR / (self._offsets(offset)[1] if offset else 1)
            half = half if size is None else size / self._band(side) / 2
            return at - half, at + half
        return (self._at(layer, f"{side}2") if f"{side}2" in layer.channels else np.zeros(n)), at

    def _colorbar(self, shown: Record, rows: Sequence[Record]) -> None:
        """Draw the colours' scale beside the Axes, within them as matplotlib counts."""
        from matplotlib.cm import ScalarMappable

        legend = shown.get("legend", {})
        if legend is None:
            return
        colors, norm = color_map(shown, rows)
        beside = self.ax.inset_axes([1.03, 0, 0.04, 1])
        write = writer_of(legend.get("labelExpr"))
        options: Record = {} if write is None else {"format": write}
        mapped = ScalarMappable(norm, colors)
        bar = self.ax.figure.colorbar(mapped, cax=beside, ticks=legend.get("values"), **options)
        bar.outline.set_visible(False)
        beside.set_ylabel(in_plot(legend.get("title", shown.get("title")) or ""), **PLAIN)

    def _text(self, layer: ChartLayer, options: Record) -> None:
        mark, x, y = layer.mark, self._at(layer, "x"), self._at(layer, "y")
        for row, text, *at in zip(layer.rows, raw_values(layer, "text"), x, y, strict=True):
            if np.isfinite(at).all():
                self.texts.append(self.ax.annotate(
                    in_plot(str(text)), at, (POINT * mark.get("dx", 0), 0), textcoords="offset points", va="center",
                    ha=mark.get("align", "center"), color=self._shown(layer, "color", row, theme.INK),
                    fontsize=POINT * mark.get("fontSize", theme.FONT_SIZE), annotation_clip=False, **PLAIN, **options,
                ))  # fmt: skip

    def _spread_texts(self) -> None:
        """Move names apart that stand in a column, as for the height of these Axes they may be too near."""
        low, high = sorted(self.ax.get_ylim())
        height = self.ax.bbox.height * 72 / self.ax.figure.dpi
        for _, column in groupby(sorted(self.texts, key=lambda text: text.xy[0]), lambda text: text.xy[0]):
            texts = [*column]
            gap = 1.2 * texts[0].get_fontsize() * (high - low) / height
            for text, at in zip(texts, spread(np.array([one.xy[1] for one in texts]), gap, low, high), strict=True):
                text.xy = (text.xy[0], at)


def _rgba(color: Any, opacity: float) -> Any:
    from matplotlib.colors import to_rgba

    levels = re.fullmatch(r"rgb\((\d+), ?(\d+), ?(\d+)\)", color) if isinstance(color, str) else None
    parts: Any = [int(one) / 255 for one in levels.groups()] if levels else color
    return to_rgba(parts, opacity)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _marker(shape: str) -> Any:
    """Return a shape as matplotlib has it; a path of Vega's, whose vertical axis points down, as vertices."""
    if shape == "tick":
        return "|"
    if not shape.startswith("M"):
        return SHAPES[shape]
    return [(float(x), -float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", shape)]


def _write_legends(panels: Sequence[Any], legends: Sequence[dict[str, Any]], *, outside: bool) -> None:
    """Name the colours, once where all panels have the same."""
    from matplotlib.lines import Line2D

    shared = len(panels) > 1 and all(one == legends[0] for one in legends)
    for ax, legend in zip(panels[:1] if shared else panels, legends, strict=False):
        if not legend:
            continue
        handles = [Line2D([], [], color=color, linewidth=2, label=name) for name, color in legend.items() if name]
        options: Record = {"handles": handles, "title": legend[""] or None}
        if shared:
            drawn = ax.figure.legend(loc="outside right upper", **options)
        else:
            place: Record = {"loc": "upper left", "bbox_to_anchor": (1.01, 1)} if outside else {}
            drawn = ax.legend(**options, **place)
        for text in (*drawn.get_texts(), drawn.get_title()):
            text.set_parse_math(False)
