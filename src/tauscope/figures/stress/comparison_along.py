"""The difference of two models along τ: where the better one changes, in words and as a band around 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import altair as alt
import numpy as np

from tauscope.data.columns import name_of
from tauscope.data.features import Feature, features_by_name
from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import heading, in_line, inline
from tauscope.figures.stress.by_group import choose_metrics
from tauscope.results.base import records
from tauscope.results.formatting import number
from tauscope.results.stress.comparison import ModelComparison
from tauscope.results.stress.harm import worse_side
from tauscope.results.stress.numbers.natural_units import mean_in_words
from tauscope.stress.metrics import Metric

WIDTH, HEIGHT = 260, 160
MARKS = "Solid: reliable. Dotted: wide, read the interval; in a pale band unreliable."
NOT_JUDGED = "not judged"
Row = Mapping[str, Any]


def draw_along(
    result: ModelComparison, along: str | int, metrics: str | Sequence[str] | None, taus: int | Sequence[float]
) -> alt.ConcatChart:
    """Draw the difference of each metric along τ; see `ModelComparison.chart`."""
    chosen = choose_metrics(result.metrics, metrics)
    along = name_of(along, result._require_source().feature_names)
    every = records(result.along(along, taus))
    feature = features_by_name(result._require_source()._columns)[along]
    rows = {metric.name: [row for row in every if row["metric"] == metric.name] for metric in chosen}
    panels = [_panel(result, rows[metric.name], metric) for metric in chosen]
    low, high = (mean_in_words(feature, every[end]["target"]) for end in (0, -1))
    words = [
        *(f"{metric.label}: {where_better(rows[metric.name], result.names, feature)}" for metric in chosen),
        f"τ moves the {'share' if feature.kind == 'share' else 'mean'} of {along} from {low} to {high}.",
        f"Line: {result.names[1]} less {result.names[0]}. Band: its {100 * result.confidence:g} % interval, of each τ "
        "alone. Dots: where that leaves out 0.",
        MARKS,
    ]
    return ConcatChart(
        concat=panels, columns=min(3, len(panels)), title=heading(f"{result.title} along {along}", words)
    )


def where_better(rows: Sequence[Row], names: tuple[str, str], feature: Feature) -> str:
    """Say over which τ one model is better with the whole interval, of a metric without a worse side is higher.

    Parameters
    ----------
    rows : sequence of mapping
        Those of `ModelComparison.along` of one metric, τ ascending. Unreliable ones tell nothing.
    names : (str, str)
    feature : Feature
    """
    told = [(_ahead(row, names), place) for place, row in enumerate(rows)]
    verb = "is higher" if worse_side(rows[0]["metric"]) == "either" else "is better"
    runs = [(name, [place for _, place in run]) for name, run in groupby(told, key=lambda each: each[0])]
    said = [
        f"{NOT_JUDGED if name is None else f'{name} {verb}'} {_stretch(rows, run[0], run[-1], feature)}"
        for name, run in runs
        if name != ""
    ]
    if not any(name for name, _ in runs) and any(name == "" for name, _ in runs):
        said.insert(0, "nowhere can they be told apart" if len(runs) == 1 else "nowhere judged can they be told apart")
    return "; ".join(said)


def _ahead(row: Row, names: tuple[str, str]) -> str | None:
    """Name the model that is better, or higher where neither side is worse; None where that cannot be judged."""
    if not _judged(row):
        return None
    return (row["better"] or names[int(row["lower"] > 0)]) if _told(row) else ""


def _judged(row: Row) -> bool:
    """Return whether the interval of a difference can be read."""
    return row["reliability"] != "unreliable" and bool(np.isfinite([row["lower"], row["upper"]]).all())


def _told(row: Row) -> bool:
    return _judged(row) and (row["lower"] > 0 or row["upper"] < 0)


def _stretch(rows: Sequence[Row], first: int, last: int, feature: Feature) -> str:
    """Write a stretch of τ: "from τ = 0.3 (age 45.1 on average)"."""
    from_start, to_end = first == 0, last == len(rows) - 1
    if from_start and to_end:
        return "at every τ"
    word = "at" if first == last else "up to" if from_start else "from" if to_end else "between"
    ends = {"up to": [rows[last]], "between": [rows[first], rows[last]]}.get(word, [rows[first]])
    taus = " and ".join(f"τ = {number(end['tau'])}" for end in ends)
    means = " to ".join(mean_in_words(feature, end["target"]) for end in ends)
    how = f"for {means} of rows" if feature.kind == "share" else f"{means} on average"
    return f"{word} {taus} ({feature.name} {how})"


def _panel(result: ModelComparison, rows: Sequence[Row], metric: Metric) -> alt.LayerChart:
    drawn = [_record(row) for row in rows]
    label = theme.AXIS_POINTS if metric.kind == "share" else theme.AXIS_VALUE
    unit = f", {theme.POINTS}" if metric.kind == "share" else ""
    x = alt.X(
        "tau:Q",
        title="τ",
        scale=alt.Scale(domain=[rows[0]["tau"], rows[-1]["tau"]], nice=False),
        axis=alt.Axis(labelExpr=theme.AXIS_TAU, tickCount=5, grid=False),
    )
    options: dict[str, Any] = {
        "title": None,
        "axis": alt.Axis(labelExpr=label, tickCount=5),
        "scale": alt.Scale(domain=_range(rows), nice=5),
    }
    y = alt.Y("difference:Q", **options)
    tips = [
        alt.Tooltip(f"{name}:{kind}", title=title, format=text)
        for name, kind, title, text in (
            ("tau", "Q", "τ", ""), ("target", "Q", "mean of the feature", ",.4~g"),
            ("first", "Q", "first", ",.4~g"), ("second", "Q", "second", ",.4~g"),
            ("difference", "Q", "difference", "+,.4~g"), ("lower", "Q", "lower", "+,.4~g"),
            ("upper", "Q", "upper", "+,.4~g"), ("ess", "Q", "effective rows", ",.0f"),
            ("reliability", "N", "reliability", ""), ("note", "N", "note", ""),
        )
    ]  # fmt: skip
    base = alt.Chart()
    look: dict[str, Any] = {"color": theme.ACCENT, "clip": True}
    return alt.LayerChart(
        data=inline(drawn),
        layer=[
            alt.Chart(inline([{"at": 0}])).mark_rule(color=theme.MUTED).encode(y=alt.Y("at:Q", **options)),
            base.mark_area(opacity=theme.BAND * theme.FADED, **look)
            .encode(x=x, y=alt.Y("lower:Q", **options), y2="upper:Q"),
            base.mark_area(opacity=theme.BAND, **look)
            .encode(x=x, y=alt.Y("readable_lower:Q", **options), y2="readable_upper:Q"),
            base.mark_line(strokeWidth=theme.LINE, strokeDash=[1, 3], opacity=theme.FADED_LINE, **look)
            .encode(x=x, y=y),
            base.mark_line(strokeWidth=theme.LINE, **look).encode(x=x, y=alt.Y("solid:Q", **options)),
            base.mark_point(size=30, filled=True, opacity=1, color=theme.ACCENT)
            .encode(x=x, y=alt.Y("told:Q", **options)),
            base.mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=tips),
        ],
        width=WIDTH,
        height=HEIGHT,
        title=alt.TitleParams(text=in_line(f"{metric.label}{unit}"), subtitle=_side(metric, result.names)),
    )  # fmt: skip


def _side(metric: Metric, names: tuple[str, str]) -> str:
    """Say which model is better above 0, or higher where neither side is worse."""
    side = worse_side(metric.name)
    return in_line(f"above 0: {names[int(side != 'higher')]} {'higher' if side == 'either' else 'better'}")


def _record(row: Row) -> dict[str, Any]:
    numbers = {
        name: float(row[name]) if np.isfinite(row[name]) else None
        for name in ("tau", "target", "first", "second", "difference", "lower", "upper", "ess")
    }
    level = row["reliability"]
    readable = level != "unreliable"
    return {
        **numbers,
        "reliability": level,
        "note": row["note"],
        "solid": numbers["difference"] if level == "reliable" else None,
        "told": numbers["difference"] if _told(row) else None,
        "readable_lower": numbers["lower"] if readable else None,
        "readable_upper": numbers["upper"] if readable else None,
    }


def _range(rows: Sequence[Row]) -> list[float]:
    """Find the vertical range: 0, the line, and its band, where that is wide no farther than the line's own span."""
    line = np.array([0.0, *(row["difference"] for row in rows)])
    line = line[np.isfinite(line)]
    span = float(np.ptp(line)) or np.inf
    parts = [line]
    for row in rows:
        ends = np.array([row["lower"], row["upper"]])
        if row["reliability"] == "wide":
            ends = np.clip(ends, line.min() - span, line.max() + span)
        if row["reliability"] != "unreliable":
            parts.append(ends[np.isfinite(ends)])
    values = np.concatenate(parts)
    low, high = float(values.min()), float(values.max())
    return [low, high] if high > low else [-1.0, 1.0]
