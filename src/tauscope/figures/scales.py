"""Where the values of a chart are on its axes, how these are written, and in what colours, by Vega's defaults."""

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
LEVELS = ("nominal", "ordinal")
DAY = 86_400_000
"""Milliseconds."""
DATE_STEPS = [
    *(("m", by, 1 / 1440) for by in (1, 5, 15, 30)), *(("h", by, 1 / 24) for by in (1, 3, 6, 12)),
    *(("D", by, 1.0) for by in (1, 2, 7, 14)), *(("M", by, 30.4) for by in (1, 3, 6)),
    *(("Y", by, 365.2) for by in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)),
]  # fmt: skip
"""A unit of NumPy's dates, how many of it are between ticks, and the days of one."""
TICK_PIXELS, DATE_PIXELS = 40, 90
"""What a label of an axis takes, as Vega-Lite has it."""
LABEL_LIMIT = 180
TABLEAU = (
    "#4c78a8", "#f58518", "#e45756", "#72b7b2", "#54a24b", "#eeca3b", "#b279a2", "#ff9da6", "#9d755d", "#bab0ac",
)  # fmt: skip
TABLEAU_20 = (
    "#4c78a8", "#9ecae9", "#f58518", "#ffbf79", "#54a24b", "#88d27a", "#b79a20", "#f2cf5b", "#439894", "#83bcb6",
    "#e45756", "#ff9d98", "#79706e", "#bab0ac", "#d67195", "#fcbfd2", "#b279a2", "#d6a5c9", "#9e765f", "#d8b5a5",
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
    """Where the values of an axis are, from what every layer says of it; a date by its day, 1970 being `epoch`."""

    def __init__(self, layers: Sequence[ChartLayer], side: Side, epoch: float = 0.0) -> None:
        self.side: Side = side
        self.epoch = epoch
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
        if self.kind in LEVELS:
            names = list(dict.fromkeys(values))
            sorts = next((one["sort"] for one in options if "sort" in one), "ascending")
            self.names = self.scale.get("domain") or (sorted(names) if sorts == "ascending" else names)
            self.place = {name: float(at) for at, name in enumerate(self.names)}
            ends = (-0.5, max(1, len(self.names)) - 0.5)
            self.limits = ends if side == "x" else ends[::-1]
        else:
            self.limits = self._range([float(value) for value in values]) if shown else (0.0, 1.0)

    @classmethod
    def between(cls, low: float, high: float, axis: Record) -> Scale:
        """Make a scale of numbers, such as of colours."""
        shown = {"field": "value", "scale": {"domain": [low, high], "nice": False}, "axis": axis}
        return cls([ChartLayer({}, {"y": shown}, [])], "y")

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
        """Return values in the units of the axis: levels by their number, dates by their day."""
        if self.names:
            return np.array([self.place.get(value, np.nan) for value in values], dtype=float)
        out = np.array([np.nan if value is None else value for value in values], dtype=float)
        return self.epoch + out / DAY if self.kind == "temporal" else out

    def shares(self, values: Any) -> Array:
        """Return where values in units of the axis are on it, 0 at its first end and 1 at its last."""
        put: Callable[[Any], Any] = np.log10 if self.scale.get("type") == "log" else np.asarray
        low, high = (float(put(end)) for end in self.limits)
        return (put(values) - low) / (high - low)

    def ticks(self, pixels: float) -> list[tuple[float, str]]:
        """Return where an axis of so many pixels is labelled, and with what."""
        if self.kind in LEVELS:
            return [(float(at), in_plot(text)) for at, text in enumerate(self.written())]
        low, high = sorted(self.limits)
        if self.kind == "temporal":
            return _date_ticks(low, high, pixels / DATE_PIXELS)
        write = writer_of(self.axis.get("labelExpr")) or _digits
        if "values" in self.axis:
            places = [float(value) for value in self.axis["values"]]
        elif self.scale.get("type") == "log":
            powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
            places = [by * 10.0**power for power in powers for by in ((1, 2, 5) if len(powers) < 4 else (1,))]
        else:
            step = _step(high - low, self.axis.get("tickCount", max(2, pixels / TICK_PIXELS)))
            places = [step * k for k in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1)]
        room = 1e-9 * (high - low)
        return [(value, write(value)) for value in places if low - room <= value <= high + room]

    def written(self) -> list[str]:
        """Return the names as the axis of the chart has them, long ones cut."""
        written = self.axis.get("labelExpr", "")
        cut = cut_apart([str(name) for name in self.names], self.axis.get("labelLimit", LABEL_LIMIT) or 10_000)
        if written.startswith("{"):
            cut |= json.JSONDecoder().raw_decode(written)[0]
        return [cut[str(name)] for name in self.names]


