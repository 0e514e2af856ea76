"""What a stress did to the features: a love plot of their means, and histograms before and after."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.data.features import Feature
from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart, LayerChart
from tauscope.figures.labels import heading, in_line, in_tooltip, inline, legible, name_axis
from tauscope.results.stress.numbers.natural_units import features_among
from tauscope.results.stress.reweight import Reweighting
from tauscope.stress.histogram import DrawnBars, drawn_bars, histogram_edges

WIDTH, ROW = 320, 17
MOST, MOST_HISTOGRAMS = 30, 6
NOTABLE = 0.1
"""Standardised difference past which two populations are usually called out of balance."""
KINDS = ("balance", "histograms")


def draw(
    result: Reweighting, kind: str, features: str | int | Sequence[str | int] | None
) -> alt.LayerChart | alt.ConcatChart:
    """Draw a reweighting; see `Reweighting.chart`."""
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}; got {kind!r}.")
    by_name = {feature.name: feature for feature in result.features}
    requested = None if features is None else features_among(result, features)
    if kind == "balance":
        return _love_plot(result, requested)
    by_size = [str(name) for name in result.balance["feature"]]
    if requested is None:
        moved = [term.subject for term in result._terms if term.kind in ("mean", "share", "variance") and not term.held]
        requested = [name for name in dict.fromkeys(moved) if name in by_name] or by_size[:MOST_HISTOGRAMS]
    panels = [_before_after(result, by_name[name]) for name in requested]
    return ConcatChart(
        concat=panels,
        columns=min(3, len(panels)),
        title=_title(
            result, "Outlined: before. Filled: after. A dashed, paler bar at an end holds all that lies beyond."
        ),
    )


def _title(result: Reweighting, words: str) -> alt.TitleParams:
    return heading(f"Reweighting of {result.model_name}", [result.population, words, *result._caveats])


def _love_plot(result: Reweighting, requested: list[str] | None) -> alt.LayerChart:
    frame = result.balance
    frame = frame[np.isfinite(frame["smd"])]
    frame = frame.head(MOST) if requested is None else frame[frame["feature"].isin(requested)]
    records: list[dict[str, Any]] = [
        {"feature": str(row["feature"]), **{name: float(row[name]) for name in ("mean_before", "mean_after", "smd")}}
        for row in frame.to_dict("records")
    ]
    limit = max([1.5 * NOTABLE, *(abs(record["smd"]) for record in records)])
    names = [legible(record["feature"]) for record in records]
    y = name_axis("feature", names, 180, grid=True)
    x = alt.X(
        "smd:Q",
        title="difference of means, standard deviations before",
        scale=alt.Scale(domain=[-1.05 * limit, 1.05 * limit], nice=False),
        axis=alt.Axis(tickCount=5),
    )
    tips = [
        alt.Tooltip("feature:N"),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("mean_before", "mean_after", "smd")),
    ]
    dots = alt.Chart(inline(records))
    lines = alt.Chart(inline([{"at": -NOTABLE}, {"at": NOTABLE}]))
    before = alt.Chart(inline([{"at": 0.0}]))
    words = f"Before, every difference is 0 (solid line). Dashed: {NOTABLE} standard deviations."
    return LayerChart(
        layer=[
            before.mark_rule(color=theme.MUTED).encode(x=alt.X("at:Q")),
            lines.mark_rule(color=theme.MUTED, strokeDash=[4, 3]).encode(x=alt.X("at:Q")),
            dots.mark_rule(color=theme.ACCENT, strokeWidth=1.5).encode(x=x, x2=alt.X2Datum(0), y=y),
            dots.mark_point(filled=True, size=60, opacity=1, color=theme.ACCENT).encode(x=x, y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=ROW * max(len(records), 1),
        title=_title(result, words),
    )


def _before_after(result: Reweighting, feature: Feature) -> alt.LayerChart:
    values = feature.values()
    before = np.ones(result.n_rows) if result.before is None else result.before
    weights = (before, result._row_weights("histograms"))
    if feature.kind == "share":
        names, code = ["others", str(feature.level)], values.astype(np.int64)
        records = [
            {"level": name, "before": float(b), "after": float(a)}
            for name, b, a in zip(names, *(_shares(code, w, 2) for w in weights), strict=True)
        ]
        levels = alt.Scale(domain=[legible(name) for name in names])
        x: dict[str, Any] = {"x": alt.X("level:N", title=None, sort=None, scale=levels, axis=alt.Axis(labelAngle=0))}
    else:
        records = _bins(values, feature.integer, weights)
        x = {"x": alt.X("from:Q", title=None, axis=alt.Axis(grid=False), scale=alt.Scale(zero=False)), "x2": "to"}
    bars = alt.Chart(inline(records))
    numeric = feature.kind == "numeric"
    after, before = ("height_after", "height_before") if numeric else ("after", "before")
    axis = alt.Axis(labelExpr=theme.AXIS_SHARE, tickCount=4)
    y = alt.Y(f"{after}:Q", title="share of rows in a bar of common width" if numeric else "share of rows", axis=axis)
    tips = [alt.Tooltip("bar:N", title=in_tooltip(feature.name))] if numeric else []
    tips += [alt.Tooltip(f"{name}:Q", format=".2%") for name in ("before", "after")]
    zero: dict[str, Any] = {"y2": alt.Y2Datum(0)} if numeric else {}
    is_open = alt.datum["open"]
    opened: dict[str, Any] = {"opacity": alt.condition(is_open, alt.value(0.2), alt.value(0.45))} if numeric else {}
    dashed: dict[str, Any] = {"strokeDash": alt.condition(is_open, alt.value([3, 3]), alt.value([]))} if numeric else {}
    return alt.LayerChart(
        layer=[
            bars.mark_bar(color=theme.ACCENT, opacity=0.45).encode(**x, y=y, **zero, **opened, tooltip=tips),
            bars.mark_bar(filled=False, stroke=theme.INK, strokeWidth=1.2).encode(
                **x, y=alt.Y(f"{before}:Q"), **zero, **dashed, tooltip=tips
            ),
        ],
        width=0.75 * theme.PANEL_WIDTH,
        height=0.75 * theme.PANEL_HEIGHT,
        title=in_line(feature.name),
    )


def _bins(values: NDArray[np.float64], integer: bool, weights: tuple[NDArray[np.float64], ...]) -> list[dict[str, Any]]:
    """Return a record for each bar; a height is the share in a bar as wide as most, so that areas are the shares."""
    seen = ~np.isnan(values)
    values = values[seen]
    edges = histogram_edges(values, integer)
    drawn = drawn_bars(edges, (float(values.min()), float(values.max())))
    n = len(edges) - 1
    code = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, n - 1)
    shares = np.stack([_shares(code, weight[seen], n) for weight in weights])
    height = shares * np.diff(edges) / np.diff(drawn.edges)
    words, is_open = _bar_words(drawn), np.isin(np.arange(n), [0] * drawn.open_low + [n - 1] * drawn.open_high)
    names = ("from", "to", "before", "after", "height_before", "height_after")
    rows = np.stack([drawn.edges[:-1], drawn.edges[1:], *shares, *height], axis=1).tolist()
    return [
        dict(zip(names, row, strict=True)) | {"bar": bar, "open": bool(one)}
        for row, bar, one in zip(rows, words, is_open, strict=True)
    ]


def _bar_words(drawn: DrawnBars) -> list[str]:
    """Name each bar: "under 18.5", "40.5 – 43.5", "76.5 and over"."""
    edges = [f"{edge:,.6g}" for edge in drawn.edges]
    words = [f"{low} – {high}" for low, high in pairwise(edges)]
    if drawn.open_low:
        words[0] = f"under {edges[1]}"
    if drawn.open_high:
        words[-1] = f"{edges[-2]} and over"
    return words


def _shares(code: NDArray[np.int64], weight: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    mass = np.bincount(code, weight, n)
    return mass / mass.sum()
