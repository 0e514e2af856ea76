"""How answers are said: a number, its interval, and how far it can be relied on."""

from __future__ import annotations

from typing import Any

from tauscope.results.formatting import number, points, share, signed
from tauscope.results.reliability import READ


def written(metric: Any, value: float) -> str:
    """Write a value of a metric: a share as a percentage."""
    return share(value) if metric.kind == "share" else number(value)


def interval(metric: Any, lower: float, upper: float) -> str:
    """Write an interval of a metric: "14 % to 17 %"."""
    return f"{written(metric, lower)} to {written(metric, upper)}"


def changed(metric: Any, value: float) -> str:
    """Write a difference of two values of a metric, with its sign: "+2.8 pt"."""
    return signed(points(value) if metric.kind == "share" else number(value))


def stated(metric: Any, value: float, lower: float, upper: float, confidence: float) -> str:
    """Say a value with its interval: "15 % (95 % interval 14 % to 17 %)"."""
    return f"{written(metric, value)} ({share(confidence)} interval {interval(metric, lower, upper)})"


def relied(level: str, why: str = "") -> str:
    """Say how far a number can be relied on, as a sentence; a note of why begins with the level itself."""
    said = {
        "reliable": "Reliable.",
        "wide": "Wide: read the interval, not the number.",
        "unreliable": "Unreliable: do not count on it.",
        "out of reach": "Out of reach of these rows.",
    }[level]
    return f"{why[0].upper()}{why[1:]}." if why and level != "reliable" else said


def doubt(level: str, why: str) -> str:
    """Return the cell of a table: the level, with its reason where it is not reliable."""
    return why.removesuffix(READ) if level != "reliable" and why else level


def apart(before: tuple[float, float], after: tuple[float, float]) -> str:
    """Say whether two intervals overlap."""
    if after[0] > before[1] or after[1] < before[0]:
        return "The two intervals do not overlap."
    return "The two intervals overlap."


def short_number(value: float) -> float:
    """Return a number to six digits, as code has it; what follows from it is the same to the digits shown."""
    return float(f"{value:.6g}")
