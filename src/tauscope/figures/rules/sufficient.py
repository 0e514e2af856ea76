"""The subsets of a row's features by their same-decision probability, those that suffice named."""

from textwrap import wrap
from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.results.base import finite_records
from tauscope.results.rules.sufficient import SufficientExplanation, SufficientExplanations
from tauscope.results.rules.text import explained_sentence

WIDTH, ROW = 380, 26
MOST = 600
"""Subsets drawn; of more, the most probable of each size."""
NAMED = 8
LINE = 90


def draw(result: SufficientExplanation) -> alt.LayerChart:
    """Draw the subsets looked at; see `SufficientExplanation.chart`."""
    records = _records(result)
    domain = alt.Scale(domain=[0, 1])
    x = alt.X("sdp:Q", axis=alt.Axis(title="same-decision probability", labelExpr=theme.AXIS_SHARE), scale=domain)
    y = alt.Y("size:O", title="features in the set", sort="ascending")
    tips = [alt.Tooltip("features:N", title="features"), alt.Tooltip("sdp:Q", title="probability", format=".3~%")]
    points = alt.Chart(inline(records))
    minimal = alt.Chart(inline([record for record in records if record["minimal"]]))
    layers: list[Any] = [
        points.mark_tick(color=theme.IDLE, thickness=1.5).encode(x=x, y=y, tooltip=tips),
        minimal.mark_rule(color=theme.ACCENT, strokeWidth=theme.LINE).encode(x="lower:Q", x2="upper:Q", y=y),
        minimal.mark_point(color=theme.ACCENT, filled=True, size=50).encode(x=x, y=y, tooltip=tips),
        alt.Chart(inline([{"at": result._spec.pi}]))
        .mark_rule(color=theme.MUTED, strokeDash=[4, 3])
        .encode(x=alt.X("at:Q")),
    ]
    sizes = len({record["size"] for record in records})
    return LayerChart(
        layer=layers,
        width=WIDTH,
        height=ROW * max(sizes, 2),
        title=heading(result._caption, [in_line(line) for line in wrap(result.message, LINE)] + _others(result)),
    )


def _records(result: SufficientExplanation) -> list[dict[str, Any]]:
    numbers, names = result._numbers, [column.name for column in result._columns]
    minimal = [subset in result.all_sets for subset in numbers.subsets]
    order: list[int] = np.lexsort([-numbers.sdp, np.logical_not(minimal)])[:MOST].tolist()
    return [
        {
            "features": legible(" + ".join(names[j] for j in numbers.subsets[i])),
            "size": len(numbers.subsets[i]),
            "sdp": float(numbers.sdp[i]),
            "lower": float(numbers.lower[i]) if minimal[i] else None,
            "upper": float(numbers.upper[i]) if minimal[i] else None,
            "minimal": minimal[i],
        }
        for i in order
    ]


def _others(result: SufficientExplanation) -> list[str]:
    others = [in_line(" + ".join(names)) for names in result.all[1:NAMED]]
    return wrap(f"Also sufficient: {'; '.join(others)}.", LINE) if others else []


MOST_FEATURES = 20
"""Features drawn, the most important."""
LABEL = 200


def draw_rows(result: SufficientExplanations, *, sets: str = "all") -> alt.LayerChart:
    """Draw the mean importance of features over rows; see `SufficientExplanations.chart`."""
    if sets not in ("all", "minimal"):
        raise InputError(f'sets must be "all" or "minimal"; got {sets!r}.')
    table = (result.importance if sets == "all" else result.minimal_importance).head(MOST_FEATURES)
    records = finite_records(table.reset_index().assign(feature=[legible(name) for name in table.index]))
    y = name_axis("feature", [record["feature"] for record in records], LABEL)
    what = "sufficient sets" if sets == "all" else "smallest sufficient sets"
    axis = alt.Axis(title=f"mean share of a row's {what} that have the feature", labelExpr=theme.AXIS_SHARE)
    x = alt.X("importance:Q", axis=axis, scale=alt.Scale(domain=[0, 1]))
    tips = [alt.Tooltip("feature:N"), *(alt.Tooltip(f"{name}:Q", format=".3~%") for name in table.columns)]
    bars = alt.Chart(inline(records))
    return LayerChart(
        layer=[
            bars.mark_bar(color=theme.ACCENT, height=12, opacity=theme.FADED_LINE).encode(x=x, y=y, tooltip=tips),
            bars.mark_rule(color=theme.INK, strokeWidth=theme.LINE_IDLE).encode(x="lower:Q", x2="upper:Q", y=y),
        ],
        width=WIDTH,
        height=ROW * max(len(records), 1),
        title=heading(result._caption, [in_line(line) for line in wrap(explained_sentence(result), LINE)]),
    )
