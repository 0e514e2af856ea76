"""An effect of rows in chunks as an Altair chart: curve and interval, levels as points, two features as a heat map."""

from typing import Any

import altair as alt
import numpy as np

from tauscope.figures import theme
from tauscope.figures.effects.scales import (
    HEIGHT,
    LEVEL,
    WIDTH,
    classes_color,
    extremes,
    finite,
    level_axis,
    point_of,
    points_of,
    themed,
    x_axis,
)
from tauscope.figures.effects.surface import SIDE, cell_axis, cells_of
from tauscope.figures.labels import heading, in_line, in_tooltip, inline
from tauscope.results.effects.chunked import SummedEffect
from tauscope.results.effects.text import KINDS, paragraph
from tauscope.results.formatting import number

FIELDS = ("effect", "lower", "upper")


def draw(result: SummedEffect) -> alt.LayerChart | alt.HConcatChart:
    """Draw an effect of rows in chunks; see `SummedEffect.chart`."""
    if len(result.axes) == 2:
        return _maps(result)
    drawn = _levels if result.axes[0].kind == "levels" else _curve
    return drawn(result).properties(title=_title(result, f"Band: {_interval(result)}."))


def _interval(result: SummedEffect) -> str:
    return f"{100 * result.confidence:g} % interval of the mean at each point"


def _title(result: SummedEffect, interval: str) -> alt.TitleParams:
    points = " × ".join(str(len(axis)) for axis in result.axes)
    weighted = "" if result.ess == result.n_rows else f" (effective sample {result.ess:,.0f})"
    asked = f"{result.n_model_rows:,} asked, {points} points"
    words = [
        f"{result.model_name}, {result.n_rows:,} rows in chunks{weighted}, {asked}.",
        interval,
        _missing(result),
        *(line for note in result.notes for line in paragraph(f"{note[:1].upper()}{note[1:]}.")),
    ]
    name = f"{KINDS[result.kind]} of {result.response} on {' and '.join(result.feature_names)}"
    return heading(name, words)


def _missing(result: SummedEffect) -> str:
    """Say the effect where the value is missing, which has no place on an axis of numbers."""
    axis = result.axes[0]
    lacking = np.flatnonzero(np.isnan(axis.points))
    if len(result.axes) == 2:
        apart = any(np.isnan(one.points).any() and one.kind != "levels" for one in result.axes)
        return "Rows without a value have no place on the map; they are in .frame." if apart else ""
    if axis.kind == "levels" or not len(lacking) or len(result.effect) > 1:
        return ""
    return f"Where {axis.name} is missing: {number(float(result.effect[0, lacking[0]]))}."


def _what(result: SummedEffect) -> str:
    return in_line(f"{result.response}, centred" if result.kind == "ale" else result.response)


def _class(result: SummedEffect, output: int) -> str:
    return result.classes[output] if len(result.effect) > 1 else result.response


def _color(result: SummedEffect) -> Any:
    """Colour by class where there are several, else the accent."""
    if len(result.effect) == 1:
        return alt.value(theme.ACCENT)
    return classes_color(result.classes)


def _records(result: SummedEffect) -> list[dict[str, Any]]:
    axis = result.axes[0]
    arrays = (result.effect, result.lower, result.upper)
    return [
        {
            "value": point_of(axis, place),
            "label": axis.label(place),
            "class": _class(result, output),
            **{name: finite(values[output, place]) for name, values in zip(FIELDS, arrays, strict=True)},
            "n": int(result.n[place]),
        }
        for output in range(len(result.effect))
        for place in points_of(axis)
    ]


def _tips(result: SummedEffect) -> list[alt.Tooltip]:
    first = [alt.Tooltip("label:N", title=in_tooltip(result.axes[0].name))]
    first += [alt.Tooltip("class:N")] if len(result.effect) > 1 else []
    numbers = [alt.Tooltip(f"{name}:Q", format=",.4~g") for name in FIELDS]
    return [*first, *numbers, alt.Tooltip("n:Q", title="rows", format=",")]


def _scale(result: SummedEffect) -> alt.Scale:
    low, high = extremes(result.effect, result.lower, result.upper)
    room = 0.03 * (high - low) if high > low else 0.05 * abs(low) or 0.05
    return alt.Scale(domain=[low - room, high + room], zero=False, nice=False)


