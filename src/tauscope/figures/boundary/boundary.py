"""A boundary near one row: the changes that flip the decision as bars, or the answer along the direction."""

from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.boundary.bars import bar_chart, tooltips
from tauscope.figures.boundary.pictures import boundary_heading, draw_pictures
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import in_line, inline
from tauscope.results.boundary.boundary import Boundary
from tauscope.results.boundary.numbers import scaled_changes
from tauscope.results.boundary.text import ANSWERS, SCALED, UNITS

KINDS = ("changes", "path", "image")
WIDTH, HEIGHT = 380, 220


def draw(
    result: Boundary, *, kind: str, n_features: int, shape: tuple[int, ...] | None
) -> alt.LayerChart | alt.HConcatChart:
    """Draw a boundary; see `Boundary.chart`."""
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}; got {kind!r}.")
    if n_features < 1:
        raise InputError(f"n_features must be a number of bars, at least 1; got {n_features}.")
    if (shape is not None) != (kind == "image"):
        raise InputError(
            f'shape is for kind="image", which needs it; got kind={kind!r} and shape={shape}. '
            'Try chart("image", shape=(28, 28)).'
        )
    if shape is not None:
        return draw_pictures(result, shape)
    if result.status != "found":
        return bar_chart([], "change", SCALED[result._numbers.measure], [], boundary_heading(result))
    return _changes(result, n_features) if kind == "changes" else _path(result)


def _changes(result: Boundary, n_features: int) -> alt.LayerChart:
    numbers = result._numbers
    scaled, point, start = scaled_changes(numbers)[0], numbers.inspection.point[0], numbers.start[0]
    order: list[int] = [int(j) for j in np.argsort(-np.abs(scaled), kind="stable") if scaled[j] != 0][:n_features]
    columns = numbers.columns
    records: list[dict[str, Any]] = [
        {
            "feature": f"{columns[j].name}: {columns[j].change(start[j], point[j])}",
            "change": float(scaled[j]),
            "direction": float(numbers.inspection.explanation.direction[0, j]),
        }
        for j in order
    ]
    tips = tooltips(("feature:N", "change"), ("change:Q", "in units"), ("direction:Q", "direction"))
    return bar_chart(records, "change", SCALED[numbers.measure], tips, boundary_heading(result))


def _path(result: Boundary) -> alt.LayerChart:
    path = result.path
    if path.empty:
        raise InputError("The model was not asked along the direction. Use paths=True, or study.boundary(row).")
    records: list[dict[str, Any]] = [
        {"length": float(length), "answer": float(answer), "label": str(label)}
        for length, answer, label in zip(path["length"], path["answer"], path["label"], strict=True)
        if np.isfinite(answer)
    ]
    x = alt.X("length:Q", title=f"length along the direction, {UNITS[result._numbers.measure]}")
    answer = in_line(ANSWERS[result._numbers.answer].format(result.predicted))
    y = alt.Y("answer:Q", axis=alt.Axis(title=answer))  # a title of the channel goes into an expression unescaped
    line = alt.Chart(inline(records))
    layers = [
        line.mark_line(color=theme.ACCENT, strokeWidth=theme.LINE).encode(x=x, y=y),
        line.mark_point(size=60, opacity=0).encode(
            x=x, y=y, tooltip=tooltips(("length:Q", "length"), ("answer:Q", "answer"), ("label:N", "decision"))
        ),
    ]
    if np.isfinite(result.crossing):
        at = alt.Chart(inline([{"at": result.crossing}]))
        layers.append(at.mark_rule(color=theme.MUTED, strokeDash=[4, 3]).encode(x=alt.X("at:Q")))
    return LayerChart(
        layer=layers,
        width=WIDTH,
        height=HEIGHT,
        title=boundary_heading(result),
    )