def _nice(low: float, high: float, count: float) -> tuple[float, float]:
    """Return a range ending at ticks, as Vega has it: with the steps of these until they stay."""
    before = 0.0
    for _ in range(10):
        step = _step(high - low, count)
        if step == before:
            break
        low, high, before = np.floor(low / step) * step, np.ceil(high / step) * step, step
    return low, high


def _step(span: float, count: float) -> float:
    """Return what is between two of about so many ticks, as d3 has it: 1, 2, 5 or 10 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(span / count))
    ratio = (span / count / power) ** 2
    return float(power * next(by for by, least in ((10, 50), (5, 10), (2, 2), (1, 0)) if ratio >= least))


def _date_ticks(low: float, high: float, count: float) -> list[tuple[float, str]]:
    """Return at most so many dates between two days since 1970, written as far as their step has them differ."""
    for unit, by, days in DATE_STEPS:
        if (high - low) / (by * days) <= max(2, count):
            first, last = (
                np.datetime64(round(end * DAY), "ms").astype(f"M8[{unit}]").astype(int) for end in (low, high)
            )
            dates = (np.arange(-(-first // by), last // by + 1) * by).astype(f"M8[{unit}]")
            places = dates.astype("M8[ms]").astype(float) / DAY
            return [
                (float(at), str(date).replace("T", " ")) for at, date in zip(places, dates, strict=True) if at >= low
            ]
    return []


def writer_of(expression: str | None) -> Callable[[float], str] | None:
    """Return what writes numbers as an expression of the theme does, and what a table says of each below it."""
    both = TWO_LINES.fullmatch(expression or "")
    numbers = NUMBERS.get(both[1] if both else expression or "")
    below = json.loads(both[2]) if both else {}
    if numbers is None:
        return None

    def write(value: float) -> str:
        key = f"{value:.6g}"
        return f"{numbers(value)}\n{in_plot(below[key])}" if key in below else numbers(value)

    return write


def shades_of(shown: Record, rows: Sequence[Record]) -> tuple[Callable[[float], str], tuple[float, float]]:
    """Return the colour of each number, as #rrggbb, and the numbers between which colours differ."""
    scale = shown.get("scale") or {}
    scheme = scale.get("scheme", "blues")
    name, (first, last) = (scheme["name"], scheme["extent"]) if isinstance(scheme, dict) else (scheme, (0.0, 1.0))
    colors: Sequence[str] = scale.get("range") or SCHEMES[name]
    levels = np.array([[int(color[k : k + 2], 16) for k in (1, 3, 5)] for color in colors])
    values = [row[shown["field"]] for row in rows if is_valid(row.get(shown["field"]))]
    domain = scale.get("domain") or [min(values), max(values)]

    def shade(value: float) -> str:
        share = np.interp(value, domain, np.linspace(first, last, len(domain)))
        rgb = [round(np.interp(share, np.linspace(0, 1, len(levels)), level)) for level in levels.T]
        return "#" + "".join(f"{part:02x}" for part in rgb)

    return shade, (float(domain[0]), float(domain[-1]))


def names_of(shown: Record, rows: Sequence[Record]) -> list[Any]:
    """Return the names that a channel tells apart, in the order of its legend."""
    field = shown["field"]
    names = list(dict.fromkeys(row[field] for row in rows if field in row))
    return (shown.get("scale") or {}).get("domain") or (names if shown.get("sort", "") is None else sorted(names))


def painter_of(shown: Record, rows: Sequence[Record]) -> Callable[[Any], Any]:
    """Return what a channel shows of each value of its field."""
    scale = shown.get("scale") or {}
    if shown.get("type") == "quantitative":
        shade = shades_of(shown, rows)[0]
        return lambda value: "none" if value is None else shade(value)  # pyright: ignore[reportUnknownLambdaType]
    names = names_of(shown, rows)
    options = scale.get("range") or (TABLEAU_20 if scale.get("scheme") == "tableau20" else TABLEAU)
    shades = {name: options[k % len(options)] for k, name in enumerate(names)}
    return lambda value: shades.get(value, options[0])  # pyright: ignore[reportUnknownLambdaType]
