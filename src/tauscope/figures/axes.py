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
from tauscope.figures.labels import in_plot
from tauscope.figures.marks import Band, Boxes, Line, Mark, Panel, Points, Rules, Stroke, Words
from tauscope.figures.scales import Scale, shades_of, writer_of
from tauscope.figures.specification import Record, panels_of, size_of, title_of
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
PLAIN: Record = {"parse_math": False}
"""A name is no formula, whatever dollar signs it has."""
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
    from matplotlib.dates import date2num

    parts, columns = panels_of(spec)
    datasets, words = spec.get("datasets", {}), title_of(spec)
    beside = "concat" not in spec and _has_strips(parts)
    n_panels = 1 if beside else len(parts)
    if ax is not None and n_panels > 1:
        raise InputError(
            f"ax takes one panel; this chart has {n_panels}. Leave ax out, which makes a figure of them and returns an "
            "array of Axes, or choose one, such as metrics=… where the result has it."
        )
    epoch = float(date2num(np.datetime64(0, "D")))
    drawn = [Panel(part, datasets, epoch) for part in parts]
    if ax is not None and beside:
        drawn[0].label_as(drawn[1])
    legends = [panel.legend() for panel in drawn]
    panels = _new_axes(parts, drawn, columns, words, n_panels) if ax is None else [ax]
    for on, panel in zip(panels, drawn, strict=False):
        _Painter(on, panel)
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
    parts: Sequence[Any], drawn: Sequence[Panel], columns: int, words: Sequence[str], n_panels: int
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
    names = sum(max(_room(panel) for panel in drawn[k::columns]) for k in range(columns))
    wide = sum(widths) + names + MARGIN * columns + max(_room_of_colors(panel) for panel in drawn)
    lines = _lines(words, POINT * (widths[0] if n_panels == 1 else wide))
    high = sum(heights) + MARGIN * len(rows) + LINE * len(lines)
    figure = pyplot.figure(figsize=(wide * POINT / 72, high * POINT / 72), layout="constrained")
    grid = figure.add_gridspec(len(rows), columns, width_ratios=widths, height_ratios=heights)
    return [figure.add_subplot(grid[divmod(place, columns)]) for place in range(len(parts))]


def _room(panel: Panel) -> float:
    """Pixels of the names beside a panel."""
    return max((LETTER / POINT * len(name) for name in panel.scales["y"].written()), default=0.0)


def _room_of_colors(panel: Panel) -> float:
    """Pixels of a legend or of a scale of colours beside a panel."""
    letters = max(map(len, panel.legend()), default=0)
    return LEGEND + LETTER / POINT * letters if letters or panel.mapped() else 0.0


def _lines(texts: Sequence[str], points: float) -> list[str]:
    """Return texts in lines as long as there is room."""
    letters = max(FEWEST_LETTERS, int(points / LETTER))
    return [line for text in texts if text for line in paragraph(in_plot(text), letters)]


