"""A chart's Vega-Lite specification, as the package has it: panels, and their marks with the rows these show."""

# What a specification holds has no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tauscope.figures import theme

Record = dict[str, Any]
CONCATS = ("concat", "hconcat", "vconcat")
ATOM = re.compile(r"(!?)(isValid\()?datum(?:\.|\[')(\w+)(?:'\])?\)?\s*(?:([=!]==?|>=)\s*(.+))?")


class ChartLayer(NamedTuple):
    """A mark, what each of its channels shows, and its rows, transformed."""

    mark: Record
    channels: Record
    rows: list[Record]


def panels_of(spec: Mapping[str, Any]) -> tuple[list[Any], int]:
    """Return the panels of a chart and how many stand in a row."""
    for key in CONCATS:
        if key in spec:
            parts = [{"data": spec["data"], **part} if "data" in spec else part for part in spec[key]]
            return parts, 1 if key == "vconcat" else min(spec.get("columns", len(parts)), len(parts))
    return [spec], 1


def size_of(part: Mapping[str, Any]) -> dict[str, float]:
    """Return the pixels of a panel."""
    return {
        "width": float(part.get("width", theme.PANEL_WIDTH)), "height": float(part.get("height", theme.PANEL_HEIGHT))
    }  # fmt: skip


def title_of(part: Mapping[str, Any]) -> list[str]:
    """Return the title of a panel and the lines below it."""
    title = part.get("title")
    lines = (
        [title.get("text", ""), *title.get("subtitle", ())] if isinstance(title, Mapping) else [title] if title else []
    )
    return [str(line) for line in lines]


def layers_of(part: Mapping[str, Any], datasets: Record, rows: list[Record], above: Record) -> list[ChartLayer]:
    """Return the layers of a panel with what they inherit."""
    if "data" in part:
        data = part["data"]
        rows = data["values"] if "values" in data else datasets[data["name"]]
    for step in part.get("transform", ()):
        rows = _transformed(rows, step)
    channels = {**above, **part.get("encoding", {})}
    if "layer" in part:
        return [layer for one in part["layer"] for layer in layers_of(one, datasets, rows, channels)]
    mark = part["mark"] if isinstance(part["mark"], dict) else {"type": part["mark"]}
    return [ChartLayer(mark, channels, _aggregated(rows, channels))]


def _transformed(rows: list[Record], step: Record) -> list[Record]:
    if "filter" in step:
        return [row for row in rows if holds(step["filter"], row)]
    return [{one["as"]: _reduced(one["op"], rows, one["field"]) for one in step["aggregate"]}] if rows else []


def _aggregated(rows: list[Record], channels: Record) -> list[Record]:
    """Reduce the rows of each group where a channel shows an aggregate."""
    shown = [one for one in channels.values() if isinstance(one, dict) and "field" in one]
    reduced = {one["field"]: one["aggregate"] for one in shown if "aggregate" in one}
    if not reduced:
        return rows
    fields = [one["field"] for one in shown if "aggregate" not in one]
    groups: dict[Any, list[Record]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in fields), []).append(row)
    return [{**some[0], **{name: _reduced(op, some, name) for name, op in reduced.items()}} for some in groups.values()]


def _reduced(op: str, rows: list[Record], field: str) -> float | None:
    values = [row[field] for row in rows if row[field] is not None]
    return float({"mean": np.mean, "median": np.median}[op](values)) if values else None


def holds(test: str, row: Record) -> bool:
    """Evaluate a filter of the package's charts: || within &&, of a field, its validity or its comparison."""
    return all(
        any(_atom_holds(atom.strip(" ()") if "isValid" not in atom else atom.strip(), row) for atom in one.split("||"))
        for one in test.split("&&")
    )


def _atom_holds(atom: str, row: Record) -> bool:
    read = ATOM.fullmatch(atom)
    if read is None:
        raise ValueError(f"a chart's filter must compare a field or ask whether it is valid; got {atom!r}")
    negated, valid, field, sign, other = read.groups()
    value = row.get(field)
    if sign is None:
        holds = is_valid(value) if valid else bool(value)
        return holds != bool(negated)
    against = json.loads(other.replace("'", '"'))
    return value is not None and value >= against if sign == ">=" else (value == against) == sign.startswith("=")


def is_valid(value: Any) -> bool:
    """Tell whether a value is there, and a number where it is one."""
    return value is not None and value == value


def raw_values(layer: ChartLayer, channel: str) -> list[Any]:
    """Return the values of a channel, one a row, as the data have them."""
    shown = layer.channels.get(channel)
    if shown is None:
        return []
    return [row.get(shown["field"]) if "field" in shown else shown.get("datum") for row in layer.rows]
