"""Where a chart's values are on matplotlib's Axes, and in what colours: its scales, with Vega's defaults."""

# Keywords of matplotlib have no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.figures import theme
from tauscope.figures.labels import cut_apart, in_plot
from tauscope.figures.specification import ChartLayer, Record, is_valid, raw_values
from tauscope.results.formatting import signed

Array = NDArray[np.float64]
Side = Literal["x", "y"]
PLAIN: Record = {"parse_math": False}
"""A name is no formula, whatever dollar signs it has."""
LABEL_LIMIT = 180
TABLEAU = (
    "#4c78a8", "#f58518", "#e45756", "#72b7b2", "#54a24b", "#eeca3b", "#b279a2", "#ff9da6", "#9d755d", "#bab0ac",
)  # fmt: skip
SCHEMES = {
    "blues": ("#cfe1f2", "#bed8ec", "#a8cee5", "#8fc1de", "#74b2d7", "#5ba3cf", "#4592c6", "#3181bd", "#206fb2",
              "#125ca4", "#0a4a90"),
    "blueorange": ("#134b85", "#2f78b3", "#5da2cb", "#9dcae1", "#d2e5ef", "#f2f0eb", "#fce0ba", "#fbbf74", "#e8932f",
                   "#c5690d", "#994a07"),
}  # fmt: skip
"""Vega's defaults: what a specification leaves out."""
TWO_LINES = re.compile(r"\[(.*), (\{.*\})\[datum\.value\]\]", re.DOTALL)


def _digits(value: float, n: int = 10) -> str:
    return f"{float(f'{value:.{n}g}'):,.10g}".replace("-", "−")


NUMBERS: dict[str, Callable[[float], str]] = {
    theme.AXIS_SHARE: lambda value: f"{_digits(100 * value, 3)} %",
    theme.AXIS_POINTS: lambda value: signed(_digits(100 * value, 3)),
    theme.AXIS_WIDTH: lambda value: _digits(100 * value, 3),
    theme.AXIS_VALUE: lambda value: _digits(value, 4),
    theme.AXIS_TAU: lambda value: signed(_digits(value)),
}
"""What the theme's expressions write."""


class Scale:
    """Where the values of an axis are, from what every layer says of it."""

    def __init__(self, layers: Sequence[ChartLayer], side: Side) -> None:
        self.side: Side = side
        shown = [(layer, one) for layer in layers if (one := layer.channels.get(side)) and "value" not in one]
        self.used = bool(shown)
        options = [one for _, one in shown]
        self.scale: Record = {}
        self.axis: Record = {}
        for one in reversed(options):
            self.scale |= one.get("scale") or {}
            self.axis |= one.get("axis") or {}
        axes = [one["axis"] for one in options if "axis" in one]
        self.hidden = not shown or (bool(axes) and not any(one is not None for one in axes))
        self.kind = next((one["type"] for one in options if "type" in one), "quantitative")
        self.title = self._title(options)
        self.names: list[Any] = []
        values = [
            value
            for layer, _ in shown
            for channel in (side, f"{side}2")
            for value in raw_values(layer, channel)
            if is_valid(value)
        ]
        if self.kind in ("nominal", "ordinal"):
            names = list(dict.fromkeys(values))
            sorts = next((one["sort"] for one in options if "sort" in one), "ascending")
            self.names = self.scale.get("domain") or (sorted(names) if sorts == "ascending" else names)
            self.place = {name: float(at) for at, name in enumerate(self.names)}
            ends = (-0.5, max(1, len(self.names)) - 0.5)
            self.limits = ends if side == "x" else ends[::-1]
        else:
            self.limits = self._range([float(value) for value in values]) if shown else (0.0, 1.0)

    def _title(self, options: Sequence[Record]) -> str:
        titles = [where["title"] for one in options for where in (one.get("axis") or {}, one) if "title" in where]
        if not titles:
            titles = [one["field"] for one in options if "field" in one][:1]
        texts = ["\n".join(in_plot(line) for line in ([one] if isinstance(one, str) else one)) for one in titles if one]
        return ", ".join(dict.fromkeys(texts))

    def _range(self, values: Sequence[float]) -> tuple[float, float]:
        domain = self.scale.get("domain")
        if domain is not None:
            low, high = domain
        else:
            low, high = (min(values), max(values)) if values else (0.0, 1.0)
            zero = self.scale.get("zero", self.kind == "quantitative" and self.scale.get("type") != "log")
            low, high = (min(low, 0.0), max(high, 0.0)) if zero else (low, high)
        nice = self.scale.get("nice", domain is None and self.kind == "quantitative")
        if nice and self.scale.get("type") != "log" and low < high:
            low, high = _nice(low, high, 10 if nice is True else nice)
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        return float(self.numbers([low])[0]), float(self.numbers([high])[0])

    def numbers(self, values: Sequence[Any]) -> Array:
        """Return values as matplotlib places them: levels by their number, dates by their day."""
        if self.names:
            return np.array([self.place.get(value, np.nan) for value in values], dtype=float)
        out = np.array([np.nan if value is None else value for value in values], dtype=float)
        if self.kind != "temporal":
            return out
        from matplotlib.dates import date2num

        return np.asarray(date2num(out.astype("datetime64[ms]")), dtype=float)

    def write(self, ax: Any, *, before: bool) -> None:
        """Set the range, ticks and title of the axis; what was drawn before stays in sight."""
        from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator

        axis = ax.xaxis if self.side == "x" else ax.yaxis
        if self.scale.get("type") == "log":
            (ax.set_xscale if self.side == "x" else ax.set_yscale)("log")
        elif self.kind == "temporal":
            axis.axis_date()
        elif self.used and not self.names:
            count = self.axis.get("tickCount", 5)
            axis.set_major_locator(MaxNLocator(count, steps=[1, 2, 5, 10]))
            if "values" in self.axis:
                axis.set_major_locator(FixedLocator(self.axis["values"]))
            if (write := writer_of(self.axis.get("labelExpr"))) is not None:
                axis.set_major_formatter(write)
        if self.names:
            axis.set_major_locator(FixedLocator(range(len(self.names))))
            axis.set_major_formatter(FixedFormatter([in_plot(text) for text in self.written()]))
        (low, high), now = self.limits, axis.get_view_interval() if before else ()
        (ax.set_xlim if self.side == "x" else ax.set_ylim)(
            (max((low, *now)), min((high, *now))) if low > high else (min((low, *now)), max((high, *now)))
        )
        for tick in axis.get_major_ticks(len(self.names) or None):
            tick.label1.set_parse_math(False)
        if not self.axis.get("labels", True):
            axis.set_tick_params(length=0, labelleft=False, labelbottom=False)
        (ax.set_xlabel if self.side == "x" else ax.set_ylabel)(self.title, **PLAIN)
        axis.set_visible(not self.hidden)

    def written(self) -> list[str]:
        """Return the names as the axis of the chart has them, long ones cut."""
        written = self.axis.get("labelExpr", "")
        cut = cut_apart([str(name) for name in self.names], self.axis.get("labelLimit", LABEL_LIMIT) or 10_000)
        if written.startswith("{"):
            cut |= json.JSONDecoder().raw_decode(written)[0]
        return [cut[str(name)] for name in self.names]


