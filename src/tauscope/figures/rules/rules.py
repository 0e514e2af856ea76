"""The rules of a row as spans: how far each feature can move, and where the row stands."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import altair as alt
import numpy as np

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.chart import LayerChart
from tauscope.figures.labels import heading, in_line, inline, legible, name_axis
from tauscope.results.formatting import share
from tauscope.results.rules.columns import Condition
from tauscope.results.rules.distribution import SetDistribution
from tauscope.results.rules.rule import Rule
from tauscope.results.rules.rules import Rules

WIDTH, HEIGHT, ROW = 380, 180, 22
ANSWER_LABEL = 200
CAPTION_LINE = 90


def draw_distribution(caption: str, one: SetDistribution) -> alt.LayerChart:
    """Draw the distribution given the values of one set; see `Rules.chart`."""
    layers, height = (_bars(one), ROW * len(one.classes)) if one.classes else (_steps(one), HEIGHT)
    return LayerChart(
        layer=layers,
        width=WIDTH,
        height=height,
        title=heading(caption, [in_line(line) for line in wrap(str(one), CAPTION_LINE)]),
    )


def _bars(one: SetDistribution) -> list[alt.Chart]:
    records = [
        {"class": legible(name), "share": float(part), "said": share(float(part)), "same": bool(same)}
        for name, part, same in zip(one.classes, one.share, one.same, strict=True)
    ]
    names = [legible(name) for name in one.classes]
    x = alt.X(
        "share:Q", axis=alt.Axis(title="share of rows", labelExpr=theme.AXIS_SHARE), scale=alt.Scale(domain=[0, 1])
    )
    y = name_axis("class", names, ANSWER_LABEL)
    tips = [alt.Tooltip("class:N", title="class"), alt.Tooltip("said:N", title="share")]
    return [
        alt.Chart(inline([record for record in records if record["same"] == same]))
        .mark_bar(color=theme.ACCENT if same else theme.IDLE, height=12)
        .encode(x=x, y=y, tooltip=tips)
        for same in (False, True)
    ]


def _steps(one: SetDistribution) -> list[alt.Chart]:
    ends = [min(one.lowest, one.decided), max(one.highest, one.decided)]
    steps = [(ends[0], 0.0), *zip(one.values.tolist(), one.cumulative.tolist(), strict=True), (ends[1], 1.0)]
    scale = alt.Scale(domain=ends, nice=False)
    axis = alt.Axis(title="value", labelExpr=theme.AXIS_VALUE)
    x = alt.X("value:Q", axis=axis, scale=scale)
    y = alt.Y(
        "upto:Q",
        axis=alt.Axis(title="share of rows up to it", labelExpr=theme.AXIS_SHARE),
        scale=alt.Scale(domain=[0, 1]),
    )
    tips = [alt.Tooltip("value:Q", format=",.4~g"), alt.Tooltip("said:N", title="share up to it")]
    span = alt.Chart(inline([{"from": max(one.low, ends[0]), "to": min(one.high, ends[1])}]))
    line = alt.Chart(inline([{"value": value, "upto": upto, "said": share(upto)} for value, upto in steps]))
    own = alt.Chart(inline([{"at": one.decided}]))
    return [
        span.mark_rect(color=theme.ACCENT, opacity=theme.BAND).encode(x=alt.X("from:Q", scale=scale), x2="to:Q"),
        line.mark_line(color=theme.INK, interpolate="step-after").encode(x=x, y=y, tooltip=tips),
        own.mark_rule(color=theme.ACCENT, strokeWidth=theme.LINE).encode(x=alt.X("at:Q", scale=scale)),
    ]


LABEL = 260
LINE = 110
"""Characters of a line above the chart."""


def draw(result: Rules, *, kind: str = "rules", rule: int = 0) -> alt.LayerChart:
    """Draw the rules, or what the features of one leave open; see `Rules.chart`."""
    if kind == "rules":
        return _rules(result)
    if kind != "distribution":
        raise InputError(f'kind must be "rules" or "distribution"; got {kind!r}.')
    n = len(result.distributions)
    if not 0 <= rule < n:
        raise InputError(f"rule must lie between 0 and {n - 1}; got {rule!r}.")
    return draw_distribution(result._caption, result.distributions[rule])


def _rules(result: Rules) -> alt.LayerChart:
    records = [record for place, rule in enumerate(result) for record in _records(result, place, rule)]
    names = [record["condition"] for record in records]
    y = name_axis("condition", names, LABEL)
    domain = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(title="share of the range of the rows", labelExpr=theme.AXIS_SHARE)
    x = alt.X("first:Q", axis=axis, scale=domain)
    tips = [alt.Tooltip("condition:N", title="rule"), alt.Tooltip("value:N", title="the row")]
    spans = alt.Chart(inline(records))
    return LayerChart(
        layer=[
            spans.mark_bar(color=theme.IDLE, opacity=0.35, height=4).encode(x=alt.datum(0), x2=alt.datum(1), y=y),
            spans.mark_bar(color=theme.ACCENT, opacity=0.75, height=10).encode(x=x, x2="last:Q", y=y, tooltip=tips),
            spans.mark_tick(color=theme.INK, thickness=2, height=16).encode(x=alt.X("at:Q"), y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=ROW * max(len(records), 1),
        title=heading(result._caption, [in_line(sentence) for sentence in _sentences(result)]),
    )


def _sentences(result: Rules) -> list[str]:
    sentences = [str(rule) for rule in result] or [result.explanation.message]
    return [line for sentence in sentences for line in wrap(sentence, LINE)]


def _records(result: Rules, place: int, rule: Rule) -> list[dict[str, Any]]:
    number = f"{place + 1}. " if len(result) > 1 else ""
    return [_record(f"{number}{condition}", condition) for condition in rule.conditions]


def _record(text: str, condition: Condition) -> dict[str, Any]:
    """Place a condition on the range of the rows; levels by their place among all, each of one width."""
    low, high = condition.lowest, condition.highest
    if condition.column.kind == "levels":
        low, high = -1.0, len(condition.column.levels) - 1.0
    span = high - low if high > low else 1.0
    ends = np.clip((np.array([condition.lower, condition.upper]) - low) / span, 0.0, 1.0)
    if condition.missing_only:
        ends = np.array([0.0, 0.0])
    entry = condition.entry - 0.5 if condition.column.kind == "levels" else condition.entry
    at = float(np.clip((entry - low) / span, 0.0, 1.0))
    return {
        "condition": legible(text),
        "first": float(ends[0]),
        "last": float(ends[1]),
        "at": None if np.isnan(at) else at,
        "value": legible(condition.column.label(condition.entry)),
    }
