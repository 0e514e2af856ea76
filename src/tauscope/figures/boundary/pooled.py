"""Pooled directions as bars with their intervals, the largest first; where features are absent, a bar for each part."""

from typing import Any, cast

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.boundary.bars import LABEL, ROW, WIDTH, tooltips
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.results.boundary.text import pooled_axis, pooled_interval

PARTS = {"present": "rows that have it", "absent": "rows that do not"}
AIR = 1.05


def draw(result: PooledBoundary, *, n_features: int) -> alt.LayerChart:
    """Draw a pooled boundary; see `PooledBoundary.chart`."""
    if n_features < 1:
        raise InputError(f"n_features must be a number of bars, at least 1; got {n_features}.")
    table = result.frame.head(n_features)
    parted = bool(np.any(table["absent"] != 0))
    rows = cast(list[dict[str, Any]], table.to_dict("records"))
    records = [_record(row, part) for row in rows for part in (PARTS if parted else ("direction",))]
    reach = [abs(record[end]) for record in records for end in ("weight", "lower", "upper") if record[end] is not None]
    limit = AIR * max([1e-12, *reach])
    names = [legible(str(name)) for name in table["feature"]]
    domain = alt.Scale(domain=[-limit, limit], nice=False)
    y = name_axis("feature", names, LABEL)
    tips = tooltips(
        ("feature:N", "feature"), ("part:N", "of"), ("weight:Q", "pooled"), ("lower:Q", "lower"), ("upper:Q", "upper"),
        ("n:Q", "rows with it"),
    )  # fmt: skip
    shared: dict[str, Any] = {"y": y, "tooltip": tips}
    ink: Any = alt.value(theme.ACCENT)
    if parted:
        ink = alt.Color(
            "part:N",
            scale=alt.Scale(domain=list(PARTS.values()), range=[theme.PALETTE[0], theme.PALETTE[1]]),
            legend=alt.Legend(title=None, orient="bottom", symbolType="square"),
        )
        shared["yOffset"] = alt.YOffset("part:N", scale=alt.Scale(domain=list(PARTS.values())))
    bars, ends = alt.Chart(inline(records)), alt.Chart(inline([r for r in records if r["lower"] is not None]))
    x = alt.X("weight:Q", axis=alt.Axis(title=in_line(pooled_axis(result))), scale=domain)
    return LayerChart(
        layer=[
            bars.mark_bar(opacity=0.6).encode(x=x, color=ink, **shared),
            ends.mark_rule(strokeWidth=1.5, color=theme.INK).encode(x=alt.X("lower:Q"), x2="upper:Q", **shared),
            alt.Chart(inline([{"at": 0.0}])).mark_rule(color=theme.MUTED).encode(x=alt.X("at:Q")),
        ],
        width=WIDTH,
        height=ROW * (2 if parted else 1) * len(table),
        title=heading(
            result._caption, (f"Lines: {pooled_interval(result.confidence, result.weighted)}", *result.notes)
        ),
    )


def _record(row: dict[str, Any], part: str) -> dict[str, Any]:
    """Return what one bar shows: a pooled weight, or the part of it from rows that have the feature or do not."""
    ends = ("lower", "upper") if part == "direction" else (f"{part}_lower", f"{part}_upper")
    lower, upper = (float(row[end]) if np.isfinite(row[end]) else None for end in ends)
    of = PARTS.get(part, "all rows")
    return {
        "feature": str(row["feature"]),
        "part": of,
        "weight": float(row[part]),
        "lower": lower,
        "upper": upper,
        "n": int(row["n"]),
    }
