"""The way to another population: how far every mean is from it, before and after, and what is to be expected there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart, LayerChart
from tauscope.figures.labels import heading, inline, legible, name_axis
from tauscope.figures.stress.by_group import panel
from tauscope.results.base import records
from tauscope.results.reliability import level_of
from tauscope.results.stress.numbers.observed import DIFFERENCE
from tauscope.results.stress.towards import TargetPopulation

KINDS = ("balance", "metrics", "difference")
WIDTH, ROW = 320, 17
MOST = 30
NOTABLE = 0.1
"""Standardised difference past which two populations are usually called out of balance."""


def draw(result: TargetPopulation, kind: str) -> alt.LayerChart | alt.ConcatChart:
    """Draw the way to another population; see `TargetPopulation.chart`."""
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}; got {kind!r}.")
    return {"balance": _love_plot, "metrics": _metrics, "difference": _differences}[kind](result)


def _love_plot(result: TargetPopulation) -> alt.LayerChart:
    rows: list[dict[str, Any]] = [
        {name: str(value) if name == "feature" else float(value) for name, value in row.items()}
        for row in records(result.balance.head(MOST))
    ]
    limit = max([1.5 * NOTABLE, *(max(abs(row["smd_before"]), abs(row["smd_after"])) for row in rows)])
    names = [legible(row["feature"]) for row in rows]
    y = name_axis("feature", names, 180, grid=True)
    scale = alt.Scale(domain=[-1.05 * limit, 1.05 * limit], nice=False)
    title = "mean less the mean there, standard deviations before"
    tips = [
        alt.Tooltip("feature:N"),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("mean_before", "mean_after", "mean_there")),
    ]
    dots = alt.Chart(inline(rows))
    after = alt.X("smd_after:Q", title=title, scale=scale, axis=alt.Axis(tickCount=5))
    lines = [{"at": at, "dashed": at != 0} for at in (-NOTABLE, 0.0, NOTABLE)]
    dash = alt.condition(alt.datum["dashed"], alt.value([4, 3]), alt.value([1, 0]))
    words = f"Rings: before. Dots: after. Dashed: {NOTABLE} standard deviations from the population there."
    more = [f"The {MOST} features farthest before, of {len(result.balance)}."] if len(result.balance) > MOST else []
    return LayerChart(
        layer=[
            alt.Chart(inline(lines)).mark_rule(color=theme.MUTED).encode(x=alt.X("at:Q"), strokeDash=dash),
            dots.mark_rule(color=theme.ACCENT, strokeWidth=1.5).encode(x=after, x2="smd_before:Q", y=y),
            dots.mark_point(size=60, opacity=1, color=theme.MUTED).encode(x=alt.X("smd_before:Q"), y=y, tooltip=tips),
            dots.mark_point(filled=True, size=60, opacity=1, color=theme.ACCENT).encode(x=after, y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=ROW * max(len(rows), 1),
        title=heading(result.title, [result.population, words, *more, *result.notes]),
    )


def _metrics(result: TargetPopulation) -> alt.ConcatChart:
    panels: list[alt.LayerChart] = []
    seen = result.target.observed or {}
    for row, metric in zip(records(result.metrics), result._metric_definitions, strict=True):
        drawn = [{**row, "group": "expected", "ess": result.ess}]
        if metric.name in seen:
            one = seen[metric.name].estimate
            drawn.append(
                {
                    **{"group": "observed", "before": np.nan, "ess": result.target.n_rows},
                    **{"value": one.value, "lower": one.lower, "upper": one.upper},
                    **{"reliability": level_of(one.reason), "note": seen[metric.name].note},
                }
            )
        panels.append(panel(drawn, metric))
    words = (
        "Rings: before. Dots: expected there, and observed where there are labels, with intervals; hollow: unreliable."
    )
    title = heading(result.title, [result.population, words, *result.notes])
    return ConcatChart(concat=panels, columns=min(3, len(panels)), title=title)


def _differences(result: TargetPopulation) -> alt.ConcatChart:
    rows = records(result.metrics)
    if result.target.observed is None:
        raise InputError(
            "What is observed is known of new rows with labels alone; there are none. Use study.towards(X, y)."
        )
    named = [(metric.label, metric.kind, row) for metric, row in zip(result._metric_definitions, rows, strict=True)]
    # shares are told in the same points, and stand on one scale; each value has a scale of its own
    shares = [(label, row) for label, kind, row in named if kind == "share"]
    panels = [_difference_panel(shares, "difference in percentage points", theme.AXIS_POINTS)] if shares else []
    panels += [
        _difference_panel([(label, row)], "difference", theme.AXIS_VALUE)
        for label, kind, row in named
        if kind != "share"
    ]
    words = (
        "Dots: expected less observed, with intervals; right of 0, the new rows have less than was expected. Filled: "
        "more than chance makes of all metrics together. Grey: not judged."
    )
    title = heading(result.title, [result.population, words, *result.notes])
    return ConcatChart(concat=panels, columns=1, title=title)


def _difference_panel(rows: Sequence[tuple[str, Mapping[str, Any]]], title: str, label: str) -> alt.LayerChart:
    """Draw differences that share a scale, a line for each metric."""
    drawn = [
        {
            "metric": name,
            **{key: _finite(row[key]) for key in ("value", "observed", *DIFFERENCE)},
            "reliability": row["difference_reliability"],
            "note": row["difference_note"],
            "beyond": {True: "yes", False: "no", None: "not judged"}[row["beyond_chance"]],
        }
        for name, row in rows
    ]
    names = [legible(name) for name, _ in rows]
    y = name_axis("metric", names, 180, grid=True)
    axis = alt.Axis(title=title, labelExpr=label, tickCount=5)
    low, middle, high = (f"{DIFFERENCE[place]}:Q" for place in (1, 0, 2))
    fills = alt.Scale(domain=["yes", "no", "not judged"], range=[theme.ACCENT, theme.PAPER, theme.MUTED])
    tips = [
        alt.Tooltip("metric:N", title=" "),
        *(
            alt.Tooltip(f"{name}:Q", title=words, format=",.4~g")
            for name, words in (("value", "expected"), ("observed", "observed"))
        ),
        *(alt.Tooltip(f"{name}:Q", title=name.replace("_", " "), format="+,.4~g") for name in DIFFERENCE),
        *(alt.Tooltip(f"{name}:N", title=name) for name in ("reliability", "note")),
    ]
    dots = alt.Chart(inline(drawn))
    zero = alt.Chart(inline([{"at": 0}])).mark_rule(color=theme.MUTED).encode(x=alt.X("at:Q"))
    return alt.LayerChart(
        layer=[
            zero,
            dots.mark_rule(color=theme.ACCENT, strokeWidth=1.5).encode(
                x=alt.X(low, axis=axis), x2=high, y=y, tooltip=tips
            ),
            dots.mark_point(size=50, opacity=1, stroke=theme.ACCENT, strokeWidth=1.2).encode(
                x=alt.X(middle, axis=axis), y=y, fill=alt.Fill("beyond:N", legend=None, scale=fills), tooltip=tips
            ),
        ],
        width=WIDTH,
        height=ROW * len(drawn),
    )


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
