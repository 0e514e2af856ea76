"""The way to another population: how far every mean is from it, before and after, and what is to be expected there."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart, LayerChart
from tauscope.figures.labels import heading, inline, legible
from tauscope.figures.stress.by_group import panel
from tauscope.results.base import records
from tauscope.results.stress.towards import TargetPopulation

KINDS = ("balance", "metrics")
WIDTH, ROW = 320, 17
MOST = 30
NOTABLE = 0.1
"""Standardised difference past which two populations are usually called out of balance."""


def draw(result: TargetPopulation, kind: str) -> alt.LayerChart | alt.ConcatChart:
    """Draw the way to another population; see `TargetPopulation.chart`."""
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}; got {kind!r}.")
    return _love_plot(result) if kind == "balance" else _metrics(result)


def _love_plot(result: TargetPopulation) -> alt.LayerChart:
    rows: list[dict[str, Any]] = [
        {name: str(value) if name == "feature" else float(value) for name, value in row.items()}
        for row in records(result.balance.head(MOST))
    ]
    limit = max([1.5 * NOTABLE, *(max(abs(row["smd_before"]), abs(row["smd_after"])) for row in rows)])
    names = alt.Scale(domain=[legible(row["feature"]) for row in rows])
    y = alt.Y("feature:N", sort=None, scale=names, title=None, axis=alt.Axis(labelLimit=180, grid=True))
    scale = alt.Scale(domain=[-1.05 * limit, 1.05 * limit], nice=False)
    title = "mean less the mean there, standard deviations before"
    tips = [
        alt.Tooltip("feature:N"),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("mean_before", "mean_after", "mean_there")),
    ]
    dots = alt.Chart(inline(rows))
    after = alt.X("smd_after:Q", title=title, scale=scale)
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
    for row, metric in zip(records(result.metrics), result.metric_definitions, strict=True):
        expected = {**row, "group": "expected", "ess": result.ess}
        drawn = [expected]
        if "observed" in row:
            seen = {"value": row["observed"], "lower": row["observed_lower"], "upper": row["observed_upper"]}
            plain = {
                "group": "observed",
                "before": np.nan,
                "ess": result.target.n_rows,
                "reliability": "reliable",
                "note": "",
            }
            drawn.append({**plain, **seen})
        panels.append(panel(drawn, metric))
    words = (
        "Rings: before. Dots: expected there, and observed where there are labels, with intervals; hollow: unreliable."
    )
    title = heading(result.title, [result.population, words, *result.notes])
    return ConcatChart(concat=panels, columns=min(3, len(panels)), title=title)
