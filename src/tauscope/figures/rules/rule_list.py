"""A rule list as bars: the share of rows that the rules cover, one after the other."""

from typing import Any

import altair as alt
import numpy as np

from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.results.formatting import share
from tauscope.results.rules.rule_list import RuleList
from tauscope.words import count

WIDTH, ROW = 380, 22
LABEL = 320
MOST = 40
"""Rules drawn, the first ones."""


def draw(result: RuleList) -> alt.LayerChart:
    """Draw the rules; see `RuleList.chart`."""
    records = _records(result)
    names = [record["rule"] for record in records]
    y = name_axis("rule", names, LABEL)
    axis = alt.Axis(title="share of rows covered so far", labelExpr=theme.AXIS_SHARE)
    x = alt.X("before:Q", axis=axis, scale=alt.Scale(domain=[0, 1], nice=False))
    tips = [
        alt.Tooltip(f"{name}:N", title=title)
        for name, title in (("rule", "rule"), ("covered", "covered so far"), ("precision", "precision"))
    ]
    bars = alt.Chart(inline(records))
    return LayerChart(
        layer=[
            bars.mark_bar(color=theme.IDLE, opacity=0.6, height=10).encode(
                x=alt.X("start:Q"), x2="before:Q", y=y, tooltip=tips
            ),
            bars.mark_bar(color=theme.ACCENT, opacity=0.75, height=10).encode(x=x, x2="after:Q", y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=ROW * len(records),
        title=heading(result._caption, [in_line(sentence) for sentence in _sentences(result)]),
    )


def _sentences(result: RuleList) -> list[str]:
    drawn = [f"The first {MOST} of {count(len(result), 'rule')}."] if len(result) > MOST else []
    return [*drawn, f"Else: {result.default_decision}.", *result.notes[: len(result.agreements)]]


def _records(result: RuleList) -> list[dict[str, Any]]:
    frame = result.frame.head(MOST)
    before = np.concatenate([[0.0], frame["cumulative_coverage"].to_numpy()[:-1]])
    return [
        {
            "rule": legible(f"{place + 1}. {line['decision']}: {line['rule'] or 'always'}"),
            "start": 0.0,
            "before": float(before[place]),
            "after": float(line["cumulative_coverage"]),
            "covered": share(float(line["cumulative_coverage"])),
            "precision": share(float(line["precision"])),
        }
        for place, line in enumerate(frame.to_dict("records"))
    ]
