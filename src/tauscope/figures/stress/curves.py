"""Stress curves as an Altair chart: one panel per metric, chosen features named at the ends of their lines."""

import json
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.labels import cut_apart, heading, in_line, inline, legible
from tauscope.figures.stress.panel import LABEL_ROOM, MARKS, runs, spread, value_range
from tauscope.figures.stress.roc import draw_roc as draw_roc
from tauscope.figures.stress.selection import Selection, select
from tauscope.results.formatting import percentile
from tauscope.results.reliability import RELIABLE, WIDE
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.numbers.natural_units import mean_in_words
from tauscope.results.stress.text import dashed, title
from tauscope.stress.metrics import Metric
from tauscope.words import count

MOST_LABELS = len(theme.PALETTE)
LABEL_PIXELS = 14
TICKS = 5
IN_LINE = "datum.run >= 0"
IN_BAND = "datum.band >= 0"


def draw(
    result: StressCurves,
    *,
    metrics: str | Sequence[str] | None = None,
    features: str | int | Sequence[str | int] | None = None,
    highlight: str | int | Sequence[str | int] | None = None,
) -> alt.ConcatChart:
    """Draw one panel per metric; see `StressCurves.chart` for the parameters.

    Returns
    -------
    altair.ConcatChart
        Data inline (no row limit applies); `configure_*` and Altair's themes restyle it.

    Raises
    ------
    UnknownName
        For a metric or feature that is not there.
    """
    several = result.metric_names if metrics is None or not len(metrics) else metrics
    names = [several] if isinstance(several, str) else list(several)
    chosen_metrics = [result._curves.metrics[result._metric_place(name)] for name in names]
    selection = select(result, names[0], features, highlight)
    panels = [_panel(result, metric, selection) for metric in chosen_metrics]
    return ConcatChart(
        concat=panels,
        columns=min(2, len(panels)),
        spacing={"column": 40, "row": 28},
        title=_title(result, selection),
        resolve=alt.Resolve(scale=alt.ScaleResolveMap(color="shared")),
    )


def _title(result: StressCurves, selection: Selection) -> alt.TitleParams:
    n = len(result.features)
    shown = count(n, "feature") if len(selection.shown) == n else f"{len(selection.shown)} of {count(n, 'feature')}"
    return heading(
        title(result),
        [
            f"{count(result.n_rows, 'row')}, {shown}. τ moves the mean of one feature between its "
            f"{percentile(result.quantile)} and {percentile(1 - result.quantile)}.",
            f"Band: {100 * result.confidence:g} % interval. {MARKS} {dashed(result.hold)}",
        ],
        offset=14,
    )


def _tau_axis(result: StressCurves, chosen: Sequence[str]) -> alt.X:
    """Make the axis of τ; of one feature in colour with what τ moves its mean to."""
    low, high = float(result.taus[0]), float(result.taus[-1])
    words, about = theme.AXIS_TAU, "τ"
    taus: list[float] = [float(f"{tau:.6g}") for tau in np.linspace(low, high, TICKS)]
    if len(chosen) == 1:
        row = result._feature_place(chosen[0])
        feature, target = result.features[row], result._curves.target[row]
        means = [float(np.interp(tau, result.taus, target)) for tau in taus]  # pyright: ignore[reportUnknownArgumentType]
        below = {f"{tau:g}": legible(mean_in_words(feature, mean)) for tau, mean in zip(taus, means, strict=True)}
        words = f"[{words}, {json.dumps(below)}[datum.value]]"
        about = f"τ, and the {'share' if feature.kind == 'share' else 'mean'} of {in_line(chosen[0])}"
    axis = alt.Axis(labelExpr=words, values=taus, grid=False)
    return alt.X("tau:Q", title=about, scale=alt.Scale(domain=[low, high], nice=False), axis=axis)


