"""Maps of pixels as Altair small multiples: one per metric, colours around no change, shared by all."""

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import heading, in_line, inline
from tauscope.results.formatting import number
from tauscope.results.stress.image import StressImage
from tauscope.words import count

WIDTH = 150
MANY = 100_000
CIRCLE = 1 / 6
"""Radius of the circle in a pixel of which the metric is unreliable, in the pixel's side."""
STROKE = 1 / 9
STILL = "#c9cdd3"


def draw(
    result: StressImage, metrics: str | Sequence[str] | None = None, low: float = -1, high: float = 1
) -> alt.ConcatChart:
    """Draw how far each pixel moves a metric; see `StressImage.chart`."""
    names = _names(result, metrics)
    channels = result.shape[2] if len(result.shape) == 3 else 1
    n_cells = int(np.prod(result.shape)) * len(names)
    if n_cells > MANY:
        raise InputError(
            f"A chart carries at most {MANY:,} cells; {len(names)} maps of {count(n_cells // len(names), 'pixel')} are "
            f"{n_cells:,}. Ask for fewer metrics, or use .widget() or .save('maps.html')."
        )
    source = result if np.isin([low, high], result.taus).all() else result.at([low, high])
    maps = {name: source.map(name, low, high) for name in names}
    usable = {name: source.usable(name, low, high) for name in names}
    readable = [np.abs(moved[usable[name]]) for name, moved in maps.items()]
    limit = max((float(moved.max()) for moved in readable if moved.size), default=1.0)
    panels = [
        _panel(result, name, moved, usable[name], channel, limit or 1.0, named=channels > 1)
        for name, moved in maps.items()
        for channel in range(channels)
    ]
    title = heading(
        result.title,
        [
            f"{count(result.n_rows, 'image')}. Change of each metric when a pixel's mean moves from τ = "
            f"{number(low)} to "
            f"{number(high)}.",
            *_marks(result, usable.values()),
        ],
    )
    return ConcatChart(
        concat=panels,
        columns=min(5, len(panels)),
        spacing=14,
        title=title,
        resolve=alt.Resolve(scale=alt.ScaleResolveMap(color="shared")),
    )


def _marks(result: StressImage, usable: Iterable[NDArray[np.bool_]]) -> list[str]:
    """Say what the marks on the maps mean, of those that are there."""
    unreliable = any((~good & ~result.constant).any() for good in usable)
    circled = ["Small circles: unreliable at either τ."] if unreliable else []
    grey = ["Grey: the pixel has one value in every image."] if result.constant.any() else []
    return circled + grey


def _names(result: StressImage, metrics: str | Sequence[str] | None) -> list[str]:
    if metrics is None:
        leading = [metric.name for metric in result._curves.metrics if metric.leading]
        return leading or list(result.metric_names)
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    return [result.metric_names[result._metric_place(name)] for name in names]


def _panel(
    result: StressImage, name: str, moved: Any, good: Any, channel: int, limit: float, *, named: bool
) -> alt.LayerChart:
    height, width = result.shape[:2]
    layer = moved.reshape(height, width, -1)[..., channel]
    sure = good.reshape(height, width, -1)[..., channel]
    records = [
        {
            "row": i, "row2": i + 1, "column": j, "column2": j + 1,
            "change": float(layer[i, j]) if np.isfinite(layer[i, j]) else None, "usable": bool(sure[i, j]),
            "points": 100 * float(layer[i, j]) if np.isfinite(layer[i, j]) else None,
            "row_middle": i + 0.5, "column_middle": j + 0.5,
        }
        for i, j in np.ndindex(height, width)
    ]  # fmt: skip
    x = alt.X("column:Q", axis=None, scale=alt.Scale(domain=[0, width], nice=False))
    y = alt.Y("row:Q", axis=None, scale=alt.Scale(domain=[height, 0], nice=False))
    places: dict[str, Any] = {"x": x, "x2": "column2", "y": y, "y2": "row2"}
    color = alt.Color(
        "change:Q",
        scale=alt.Scale(scheme="blueorange", domain=[-limit, limit], nice=False, clamp=True),
        legend=alt.Legend(
            title=theme.POINTS, type="gradient", orient="right", labelExpr=theme.AXIS_POINTS, values=[-limit, 0, limit]
        ),
    )
    tips = [alt.Tooltip("row:Q"), alt.Tooltip("column:Q"), alt.Tooltip("points:Q", title=theme.POINTS, format="+.3~r")]
    cells, side = alt.Chart(inline(records)), WIDTH / width
    label = result._curves.metrics[result._metric_place(name)].label
    return alt.LayerChart(
        layer=[
            cells.transform_filter("!isValid(datum.change)").mark_rect(color=STILL).encode(**places),
            cells.transform_filter("isValid(datum.change)").mark_rect().encode(**places, color=color, tooltip=tips),
            cells.transform_filter("isValid(datum.change) && !datum.usable")
            .mark_point(
                shape="circle",
                size=np.pi * (CIRCLE * side) ** 2,
                stroke=theme.MUTED,
                strokeWidth=min(1.0, STROKE * side),
                fill=theme.PAPER,
                fillOpacity=0.5,
                opacity=1,
            )
            .encode(x=alt.X("column_middle:Q"), y=alt.Y("row_middle:Q"), tooltip=tips),
        ],
        width=WIDTH,
        height=WIDTH * height / width,
        title=in_line(f"{label}, channel {channel}" if named else label),
    )