class _Painter:
    """Draws a panel on its Axes."""

    def __init__(self, ax: Any, panel: Panel) -> None:
        self.ax, self.panel = ax, panel
        self.texts: list[Any] = []
        before = ax.has_data()
        for order, (marks, clip) in enumerate(panel.marks()):
            for mark in marks:
                self._draw(mark, clip, {"zorder": 2 + order / 100})
        for scale in panel.scales.values():
            self._write_axis(scale, before=before)
        mapped = panel.mapped()
        if mapped is not None:
            self._write_colors(*mapped)
        self._spread_texts()

    def _draw(self, mark: Mark, clip: bool, options: Record) -> None:
        ax = self.ax
        match mark:
            case Line():
                look = _look(mark.stroke)
                ax.plot(mark.x, mark.y, label="_line", dash_capstyle="butt", **look, **options)
            case Band():
                look = {"color": _rgba(*mark.ink), "linewidth": 0, "label": "_band"}
                ax.fill_between(mark.x, mark.low, mark.high, **look, **options)
            case Rules():
                looks = [_look(stroke) for stroke in mark.strokes]
                style = {f"{key}s": [look[key] for look in looks] for key in ("color", "linewidth", "linestyle")}
                upright = bool((mark.x[:, 0] == mark.x[:, 1]).all())
                draw, at, ends = (ax.vlines, mark.x, mark.y) if upright else (ax.hlines, mark.y, mark.x)
                if mark.share is not None:
                    style["transform"] = ax.get_yaxis_transform() if mark.share == "x" else ax.get_xaxis_transform()
                draw(at[:, 0], *ends.T, label="_rule", **style, **options)
            case Points():
                faces = [(0, 0, 0, 0) if face is None else _rgba(*face) for face in mark.faces]
                edges = [_rgba(*edge) for edge in mark.edges]
                style = {"c": edges} if mark.shape == "tick" else {"facecolors": faces, "edgecolors": edges}
                part = 1.0 if mark.shape == "tick" else 4 / np.pi
                ax.scatter(
                    mark.x, mark.y, [part * (POINT * wide) ** 2 for wide in mark.widths], marker=_marker(mark.shape),
                    label=f"_{mark.shape}", linewidths=POINT * mark.edge_width, clip_on=clip, **style, **options,
                )  # fmt: skip
            case Boxes():
                self._boxes(mark, options)
            case Words():
                self.texts.append(ax.annotate(
                    mark.text, (mark.x, mark.y), (POINT * mark.dx, 0), textcoords="offset points", va="center",
                    ha=mark.align, color=mark.color, fontsize=POINT * mark.size, annotation_clip=False, **PLAIN,
                    **options,
                ))  # fmt: skip

    def _boxes(self, mark: Boxes, options: Record) -> None:
        from matplotlib.collections import PolyCollection

        (left, right), (low, high) = mark.x.T, mark.y.T
        corners = np.stack([np.stack([left, low], 1), np.stack([left, high], 1), np.stack([right, high], 1),
                            np.stack([right, low], 1)], axis=1)  # fmt: skip
        edge: Any = "none" if mark.stroke is None else mark.stroke.ink.color
        self.ax.add_collection(PolyCollection(
            [*corners], facecolors=[_rgba(*ink) for ink in mark.inks], edgecolors=edge, label="_box",
            linewidths=0 if mark.stroke is None else POINT * mark.stroke.width, antialiased=not mark.joined, **options,
        ))  # fmt: skip

    def _write_axis(self, scale: Scale, *, before: bool) -> None:
        """Set the range, ticks and title of an axis; what was drawn before stays in sight."""
        from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter, MaxNLocator

        ax, across = self.ax, scale.side == "x"
        axis = ax.xaxis if across else ax.yaxis
        if scale.scale.get("type") == "log":
            (ax.set_xscale if across else ax.set_yscale)("log")
        elif scale.kind == "temporal":
            axis.axis_date()
        elif scale.used and not scale.names:
            axis.set_major_locator(MaxNLocator(scale.axis.get("tickCount", 5), steps=[1, 2, 5, 10]))
            if "values" in scale.axis:
                axis.set_major_locator(FixedLocator(scale.axis["values"]))
            write = writer_of(scale.axis.get("labelExpr"))
            if write is not None:
                axis.set_major_formatter(FuncFormatter(_formatter(write)))
        if scale.names:
            axis.set_major_locator(FixedLocator(range(len(scale.names))))
            axis.set_major_formatter(FixedFormatter([in_plot(text) for text in scale.written()]))
        (low, high), now = scale.limits, axis.get_view_interval() if before else ()
        (ax.set_xlim if across else ax.set_ylim)(
            (max((low, *now)), min((high, *now))) if low > high else (min((low, *now)), max((high, *now)))
        )
        for tick in axis.get_major_ticks(len(scale.names) or None):
            tick.label1.set_parse_math(False)
        if not scale.axis.get("labels", True):
            axis.set_tick_params(length=0, labelleft=False, labelbottom=False)
        (ax.set_xlabel if across else ax.set_ylabel)(scale.title, **PLAIN)
        axis.set_visible(not scale.hidden)

    def _write_colors(self, shown: Record, rows: Sequence[Record]) -> None:
        """Draw the colours' scale beside the Axes, within them as matplotlib counts."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import ListedColormap, Normalize

        legend, (shade, ends) = shown.get("legend", {}), shades_of(shown, rows)
        beside = self.ax.inset_axes([1.03, 0, 0.04, 1])
        write = writer_of(legend.get("labelExpr"))
        options: Record = {} if write is None else {"format": _formatter(write)}
        mapped = ScalarMappable(Normalize(*ends), ListedColormap([shade(one) for one in np.linspace(*ends, 256)]))
        bar = self.ax.figure.colorbar(mapped, cax=beside, ticks=legend.get("values"), **options)
        bar.outline.set_visible(False)
        beside.set_ylabel(in_plot(legend.get("title", shown.get("title")) or ""), **PLAIN)

    def _spread_texts(self) -> None:
        """Move names apart that stand in a column, as for the height of these Axes they may be too near."""
        low, high = sorted(self.ax.get_ylim())
        height = self.ax.bbox.height * 72 / self.ax.figure.dpi
        for _, column in groupby(sorted(self.texts, key=lambda text: text.xy[0]), lambda text: text.xy[0]):
            texts = [*column]
            gap = 1.2 * texts[0].get_fontsize() * (high - low) / height
            for text, at in zip(texts, spread(np.array([one.xy[1] for one in texts]), gap, low, high), strict=True):
                text.xy = (text.xy[0], at)


def _formatter(write: Callable[[float], str]) -> Callable[[float, int | None], str]:
    return lambda value, _: write(value)


def _look(stroke: Stroke) -> Record:
    width = POINT * stroke.width
    dashes = (0, [POINT * one / width for one in stroke.dashes]) if stroke.dashes else "solid"
    return {"color": _rgba(*stroke.ink), "linewidth": width, "linestyle": dashes}


def _rgba(color: Any, opacity: float) -> Any:
    from matplotlib.colors import to_rgba

    levels = re.fullmatch(r"rgb\((\d+), ?(\d+), ?(\d+)\)", color) if isinstance(color, str) else None
    parts: Any = [int(one) / 255 for one in levels.groups()] if levels else color
    return to_rgba(parts, opacity)


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
