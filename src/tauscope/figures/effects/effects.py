"""Effects of many features as small panels on one scale."""

from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.effects.scales import (
    class_color,
    class_name,
    effect_axis,
    finite,
    level_axis,
    point_of,
    points_of,
    x_axis,
)
from tauscope.figures.labels import heading, in_tooltip, inline
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.effects import FeatureEffects
from tauscope.results.effects.text import KINDS
from tauscope.words import count

WIDTH, HEIGHT = 200, 130


def draw(result: FeatureEffects, *, columns: int = 3) -> alt.ConcatChart:
    """Draw one panel for each feature; see `FeatureEffects.chart`."""
    if columns < 1:
        raise InputError(f"columns must be a number of panels, at least 1; got {columns}.")
    ends = [_ends(effect) for effect in result]
    low, high = min(a for a, _ in ends), max(b for _, b in ends)
    first = result.effects[0]
    words = [
        f"{first.model_name}, {count(first.n_rows, 'row')}.",
        f"Band: {first.interval}." if any(np.isfinite(one._computed.lower).any() for one in result) else "",
        "" if result.status == "complete" else f"{result.message}.",
    ]
    return ConcatChart(
        concat=[_panel(effect, low, high) for effect in result],
        columns=columns,
        spacing={"column": 24, "row": 20},
        title=heading(f"{KINDS[first.kind]} of {first.response}", words),
    )


def _ends(effect: FeatureEffect) -> tuple[float, float]:
    computed = effect._computed
    low, high = np.fmin(computed.effect, computed.lower), np.fmax(computed.effect, computed.upper)
    return float(np.nanmin(low)), float(np.nanmax(high))


def _panel(effect: FeatureEffect, low: float, high: float) -> alt.LayerChart:
    axis, computed, color = effect._axes[0], effect._computed, class_color(effect)
    records: list[dict[str, Any]] = [
        {
            "value": point_of(axis, place),
            "label": axis.label(place),
            "class": class_name(effect, output),
            "effect": finite(computed.effect[output, place]),
            "lower": finite(computed.lower[output, place]),
            "upper": finite(computed.upper[output, place]),
        }
        for output in range(len(computed.effect))
        for place in points_of(axis)
    ]
    y = effect_axis(effect, low, high)
    tips = [alt.Tooltip("label:N", title=in_tooltip(axis.name)), alt.Tooltip("effect:Q", format=",.4~g")]
    if axis.kind == "levels":
        x: Any = level_axis(axis, alt.X, limit=60, labelAngle=0)
        layers = [
            alt.Chart().mark_rule(opacity=0.45).encode(x=x, y=alt.Y("lower:Q"), y2="upper:Q", color=color),
            alt.Chart().mark_point(size=40, filled=True, opacity=1).encode(x=x, y=y, color=color, tooltip=tips),
        ]
    else:
        x = x_axis(axis)
        layers = [
            alt.Chart().mark_area(opacity=theme.BAND).encode(x=x, y=alt.Y("lower:Q"), y2="upper:Q", color=color),
            alt.Chart().mark_line(strokeWidth=theme.LINE).encode(x=x, y=y, color=color),
            alt.Chart().mark_point(size=70, opacity=0).encode(x=x, y=y, tooltip=tips),
        ]
    return alt.LayerChart(data=inline(records), layer=layers, width=WIDTH, height=HEIGHT)
