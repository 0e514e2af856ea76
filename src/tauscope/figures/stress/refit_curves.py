"""Stress curves over refits as an Altair chart: median and band, a panel for each feature."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from tauscope.data.columns import list_names
from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.effects.scales import finite
from tauscope.figures.labels import heading, in_line, inline
from tauscope.results.stress.refit_curves import RefitCurves

MOST_PANELS = 12


def draw(result: RefitCurves, metric: str | None, features: str | int | Sequence[str | int] | None) -> alt.ConcatChart:
    """Draw one panel a feature on one scale; see `RefitCurves.chart`."""
    place = 0 if metric is None else result._metric_place(metric)
    chosen = result.metrics[place]
    columns = result.features if result.source is None else result.source.feature_names
    names = _most_moved(result, place) if features is None else list_names(features, columns)
    drawn = [result._feature_place(name) for name in names]
    _, lower, upper = (each[drawn, place] for each in result.summary)
    finite = np.isfinite(lower)
    low, high = (float(lower[finite].min()), float(upper[finite].max())) if finite.any() else (0.0, 1.0)
    x = alt.X("tau:Q", title="τ", axis=alt.Axis(labelExpr=theme.AXIS_TAU, tickCount=5, grid=False))
    axis = alt.Axis(labelExpr=theme.AXIS_SHARE if chosen.kind == "share" else theme.AXIS_VALUE, tickCount=5)
    y = alt.Y("median:Q", title=None, scale=alt.Scale(domain=[low, high], zero=False, nice=5), axis=axis)
    tips = [alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("tau", "median", "lower", "upper", "refits")]
    line = alt.Chart().mark_line(strokeWidth=theme.LINE, color=theme.ACCENT)
    panels = [
        alt.LayerChart(
            data=inline(_records(result, place, name)),
            layer=[
                alt.Chart().mark_area(opacity=theme.BAND, color=theme.ACCENT).encode(x=x, y="lower:Q", y2="upper:Q"),
                line.encode(x=x, y=y),
                alt.Chart().mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=tips),
            ],
            width=theme.PANEL_WIDTH * 2 // 3,
            height=theme.PANEL_HEIGHT * 2 // 3,
            title=in_line(name),
        )
        for name in names
    ]
    label = f"{chosen.label[:1].upper()}{chosen.label[1:]}: {result._words}."
    words = [*_wrap(label), *(f"{note}." for note in result.notes)]
    return ConcatChart(
        concat=panels,
        columns=3,
        title=heading(result.title, words),
    )


def _most_moved(result: RefitCurves, place: int) -> list[str]:
    median = result.summary[0][:, place]
    moved = np.nan_to_num(np.abs(median[:, -1] - median[:, 0]), nan=-1.0)
    return [result.features[f] for f in np.argsort(-moved, kind="stable")[:MOST_PANELS]]


def _records(result: RefitCurves, place: int, name: str) -> list[dict[str, Any]]:
    f = result._feature_place(name)
    median, lower, upper = (each[f, place] for each in result.summary)
    counts = result._counts[f, place]
    return [
        {
            "tau": float(tau),
            "median": finite(median[t]),
            "lower": finite(lower[t]),
            "upper": finite(upper[t]),
            "refits": int(counts[t]),
        }
        for t, tau in enumerate(result.taus)
    ]


def _wrap(text: str) -> list[str]:
    head, _, tail = text.partition(": the learner's")
    return [f"{head}:", f"the learner's{tail}"] if tail else [text]
