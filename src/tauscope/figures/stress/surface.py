"""A stress surface as an Altair heat map: both means in their own units, colours around the unstressed value."""

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, in_tooltip, inline
from tauscope.results.formatting import number, share
from tauscope.results.reliability import UNRELIABLE, levels
from tauscope.results.stress.surface import StressSurface
from tauscope.words import count

SIDE = 340
BEYOND = "#c9cdd3"
CIRCLE = 1 / 6
"""Radius of the circle in an unreliable cell, in the cell's smaller side."""
LEAST = 1.5


def draw(result: StressSurface, metric: str | None = None) -> alt.LayerChart:
    """Draw one metric; see `StressSurface.chart`."""
    place = result._metric_place(result._leading_metric.name if metric is None else metric)
    about, surface = result._surface.metrics[place], result._surface
    zero = int(result.taus.searchsorted(0.0))
    middle = float(surface.value[place, zero, zero])
    write = share if about.kind == "share" else number
    x, y = (_axis(result, axis, channel) for axis, channel in ((0, alt.X), (1, alt.Y)))
    places: dict[str, Any] = {"x": x, "x2": "x2", "y": y, "y2": "y2"}
    tips = [
        alt.Tooltip("target_1:Q", title=in_tooltip(result.feature_names[0]), format=",.4~g"),
        alt.Tooltip("target_2:Q", title=in_tooltip(result.feature_names[1]), format=",.4~g"),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("value", "lower", "upper", "ess", "pareto_k")),
        alt.Tooltip("reliability:N"),
        alt.Tooltip("note:N"),
    ]
    cells = alt.Chart(inline(_records(result, place)))
    color = alt.Color(
        "value:Q",
        scale=_color_scale(surface.value[place], middle, about.kind != "value"),
        legend=alt.Legend(
            title=in_line(about.label), type="gradient", orient="right", gradientLength=SIDE - 40,
            labelExpr=theme.AXIS_SHARE if about.kind == "share" else theme.AXIS_VALUE,
        ),
    )  # fmt: skip
    layers = [
        cells.transform_filter("!isValid(datum.value)")
        .mark_rect(color=BEYOND, opacity=0.6)
        .encode(**places, tooltip=tips),
        cells.transform_filter("isValid(datum.value)").mark_rect().encode(**places, color=color, tooltip=tips),
        cells.transform_filter("isValid(datum.value) && datum.reliability == 'unreliable'")
        .mark_point(shape="circle", stroke=theme.MUTED, strokeWidth=1, fill=theme.PAPER, fillOpacity=0.5, opacity=1)
        .encode(x=alt.X("x_middle:Q"), y=alt.Y("y_middle:Q"), size=alt.Size("area:Q", scale=None), tooltip=tips),
        alt.Chart(inline([{"x": float(surface.target[0, zero])}]))
        .mark_rule(color=theme.INK, strokeDash=[4, 3])
        .encode(x="x:Q"),
        alt.Chart(inline([{"y": float(surface.target[1, zero])}]))
        .mark_rule(color=theme.INK, strokeDash=[4, 3])
        .encode(y="y:Q"),
    ]
    words = [
        f"{count(result.n_rows, 'row')}. {about.label[:1].upper()}{about.label[1:]}: {write(middle)} as tested, "
        "where the "
        "dashed lines cross.",
        *_marks(result, place),
    ]
    title = heading(result.title, words)
    return LayerChart(layer=layers, width=SIDE, height=SIDE, title=title)


def _marks(result: StressSurface, place: int) -> list[str]:
    """Say what the marks on the map mean, of those that are there."""
    seen = np.isfinite(result._surface.ess)
    unreliable = np.isfinite(result._surface.value[place]) & (levels(result._surface.reason[place]) == UNRELIABLE)
    circled = ["Small circles: unreliable."] if unreliable.any() else []
    grey = ["Grey: these rows cannot be weighted so that both means are met."] if not seen.all() else []
    return circled + grey


def _color_scale(values: NDArray[np.float64], middle: float, bounded: bool) -> alt.Scale:
    """Colours as far from the middle's both ways as the farthest value; those in [0, 1] of a share or a score."""
    seen = values[np.isfinite(values)]
    half_width = float(np.abs(seen - middle).max()) if seen.size else 0.0
    half_width = half_width if half_width > 0 else 0.5 * abs(middle) or 0.5
    low, high = middle - half_width, middle + half_width
    if bounded:
        low, high = max(low, 0.0), min(high, 1.0)
    extent = [0.5 + (end - middle) / (2 * half_width) for end in (low, high)]
    return alt.Scale(scheme=alt.SchemeParams(name="blueorange", extent=extent), domain=[low, high], nice=False)


def _edges(targets: NDArray[np.float64]) -> NDArray[np.float64]:
    between = (targets[1:] + targets[:-1]) / 2
    return np.concatenate([targets[:1], between, targets[-1:]])


def _axis(result: StressSurface, axis: int, channel: Any) -> Any:
    targets, feature = result._surface.target[axis], result.features[axis]
    words = theme.AXIS_SHARE if feature.kind == "share" else theme.AXIS_VALUE
    scale = alt.Scale(domain=[float(targets[0]), float(targets[-1])], nice=False, zero=False)
    what = f"share of {feature.name}" if feature.kind == "share" else f"mean of {feature.name}"
    ticks = alt.Axis(grid=False, tickCount=6, labelExpr=words)
    return channel("x:Q" if axis == 0 else "y:Q", title=in_line(what), scale=scale, axis=ticks)


def _records(result: StressSurface, place: int) -> list[dict[str, Any]]:
    surface, edges = result._surface, [_edges(targets) for targets in result._surface.target]
    sides = [SIDE * np.diff(each) / (each[-1] - each[0]) for each in edges]
    shape = surface.ess.shape
    said = result.frame[["reliability", "note"]].to_numpy().reshape(*shape, -1, 2)[:, :, place]
    numbers = {"value": surface.value, "lower": surface.lower, "upper": surface.upper}
    records: list[dict[str, Any]] = []
    for i, j in np.ndindex(*shape):
        cell = {name: float(values[place, i, j]) for name, values in numbers.items()}
        cell |= {"ess": float(surface.ess[i, j]), "pareto_k": float(surface.pareto_k[i, j])}
        records.append(
            {
                "x": float(edges[0][i]), "x2": float(edges[0][i + 1]),
                "y": float(edges[1][j]), "y2": float(edges[1][j + 1]),
                "target_1": float(surface.target[0, i]), "target_2": float(surface.target[1, j]),
                **{name: value if np.isfinite(value) else None for name, value in cell.items()},
                "reliability": str(said[i, j, 0]), "note": str(said[i, j, 1]),
                "x_middle": float(edges[0][i : i + 2].mean()), "y_middle": float(edges[1][j : j + 2].mean()),
                "area": float(np.pi * max(LEAST, CIRCLE * min(sides[0][i], sides[1][j])) ** 2),
            }
        )  # fmt: skip
    return records
