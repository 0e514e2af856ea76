"""An effect as an Altair chart: a curve over where the rows are, levels as points, two features as a heat map."""

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.effects import PartialDependence
from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import HConcatChart, VConcatChart
from tauscope.figures.effects.scales import (
    HEIGHT,
    LEVEL,
    WIDTH,
    class_color,
    class_name,
    effect_axis,
    extremes,
    finite,
    header,
    level_axis,
    missing_words,
    point_of,
    points_of,
    rows_strip,
    x_axis,
)
from tauscope.figures.effects.surface import surface_chart
from tauscope.figures.labels import in_tooltip, inline
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.text import extent, weighting
from tauscope.words import count


def draw(
    result: FeatureEffect, *, n_ice: int = 50, centred: object = False
) -> alt.VConcatChart | alt.LayerChart | alt.HConcatChart:
    """Draw an effect; see `FeatureEffect.chart`.

    Raises
    ------
    InputError
        For a negative number of individual curves, or centring what has none.
    """
    if n_ice < 0:
        raise InputError(f"n_ice must be a number of individual curves, zero or more; got {n_ice}.")
    if centred is not False:
        if result.kind != "pd" or len(result._axes) != 1 or result._axes[0].kind == "levels":
            raise InputError(f"centred is of kind='pd' and one feature of numbers; this is {result.kind!r}. Leave it.")
        return _curve(result, n_ice, 0 if centred is True else result._axes[0].place(centred))
    if len(result._axes) == 2:
        return surface_chart(result)
    if result._axes[0].kind == "levels":
        return _levels(result)
    return _curve(result, n_ice)


def sampled_curves(result: FeatureEffect, n_ice: int) -> NDArray[np.float64]:
    """Take individual curves evenly over their mean height, shape (n, G); none where they were not kept."""
    computed = result._computed
    if n_ice == 0 or not isinstance(computed, PartialDependence) or computed.ice is None or len(computed.ice) > 1:
        return np.empty((0, len(result._axes[0])))
    curves = computed.ice[0]
    order = np.argsort(curves.mean(axis=1), kind="stable")
    sample = np.unique(np.linspace(0, len(order) - 1, min(n_ice, len(order))).round().astype(np.int64))
    return curves[order[sample]]


def _words(result: FeatureEffect, *more: str, reference: int | None = None) -> list[str]:
    weighted = weighting(result)
    axis = result._axes[0]
    band = f"Band: {result.interval}."
    if reference is not None:
        band = f"Every curve from its value at {axis.name} {axis.label(reference)}; no interval."
    return [
        f"{extent(result)}.",
        band,
        *more,
        f"{weighted[:1].upper()}{weighted[1:]}." if weighted else "",
        *(f"{word[:1].upper()}{word[1:]}." for word in result.caveats),
        "" if result.status == "complete" else f"{result.message}.",
    ]


