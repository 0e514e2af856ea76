"""Two models side by side: each metric of both, as tested and under a stress, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import heading
from tauscope.figures.stress.by_group import choose_metrics, panel
from tauscope.figures.stress.comparison_along import draw_along as draw_along
from tauscope.results.base import records
from tauscope.results.stress.comparison import ModelComparison

MARKS = "Dots: each model with its own interval; hollow ones are unreliable. Rings under a stress: as tested."


def draw(result: ModelComparison, metrics: str | Sequence[str] | None = None) -> alt.ConcatChart:
    """Draw a panel for each metric; see `ModelComparison.chart`."""
    chosen = choose_metrics(result.metrics, metrics)
    rows = records(result.frame)
    panels = [panel(_lines(result, [row for row in rows if row["metric"] == one.name]), one) for one in chosen]
    title = heading(result.title, [MARKS, *result.notes])
    return ConcatChart(concat=panels, columns=min(3, len(panels)), title=title)


def _lines(result: ModelComparison, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a line a model: where the stress leaves it, and where it was as tested; without a stress that alone."""
    tested, shown = rows[0], rows[-1]
    return [
        {
            "group": name,
            "before": tested[side],
            "value": shown[side],
            "lower": shown[f"{side}_lower"],
            "upper": shown[f"{side}_upper"],
            "ess": shown["ess"],
            "reliability": shown["reliability"],
            "note": shown["note"],
        }
        for name, side in zip(result.names, ("first", "second"), strict=True)
    ]
