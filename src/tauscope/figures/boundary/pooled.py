"""Pooled directions as bars, the largest first."""

from typing import Any

import altair as alt

from tauscope.errors import InputError
from tauscope.figures.boundary.bars import bar_chart, tooltips
from tauscope.figures.labels import heading
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.results.boundary.text import pooled_axis


def draw(result: PooledBoundary, *, n_features: int) -> alt.LayerChart:
    """Draw a pooled boundary; see `PooledBoundary.chart`."""
    if n_features < 1:
        raise InputError(f"n_features must be a number of bars, at least 1; got {n_features}.")
    records: list[dict[str, Any]] = [
        {
            "feature": str(row["feature"]),
            "n": int(row["n"]),
            **{name: float(row[name]) for name in ("direction", "present", "absent")},
        }
        for row in result.frame.head(n_features).to_dict("records")
    ]
    tips = tooltips(
        ("feature:N", "feature"), ("direction:Q", "pooled"), ("present:Q", "where present"),
        ("absent:Q", "where absent"), ("n:Q", "rows with it"),
    )  # fmt: skip
    return bar_chart(records, "direction", pooled_axis(result), tips, heading(result.caption, result.notes))
