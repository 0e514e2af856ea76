"""Stress curves as a chart: one panel per metric, chosen features named at the ends of their lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.figures import theme
from tauscope.figures.labels import cut_apart, in_line, legible, legible_records, title_and_lines
from tauscope.figures.specification import Record
from tauscope.figures.stress.panel import LABEL_ROOM, MARKS, runs, spread, value_range
from tauscope.figures.stress.selection import Selection, select
from tauscope.results.formatting import percentile
from tauscope.results.reliability import RELIABLE, WIDE
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.numbers.natural_units import mean_in_words
from tauscope.results.stress.text import dashed, title
from tauscope.stress.metrics import Metric
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

MOST_LABELS = len(theme.PALETTE)
LABEL_PIXELS = 14
TICKS = 5
PICTURE = {"width": 440, "height": 220}
CHOSEN, IN_LINE, IN_BAND, AT_ZERO = (
    {"filter": test} for test in ("datum.chosen", "datum.run >= 0", "datum.band >= 0", "datum.tau == 0")
)


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
    from tauscope.figures.chart import charted

    several = result.metric_names if metrics is None or not len(metrics) else metrics
    names = [several] if isinstance(several, str) else list(several)
    chosen_metrics = [result._curves.metrics[result._metric_place(name)] for name in names]
    selection = select(result, names[0], features, highlight)
    return charted({
        "concat": [_panel(result, metric, selection) for metric in chosen_metrics],
        "columns": min(2, len(names)),
        "spacing": {"column": 40, "row": 28},
        "title": _title(result, selection),
        "resolve": {"scale": {"color": "shared"}},
    })  # fmt: skip


def draw_roc(result: StressCurves, **options: Any) -> alt.LayerChart:
    """Draw both rates along τ; see `StressCurves.roc_chart`."""
    from tauscope.figures.stress.roc import draw_roc

    return draw_roc(result, **options)


def picture(result: StressCurves) -> Record:
    """Specify the panel of the leading metric alone, wider."""
    metric = result._leading_metric
    selection = select(result, metric.name)
    heading = _title(result, selection)
    heading["subtitle"] = [_sentence(metric.label), *heading["subtitle"]]
    return {**_panel(result, metric, selection), **PICTURE, "title": heading}


def _title(result: StressCurves, selection: Selection) -> Record:
    n = len(result.features)
    shown = count(n, "feature") if len(selection.shown) == n else f"{len(selection.shown)} of {count(n, 'feature')}"
    return title_and_lines(
        title(result),
        [
            f"{count(result.n_rows, 'row')}, {shown}. τ moves the mean of one feature between its "
            f"{percentile(result.quantile)} and {percentile(1 - result.quantile)}.",
            f"Band: {100 * result.confidence:g} % interval. {MARKS} {dashed(result.hold)}",
        ],
        offset=14,
    )


def _tau_axis(result: StressCurves, chosen: Sequence[str]) -> Record:
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
    scale = {"domain": [low, high], "nice": False}
    return {**_quantity("tau", about), "scale": scale, "axis": {"labelExpr": words, "values": taus, "grid": False}}


def _panel(result: StressCurves, metric: Metric, selection: Selection) -> Record:
    low, high = value_range(result, metric.name, selection.chosen, selection.chosen, selection.rest)
    labelled = len(selection.chosen) <= MOST_LABELS
    label = theme.AXIS_SHARE if metric.kind == "share" else theme.AXIS_VALUE
    y = {
        **_quantity("value"), "scale": {"domain": [low, high], "zero": False, "nice": 5},
        "axis": {"labelExpr": label, "tickCount": 5},
    }  # fmt: skip
    at = {"x": _tau_axis(result, selection.chosen), "y": y}
    line: Record = {**at, "color": _color(selection, labelled)}
    area = {**line, "y": _quantity("lower"), "y2": {"field": "upper"}}
    named = {"tooltip": [_level("feature", "nominal")]}
    run, band, feature = _level("run"), _level("band"), _level("feature", "nominal")
    shade = theme.BAND if len(selection.chosen) == 1 else theme.BAND_AMONG
    grey: Record = {"color": theme.IDLE, "strokeWidth": theme.LINE_REST}
    dotted: Record = {"strokeDash": [1, 3], "opacity": theme.FADED_LINE}
    rest = {"filter": "!datum.chosen"}
    layers = [
        _layer("line", [rest], {**at, "detail": feature, **named}, **grey, **dotted),
        _layer("line", [rest, IN_LINE], {**at, "detail": [feature, run], **named}, **grey),
        _rule({"op": "mean", "field": "value", "as": "unstressed"}, [4, 3], y=_quantity("unstressed")),
        _rule({"op": "mean", "field": "tau", "as": "tau"}, [1, 3], x=at["x"]),
        _layer("area", [CHOSEN], area, opacity=shade * theme.FADED),
        _layer("area", [CHOSEN, IN_BAND], {**area, "detail": band}, opacity=shade),
        _layer("line", [CHOSEN, IN_BAND], {**line, "detail": band},
               strokeWidth=theme.LINE_WIDE, opacity=theme.FADED_LINE),
        _layer("line", [CHOSEN], line, strokeWidth=theme.LINE, **dotted),
        _layer("line", [CHOSEN, IN_LINE], {**line, "detail": run}, strokeWidth=theme.LINE),
        _layer("point", [CHOSEN], {**at, "tooltip": _tooltip()}, size=90, opacity=0),
    ]  # fmt: skip
    if labelled:
        text = {**line, "y": _quantity("label_y"), "text": _level("short", "nominal")}
        layers.append(_layer("text", [CHOSEN, {"filter": "isValid(datum.label_y)"}], text, clip=False, align="left",
                             dx=6, fontSize=theme.FONT_SIZE - 1))  # fmt: skip
    return {
        "data": {"values": legible_records(_records(result, metric, selection, (low, high)))},
        "layer": layers,
        "width": theme.PANEL_WIDTH,
        "height": theme.PANEL_HEIGHT,
        "title": in_line(_sentence(metric.label)),
    }


def _layer(mark: str, transform: list[Record], encoding: Record, *, clip: bool = True, **look: Any) -> Record:
    return {"transform": transform, "mark": {"type": mark, "clip": clip, **look}, "encoding": encoding}


def _rule(mean: Record, dashes: list[int], **encoding: Record) -> Record:
    """Mark a mean over the features where nothing is stressed."""
    return _layer("rule", [AT_ZERO, {"aggregate": [mean]}], encoding, color=theme.MUTED, strokeDash=dashes, clip=False)


def _quantity(field: str, title: str | None = None) -> Record:
    return {"field": field, "type": "quantitative", "title": title}


def _level(field: str, kind: str = "ordinal") -> Record:
    return {"field": field, "type": kind}


def _sentence(label: str) -> str:
    return label[:1].upper() + label[1:]


def _color(selection: Selection, labelled: bool) -> Record:
    names = [legible(name) for name in selection.chosen]
    shades = {"range": [*theme.PALETTE[: len(names)]]} if labelled else {"scheme": "tableau20"}
    legend = None if labelled else {"title": "feature", "symbolOpacity": 1}
    return {**_level("feature", "nominal"), "sort": None, "scale": {"domain": names, **shades}, "legend": legend}


def _tooltip() -> list[Record]:
    words = ("feature", "reliability", "note")
    fields = ("feature", "tau", "target", "value", "lower", "upper", "reliability", "ess", "pareto_k", "note")
    return [
        _level(name, "nominal") if name in words else {"field": name, "type": "quantitative", "format": ",.4~g"}
        for name in fields
    ]


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
