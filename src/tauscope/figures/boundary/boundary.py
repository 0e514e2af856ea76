"""A boundary near one row: the changes that flip the decision as bars, or the answer along the direction."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.boundary.bars import bar_chart, tooltips
from tauscope.figures.chart import HConcatChart, LayerChart
from tauscope.figures.labels import heading, in_line, inline
from tauscope.results.boundary.boundary import Boundary
from tauscope.results.boundary.numbers import scaled_changes
from tauscope.results.boundary.pictures import ImageShape, picture_names, read_shape, shade_range
from tauscope.results.boundary.text import ANSWERS, SCALED, UNITS
from tauscope.weights.arrays import Floats

PICTURE_WIDTH = 120
MANY = 100_000


def draw_pictures(result: Boundary, shape: tuple[int, ...]) -> alt.HConcatChart:
    """Draw a boundary as pictures, those that are there; see `Boundary.chart`."""
    numbers = result._numbers
    sizes = read_shape(shape, numbers)
    n_cells = 4 * sizes.height * sizes.width
    if n_cells > MANY:
        raise InputError(
            f"A chart carries at most {MANY:,} cells; four pictures of {sizes.height} × {sizes.width} are {n_cells:,}. "
            "Use .widget(shape=…) or .save('b.html', shape=…)."
        )
    ends = np.stack([numbers.start[0], numbers.inspection.point[0], numbers.rival[0]])
    names = picture_names(result)
    drawn = [
        _shades(sizes, point, ends, name) for point, name in zip(ends, names, strict=False) if not np.isnan(point).all()
    ]
    if result.status == "found":
        drawn.append(_leans(sizes, numbers.inspection.explanation.direction[0], names[-1]))
    return HConcatChart(
        hconcat=drawn,
        spacing=14,
        title=boundary_heading(result),
        resolve=alt.Resolve(scale=alt.ScaleResolveMap(color="independent")),
    )


def boundary_heading(result: Boundary) -> alt.TitleParams:
    """Make the title of every chart of a boundary: what was found, and what to doubt."""
    return heading(result._caption, [f"{result.sentence}.", *(f"{reason}." for reason in result.reasons)])


def _shades(shape: ImageShape, point: Floats, ends: Floats, name: str) -> alt.Chart:
    low, high = shade_range(ends)
    shares = np.clip(np.nan_to_num((shape.shades(point) - low) / (high - low)), 0, 1)
    levels = np.broadcast_to(np.round(255 * shares), (len(shares), 3)).astype(int)
    records = [
        {**_place(shape, k), "color": f"rgb({r},{g},{b})", "shade": ", ".join(f"{v:.3g}" for v in values)}
        for k, ((r, g, b), values) in enumerate(zip(levels.tolist(), shape.shades(point).tolist(), strict=True))
    ]
    color = alt.Color("color:N", scale=None)
    return _picture(shape, records, color, alt.Tooltip("shade:N", title="value"), name)


def _leans(shape: ImageShape, direction: Floats, name: str) -> alt.Chart:
    leans = shape.leans(direction)
    records = [{**_place(shape, k), "lean": lean} for k, lean in enumerate(leans.tolist())]
    scale = alt.Scale(domain=[-1, 0, 1], range=list(theme.MAP), interpolate="rgb")
    color = alt.Color("lean:Q", scale=scale, legend=None)
    return _picture(shape, records, color, alt.Tooltip("lean:Q", title="share of the largest", format="+.3~g"), name)


def _place(shape: ImageShape, k: int) -> dict[str, Any]:
    row, column = divmod(k, shape.width)
    return {"row": row, "row2": row + 1, "column": column, "column2": column + 1}


def _picture(
    shape: ImageShape, records: list[dict[str, Any]], color: alt.Color, tip: alt.Tooltip, name: str
) -> alt.Chart:
    height = PICTURE_WIDTH * shape.height / shape.width
    x = alt.X("column:Q", axis=None, scale=alt.Scale(domain=[0, shape.width], nice=False))
    y = alt.Y("row:Q", axis=None, scale=alt.Scale(domain=[shape.height, 0], nice=False))
    tips = [alt.Tooltip("row:Q"), alt.Tooltip("column:Q"), tip]
    head, _, rest = name.partition(": ")
    title = alt.TitleParams(text=in_line(head), subtitle=in_line(rest), fontSize=theme.FONT_SIZE)
    return (
        alt.Chart(inline(records), width=PICTURE_WIDTH, height=height, title=title, description=in_line(name))
        .mark_rect()
        .encode(x=x, x2="column2", y=y, y2="row2", color=color, tooltip=tips)
    )


KINDS = ("changes", "path", "image", "projection")
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
    if kind == "projection":
        return _projection(result)
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


def _projection(result: Boundary) -> alt.LayerChart:
    sample = result.projection
    if sample is None:
        raise InputError(
            f"A projection is on the components of partial least squares; got explainer={result._spec.explainer!r}. "
            "Use 'pls' or 'logistic_pls'."
        )
    sides = [in_line(result.predicted), in_line(f"not {result.predicted}")]
    points_of = zip(*(sample[name].tolist() for name in ("first", "second", "label")), strict=True)
    records: list[dict[str, Any]] = [
        {"first": first, "second": second, "label": label, "side": sides[label != result.predicted]}
        for first, second, label in points_of
    ]
    color = alt.Color(
        "side:N",
        scale=alt.Scale(domain=sides, range=[theme.MUTED, theme.ACCENT]),
        legend=alt.Legend(title="decided", symbolType="circle", symbolOpacity=1),
    )
    points = (
        alt.Chart(inline(records))
        .mark_point(filled=True, size=24, opacity=0.7)
        .encode(
            x=alt.X("first:Q", title="first component", scale=alt.Scale(zero=False)),
            y=alt.Y("second:Q", title="second component", scale=alt.Scale(zero=False)),
            color=color,
            tooltip=tooltips(("first:Q", "first"), ("second:Q", "second"), ("label:N", "decision")),
        )
    )
    return LayerChart(layer=[points], width=WIDTH, height=HEIGHT, title=boundary_heading(result))
