"""The effect of one feature in groups of rows as an Altair chart: two groups in one panel, more in one each."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from tauscope.figures import theme
from tauscope.figures.chart import ConcatChart
from tauscope.figures.effects.scales import (
    LEVEL,
    effect_axis,
    extremes,
    finite,
    header,
    level_axis,
    point_of,
    points_of,
    x_axis,
)
from tauscope.figures.labels import in_line, in_tooltip, inline, legible
from tauscope.results.effects.by_group import EffectByGroup, relied
from tauscope.results.effects.text import centred, extent
from tauscope.results.stress.by_group import UNMOVED
from tauscope.words import count

MOST_PANELS = 12
DOUBT = ("reliability", "note")
WIDTH, HEIGHT = theme.PANEL_WIDTH * 2 // 3, theme.PANEL_HEIGHT * 2 // 3
Array = NDArray[np.float64]


def draw(result: EffectByGroup, target_class: object = None) -> alt.ConcatChart:
    """Draw every group and how far they are apart; see `EffectByGroup.chart`."""
    output = result.effect._output(target_class)
    names, colours = [group.label for group in result.groups], list(theme.PALETTE)
    curves = result.curves
    limits = extremes(*(each[:, output] for each in (curves.effect, curves.lower, curves.upper)))
    if len(names) == 2:
        panels = [_panel(result, output, [0, 1], colours[:2], limits)]
    else:
        panels = [_panel(result, output, [place], colours[:1], limits) for place in range(len(names[:MOST_PANELS]))]
    if len(names) > 1:
        panels.append(_apart(result, output))
    left = (
        f" {count(len(names) - MOST_PANELS, 'group more is', 'groups more are')} grey."
        if len(names) > MOST_PANELS
        else ""
    )
    several = len(result.effect._classes) > 1 and len(curves.effect[0]) > 1
    words = [
        f"{extent(result.effect)}{f'; class {in_line(result.effect._classes[output])}' if several else ''}.",
        "" if result.population == UNMOVED else f"{in_line(result.population)}.",
        f"Bands: {100 * result.confidence:g} % intervals, at each point by itself, the model held fixed.{left}",
        result.notes[0] if result.population != UNMOVED else "",
    ]
    title = header(result.effect, *words)
    title.text = in_line(result.title)
    return ConcatChart(concat=panels, columns=3, title=title)


def _panel(
    result: EffectByGroup, output: int, places: Sequence[int], colours: Sequence[str], limits: tuple[float, float]
) -> alt.LayerChart:
    """Draw some groups in colour among the others in grey."""
    names = [legible(result.groups[place].label) for place in places]
    legend = None if len(names) == 1 else alt.Legend(title=None, orient="top", symbolOpacity=1)
    color = alt.Color("group:N", sort=None, scale=alt.Scale(domain=names, range=[*colours]), legend=legend)
    rows = [row for place in range(len(result.groups)) for row in _records(result, output, place, place in places)]
    what = f"{result.effect.responses[output]}{', centred' if centred(result.effect) else ''}"
    title = in_line(f"{what}{f': {names[0]}' if len(names) == 1 else ''}")
    tips = [
        alt.Tooltip("group:N"), alt.Tooltip("label:N", title=in_tooltip(result.effect._axes[0].name)),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("effect", "lower", "upper", "n", "ess")),
        *(alt.Tooltip(f"{name}:N") for name in DOUBT),
    ]  # fmt: skip
    layer = _levels if result.effect._axes[0].kind == "levels" else _lines
    layers = layer(result, limits, color, tips, len(names))
    return alt.LayerChart(data=inline(rows), layer=layers, width=WIDTH, height=_height(result, len(names)), title=title)


def _lines(
    result: EffectByGroup, limits: tuple[float, float], color: alt.Color, tips: list[alt.Tooltip], n: int
) -> list[alt.Chart]:
    x = x_axis(result.effect._axes[0])
    y = _plain(effect_axis(result.effect, *limits))
    chosen = alt.Chart().transform_filter("datum.chosen")
    return [
        alt.Chart().transform_filter("!datum.chosen")
        .mark_line(color=theme.IDLE, strokeWidth=theme.LINE_REST, clip=True).encode(x=x, y=y, detail="group:N"),
        chosen.mark_area(opacity=theme.BAND, clip=True).encode(x=x, y="lower:Q", y2="upper:Q", color=color),
        chosen.mark_line(strokeWidth=theme.LINE, clip=True).encode(x=x, y=y, color=color),
        chosen.mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=tips),
    ]  # fmt: skip


def _levels(
    result: EffectByGroup, limits: tuple[float, float], color: alt.Color, tips: list[alt.Tooltip], n: int
) -> list[alt.Chart]:
    """Draw a point for each level with its interval, two groups one above the other."""
    y = level_axis(result.effect._axes[0], alt.Y, grid=True, domain=False)
    x = _plain(effect_axis(result.effect, *limits, channel=alt.X))
    chosen = alt.Chart().transform_filter("datum.chosen")
    apart: dict[str, Any] = {"yOffset": alt.YOffset("group:N", sort=None)} if n > 1 else {}
    return [
        alt.Chart().transform_filter("!datum.chosen")
        .mark_point(color=theme.IDLE, filled=True, size=24, opacity=1, clip=True).encode(y=y, x=x),
        chosen.mark_rule(strokeWidth=2.5, opacity=0.45, clip=True)
        .encode(y=y, x=alt.X("lower:Q"), x2="upper:Q", color=color, **apart),
        chosen.mark_point(size=60, filled=True, opacity=1, clip=True)
        .encode(y=y, x=x, color=color, tooltip=tips, **apart),
    ]  # fmt: skip


def _plain(channel: Any) -> Any:
    """Take the title from an axis: the panel's own says what is drawn."""
    channel["title"] = None
    return channel