def _curve(result: SummedEffect) -> alt.LayerChart:
    x, color = x_axis(result.axes[0]), _color(result)
    ticks = alt.Axis(labelExpr=theme.AXIS_VALUE, tickCount=5)
    y = alt.Y("effect:Q", title=_what(result), scale=_scale(result), axis=ticks)
    base = alt.Chart(inline(_records(result)))
    return alt.LayerChart(
        layer=[
            base.mark_area(opacity=theme.BAND).encode(x=x, y=alt.Y("lower:Q"), y2="upper:Q", color=color),
            base.mark_line(strokeWidth=theme.LINE).encode(x=x, y=y, color=color),
            base.mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=_tips(result)),
        ],
        width=WIDTH,
        height=HEIGHT,
        config=themed(),
    )


def _levels(result: SummedEffect) -> alt.LayerChart:
    axis, color = result.axes[0], _color(result)
    y = level_axis(axis, alt.Y, grid=True, domain=False)
    ticks = alt.Axis(labelExpr=theme.AXIS_VALUE, tickCount=5)
    x = alt.X("effect:Q", title=_what(result), scale=_scale(result), axis=ticks)
    base = alt.Chart(inline(_records(result)))
    return alt.LayerChart(
        layer=[
            base.mark_rule(strokeWidth=2.5, opacity=0.45).encode(y=y, x=alt.X("lower:Q"), x2="upper:Q", color=color),
            base.mark_point(size=70, filled=True, opacity=1).encode(y=y, x=x, color=color, tooltip=_tips(result)),
        ],
        width=WIDTH,
        height=max(60, LEVEL * len(axis)),
        config=themed(),
    )


def _maps(result: SummedEffect) -> alt.HConcatChart:
    low, high = extremes(result.effect)
    if result.kind == "ale":
        low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
    if high <= low:
        low, high = low - 0.5, high + 0.5
    color = alt.Color(
        "effect:Q",
        scale=alt.Scale(scheme="blueorange" if result.kind == "ale" else "blues", domain=[low, high]),
        legend=alt.Legend(
            title="the interaction beyond what each does alone" if result.kind == "ale" else in_line(result.response),
            type="gradient", orient="bottom", gradientLength=SIDE, titleLimit=2 * SIDE, labelExpr=theme.AXIS_VALUE,
        ),
    )  # fmt: skip
    several = len(result.effect) > 1
    side = SIDE / 1.5 if several else SIDE
    maps = [
        _map(result, output, color).properties(width=side, height=side, **({"title": in_line(name)} if several else {}))
        for output, name in enumerate(_class(result, output) for output in range(len(result.effect)))
    ]
    ends = f"{100 * result.confidence:g} % intervals of the mean are in the tooltips and in .frame."
    return alt.HConcatChart(hconcat=maps, title=_title(result, ends), config=themed())


def _map(result: SummedEffect, output: int, color: alt.Color) -> alt.Chart:
    first, second = result.axes
    arrays = (result.effect, result.lower, result.upper)
    records: list[dict[str, Any]] = [
        {
            "x": a[0], "x2": a[1], "y": b[0], "y2": b[1], "first": first.label(i), "second": second.label(j),
            **{name: finite(values[output, i, j]) for name, values in zip(FIELDS, arrays, strict=True)},
            "n": int(result.n[i, j]),
        }
        for i, a in cells_of(first).items()
        for j, b in cells_of(second).items()
    ]  # fmt: skip
    tips = [
        alt.Tooltip("first:N", title=in_tooltip(first.name)),
        alt.Tooltip("second:N", title=in_tooltip(second.name)),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in FIELDS),
        alt.Tooltip("n:Q", title="rows", format=","),
    ]
    encoded: dict[str, Any] = {"x": cell_axis(first, alt.X), "y": cell_axis(second, alt.Y)}
    encoded |= {f"{side}2": f"{side}2" for side, axis in (("x", first), ("y", second)) if axis.kind != "levels"}
    seen = alt.Chart(inline(records)).transform_filter("isValid(datum.effect)")
    return seen.mark_rect().encode(**encoded, color=color, tooltip=tips)