def _nice(low: float, high: float, count: float) -> tuple[float, float]:
    """Return a range ending at ticks, as Vega has it: d3's steps of 1, 2, 5 or 10, until they stay."""
    before = 0.0
    for _ in range(10):
        step = (high - low) / count
        power = 10.0 ** np.floor(np.log10(step))
        step = power * next(by for by, least in ((10, 50), (5, 10), (2, 2), (1, 0)) if (step / power) ** 2 >= least)
        if step == before:
            break
        low, high, before = np.floor(low / step) * step, np.ceil(high / step) * step, step
    return low, high


def writer_of(expression: str | None) -> Any:
    """Return what writes numbers as an expression of the theme does, and what a table says of each below it."""
    from matplotlib.ticker import FuncFormatter

    both = TWO_LINES.fullmatch(expression or "")
    numbers = NUMBERS.get(both[1] if both else expression or "")
    below = json.loads(both[2]) if both else {}
    if numbers is None:
        return None

    def write(value: float, _: int | None) -> str:
        key = f"{value:.6g}"
        return f"{numbers(value)}\n{in_plot(below[key])}" if key in below else numbers(value)

    return FuncFormatter(write)


def color_map(shown: Record, rows: Sequence[Record]) -> tuple[Any, Any]:
    """Return the colours of numbers, and how these are put between 0 and 1."""
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    scale = shown.get("scale") or {}
    scheme = scale.get("scheme", "blues")
    name, extent = (scheme["name"], scheme["extent"]) if isinstance(scheme, dict) else (scheme, (0, 1))
    colors: Any = scale.get("range") or SCHEMES[name]
    values = [row[shown["field"]] for row in rows if is_valid(row.get(shown["field"]))]
    domain = scale.get("domain") or [min(values), max(values)]
    whole = LinearSegmentedColormap.from_list("tauscope", colors)
    if len(domain) == 2:
        part = whole(np.linspace(extent[0], extent[1], 256))
        return LinearSegmentedColormap.from_list("tauscope", part), Normalize(*domain, clip=True)
    from matplotlib.colors import TwoSlopeNorm

    return whole, TwoSlopeNorm(domain[1], domain[0], domain[-1])


def names_of(shown: Record, rows: Sequence[Record]) -> list[Any]:
    """Return the names that a channel tells apart, in the order of its legend."""
    field = shown["field"]
    names = list(dict.fromkeys(row[field] for row in rows if field in row))
    return (shown.get("scale") or {}).get("domain") or (names if shown.get("sort", "") is None else sorted(names))


def painter_of(shown: Record, rows: Sequence[Record]) -> Callable[[Any], Any]:
    """Return what a channel shows of each value of its field."""
    scale = shown.get("scale") or {}
    if shown.get("type") == "quantitative":
        colors, norm = color_map(shown, rows)

        def shade(value: Any) -> Any:
            return "none" if value is None else colors(norm(value))

        return shade
    names = names_of(shown, rows)
    options = scale.get("range") or TABLEAU
    if scale.get("scheme") == "tableau20":
        from matplotlib import colormaps

        options = [colormaps["tab20"](k) for k in range(20)]
    shades = {name: options[k % len(options)] for k, name in enumerate(names)}
    return lambda value: shades.get(value, options[0])  # pyright: ignore[reportUnknownLambdaType]
