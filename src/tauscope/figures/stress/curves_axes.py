"""Stress curves on matplotlib's Axes: one metric along τ, marked as in the chart."""

# Keywords of matplotlib have no types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.figures import theme
from tauscope.figures.axes import (
    DASHES,
    DOTS,
    PLAIN,
    add_legend,
    axes_to_draw_on,
    colors_of,
    widen,
    write_shares,
    write_title,
)
from tauscope.figures.labels import in_plot
from tauscope.figures.stress.panel import MARKS, runs, spread, value_range
from tauscope.figures.stress.selection import select
from tauscope.results.formatting import number, signed
from tauscope.results.reliability import RELIABLE, WIDE
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.numbers.natural_units import mean_in_words
from tauscope.results.stress.text import dashed, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
LABEL_POINTS = 12.0
TICKS = 5


def draw_curves_on_axes(
    result: StressCurves,
    ax: Axes | None,
    *,
    metric: str | None,
    features: str | int | Sequence[str | int] | None,
    highlight: str | int | Sequence[str | int] | None,
) -> Axes:
    """Draw one metric; see `StressCurves.plot`."""
    name = result._leading_metric.name if metric is None else metric
    place = result._metric_place(name)
    selection = select(result, name, features, highlight)
    ax = axes_to_draw_on(ax)
    low, high = value_range(result, name, selection.chosen, selection.chosen, selection.rest)
    drawn_before = ax.has_data()
    for feature in selection.rest:
        _draw_line(ax, result, feature, place, theme.IDLE, theme.LINE_REST)
    several = len(selection.chosen) > 1
    colors = colors_of(len(selection.chosen))
    for feature, color in reversed(list(zip(selection.chosen, colors, strict=True))):
        _draw_band(ax, result, feature, place, color, theme.BAND_AMONG if several else theme.BAND)
        _draw_line(ax, result, feature, place, color, theme.LINE, label=in_plot(feature))
    unstressed = result._curves.value[:, place, result.taus == 0]
    if np.isfinite(unstressed).any():
        ax.axhline(float(np.nanmean(unstressed)), color=theme.MUTED, linewidth=0.8, linestyle=DASHES)
    ax.set_xlim(float(result.taus[0]), float(result.taus[-1]))
    widen(ax, low, high, drawn_before)
    _write_words(ax, result, place, selection.chosen)
    if len(selection.chosen) <= len(theme.PALETTE):
        _write_ends(ax, result, place, dict(zip(selection.chosen, colors, strict=True)))
    else:
        add_legend(ax, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def _draw_line(
    ax: Axes, result: StressCurves, feature: str, place: int, color: Any, width: float, label: str = "_line"
) -> None:
    """Dotted and pale all along, thin where wide, solid where reliable."""
    metric, value = result.metric_names[place], result._curves.value[result._feature_place(feature), place]
    solid, readable = (runs(result, feature, metric, most) >= 0 for most in (RELIABLE, WIDE))
    pale: dict[str, Any] = {"color": color, "alpha": theme.FADED_LINE, "label": "_line"}
    ax.plot(result.taus, value, linewidth=width, linestyle=DOTS, **pale)
    ax.plot(result.taus, np.where(readable, value, np.nan), linewidth=theme.LINE_WIDE, **pale)
    ax.plot(result.taus, np.where(solid, value, np.nan), linewidth=width, color=color, label=label)


def _draw_band(ax: Axes, result: StressCurves, feature: str, place: int, color: Any, opacity: float) -> None:
    """Draw the interval, paler where it is not to be read."""
    row, metric = result._feature_place(feature), result.metric_names[place]
    lower, upper = result._curves.lower[row, place], result._curves.upper[row, place]
    readable = runs(result, feature, metric, WIDE) >= 0
    look: dict[str, Any] = {"color": color, "linewidth": 0, "label": "_band"}
    ax.fill_between(result.taus, lower, upper, alpha=opacity * theme.FADED, **look)
    ax.fill_between(result.taus, lower, upper, where=readable, alpha=opacity, **look)  # pyright: ignore[reportArgumentType]


def _write_words(ax: Axes, result: StressCurves, place: int, chosen: Sequence[str]) -> None:
    metric = result._curves.metrics[place]
    ax.set_ylabel(in_plot(metric.label), **PLAIN)
    if metric.kind == "share":
        write_shares(ax.yaxis)
    write_title(ax, title(result), [f"Band: {100 * result.confidence:g} % interval. {MARKS} {dashed(result.hold)}"])
    taus: Array = np.linspace(float(result.taus[0]), float(result.taus[-1]), TICKS)
    words, about = [signed(number(tau)) for tau in taus], "τ"
    if len(chosen) == 1:
        means = _means(result, chosen[0], taus)
        words = [f"{tau}\n{mean}" for tau, mean in zip(words, means, strict=True)]
        is_share = result.features[result._feature_place(chosen[0])].kind == "share"
        about = f"τ, and the {'share' if is_share else 'mean'} of {chosen[0]}"
    ax.set_xticks(taus, words, **PLAIN)
    ax.set_xlabel(in_plot(about), **PLAIN)


def _means(result: StressCurves, name: str, taus: Array) -> list[str]:
    """Write what τ stands for, in the feature's own unit."""
    row = result._feature_place(name)
    target = result._curves.target[row]
    means = [float(np.interp(tau, result.taus, target)) for tau in taus]  # pyright: ignore[reportUnknownArgumentType]
    return [mean_in_words(result.features[row], mean) for mean in means]


def _write_ends(ax: Axes, result: StressCurves, place: int, colors: dict[str, Any]) -> None:
    """Name each line at its end, names moved apart."""
    ends = {name: float(result._curves.value[result._feature_place(name), place, -1]) for name in colors}
    ends = {name: end for name, end in ends.items() if np.isfinite(end)}
    low, high = ax.get_ylim()
    height = ax.bbox.height * 72 / ax.figure.dpi
    heights = spread(np.clip(list(ends.values()), low, high), LABEL_POINTS * (high - low) / height, low, high)
    for name, at in zip(ends, heights, strict=True):
        ax.annotate(
            in_plot(name), (float(result.taus[-1]), at), (6, 0), textcoords="offset points", va="center",
            color=colors[name], fontsize="small", annotation_clip=False, **PLAIN,
        )  # fmt: skip
