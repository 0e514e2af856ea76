"""What Vega draws of a chart: the oracle of our own renderers."""

import json
import re

import vl_convert

from results import every
from tauscope.results.base import Charted

OTHER = {
    "pair": lambda: every.study().effect(["a", "b"], grid=5).chart(),
    "pair with levels": lambda: every.study().effect(["a", "c"], grid=5).chart(),
    "pixels": lambda: every.result("boundary not found").chart("image", shape=(1, 3)),
    "path": lambda: every.result("boundary").chart("path"),
    "projection": lambda: (
        every.study().boundary(3, random_state=0, explainer="pls", progress=False).chart("projection")
    ),
    "metrics there": lambda: every.result("towards").chart("metrics"),
    "difference there": lambda: every.result("towards").chart("difference"),
    "worst cases": lambda: every.result("worst case").chart("path"),
    "distribution": lambda: every.result("rules").chart("distribution"),
    "both rates": lambda: every.result("curves").roc_chart(),
}
"""What a result draws beside its first chart."""
PANEL = re.compile(r"\w*concat_\d+_group")


def chart_of(name):
    if name in OTHER:
        return OTHER[name]()
    result = every.result(name)
    has_rows = getattr(result, "weights", ()) is not None
    return result.chart() if isinstance(result, Charted) and has_rows else None


def panels_of(group, marks=None):
    """Yield the size and marks of each panel that Vega drew."""
    marks = [] if marks is None else marks
    for part in group["items"]:
        own = [] if PANEL.fullmatch(group.get("name", "")) or group.get("name") == "root" else marks
        for one in part.get("items", ()):
            if one["marktype"] == "group":
                yield from panels_of(one, own)
            elif one.get("role") == "mark":
                own.append(one)
        if own is not marks and own:
            yield part["width"], part["height"], own


def visible(item):
    return item.get("opacity", 1) > 0 and item.get("defined", True)


def places_in_vega(width, height, marks):
    """Where marks stand, in parts of the panel; of bars along levels the middle."""
    for mark in marks:
        for item in filter(visible, mark["items"]):
            x, y = item.get("x", 0), item.get("y", 0)
            x2, y2 = item.get("x2", x + item.get("width", 0)), item.get("y2", y + item.get("height", 0))
            if mark["marktype"] == "rect" and item.get("ariaRoleDescription") == "tick":
                x = x2 = (x + x2) / 2
                y = y2 = (y + y2) / 2
            if mark["marktype"] != "text":
                yield x / width, 1 - y / height
                yield x2 / width, 1 - y2 / height


def colors_in_vega(marks):
    items = [item for mark in marks for item in mark["items"] if visible(item)]
    named = {item.get(key) for item in items for key in ("stroke", "fill")} - {None, "transparent"}
    return {hex_of(color) for color in named}


def near(one, other):
    channels = [[int(color[k : k + 2], 16) for k in (1, 3, 5)] for color in (one, other)]
    return max(abs(a - b) for a, b in zip(*channels, strict=True)) <= 3


def hex_of(color):
    named = {"white": "#ffffff", "black": "#000000"}
    levels = re.fullmatch(r"rgb\((\d+), ?(\d+), ?(\d+)\)", color)
    return f"#{bytes(map(int, levels.groups())).hex()}" if levels else named.get(color, color)


def scene_of(spec):
    """Return the size and marks of each panel, as Vega draws them."""
    return [*panels_of(json.loads(json.dumps(vl_convert.vegalite_to_scenegraph(spec)))["scenegraph"])]
