"""A curve before and after its rows were perturbed, as an Altair chart."""

from typing import Any

import altair as alt

from tauscope.figures import theme
from tauscope.figures.effect_scales import (
    HEIGHT,
    LEVEL,
    WIDTH,
    effect_axis,
    extremes,
    finite,
    header,
    point_of,
    points_of,
    themed,
    x_axis,
)
from tauscope.results.effect_attack import METHODS, AttackedEffect
from tauscope.results.effect_words import extent, paragraph

DASH = [5, 3]


def attack_chart(result: AttackedEffect) -> alt.LayerChart:
    """Draw the curve before and after; see `AttackedEffect.chart`."""
    effect = result.before
    axis = effect.axes[0]
    records = _records(result)
    before, after = effect.computed.effect[0], result.after.effect[0]
    bound = result.coupling.bound[0]
    low, high = extremes(before, after, before - bound, before + bound)
    wide = extremes(before - result.estimated[0], before + result.estimated[0])
    low, high = max(min(low, wide[0]), low - (high - low)), min(max(high, wide[1]), high + (high - low))
    layers = _levels(result, low, high) if axis.kind == "levels" else _lines(result, low, high)
    words = (
        f"{METHODS[result.method].capitalize()}: {extent(effect)}.",
        *paragraph(f"{result.sentence[:1].upper()}{result.sentence[1:]}."),
        "Filled: certified for this change of the rows. Dashed outline: the paper's bound, estimated.",
    )
    return alt.LayerChart(
        data=alt.InlineData(values=records),
        layer=layers,
        width=WIDTH,
        height=HEIGHT if axis.kind != "levels" else max(60, 1.5 * LEVEL * len(axis)),
        title=header(effect, *words),
        config=themed(),
    )


def _lines(result: AttackedEffect, low: float, high: float) -> list[alt.Chart]:
    effect = result.before
    x = x_axis(effect.axes[0])

    def y(field: str) -> Any:
        return effect_axis(effect, low, high, field)

    outline: dict[str, Any] = {"strokeDash": DASH, "strokeWidth": 1.0, "clip": True, "color": theme.MUTED}
    return [
        alt.Chart().mark_area(opacity=theme.BAND, clip=True, color=theme.ACCENT)
        .encode(x=x, y=y("certified_lower"), y2="certified_upper"),
        *(alt.Chart().mark_line(**outline).encode(x=x, y=y(f"estimated_{side}")) for side in ("lower", "upper")),
        alt.Chart().mark_line(strokeWidth=1.5, strokeDash=[2, 2], color=theme.MUTED, clip=True)
        .encode(x=x, y=y("before")),
        alt.Chart().mark_line(strokeWidth=theme.LINE, color=theme.ACCENT, clip=True).encode(x=x, y=y("after")),
        alt.Chart().transform_filter("datum.attacked").mark_point(size=60, filled=True, opacity=1, color=theme.ACCENT)
        .encode(x=x, y=y("after")),
        alt.Chart().mark_point(size=90, opacity=0).encode(x=x, y=y("after"), tooltip=_tips(result)),
    ]  # fmt: skip


def _levels(result: AttackedEffect, low: float, high: float) -> list[alt.Chart]:
    effect, axis = result.before, result.before.axes[0]
    y = alt.Y("value:N", sort=list(axis.labels), title=axis.name, axis=alt.Axis(labelLimit=180, domain=False))

    def x(field: str) -> Any:
        return effect_axis(effect, low, high, field, alt.X)

    return [
        alt.Chart().mark_rule(strokeWidth=10, opacity=0.3, clip=True, color=theme.ACCENT)
        .encode(y=y, x=x("certified_lower"), x2="certified_upper"),
        alt.Chart().mark_rule(strokeWidth=1, strokeDash=DASH, color=theme.MUTED, clip=True)
        .encode(y=y, x=x("estimated_lower"), x2="estimated_upper"),
        alt.Chart().mark_point(size=60, color=theme.MUTED, opacity=1).encode(y=y, x=x("before")),
        alt.Chart().mark_point(size=70, filled=True, opacity=1, color=theme.ACCENT)
        .encode(y=y, x=x("after"), tooltip=_tips(result)),
    ]  # fmt: skip


def _tips(result: AttackedEffect) -> list[alt.Tooltip]:
    names = ("before", "after", "certified_lower", "certified_upper", "estimated_lower", "estimated_upper")
    first = alt.Tooltip("label:N", title=result.before.axes[0].name)
    return [first, *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in names)]


def _records(result: AttackedEffect) -> list[dict[str, Any]]:
    axis = result.before.axes[0]
    before, after = result.before.computed.effect[0], result.after.effect[0]
    certified, estimated = result.coupling.bound[0], result.estimated[0]
    return [
        {
            "value": point_of(axis, place),
            "label": axis.label(place),
            "attacked": place == result.place,
            "before": finite(before[place]),
            "after": finite(after[place]),
            "certified_lower": finite(before[place] - certified[place]),
            "certified_upper": finite(before[place] + certified[place]),
            "estimated_lower": finite(before[place] - estimated[place]),
            "estimated_upper": finite(before[place] + estimated[place]),
        }
        for place in points_of(axis)
    ]
