"""The effect of one feature, and its bounds, on matplotlib's Axes."""

# Keywords of matplotlib have no types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.figures import theme
from tauscope.figures.axes import (
    DASHES,
    PLAIN,
    add_legend,
    axes_to_draw_on,
    colors_of,
    widen,
    write_points,
    write_shares,
    write_title,
)
from tauscope.figures.effects.scales import class_name, effect_range, extremes, missing_words, points_of
from tauscope.figures.labels import in_plot
from tauscope.results.effects.bounds import EffectBounds
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.text import centred, extent, weighting

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
Band = tuple[Array, Array]


def draw_effect_on_axes(result: FeatureEffect, ax: Axes | None) -> Axes:
    """Draw an effect with its interval; see `FeatureEffect.plot`."""
    weighted = weighting(result)
    words = [
        f"Band: {result.interval}.",
        missing_words(result),
        f"{_sentence(weighted)}." if weighted else "",
        *(f"{_sentence(word)}." for word in result.caveats),
        "" if result.status == "complete" else f"{_sentence(result.message)}.",
    ]
    return _draw(result, ax, (result._computed.lower, result._computed.upper), words)


def draw_bounds_on_axes(result: EffectBounds, ax: Axes | None) -> Axes:
    """Draw an effect in its certified band, the paper's bound as an outline; see `EffectBounds.plot`."""
    certified, paper = result.bounds.certified, result.bounds.paper
    words = [
        f"{extent(result.effect)}.",
        f"Filled: certified for {certified.covers}.",
        "" if paper is None else "Dashed: the paper's bound.",
    ]
    outline = None if paper is None else (paper.lower, paper.upper)
    return _draw(result.effect, ax, (certified.lower, certified.upper), words, outline)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _draw(effect: FeatureEffect, ax: Axes | None, band: Band, words: list[str], outline: Band | None = None) -> Axes:
    if len(effect._axes) != 1:
        raise InputError(f"plot draws the effect of one feature; this is of {len(effect._axes)}. Use .chart().")
    ax = axes_to_draw_on(ax)
    drawn_before = ax.has_data()
    curve, levels = effect._computed.effect, effect._axes[0].kind == "levels"
    for output, color in enumerate(colors_of(len(curve))):
        edges = [] if outline is None else [side[output] for side in outline]
        draw = _draw_levels if levels else _draw_curve
        draw(ax, effect, curve[output], [side[output] for side in band], edges, color, class_name(effect, output))
    _name_feature(ax, effect)
    what = f"{effect.response}, centred" if centred(effect) else effect.response
    points = centred(effect) and effect.response_kind == "share"
    (ax.set_xlabel if levels else ax.set_ylabel)(in_plot(f"{what}, {theme.POINTS}" if points else what), **PLAIN)
    if effect.response_kind == "share":
        (write_points if points else write_shares)(ax.xaxis if levels else ax.yaxis)
    low, high = extremes(curve, *band)
    if outline is not None:
        span, (lowest, highest) = high - low, extremes(*outline)
        low, high = max(min(low, lowest), low - span), min(max(high, highest), high + span)
    widen(ax, *effect_range(effect, low, high), drawn_before, horizontal=levels)
    write_title(ax, effect.title, words)
    if len(curve) > 1:
        add_legend(ax)
    return ax


def _draw_curve(
    ax: Axes, effect: FeatureEffect, curve: Array, band: list[Array], outline: list[Array], color: Any, name: str
) -> None:
    axis, places = effect._axes[0], points_of(effect._axes[0])
    at: Any = axis.values[places] if axis.kind == "date" else axis.points[places]
    lower, upper = (side[places] for side in band)
    ax.fill_between(at, lower, upper, color=color, alpha=theme.BAND, linewidth=0, label="_band")
    for side in outline:
        ax.plot(at, side[places], color=color, linewidth=1, linestyle=DASHES, label="_outline")
    ax.plot(at, curve[places], color=color, linewidth=theme.LINE, label=in_plot(name))


def _draw_levels(
    ax: Axes, effect: FeatureEffect, curve: Array, band: list[Array], outline: list[Array], color: Any, name: str
) -> None:
    at = np.arange(len(effect._axes[0]))
    ax.hlines(at, band[0], band[1], color=color, alpha=theme.FADED, linewidth=3, label="_band")
    if outline:
        ax.hlines(at, outline[0], outline[1], color=color, linewidth=1, linestyle=DASHES, label="_outline")
    ax.plot(curve, at, "o", color=color, label=in_plot(name))


def _name_feature(ax: Axes, effect: FeatureEffect) -> None:
    axis = effect._axes[0]
    name = in_plot(f"{axis.name} ({axis.unit})" if axis.unit else axis.name)
    if axis.kind == "levels":
        ax.set_yticks(np.arange(len(axis)), [in_plot(label) for label in axis.labels], **PLAIN)
        ax.set_ylim(len(axis) - 0.5, -0.5)
        ax.set_ylabel(name, **PLAIN)
        return
    ax.set_xlabel(name, **PLAIN)
