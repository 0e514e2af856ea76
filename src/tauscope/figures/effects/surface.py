"""An effect of two features as a heat map: cells in the features' own units, levels in rows or columns."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.figures import theme
from tauscope.figures.chart import HConcatChart, LayerChart
from tauscope.figures.effects.scales import (
    Drawn,
    class_name,
    effect_labels,
    finite,
    header,
    level_axis,
    point_of,
    points_of,
)
from tauscope.figures.labels import in_line, in_tooltip, inline
from tauscope.results.effects.axis import Axis
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.rows_in_cells import rows_in_cells
from tauscope.results.effects.text import centred, extent, weighting

SIDE = 320
HATCH = "M-1,1L1,-1"
"""Stroke over a cell without rows."""


def surface_chart(result: FeatureEffect) -> alt.LayerChart | alt.HConcatChart:
    """Draw the effect of two features, one map per class."""
    words = [f"{extent(result)}.", weighting(result)]
    if any(np.isnan(axis.points).any() and axis.kind != "levels" for axis in result._axes):
        words.append("Rows without a value have no place on the map; they are in .frame.")
    scale = "the interaction beyond what each does alone" if centred(result) else result.response
    drawn: Drawn = "change" if centred(result) else "value"
    return heat_maps(result, result._computed.effect, scale, words, drawn)


def heat_maps(
    result: FeatureEffect, values: NDArray[np.float64], legend: str, words: Sequence[str], drawn: Drawn
) -> alt.LayerChart | alt.HConcatChart:
    """Draw values (q, G1, G2) over the two features, the colour scale shared by all classes.

    Parameters
    ----------
    result : FeatureEffect
    values : ndarray of shape (q, G1, G2)
    legend : str
    words : sequence of str
        Lines below the title; what a stroke over a cell means is added.
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
    here = rows_in_cells(result)
    title = header(result, *words, "" if here is None or here.all() else "Cells with a stroke hold no rows.")
    maps = [_map(result, here, values[output], class_name(result, output), color) for output in range(len(values))]
    if len(maps) == 1:
        return LayerChart(layer=maps[0], width=SIDE, height=SIDE, title=title)
    named = [
        alt.LayerChart(layer=layers, width=SIDE / 1.5, height=SIDE / 1.5, title=in_line(result._classes[i]))
        for i, layers in enumerate(maps)
    ]
    return HConcatChart(hconcat=named, title=title)


def _map(
    result: FeatureEffect,
    here: NDArray[np.int64] | None,
    values: NDArray[np.float64],
    name: str,
    color: alt.Color,
) -> list[alt.Chart]:
    """Draw one class: its cells, and strokes over those where none of the rows is `here`."""
    first, second = result._axes
    across, along = cells_of(first), cells_of(second)
    records: list[dict[str, Any]] = [
        {
            "x": a[0], "x2": a[1], "y": b[0], "y2": b[1], "class": name,
            "effect": finite(values[i, j]), "first": first.label(i), "second": second.label(j),
            "n": int(result._computed.n[i, j]), "here": None if here is None else int(here[i, j]),
            "middle_x": _middle(a), "middle_y": _middle(b),
        }
        for i, a in across.items()
        for j, b in along.items()
    ]  # fmt: skip
    tips = [
        alt.Tooltip("first:N", title=in_tooltip(first.name)),
        alt.Tooltip("second:N", title=in_tooltip(second.name)),
        alt.Tooltip("effect:Q", format=",.4~g"),
        alt.Tooltip("n:Q", format=",", title="rows behind it"),
        *([] if here is None else [alt.Tooltip("here:Q", format=",", title="rows in this cell")]),
    ]
    x, y = cell_axis(first, alt.X), cell_axis(second, alt.Y)
    encoded: dict[str, Any] = {"x": x, "y": y, "color": color, "tooltip": tips}
    if first.kind != "levels":
        encoded["x2"] = "x2"
    if second.kind != "levels":
        encoded["y2"] = "y2"
    seen = alt.Chart(inline(records)).transform_filter("isValid(datum.effect)")
    rects = seen.mark_rect().encode(**encoded)
    if here is None or here.all():
        return [rects]
    unseen = seen.transform_filter("datum.here === 0")
    halo = unseen.mark_point(shape=HATCH, size=60, color="white", strokeWidth=3.5, opacity=0.6)
    strokes = unseen.mark_point(shape=HATCH, size=60, color=theme.INK, strokeWidth=1.2, opacity=0.8)
    middles = {"x": cell_axis(first, alt.X, "middle_x"), "y": cell_axis(second, alt.Y, "middle_y")}
    return [rects, *(each.encode(**middles, tooltip=tips) for each in (halo, strokes))]


def _middle(cell: tuple[Any, Any]) -> Any:
    return cell[0] if cell[1] is None else (cell[0] + cell[1]) / 2


def cells_of(axis: Axis) -> dict[int, tuple[Any, Any]]:
    """Both ends of the cell around each point: halfway to its neighbours; a level stands for itself."""
    places = points_of(axis)
    if axis.kind == "levels":
        return {place: (axis.label(place), None) for place in places}
    points = np.array([point_of(axis, place) for place in places], dtype=np.float64)
    middle = (points[1:] + points[:-1]) / 2
    edges = np.concatenate([points[:1], middle, points[-1:]])
    return {place: (float(edges[k]), float(edges[k + 1])) for k, place in enumerate(places)}


def cell_axis(axis: Axis, channel: Any, field: str = "") -> Any:
    """Make the axis of one feature's cells, horizontal or vertical."""
    field = field or ("x" if channel is alt.X else "y")
    if axis.kind == "levels":
        return level_axis(axis, channel, field, limit=140)
    kind = "T" if axis.kind == "date" else "Q"
    cells = list(cells_of(axis).values())
    words: dict[str, Any] = {} if axis.kind == "date" else {"labelExpr": theme.AXIS_VALUE}
    scale = alt.Scale(domain=[cells[0][0], cells[-1][1]], nice=False, zero=False)
    return channel(
        f"{field}:{kind}", title=in_line(axis.name), scale=scale, axis=alt.Axis(grid=False, tickCount=6, **words)
    )
