"""The worst case: which means it leans on, and the worst value along growing distances."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, inline, legible, name_axis
from tauscope.results.base import records
from tauscope.results.stress.worst_case import WorstCase, written

KINDS = ("margins", "path")
WIDTH, ROW, HEIGHT = 320, 17, 220
MOST = 20
NOTABLE = 0.1
"""Standardised difference past which two populations are usually called out of balance."""


def draw(result: WorstCase, kind: str = "margins") -> alt.LayerChart:
    """Draw a worst case; see `WorstCase.chart`."""
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}; got {kind!r}.")
    return _margins(result) if kind == "margins" else _path(result)


def _headline(result: WorstCase) -> str:
    words = f"{result.metric.label} {written(result.metric, result.before)} → {written(result.metric, result.value)}"
    held = result.held_out
    if held is not None and not held.failed:
        words += f" (held out {written(result.metric, held.before)} → {written(result.metric, held.estimate.value)})"
    return words


def _margins(result: WorstCase) -> alt.LayerChart:
    margins = [margin for margin in result.margins if np.isfinite(margin.smd) and not margin.twin]
    rows: list[dict[str, Any]] = [
        {
            "feature": legible(margin.feature),
            "mean_before": margin.mean_before,
            "mean_after": margin.mean_after,
            "smd": margin.smd,
        }
        for margin in margins[:MOST]
    ]
    limit = max([1.5 * NOTABLE, *(abs(row["smd"]) for row in rows)])
    names = [row["feature"] for row in rows]
    y = name_axis("feature", names, 220, grid=True)
    scale = alt.Scale(domain=[-1.05 * limit, 1.05 * limit], nice=False)
    ticks = alt.Axis(tickCount=5)
    x = alt.X("smd:Q", title="difference of means, standard deviations before", scale=scale, axis=ticks)
    tips = [
        alt.Tooltip("feature:N"),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("mean_before", "mean_after", "smd")),
    ]
    dots = alt.Chart(inline(rows))
    lines = [{"at": at, "dashed": at != 0} for at in (-NOTABLE, 0.0, NOTABLE)]
    dash = alt.condition(alt.datum["dashed"], alt.value([4, 3]), alt.value([1, 0]))
    more = [f"The {MOST} features moved most, of {len(margins)}."] if len(margins) > MOST else []
    words = [_headline(result), result.allowed, result.population, *more, *result.notes]
    return LayerChart(
        layer=[
            alt.Chart(inline(lines)).mark_rule(color=theme.MUTED).encode(x=alt.X("at:Q"), strokeDash=dash),
            dots.mark_rule(color=theme.ACCENT, strokeWidth=1.5).encode(x=x, x2=alt.X2Datum(0), y=y),
            dots.mark_point(filled=True, size=60, opacity=1, color=theme.ACCENT).encode(x=x, y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=ROW * max(len(rows), 1),
        title=heading(result.title, words),
    )


def _path(result: WorstCase) -> alt.LayerChart:
    names = ("amount", "value", "lower", "upper", "kl", "tv", "ess")
    rows: list[dict[str, Any]] = [
        {name: None if not np.isfinite(row[name]) else float(row[name]) for name in names}
        for row in records(result.path())
    ]
    by, title = _distance_axis(result)
    is_share = result.metric.kind == "share"
    axis = alt.Axis(labelExpr=theme.AXIS_SHARE if is_share else theme.AXIS_VALUE)
    y = alt.Y("value:Q", title=result.metric.label, axis=axis, scale=alt.Scale(zero=False, nice=True))
    x = alt.X(f"{by}:Q", title=title, scale=alt.Scale(zero=True, nice=False))
    tips = [alt.Tooltip(f"{name}:Q", format=",.4~g") for name in names]
    line = alt.Chart(inline(rows))
    band = alt.Chart(inline([row for row in rows if row["lower"] is not None and row["upper"] is not None]))
    return LayerChart(
        layer=[
            band.mark_area(color=theme.ACCENT, opacity=theme.BAND).encode(
                x=x, y=alt.Y("lower:Q", title=result.metric.label, axis=axis), y2="upper:Q"
            ),
            line.mark_line(color=theme.ACCENT, strokeWidth=theme.LINE).encode(x=x, y=y),
            line.mark_point(filled=True, size=40, opacity=1, color=theme.ACCENT).encode(x=x, y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=HEIGHT,
        title=heading(
            result.title,
            [_headline(result), result.allowed, "Each distance has a worst case of its own.", *result.notes],
        ),
    )


def _distance_axis(result: WorstCase) -> tuple[str, str]:
    distance = result.within.distance
    if result.reach is None and result.within.moves:
        return "amount", "part of the moves allowed"
    if result.reach is None and distance is not None and distance.kind == "tv":
        return "tv", "total variation, share of the weight moved"
    return "kl", "KL, nats"
