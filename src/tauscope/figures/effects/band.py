"""The effect of one feature in its certified band, before and after a stress, as an Altair chart."""

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.effects import CurveBounds
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
    header,
    level_axis,
    point_of,
    points_of,
    x_axis,
)
from tauscope.figures.labels import in_tooltip, inline
from tauscope.results.effects.effect import FeatureEffect

PAPER_DASH = [5, 3]


def band_chart(
    effect: FeatureEffect, bounds: CurveBounds, after: NDArray[np.float64] | None, words: tuple[str, ...]
) -> alt.LayerChart:
    """Draw the effect of one feature in its certified band, the paper's bound as an outline.

    Parameters
    ----------
    effect : FeatureEffect
    bounds : CurveBounds
    after : ndarray of shape (q, G) or None
        The curve under a stress, drawn beside the one before.
    words : tuple of str
        Lines below the title.
    """
    certified, paper, curve = bounds.certified, bounds.paper, effect._computed.effect
    outer = certified if paper is None else paper
    low, high = extremes(certified.lower, certified.upper, curve, *([] if after is None else [after]))
    outer_range = extremes(outer.lower, outer.upper)
    span = high - low
    low, high = max(min(low, outer_range[0]), low - span), min(max(high, outer_range[1]), high + span)
    records = _records(effect, bounds, after)
    draw = _levels if effect._axes[0].kind == "levels" else _lines
    return LayerChart(
        data=inline(records),
        layer=draw(effect, paper is not None, after is not None, low, high),
        width=WIDTH,
        height=HEIGHT if effect._axes[0].kind != "levels" else max(60, 1.5 * LEVEL * len(effect._axes[0])),
        title=header(effect, *words),
    )


def _lines(effect: FeatureEffect, paper: bool, moved: bool, low: float, high: float) -> list[alt.Chart]:
    x, color = x_axis(effect._axes[0]), class_color(effect)

    def y(field: str) -> Any:
        return effect_axis(effect, low, high, field)

    several = len(effect._computed.effect) > 1
    outline: dict[str, Any] = {"strokeDash": PAPER_DASH, "strokeWidth": 1.0, "clip": True}
    edge: dict[str, Any] = {"color": color} if several else {}
    if not several:
        outline["color"] = theme.MUTED
    layers = [
        alt.Chart().mark_area(opacity=theme.BAND, clip=True)
        .encode(x=x, y=y("certified_lower"), y2="certified_upper", color=color),
    ]  # fmt: skip
    if paper:
        layers += [
            alt.Chart().mark_line(**outline).encode(x=x, y=y(side), **edge) for side in ("paper_lower", "paper_upper")
        ]
    if moved:
        before = alt.Chart().mark_line(strokeWidth=1.5, strokeDash=[2, 2], clip=True, color=theme.MUTED)
        layers.append(before.encode(x=x, y=y("effect"), detail="class:N"))
    layers.append(
        alt.Chart().mark_line(strokeWidth=theme.LINE, clip=True)
        .encode(x=x, y=y("moved" if moved else "effect"), color=color)
    )  # fmt: skip
    layers.append(alt.Chart().mark_point(size=90, opacity=0).encode(x=x, y=y("effect"), tooltip=_tips(effect, moved)))
    return layers


def _levels(effect: FeatureEffect, paper: bool, moved: bool, low: float, high: float) -> list[alt.Chart]:
    axis, color = effect._axes[0], class_color(effect)
    y = level_axis(axis, alt.Y, domain=False)

    def x(field: str) -> Any:
        return effect_axis(effect, low, high, field, alt.X)

    layers = [
        alt.Chart().mark_rule(strokeWidth=10, opacity=0.3, clip=True)
        .encode(y=y, x=x("certified_lower"), x2="certified_upper", color=color),
    ]  # fmt: skip
    if paper:
        layers.append(
            alt.Chart().mark_rule(strokeWidth=1, strokeDash=PAPER_DASH, color=theme.MUTED, clip=True)
            .encode(y=y, x=x("paper_lower"), x2="paper_upper")
        )  # fmt: skip
    if moved:
        before = alt.Chart().mark_point(size=60, color=theme.MUTED, opacity=1)
        layers.append(before.encode(y=y, x=x("effect")))
    point = alt.Chart().mark_point(size=70, filled=True, opacity=1)
    layers.append(point.encode(y=y, x=x("moved" if moved else "effect"), color=color, tooltip=_tips(effect, moved)))
    return layers


def _tips(effect: FeatureEffect, moved: bool) -> list[alt.Tooltip]:
    fields = ["effect", "moved", "certified_lower", "certified_upper", "paper_lower", "paper_upper"]
    shown = [name for name in fields if moved or name != "moved"]
    first = [alt.Tooltip("label:N", title=in_tooltip(effect._axes[0].name))]
    first += [alt.Tooltip("class:N")] if len(effect._computed.effect) > 1 else []
    return [*first, *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in shown)]


def _records(effect: FeatureEffect, bounds: CurveBounds, after: NDArray[np.float64] | None) -> list[dict[str, Any]]:
    axis = effect._axes[0]
    arrays = {
        "effect": effect._computed.effect,
        "certified_lower": bounds.certified.lower,
        "certified_upper": bounds.certified.upper,
    }
    if bounds.paper is not None:
        arrays |= {"paper_lower": bounds.paper.lower, "paper_upper": bounds.paper.upper}
    if after is not None:
        arrays["moved"] = after
    return [
        {
            "value": point_of(axis, place),
            "label": axis.label(place),
            "class": class_name(effect, output),
            **{name: finite(values[output, place]) for name, values in arrays.items()},
        }
        for output in range(len(effect._computed.effect))
        for place in points_of(axis)
    ]