def _curve(result: FeatureEffect, n_ice: int, reference: int | None = None) -> alt.VConcatChart:
    """Draw a curve over where the rows are; with a reference, curves less their value there, without interval."""
    axis, computed = result._axes[0], result._computed
    curves = sampled_curves(result, n_ice)
    places = points_of(axis)
    if reference is None:
        low, high = extremes(computed.effect, computed.lower, computed.upper, curves)
        y = effect_axis(result, low, high)
        records = _records(result, places)
    else:
        curves = curves - curves[:, [reference]]
        centred = computed.effect - computed.effect[:, [reference]]
        low, high = extremes(centred, curves)
        y = effect_axis(result, low, high, change=True)
        records = [
            record | {"effect": finite(centred[output, place]), "lower": None, "upper": None}
            for record, (output, place) in zip(
                _records(result, places), ((o, p) for o in range(len(centred)) for p in places), strict=True
            )
        ]
    x, color = x_axis(axis, labelled=False), class_color(result)
    base = alt.Chart(inline(records))
    tips = _tooltips(result)
    layers: list[alt.Chart] = []
    if len(curves):
        lines = [
            {"value": point_of(axis, place), "effect": finite(curve[place]), "row": row}
            for row, curve in enumerate(curves)
            for place in places
        ]
        layers.append(
            alt.Chart(inline(lines))
            .mark_line(color=theme.IDLE, strokeWidth=0.6, opacity=0.5)
            .encode(x=x, y=y, detail="row:N")
        )
    layers += [
        base.mark_area(opacity=theme.BAND).encode(x=x, y=alt.Y("lower:Q"), y2="upper:Q", color=color),
        base.mark_line(strokeWidth=theme.LINE).encode(x=x, y=y, color=color),
        base.mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=tips),
    ]
    if len(places) <= 12:
        layers.append(base.mark_point(size=28, filled=True, opacity=1).encode(x=x, y=y, color=color))
    thin = f"Grey: {len(curves)} of {count(result.n_rows, 'row')}, one by one." if len(curves) else ""
    return VConcatChart(
        vconcat=[alt.LayerChart(layer=layers, width=WIDTH, height=HEIGHT), rows_strip(result)],
        spacing=4,
        title=header(result, *_words(result, thin, missing_words(result), reference=reference)),
    )


def _levels(result: FeatureEffect) -> alt.HConcatChart:
    """One line per level: its effect and interval, and beside it the share of rows that have it."""
    axis, computed = result._axes[0], result._computed
    low, high = extremes(computed.effect, computed.lower, computed.upper)
    names = list(axis.labels)
    height = max(60, LEVEL * len(names))
    y = level_axis(axis, alt.Y, grid=True, domain=False)
    x = effect_axis(result, low, high, channel=alt.X)
    color = class_color(result)
    records = _records(result, list(range(len(axis))))
    base = alt.Chart(inline(records), width=WIDTH - 120, height=height)
    layers: list[alt.Chart] = [
        base.mark_rule(strokeWidth=2.5, opacity=0.45).encode(y=y, x=alt.X("lower:Q"), x2="upper:Q", color=color),
        base.mark_point(size=70, filled=True, opacity=1).encode(y=y, x=x, color=color, tooltip=_tooltips(result)),
    ]
    points = alt.LayerChart(layer=layers)
    weight = computed.sample_weight
    missing = np.isnan(axis.data)
    weights = [
        float(weight[missing if np.isnan(code) else axis.data == code].sum() / weight.sum()) for code in axis.points
    ]
    shares = [{"value": name, "share": share} for name, share in zip(names, weights, strict=True)]
    bars = (
        alt.Chart(inline(shares), width=100, height=height)
        .mark_bar(color=theme.IDLE, opacity=0.75, size=10)
        .encode(
            y=level_axis(axis, alt.Y, titled=False, labels=False, grid=False, domain=False),
            x=alt.X(
                "share:Q", title="share of rows", axis=alt.Axis(labelExpr=theme.AXIS_SHARE, tickCount=2, grid=False)
            ),
            tooltip=[alt.Tooltip("value:N"), alt.Tooltip("share:Q", format=".2%")],
        )
    )
    return HConcatChart(hconcat=[points, bars], spacing=12, title=header(result, *_words(result)))


def _records(result: FeatureEffect, places: list[int]) -> list[dict[str, Any]]:
    axis, computed = result._axes[0], result._computed
    return [
        {
            "value": point_of(axis, place),
            "label": axis.label(place),
            "class": class_name(result, output),
            "effect": finite(computed.effect[output, place]),
            "lower": finite(computed.lower[output, place]),
            "upper": finite(computed.upper[output, place]),
            "n": int(computed.n[place]),
        }
        for output in range(len(computed.effect))
        for place in places
    ]


def _tooltips(result: FeatureEffect) -> list[alt.Tooltip]:
    tips = [alt.Tooltip("label:N", title=in_tooltip(result._axes[0].name))]
    if len(result._computed.effect) > 1:
        tips.append(alt.Tooltip("class:N"))
    return [*tips, *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("effect", "lower", "upper", "n"))]