def _apart(result: EffectByGroup, output: int) -> alt.LayerChart:
    """Draw the first of two groups less the second, or of more the gap."""
    effect, names = result.effect, [group.label for group in result.groups]
    if len(names) == 2:
        table, numbers = result.difference(*names), ("difference", "lower", "upper")
        title = f"{names[0]} − {names[1]}"
    else:
        table, numbers = result.gaps, ("gap", "gap_lower", "gap_upper")
        title = "Gap: largest − smallest"
    columns = (table[name].to_numpy().reshape(-1, len(effect._axes[0]))[output] for name in (*numbers, *DOUBT))
    value, lower, upper, *doubts = columns
    rows = [
        {"value": point_of(effect._axes[0], place), "label": effect._axes[0].label(place), "none": 0.0,
         **{name: finite(float(each[place])) for name, each in (("gap", value), ("lower", lower), ("upper", upper))},
         **{name: each[place] for name, each in zip(DOUBT, doubts, strict=True)}}
        for place in points_of(effect._axes[0])
    ]  # fmt: skip
    limits = extremes(value, lower, upper, np.zeros(1))
    tips = [
        alt.Tooltip("label:N", title=in_tooltip(effect._axes[0].name)),
        *(alt.Tooltip(f"{name}:Q", format=",.4~g") for name in ("gap", "lower", "upper")),
        *(alt.Tooltip(f"{name}:N") for name in DOUBT),
    ]
    base, unit = alt.Chart(), f", {theme.POINTS}" if effect.response_kind == "share" else ""
    if effect._axes[0].kind == "levels":
        x = _plain(effect_axis(effect, *limits, "gap", alt.X, change=True))
        y = level_axis(effect._axes[0], alt.Y, titled=False, grid=True, domain=False)
        layers = [
            base.mark_rule(color=theme.MUTED).encode(x="none:Q"),
            base.mark_rule(strokeWidth=2.5, opacity=0.45, color=theme.INK).encode(
                y=y, x=alt.X("lower:Q"), x2="upper:Q"
            ),
            base.mark_point(size=60, filled=True, opacity=1, color=theme.INK).encode(y=y, x=x, tooltip=tips),
        ]
    else:
        x, y = x_axis(effect._axes[0]), _plain(effect_axis(effect, *limits, "gap", change=True))
        layers = [
            base.mark_line(color=theme.MUTED, strokeWidth=1).encode(x=x, y="none:Q"),
            base.mark_area(opacity=theme.BAND, color=theme.MUTED).encode(x=x, y="lower:Q", y2="upper:Q"),
            base.mark_line(strokeWidth=theme.LINE, color=theme.INK).encode(x=x, y=y),
            base.mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=tips),
        ]
    return alt.LayerChart(
        data=inline(rows), layer=layers, width=WIDTH, height=_height(result, 1), title=in_line(f"{title}{unit}")
    )


def _height(result: EffectByGroup, n_beside: int) -> int:
    axis = result.effect._axes[0]
    return HEIGHT if axis.kind != "levels" else max(60, int(LEVEL * len(axis) * (1 if n_beside == 1 else 1.5)))


def _records(result: EffectByGroup, output: int, place: int, chosen: bool) -> list[dict[str, Any]]:
    axis, curves, group = result.effect._axes[0], result.curves, result.groups[place]
    doubts = relied(result, [place], curves.effect[place])
    return [
        {
            "group": legible(group.label),
            "value": point_of(axis, point),
            "label": axis.label(point),
            **{
                name: finite(float(getattr(curves, name)[place, output, point]))
                for name in ("effect", "lower", "upper")
            },
            "n": int(curves.n[place, point]),
            "ess": float(curves.ess[place, point]),
            **{name: said[output, point] for name, said in doubts.items()},
            "chosen": chosen,
        }
        for point in points_of(axis)
    ]
