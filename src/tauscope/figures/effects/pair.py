"""A curve and what became of it, in a filled band and a dashed outline, as an Altair chart."""

from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.effects.scales import (
    HEIGHT,
    LEVEL,
    WIDTH,
    class_color,
    class_name,
    effect_axis,
    extremes,
    finite,
    level_axis,
    point_of,
    points_of,
    x_axis,
)
from tauscope.figures.labels import in_tooltip, inline
from tauscope.results.effects.effect import FeatureEffect

Floats = NDArray[np.float64]
DASH = [5, 3]
FIELDS = ("before", "after", "filled_lower", "filled_upper", "outline_lower", "outline_upper")


@dataclass(frozen=True)
class Pair:
    """What is drawn, each array as the effect.

    Attributes
    ----------
    before, after : ndarray of shape (q, G)
        `before` is dotted and grey, `after` solid.
    filled, outline : (ndarray, ndarray)
        Lower and upper ends of the band, and of the dashed outline, which may leave the chart.
    marked : int or None
        A point to mark.
    """

    before: Floats
    after: Floats
    filled: tuple[Floats, Floats]
    outline: tuple[Floats, Floats]
    marked: int | None = None


def pair_chart(effect: FeatureEffect, pair: Pair, title: alt.TitleParams, *, color: str) -> alt.LayerChart:
    """Draw two curves of one feature over the same points.

    Parameters
    ----------
    effect : FeatureEffect
        Whose axis, response and classes are shown.
    pair : Pair
    title : altair.TitleParams
    color : str
        Of a single curve; classes have their own.
    """
    axis = effect._axes[0]
    low, high = extremes(pair.before, pair.after, *pair.filled)
    wide = extremes(*pair.outline)
    low, high = max(min(low, wide[0]), low - (high - low)), min(max(high, wide[1]), high + (high - low))
    several = len(pair.before) > 1
    shown = class_color(effect) if several else alt.value(color)
    draw = _levels if axis.kind == "levels" else _lines
    return LayerChart(
        data=inline(_records(effect, pair)),
        layer=draw(effect, low, high, shown),
        width=WIDTH,
        height=HEIGHT if axis.kind != "levels" else max(60, 1.5 * LEVEL * len(axis)),
        title=title,
    )


def _lines(effect: FeatureEffect, low: float, high: float, color: Any) -> list[alt.Chart]:
    x = x_axis(effect._axes[0])

    def y(field: str) -> Any:
        return effect_axis(effect, low, high, field)

    outline: dict[str, Any] = {"strokeDash": DASH, "strokeWidth": 1.0, "clip": True, "color": theme.MUTED}
    return [
        alt.Chart().mark_area(opacity=theme.BAND, clip=True)
        .encode(x=x, y=y("filled_lower"), y2="filled_upper", color=color),
        *(alt.Chart().mark_line(**outline).encode(x=x, y=y(f"outline_{side}"), detail="class:N")
          for side in ("lower", "upper")),
        alt.Chart().mark_line(strokeWidth=1.5, strokeDash=[2, 2], color=theme.MUTED, clip=True)
        .encode(x=x, y=y("before"), detail="class:N"),
        alt.Chart().mark_line(strokeWidth=theme.LINE, clip=True).encode(x=x, y=y("after"), color=color),
        alt.Chart().transform_filter("datum.marked").mark_point(size=60, filled=True, opacity=1)
        .encode(x=x, y=y("after"), color=color),
        alt.Chart().mark_point(size=90, opacity=0).encode(x=x, y=y("after"), tooltip=_tips(effect)),
    ]  # fmt: skip


def _levels(effect: FeatureEffect, low: float, high: float, color: Any) -> list[alt.Chart]:
    axis = effect._axes[0]
    y = level_axis(axis, alt.Y, domain=False)

    def x(field: str) -> Any:
        return effect_axis(effect, low, high, field, alt.X)

    return [
        alt.Chart().mark_rule(strokeWidth=10, opacity=0.3, clip=True)
        .encode(y=y, x=x("filled_lower"), x2="filled_upper", color=color),
        alt.Chart().mark_rule(strokeWidth=1, strokeDash=DASH, color=theme.MUTED, clip=True)
        .encode(y=y, x=x("outline_lower"), x2="outline_upper"),
        alt.Chart().mark_point(size=60, color=theme.MUTED, opacity=1).encode(y=y, x=x("before")),
        alt.Chart().mark_point(size=70, filled=True, opacity=1)
        .encode(y=y, x=x("after"), color=color, tooltip=_tips(effect)),
    ]  # fmt: skip


def _tips(effect: FeatureEffect) -> list[alt.Tooltip]:
    first = [alt.Tooltip("label:N", title=in_tooltip(effect._axes[0].name))]
    first += [alt.Tooltip("class:N")] if len(effect._computed.effect) > 1 else []
    return [*first, *(alt.Tooltip(f"{name}:Q", title=name.replace("_", " "), format=",.4~g") for name in FIELDS)]


def _records(effect: FeatureEffect, pair: Pair) -> list[dict[str, Any]]:
    axis = effect._axes[0]
    arrays = dict(zip(FIELDS, (pair.before, pair.after, *pair.filled, *pair.outline), strict=True))
    return [
        {
            "value": point_of(axis, place),
            "label": axis.label(place),
            "class": class_name(effect, output),
            "marked": place == pair.marked,
            **{name: finite(values[output, place]) for name, values in arrays.items()},
        }
        for output in range(len(pair.before))
        for place in points_of(axis)
    ]
