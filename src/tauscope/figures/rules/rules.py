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
from tauscope.figures.rules.distribution import draw_distribution
from tauscope.results.rules.columns import Condition
from tauscope.results.rules.rule import Rule
from tauscope.results.rules.rules import Rules, RulesOfRows
from tauscope.results.rules.text import condition_words, rules_rows_sentence, stand_in_words

WIDTH, ROW = 380, 22


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
    first = [stand_in_words(result.explanation)] if result.explanation.stand_in else []
    sentences = [*first, *map(str, result)] if len(result) else [result.explanation.message]
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


HEIGHT = 220


def draw_rows(result: RulesOfRows) -> alt.LayerChart:
    """Draw the rules of several rows by coverage and precision; see `RulesOfRows.chart`."""
    records = [
        {
            "row": "the row given" if one.explanation.row is None else f"row {one.explanation.row}",
            "rule": legible(condition_words(rule) or "always"),
            "answer": legible(rule.answer),
            "coverage": counted.coverage,
            "precision": counted.precision,
        }
        for one in result
        for rule in one
        for counted in [rule.held_out or rule.training]
        if counted.n_inside
    ]
    x = alt.X("coverage:Q", axis=alt.Axis(title="share of rows inside", labelExpr=theme.AXIS_SHARE))
    axis = alt.Axis(title="share of these decided so", labelExpr=theme.AXIS_SHARE)
    y = alt.Y("precision:Q", axis=axis, scale=alt.Scale(domain=[0, 1]))
    tips = [alt.Tooltip(f"{name}:N") for name in ("row", "rule", "answer")]
    tips += [alt.Tooltip(f"{name}:Q", format=".3~%") for name in ("coverage", "precision")]
    points = alt.Chart(inline(records)).mark_point(color=theme.ACCENT, filled=True, size=50, opacity=theme.FADED_LINE)
    line = alt.Chart(inline([{"pi": result._spec.pi}])).mark_rule(color=theme.MUTED, strokeDash=[4, 3])
    return LayerChart(
        layer=[points.encode(x=x, y=y, tooltip=tips), line.encode(y=alt.Y("pi:Q"))],
        width=WIDTH,
        height=HEIGHT,
        title=heading(result._caption, [in_line(part) for part in wrap(rules_rows_sentence(result), LINE)]),
    )
