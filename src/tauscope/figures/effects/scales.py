"""What the charts of effects share: axes in the user's terms, where the rows are, records of numbers."""

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.data.dates import to_dates
from tauscope.figures import theme
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.results.effects.axis import Axis
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.text import centred
from tauscope.weights.arrays import even_edges

WIDTH, HEIGHT, STRIP, LEVEL = 440, 260, 46, 22
BINS = 40
Drawn = Literal["value", "change", "width"]
"""What is drawn of an effect: itself, a change around 0, or how far apart two ends are."""


def finite(value: float) -> float | None:
    """Return a number, or null where there is none."""
    return float(value) if np.isfinite(value) else None


def point_of(axis: Axis, place: int) -> Any:
    """One grid point as Vega-Lite takes it: a number, milliseconds of a date, or a level's name."""
    if axis.kind == "levels":
        return axis.label(place)
    if axis.kind == "date":
        return _milliseconds(axis.values[place])
    return finite(axis.points[place])


def points_of(axis: Axis) -> list[int]:
    """Places that have a position on the axis: all levels, and of numbers and dates all but the missing one."""
    return [place for place in range(len(axis)) if axis.kind == "levels" or np.isfinite(axis.points[place])]


def x_axis(axis: Axis, field: str = "value", *, labelled: bool = True) -> alt.X:
    """Make the horizontal axis of numbers or dates, over the range of the grid."""
    unit = f" ({axis.unit})" if axis.unit else ""
    ticks = alt.Axis(title=in_line(f"{axis.name}{unit}"), grid=False, tickCount=6)
    if axis.kind != "date":
        ticks["labelExpr"] = theme.AXIS_VALUE
    if not labelled:
        ticks = alt.Axis(title=None, labels=False, ticks=False)
    places = points_of(axis)
    ends = [point_of(axis, places[0]), point_of(axis, places[-1])]
    kind = "T" if axis.kind == "date" else "Q"
    return alt.X(f"{field}:{kind}", axis=ticks, scale=alt.Scale(domain=ends, nice=False, zero=False))


def level_axis(
    axis: Axis, channel: Any, field: str = "value", *, titled: bool = True, limit: int = 180, **ticks: Any
) -> Any:
    """Make the axis of a feature's levels, in their order."""
    names = [legible(label) for label in axis.labels]
    title = in_line(axis.name) if titled else None
    return name_axis(field, names, limit, channel, title, **ticks)


def effect_axis(
    effect: FeatureEffect, low: float, high: float, field: str = "effect", channel: Any = alt.Y, *, change: bool = False
) -> Any:
    """Make the axis of an effect, or of its changes, vertical or horizontal, over the numbers drawn."""
    apart = change or centred(effect)
    what = f"{effect.response}, centred" if centred(effect) else effect.response
    what = f"change of {effect.response}" if change else what
    title = [in_line(what), theme.POINTS] if apart and effect.response_kind == "share" else in_line(what)
    ticks = alt.Axis(labelExpr=effect_labels(effect, "change" if apart else "value"), tickCount=5)
    return channel(f"{field}:Q", title=title, scale=effect_scale(effect, low, high, change=change), axis=ticks)


def effect_labels(effect: FeatureEffect, drawn: Drawn) -> str:
    """Return the expression of an axis' labels: of shares per cent, of their differences percentage points."""
    if effect.response_kind == "value":
        return theme.AXIS_VALUE
    return {"value": theme.AXIS_SHARE, "change": theme.AXIS_POINTS, "width": theme.AXIS_WIDTH}[drawn]


def effect_scale(effect: FeatureEffect, low: float, high: float, *, change: bool = False) -> alt.Scale:
    """Make a scale over a range with a little room; shares keep to [0, 1] unless they are centred."""
    return alt.Scale(domain=list(effect_range(effect, low, high, change=change)), zero=False, nice=False)


def effect_range(effect: FeatureEffect, low: float, high: float, *, change: bool = False) -> tuple[float, float]:
    """Give a range a little room; shares keep to [0, 1] unless they are centred."""
    room = 0.03 * (high - low) if high > low else 0.05 * abs(low) or 0.05
    if effect.response_kind == "share" and not centred(effect) and not change:
        return max(0.0, low - room), min(1.0, high + room)
    return low - room, high + room


def extremes(*arrays: NDArray[np.float64]) -> tuple[float, float]:
    """Return the least and greatest finite number of several arrays."""
    values = np.concatenate([np.ravel(array) for array in arrays])
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)


def rows_strip(effect: FeatureEffect) -> alt.Chart:
    """Draw where the rows are along a numeric feature, as a histogram of their weight."""
    axis = effect._axes[0]
    places = points_of(axis)
    low, high = float(axis.points[places[0]]), float(axis.points[places[-1]])
    edges = even_edges(low, high, BINS)
    if axis.integer and high - low <= BINS:
        edges = np.arange(low - 0.5, high + 1)
    seen = ~np.isnan(axis.data)
    drawn = np.histogram(axis.data[seen], edges, weights=effect._computed.sample_weight[seen])[0]
    ends: NDArray[np.float64] = np.clip(edges, low, high)
    records = [
        {"from": _edge(axis, float(a)), "to": _edge(axis, float(b)), "share": float(n / len(axis.data)), "none": 0}
        for a, b, n in zip(ends[:-1], ends[1:], drawn, strict=True)
    ]
    share = alt.Y("share:Q", title=None, axis=alt.Axis(labels=False, grid=False, domain=False))
    tips = [alt.Tooltip("share:Q", title="share of rows", format=".2%")]
    return (
        alt.Chart(inline(records), width=WIDTH, height=STRIP)
        .mark_rect(color=theme.IDLE, opacity=0.75)
        .encode(x=x_axis(axis, "from"), x2="to", y=share, y2="none", tooltip=tips)
    )


def missing_words(effect: FeatureEffect) -> str:
    """Say the effect where the value is missing, which has no place on an axis of numbers; "" where it has none."""
    axis = effect._axes[0]
    missing = np.flatnonzero(np.isnan(axis.points))
    if axis.kind == "levels" or not len(missing) or len(effect._computed.effect) > 1:
        return ""
    from tauscope.results.effects.text import written

    value = float(effect._computed.effect[0, missing[0]])
    return f"Where {axis.name} is missing: {written(effect, value)}."


def header(effect: FeatureEffect, *words: str) -> alt.TitleParams:
    """Make the title with its lines of words, empty ones left out."""
    return heading(effect.title, words)


def class_color(effect: FeatureEffect) -> Any:
    """Colour by class where there are several, else the accent."""
    return alt.value(theme.ACCENT) if len(effect._computed.effect) == 1 else classes_color(effect._classes)


def classes_color(classes: Sequence[str]) -> alt.Color:
    """Colour by the field `class`."""
    names = [legible(name) for name in classes]
    many = len(names) > len(theme.PALETTE)
    scale = alt.Scale(domain=names, scheme="tableau20") if many else alt.Scale(
        domain=names, range=list(theme.PALETTE[: len(names)])
    )  # fmt: skip
    return alt.Color("class:N", sort=None, scale=scale, legend=alt.Legend(title="class", symbolOpacity=1))


def class_name(effect: FeatureEffect, output: int) -> str:
    """Name of the class of one output; the response where there is but one."""
    return effect._classes[output] if len(effect._computed.effect) > 1 else effect.response


def _edge(axis: Axis, point: float) -> float:
    return _milliseconds(to_dates(np.array([point]))[0]) if axis.kind == "date" else point


def _milliseconds(moment: Any) -> float:
    return float(np.datetime64(moment, "ms").astype(np.int64))
