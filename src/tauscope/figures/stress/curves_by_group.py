"""A metric of groups along τ as an Altair chart: two groups in one panel, more in one each, and their gap."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import heading, in_line, inline, legible
from tauscope.results.base import records
from tauscope.results.formatting import percentile
from tauscope.results.stress.curves_by_group import CurvesByGroup
from tauscope.results.stress.numbers.natural_units import features_among
from tauscope.stress.metrics import Metric
from tauscope.words import count

MOST_PANELS = 12
WIDTH, HEIGHT = theme.PANEL_WIDTH * 2 // 3, theme.PANEL_HEIGHT * 2 // 3
MARKS = "Solid: reliable; dotted: wide or unreliable. Bands: intervals."


def draw(result: CurvesByGroup, metric: str | None = None, feature: str | int | None = None) -> alt.ConcatChart:
    """Draw every group and the gap; see `CurvesByGroup.chart`."""
    place = result._metric_place(result._leading_metric.name if metric is None else metric)
    chosen = result._curves.metrics[place]
    name = _most_moved(result, place) if feature is None else features_among(result, [feature])[0]
    values, gaps = (_of(table, name, chosen.name) for table in (result.frame, result.gaps))
    known = values[["lower", "upper"]].to_numpy(float)
    known = np.where(values[["reliability"]].to_numpy() == "unreliable", np.nan, known)
    drawn = np.concatenate([known[np.isfinite(known)], values["value"].dropna().to_numpy(float)])
    low, high = (float(drawn.min()), float(drawn.max())) if drawn.size else (0.0, 1.0)
    names, colours = list(result.groups), list(theme.PALETTE)
    if len(names) == 2:
        panels = [_panel(values, chosen, names, colours[:2], (low, high))]
    else:
        panels = [_panel(values, chosen, [group], colours[:1], (low, high)) for group in names[:MOST_PANELS]]
    if len(names) > 1:
        panels.append(_gap_panel(gaps, chosen))
    left = (
        f" {count(len(names) - MOST_PANELS, 'group more is', 'groups more are')} grey."
        if len(names) > MOST_PANELS
        else ""
    )
    moved = "its own " if result.shift == "within" else ""
    words = [
        f"τ moves the mean of {in_line(name)} between {moved}{percentile(result.quantile)} and "
        f"{percentile(1 - result.quantile)}.",
        f"{MARKS}{left}",
        result.notes[0],
    ]
    return ConcatChart(concat=panels, columns=3, title=heading(result.title, words))


def _of(table: pd.DataFrame, feature: str, metric: str) -> pd.DataFrame:
    return table[(table["feature"] == feature) & (table["metric"] == metric)]


def _most_moved(result: CurvesByGroup, place: int) -> str:
    gap = result._curves.gaps.gap[:, place]
    moved = np.array([np.ptp(each[np.isfinite(each)]) if np.isfinite(each).any() else -1.0 for each in gap])
    return result.feature_names[int(np.argmax(moved))]


def _axes(metric: Metric, domain: tuple[float, float] | None = None) -> tuple[alt.X, dict[str, Any]]:
    x = alt.X("tau:Q", title="τ", axis=alt.Axis(labelExpr=theme.AXIS_TAU, tickCount=5, grid=False))
    label = theme.AXIS_SHARE if metric.kind == "share" else theme.AXIS_VALUE
    scale = alt.Scale(nice=5) if domain is None else alt.Scale(domain=[*domain], zero=False, nice=5)
    return x, {"title": None, "axis": alt.Axis(labelExpr=label, tickCount=5), "scale": scale}


def _panel(
    values: pd.DataFrame, metric: Metric, groups: Sequence[str], colours: Sequence[str], domain: tuple[float, float]
) -> alt.LayerChart:
    """Draw some groups in colour among the others in grey."""
    x, options = _axes(metric, domain)
    y = alt.Y("value:Q", **options)
    shown = [legible(group) for group in groups]
    legend = None if len(shown) == 1 else alt.Legend(title=None, orient="top")
    color = alt.Color("group:N", sort=None, scale=alt.Scale(domain=shown, range=[*colours]), legend=legend)
    rows = [_record(row, ("group", "reliability", "note"), chosen=row["group"] in groups) for row in records(values)]
    base = alt.Chart().transform_filter("datum.chosen")
    tips = [
        alt.Tooltip("group:N"), alt.Tooltip("tau:Q"), *(
            alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("target", "value", "lower", "upper", "share", "ess")
        ), alt.Tooltip("reliability:N"), alt.Tooltip("note:N"),
    ]  # fmt: skip
    return alt.LayerChart(
        data=inline(rows),
        layer=[
            alt.Chart().transform_filter("!datum.chosen")
            .mark_line(color=theme.IDLE, strokeWidth=theme.LINE_REST, clip=True).encode(x=x, y=y, detail="group:N"),
            base.mark_area(opacity=theme.BAND, clip=True).encode(x=x, y="lower:Q", y2="upper:Q", color=color),
            base.mark_line(strokeWidth=theme.LINE_WIDE, strokeDash=[1, 3], clip=True).encode(x=x, y=y, color=color),
            base.mark_line(strokeWidth=theme.LINE, clip=True)
            .encode(x=x, y=alt.Y("solid:Q", **options), color=color),
            base.mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=HEIGHT,
        title=in_line(metric.label if len(groups) > 1 else f"{metric.label}: {groups[0]}"),
    )  # fmt: skip


def _gap_panel(gaps: pd.DataFrame, metric: Metric) -> alt.LayerChart:
    x, options = _axes(metric)
    if metric.kind == "share":
        options["axis"] = alt.Axis(labelExpr=theme.AXIS_WIDTH, tickCount=5)
    y = alt.Y("gap:Q", **options)
    tips = [
        alt.Tooltip("tau:Q"), alt.Tooltip("largest:N"), alt.Tooltip("smallest:N"), alt.Tooltip("worst:N"),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("gap", "gap_lower", "gap_upper", "ratio")),
        alt.Tooltip("reliability:N"), alt.Tooltip("note:N"),
    ]  # fmt: skip
    base = alt.Chart()
    texts = ("largest", "smallest", "worst", "reliability", "note")
    rows = [_record(row, texts, value="gap") for row in records(gaps)]
    return alt.LayerChart(
        data=inline(rows),
        layer=[
            base.mark_area(opacity=theme.BAND, color=theme.MUTED).encode(x=x, y="gap_lower:Q", y2="gap_upper:Q"),
            base.mark_line(strokeWidth=theme.LINE_WIDE, strokeDash=[1, 3], color=theme.INK).encode(x=x, y=y),
            base.mark_line(strokeWidth=theme.LINE, color=theme.INK).encode(x=x, y=alt.Y("solid:Q", **options)),
            base.mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=HEIGHT,
        title=f"Gap, {theme.POINTS}" if metric.kind == "share" else "Gap: largest − smallest",
    )


def _record(row: Any, texts: Sequence[str], *, value: str = "value", **more: Any) -> dict[str, Any]:
    """Return a row with numbers that are not finite left out, and its value once more where it is reliable."""
    numbers = {
        name: float(one) if np.isfinite(one) else None
        for name, one in row.items()
        if isinstance(one, int | float) and not isinstance(one, bool)
    }
    solid = numbers[value] if row["reliability"] == "reliable" else None
    return {**numbers, **{name: row[name] for name in texts}, "solid": solid, **more}
