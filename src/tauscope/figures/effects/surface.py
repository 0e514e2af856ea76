"""An effect of two features as a heat map: cells in the features' own units, levels in rows or columns."""

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.figures import theme
from tauscope.figures.effects.scales import (
    Drawn,
    class_name,
    effect_labels,
    finite,
    header,
    level_axis,
    point_of,
    points_of,
    themed,
)
from tauscope.figures.labels import in_line, in_tooltip, inline
from tauscope.results.effects.axis import Axis
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.text import centred, extent, weighting

SIDE = 320


def surface_chart(result: FeatureEffect) -> alt.LayerChart | alt.HConcatChart:
    """Draw the effect of two features, one map per class."""
    words = [f"{extent(result)}.", weighting(result)]
    if any(np.isnan(axis.points).any() and axis.kind != "levels" for axis in result.axes):
        words.append("Rows without a value have no place on the map; they are in .frame.")
    scale = "the interaction beyond what each does alone" if centred(result) else result.response
    drawn: Drawn = "change" if centred(result) else "value"
    return heat_maps(result, result.computed.effect, scale, header(result, *words), drawn)


def heat_maps(
    result: FeatureEffect, values: NDArray[np.float64], legend: str, title: alt.TitleParams, drawn: Drawn
) -> alt.LayerChart | alt.HConcatChart:
    """Draw values (q, G1, G2) over the two features, the colour scale shared by all classes.

    Parameters
    ----------
    result : FeatureEffect
    values : ndarray of shape (q, G1, G2)
    legend : str
    title : altair.TitleParams
    drawn : {"value", "change", "width"}
        What `values` are of the effect; of changes 0 is the middle of the colours.
    """
    finite_values = values[np.isfinite(values)]
    low, high = (float(finite_values.min()), float(finite_values.max())) if finite_values.size else (0.0, 1.0)
    if drawn == "change":
        low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
    if high <= low:
        low, high = low - 0.5, high + 0.5
    if drawn != "value" and result.response_kind == "share":
        legend = f"{legend}, {theme.POINTS}"
    color = alt.Color(
        "effect:Q",
        scale=alt.Scale(scheme="blueorange" if drawn == "change" else "blues", domain=[low, high]),
        legend=alt.Legend(
            title=in_line(legend), type="gradient", titleLimit=2 * SIDE, orient="bottom", gradientLength=SIDE,
            labelExpr=effect_labels(result, drawn),
        ),
    )  # fmt: skip
    maps = [_map(result, values[output], class_name(result, output), color) for output in range(len(values))]
    if len(maps) == 1:
        return alt.LayerChart(layer=maps, width=SIDE, height=SIDE, title=title, config=themed())
    named = [
        chart.properties(width=SIDE / 1.5, height=SIDE / 1.5, title=in_line(result.classes[i]))
        for i, chart in enumerate(maps)
    ]
    return alt.HConcatChart(hconcat=named, title=title, config=themed())


def _map(result: FeatureEffect, values: NDArray[np.float64], name: str, color: alt.Color) -> alt.Chart:
    first, second = result.axes
    across, along = cells_of(first), cells_of(second)
    records: list[dict[str, Any]] = [
        {
            "x": a[0], "x2": a[1], "y": b[0], "y2": b[1], "class": name,
            "effect": finite(values[i, j]), "first": first.label(i), "second": second.label(j),
            "n": int(result.computed.n[i, j]),
        }
        for i, a in across.items()
        for j, b in along.items()
    ]  # fmt: skip
    tips = [
        alt.Tooltip("first:N", title=in_tooltip(first.name)),
        alt.Tooltip("second:N", title=in_tooltip(second.name)),
        alt.Tooltip("effect:Q", format=",.4~g"),
        alt.Tooltip("n:Q", format=",", title="rows"),
    ]
    x, y = cell_axis(first, alt.X), cell_axis(second, alt.Y)
    encoded: dict[str, Any] = {"x": x, "y": y, "color": color, "tooltip": tips}
    if first.kind != "levels":
        encoded["x2"] = "x2"
    if second.kind != "levels":
        encoded["y2"] = "y2"
    seen = alt.Chart(inline(records)).transform_filter("isValid(datum.effect)")
    return seen.mark_rect().encode(**encoded)


def cells_of(axis: Axis) -> dict[int, tuple[Any, Any]]:
    """Both ends of the cell around each point: halfway to its neighbours; a level stands for itself."""
    places = points_of(axis)
    if axis.kind == "levels":
        return {place: (axis.label(place), None) for place in places}
    points = np.array([point_of(axis, place) for place in places], dtype=np.float64)
    middle = (points[1:] + points[:-1]) / 2
    edges = np.concatenate([points[:1], middle, points[-1:]])
    return {place: (float(edges[k]), float(edges[k + 1])) for k, place in enumerate(places)}


def cell_axis(axis: Axis, channel: Any) -> Any:
    """Make the axis of one feature's cells, horizontal or vertical."""
    field = "x" if channel is alt.X else "y"
    if axis.kind == "levels":
        return level_axis(axis, channel, field, limit=140)
    kind = "T" if axis.kind == "date" else "Q"
    cells = list(cells_of(axis).values())
    words: dict[str, Any] = {} if axis.kind == "date" else {"labelExpr": theme.AXIS_VALUE}
    scale = alt.Scale(domain=[cells[0][0], cells[-1][1]], nice=False, zero=False)
    return channel(
        f"{field}:{kind}", title=in_line(axis.name), scale=scale, axis=alt.Axis(grid=False, tickCount=6, **words)
    )
