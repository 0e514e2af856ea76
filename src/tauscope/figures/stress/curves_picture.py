"""A still picture of stress curves, as SVG text: what is seen where no widget can live."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.figures import theme
from tauscope.figures.labels import cut_apart, legible
from tauscope.figures.stress.panel import LABEL_ROOM, MARKS, runs, spread, value_range
from tauscope.figures.stress.selection import select
from tauscope.results.formatting import number
from tauscope.results.reliability import RELIABLE, WIDE
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.text import dashed, extent, title
from tauscope.words import escape

WIDTH, HEIGHT = 680, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 500, 74, 290
LABEL_GAP = 16.0
FAINT_DOTS = 'stroke-width="2" stroke-dasharray="1 3" opacity="0.6"'
FAINT_DOTS_REST = 'stroke-dasharray="1 3" opacity="0.6"'

Array = NDArray[np.float64]


def draw_picture(result: StressCurves) -> str:
    """Draw the feature that moves the leading metric most in the accent, as the widget does, and the others in grey.

    Parameters
    ----------
    result : StressCurves

    Returns
    -------
    str
        An SVG document of its own: no script, no style sheet, nothing to fetch, an opaque ground so that it reads on
        any page. Text from the data is escaped.
    """
    metric = result._leading_metric
    place = result._metric_place(metric.name)
    selection = select(result, metric.name)
    first, others = selection.chosen[:1], selection.shown[1:]
    low, high = value_range(result, metric.name, selection.chosen, first, selection.rest)
    plane = _Plane(float(result.taus[0]), float(result.taus[-1]), low, high)
    curves = {name: result._curves.value[result._feature_place(name), place] for name in selection.shown}
    parts = [*_frame(result, metric.label), *_axes(plane, metric.kind == "share")]
    for name in others:
        inside = np.where((curves[name] >= low) & (curves[name] <= high), curves[name], np.nan)
        parts += plane.line(result.taus, inside, f'stroke="{theme.IDLE}" {FAINT_DOTS_REST}')
        solid = np.where(runs(result, name, metric.name) >= 0, inside, np.nan)
        parts += plane.line(result.taus, solid, f'stroke="{theme.IDLE}" stroke-width="{theme.LINE_IDLE}"')
    unstressed = np.array([curve[result.taus == 0] for curve in curves.values()])
    if np.isfinite(unstressed).any():
        height = f"{plane.y(float(np.nanmean(unstressed))):.1f}"
        parts.append(_rule(LEFT, height, RIGHT, height, theme.MUTED, "4 3"))
    for name in first:
        parts += _chosen(result, name, place, plane)
    parts += _labels({name: plane.y(curves[name][-1]) for name in selection.chosen})
    return "\n".join([*parts, "</svg>"])


@dataclass(frozen=True)
class _Plane:
    """From τ and values to pixels."""

    first: float
    last: float
    low: float
    high: float

    def x(self, tau: float) -> float:
        return LEFT + (RIGHT - LEFT) * (tau - self.first) / (self.last - self.first)

    def y(self, value: float) -> float:
        inside = np.clip(value, self.low, self.high)
        return BOTTOM - (BOTTOM - TOP) * float(inside - self.low) / (self.high - self.low)

    def points(self, taus: Array, values: Array) -> list[str]:
        return [f"{self.x(t):.1f},{self.y(v):.1f}" for t, v in zip(taus, values, strict=True)]

    def line(self, taus: Array, values: Array, attributes: str) -> Iterator[str]:
        """Join the finite values, with a gap where there is none."""
        breaks = np.flatnonzero(np.diff(np.isfinite(values).astype(int))) + 1
        for stretch in np.split(np.arange(len(values)), breaks):
            if len(stretch) > 1 and np.isfinite(values[stretch[0]]):
                points = " ".join(self.points(taus[stretch], values[stretch]))
                yield f'<polyline points="{points}" fill="none" {attributes}/>'


def _text(x: float, y: float, words: str, attributes: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{escape(legible(words))}</text>'


def _rule(x1: object, y1: object, x2: object, y2: object, color: str, dashes: str = "none") -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{color}" stroke-dasharray="{dashes}"/>'


def _frame(result: StressCurves, label: str) -> list[str]:
    spoken, font = escape(legible(f"{title(result)}: {label} along τ")), escape(theme.FONT)
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{spoken}" font-family="{font}" font-size="{theme.FONT_SIZE}" fill="{theme.MUTED}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{theme.PAPER}"/>',
        _text(20, 28, title(result), f'fill="{theme.INK}" font-size="15" font-weight="600"'),
        _text(20, 48, f"{label} · {extent(result)}"),
        _text(20, HEIGHT - 14, f"{MARKS} {dashed(result.hold)} Grey: other features.", 'font-size="11"'),
    ]


def _axes(plane: _Plane, is_share: bool) -> Iterator[str]:
    for value in _ticks(plane.low, plane.high):
        height = plane.y(value)
        yield _rule(LEFT, f"{height:.1f}", RIGHT, f"{height:.1f}", theme.GRID)
        words = f"{number(100 * value)} %" if is_share else number(value)
        yield _text(LEFT - 8, height + 4, words, 'text-anchor="end"')
    for tau in _ticks(plane.first, plane.last):
        words = f"+{number(tau)}" if tau > 0 else number(tau)
        yield _text(plane.x(tau), BOTTOM + 18, words, 'text-anchor="middle"')
    middle = plane.x(0.0)
    yield _text(middle, BOTTOM + 34, "τ", 'text-anchor="middle"')
    yield _rule(f"{middle:.1f}", TOP, f"{middle:.1f}", BOTTOM, theme.MUTED, "1 3")


def _chosen(result: StressCurves, name: str, place: int, plane: _Plane) -> Iterator[str]:
    """Draw one in the accent: dotted and pale all along, its band and a thin line where wide, solid where reliable."""
    row, metric = result._feature_place(name), result.metric_names[place]
    curves = result._curves
    solid, readable = (runs(result, name, metric, most) for most in (RELIABLE, WIDE))
    value, lower, upper = (a[row, place] for a in (curves.value, curves.lower, curves.upper))
    yield from plane.line(result.taus, value, f'stroke="{theme.ACCENT}" {FAINT_DOTS}')
    for run in range(int(readable.max()) + 1):
        inside = readable == run
        bounded = inside & np.isfinite(lower) & np.isfinite(upper)
        if bounded.sum() > 1:
            there = plane.points(result.taus[bounded], upper[bounded])
            back = plane.points(result.taus[bounded], lower[bounded])
            outline = " ".join(there + back[::-1])
            yield f'<polygon points="{outline}" fill="{theme.ACCENT}" fill-opacity="{theme.BAND}"/>'
    thin = f'stroke="{theme.ACCENT}" stroke-width="{theme.LINE_WIDE}" opacity="{theme.FADED_LINE}"'
    yield from plane.line(result.taus, np.where((readable >= 0) & ~_inside(solid >= 0), value, np.nan), thin)
    for run in range(int(solid.max()) + 1):
        inside = solid == run
        yield from plane.line(
            result.taus[inside], value[inside], f'stroke="{theme.ACCENT}" stroke-width="{theme.LINE}"'
        )


def _inside(good: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which places of a stretch have no neighbour outside it."""
    padded = np.pad(good, 1, constant_values=True)
    return padded[:-2] & good & padded[2:]


def _labels(ends: dict[str, float]) -> Iterator[str]:
    """Names at the ends of lines, the first in the accent."""
    drawn = {name: end for name, end in ends.items() if np.isfinite(end)}
    heights = spread(np.array(list(drawn.values())), LABEL_GAP, TOP, BOTTOM)
    short = cut_apart(drawn, LABEL_ROOM)
    for name, height in zip(drawn, heights, strict=True):
        first = name == next(iter(ends))
        yield _text(RIGHT + 8, height + 4, short[name], f'fill="{theme.ACCENT}" font-weight="600"' if first else "")


def _ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round values (1, 2 or 5 times a power of ten apart) inside a range."""
    raw = (high - low) / about
    power = 10.0 ** np.floor(np.log10(raw))
    step = power * next(m for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return [float(step * k) for k in range(first, last + 1)]
