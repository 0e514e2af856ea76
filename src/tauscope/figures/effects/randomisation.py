"""How far curves move as a model is disturbed, and the score that is left, as an Altair chart."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.effects.scales import LEVEL, finite
from tauscope.figures.labels import heading, inline, legible, name_axis
from tauscope.results.effects.randomisation import RandomizedModel
from tauscope.results.effects.text import KINDS
from tauscope.words import count

ORIGINAL = "as it is"
CHANGE = "mean change"


def draw(result: RandomizedModel) -> alt.ConcatChart:
    """Draw one panel for each kind of curve and one for the score; see `RandomizedModel.chart`."""
    panels = _steps(result) if result.method == "layers" else _refits(result)
    words = [
        f"{result.response}, {len(result.feature_names)} features, {count(result.n_rows, 'row')}.",
        "Change: mean over grid and features of |curve − original|; bars: one standard deviation over repeats."
        if result.method == "layers"
        else "Change: mean over the grid of |curve − original|; each point one refit, the bar their mean.",
        "" if result.status == "complete" else f"{result.message}.",
    ]
    return ConcatChart(
        concat=panels,
        columns=2,
        align="each",
        spacing=36,
        title=heading(result.title, words),
    )


def _steps(result: RandomizedModel) -> list[alt.LayerChart]:
    summary = result.summary
    order = [ORIGINAL, *result.steps]
    panels = [
        _lines(result, KINDS[kind], _changes(summary[summary["kind"] == kind], order), order, CHANGE)
        for kind in result.kinds
    ]
    if result.score_name:
        first = summary[summary["kind"] == result.kinds[0]]
        panels.append(_lines(result, result.score_name.capitalize(), _scores(result, first), order, result.score_name))
    return panels


def _changes(table: pd.DataFrame, order: list[str]) -> list[dict[str, Any]]:
    changes = [
        {"step": row["step"], "sigma": f"{row['sigma']:g}", "value": finite(row["change"]),
         "low": finite(row["change"] - row["change_sd"]), "high": finite(row["change"] + row["change_sd"])}
        for _, row in table.iterrows()
    ]  # fmt: skip
    return [{"step": order[0], "sigma": f"{sigma:g}", "value": 0.0} for sigma in table["sigma"].unique()] + changes


def _scores(result: RandomizedModel, table: pd.DataFrame) -> list[dict[str, Any]]:
    start = [
        {"step": ORIGINAL, "sigma": f"{sigma:g}", "value": finite(result.original_score)} for sigma in result.sigmas
    ]
    return start + [
        {"step": row["step"], "sigma": f"{row['sigma']:g}", "value": finite(row["score"])}
        for _, row in table.iterrows()
    ]


def _change(result: RandomizedModel) -> tuple[str, str]:
    """Return what an axis of changes is called, and the expression of its labels."""
    if result.response_kind == "share":
        return f"{CHANGE}, {theme.POINTS}", theme.AXIS_WIDTH
    return CHANGE, theme.AXIS_VALUE


def _score_labels(result: RandomizedModel) -> str:
    return theme.AXIS_SHARE if result.scored_by == "accuracy" else theme.AXIS_VALUE


def _highest(result: RandomizedModel) -> float:
    """Return the top of one scale for all kinds of curves: their changes are to be compared."""
    summary = result.summary
    top = summary["change"] + summary["change_sd"].fillna(0.0)
    return float(top.max())


def _lines(
    result: RandomizedModel, title: str, records: list[dict[str, Any]], order: list[str], what: str
) -> alt.LayerChart:
    change = what == CHANGE
    named, words = _change(result) if change else (what, _score_labels(result))
    x = name_axis("step", [legible(step) for step in order], 140, alt.X, labelAngle=-30, grid=False)
    y = alt.Y(
        "value:Q",
        title=named,
        scale=alt.Scale(domain=[0.0, _highest(result)], nice=5) if change else alt.Scale(zero=False),
        axis=alt.Axis(labelExpr=words, tickCount=5),
    )
    names = [f"{sigma:g}" for sigma in result.sigmas]
    color = alt.Color(
        "sigma:N",
        sort=None,
        scale=alt.Scale(domain=names, range=[theme.PALETTE[k % len(theme.PALETTE)] for k in range(len(names))]),
        legend=alt.Legend(title="sigma", symbolOpacity=1),
    )
    tips = ["step:N", "sigma:N", alt.Tooltip("value:Q", title=what, format=",.4~g")]
    offset = alt.XOffset("sigma:N", sort=None, scale=alt.Scale(paddingOuter=1))
    base = alt.Chart()
    return alt.LayerChart(
        data=inline(records),
        layer=[
            base.mark_rule(opacity=0.5, clip=True).encode(x=x, y="low:Q", y2="high:Q", color=color, xOffset=offset),
            base.mark_line(strokeWidth=theme.LINE).encode(x=x, y=y, color=color, xOffset=offset),
            base.mark_point(size=40, filled=True, opacity=1).encode(
                x=x, y=y, color=color, xOffset=offset, tooltip=tips
            ),
        ],
        width=70 * max(3, len(order)),
        height=theme.PANEL_HEIGHT,
        title=title,
    )


def _refits(result: RandomizedModel) -> list[alt.LayerChart]:
    frame = result.frame
    panels = [_strip(result, kind, frame[frame["kind"] == kind]) for kind in result.kinds]
    if result.score_name and np.isfinite(frame["score"]).any():
        scores = frame.drop_duplicates("repeat")["score"]
        panels.append(_score_strip(result, scores))
    return panels


def _strip(result: RandomizedModel, kind: Any, table: pd.DataFrame) -> alt.LayerChart:
    records = [{"feature": row["feature"], "value": finite(row["change"])} for _, row in table.iterrows()]
    names = [legible(name) for name in result.feature_names]
    y = name_axis("feature", names, 180, domain=False)
    what, words = _change(result)
    x = alt.X("value:Q", title=what, axis=alt.Axis(labelExpr=words, tickCount=4))
    mean = alt.X("mean(value):Q", title=what)
    return alt.LayerChart(
        data=inline(records),
        layer=[
            alt.Chart().mark_tick(thickness=2.5, color=theme.ACCENT).encode(y=y, x=mean),
            alt.Chart().mark_point(size=36, filled=True, opacity=0.6, color=theme.ACCENT).encode(y=y, x=x),
        ],
        width=theme.PANEL_WIDTH,
        height=max(60, LEVEL * len(result.feature_names)),
        title=KINDS[kind],
    )


def _score_strip(result: RandomizedModel, scores: "pd.Series[Any]") -> alt.LayerChart:
    records = [{"value": finite(score), "of": "refits"} for score in scores]
    records.append({"value": finite(result.original_score), "of": ORIGINAL})
    axis = alt.Axis(labelExpr=_score_labels(result), tickCount=4)
    x = alt.X("value:Q", title=result.score_name, scale=alt.Scale(zero=False), axis=axis)
    y = alt.Y("of:N", sort=None, scale=alt.Scale(domain=[ORIGINAL, "refits"]), title=None, axis=alt.Axis(domain=False))
    point = alt.Chart().mark_point(size=36, filled=True, opacity=0.6, color=theme.ACCENT).encode(x=x, y=y)
    return alt.LayerChart(data=inline(records), layer=[point], width=theme.PANEL_WIDTH, height=60, title="Score")