def _panel(result: StressCurves, metric: Metric, selection: Selection) -> alt.LayerChart:
    low, high = value_range(result, metric.name, selection.chosen, selection.chosen, selection.rest)
    labelled = len(selection.chosen) <= MOST_LABELS
    x = _tau_axis(result, selection.chosen)
    y = alt.Y(
        "value:Q",
        title=None,
        scale=alt.Scale(domain=[low, high], zero=False, nice=5),
        axis=alt.Axis(labelExpr=theme.AXIS_SHARE if metric.kind == "share" else theme.AXIS_VALUE, tickCount=5),
    )
    color = _color(selection, labelled)
    band = theme.BAND if len(selection.chosen) == 1 else theme.BAND_AMONG
    chosen, rest = (alt.Chart().transform_filter(which) for which in ("datum.chosen", "!datum.chosen"))
    solid, wide = chosen.transform_filter(IN_LINE), chosen.transform_filter(IN_BAND)
    grey: dict[str, Any] = {"color": theme.IDLE, "strokeWidth": theme.LINE_REST, "clip": True}
    layers: list[alt.Chart] = [
        rest.mark_line(**grey, strokeDash=[1, 3], opacity=theme.FADED_LINE)
        .encode(x=x, y=y, detail="feature:N", tooltip=["feature:N"]),
        rest.transform_filter(IN_LINE).mark_line(**grey)
        .encode(x=x, y=y, detail=["feature:N", "run:O"], tooltip=["feature:N"]),
        alt.Chart()
        .transform_filter("datum.tau == 0")
        .transform_aggregate(unstressed="mean(value)")
        .mark_rule(color=theme.MUTED, strokeDash=[4, 3])
        .encode(y=alt.Y("unstressed:Q", title=None)),
        alt.Chart().transform_filter("datum.tau == 0").transform_aggregate(tau="mean(tau)")
        .mark_rule(color=theme.MUTED, strokeDash=[1, 3])
        .encode(x=x),
        chosen.mark_area(opacity=band * theme.FADED, clip=True)
        .encode(x=x, y="lower:Q", y2="upper:Q", color=color),
        wide.mark_area(opacity=band, clip=True)
        .encode(x=x, y="lower:Q", y2="upper:Q", color=color, detail="band:O"),
        wide.mark_line(strokeWidth=theme.LINE_WIDE, opacity=theme.FADED_LINE, clip=True)
        .encode(x=x, y=y, color=color, detail="band:O"),
        chosen.mark_line(strokeWidth=theme.LINE, strokeDash=[1, 3], opacity=theme.FADED_LINE, clip=True)
        .encode(x=x, y=y, color=color),
        solid.mark_line(strokeWidth=theme.LINE, clip=True)
        .encode(x=x, y=y, color=color, detail="run:O"),
        chosen.mark_point(size=90, opacity=0, clip=True)
        .encode(x=x, y=y, tooltip=_tooltip()),
    ]  # fmt: skip
    if labelled:
        layers.append(
            chosen.transform_filter("isValid(datum.label_y)")
            .mark_text(align="left", dx=6, fontSize=theme.FONT_SIZE - 1)
            .encode(x=x, y="label_y:Q", text="short:N", color=color)
        )
    return alt.LayerChart(
        data=inline(_records(result, metric, selection, (low, high))),
        layer=layers,
        width=theme.PANEL_WIDTH,
        height=theme.PANEL_HEIGHT,
        title=in_line(_sentence(metric.label)),
    )


def _sentence(label: str) -> str:
    return label[:1].upper() + label[1:]


def _color(selection: Selection, labelled: bool) -> alt.Color:
    names = [legible(name) for name in selection.chosen]
    scale = (
        alt.Scale(domain=names, range=list(theme.PALETTE[: len(names)]))
        if labelled
        else alt.Scale(domain=names, scheme="tableau20")
    )
    legend = None if labelled else alt.Legend(title="feature", symbolOpacity=1)
    return alt.Color("feature:N", sort=None, scale=scale, legend=legend)


def _tooltip() -> list[alt.Tooltip]:
    fields = (
        "feature:N",
        "tau:Q",
        "target:Q",
        "value:Q",
        "lower:Q",
        "upper:Q",
        "reliability:N",
        "ess:Q",
        "pareto_k:Q",
        "note:N",
    )
    return [alt.Tooltip(name, format=",.4~g") if name.endswith("Q") else alt.Tooltip(name) for name in fields]


def _records(
    result: StressCurves, metric: Metric, selection: Selection, domain: tuple[float, float]
) -> list[dict[str, Any]]:
    """One record per feature and τ; numbers that are not finite become null."""
    curves, place = result._curves, result._metric_place(metric.name)
    ends = np.array([curves.value[result._feature_place(name), place, -1] for name in selection.chosen])
    gap = (domain[1] - domain[0]) * LABEL_PIXELS / theme.PANEL_HEIGHT
    label_y = np.full(len(ends), np.nan)
    drawn = np.isfinite(ends)
    label_y[drawn] = spread(ends[drawn], gap, *domain)
    short = cut_apart(selection.chosen, LABEL_ROOM)
    p, n_metrics, n_taus = curves.value.shape
    said = result.frame[["reliability", "note"]].to_numpy().reshape(p, n_taus, n_metrics, 2)[:, :, place]
    records: list[dict[str, Any]] = []
    for i, name in enumerate(selection.shown):
        row, chosen = result._feature_place(name), i < len(selection.chosen)
        solid, band = (runs(result, name, metric.name, most) for most in (RELIABLE, WIDE))
        for t, tau in enumerate(curves.taus):
            record: dict[str, Any] = {
                "feature": name,
                "tau": float(tau),
                "value": _finite(curves.value[row, place, t]),
                "chosen": chosen,
                "run": int(solid[t]),
                "band": int(band[t]),
            }
            if chosen:
                record |= {
                    "lower": _finite(curves.lower[row, place, t]),
                    "upper": _finite(curves.upper[row, place, t]),
                    "target": _finite(curves.target[row, t]),
                    "reliability": said[row, t, 0],
                    "ess": _finite(curves.ess[row, t]),
                    "pareto_k": _finite(curves.pareto_k[row, t]),
                    "note": said[row, t, 1],
                    "label_y": _finite(label_y[i]) if t == len(curves.taus) - 1 else None,
                    "short": short[name],
                }
            records.append(record)
    return records


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
