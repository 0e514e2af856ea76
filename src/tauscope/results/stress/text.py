"""Stress curves in a few lines of text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.results.formatting import decimals, fixed, number, signed
from tauscope.results.reliability import counted_levels, sentence, usable, usable_ends
from tauscope.results.stress.numbers.curve_numbers import CurveNumbers
from tauscope.stress.reliability import LEVELS, Level
from tauscope.words import count

Writer = Callable[[float], str]

SHOWN = 8
MOST_DECIMALS = 8
NONE = "–"
ORDERS: dict[Level, str] = {
    "reliable": "largest reliable change first",
    "wide": "wide everywhere (read the intervals), largest change first",
    "unreliable": "unreliable everywhere, largest change first",
}


@dataclass(frozen=True)
class Influence:
    """One feature's line of a summary.

    Attributes
    ----------
    feature : str
    low, unstressed, high : str
        The metric at the lowest τ, at 0 and at the highest.
    change : str
        The difference of the metric between the ends of the τ at which it is reliable.
    stretch : str
        Those ends, "−0.8 … 1".
    """

    feature: str
    low: str
    unstressed: str
    high: str
    change: str
    stretch: str

    @property
    def cells(self) -> tuple[str, ...]:
        """The line as columns, in the order of `heads`."""
        return (self.feature, self.low, self.unstressed, self.high, self.change, self.stretch)


def influences(result: CurveNumbers, n_features: int = SHOWN) -> tuple[Influence, ...]:
    """Return the features that move the leading metric most where it is reliable, values to the same decimals."""
    curves, taus, metric = result._curves, result.taus, result._leading_metric
    zero = int(taus.searchsorted(0.0))
    rows = [result._feature_place(str(name)) for name in result.influence(metric.name).index[:n_features]]
    value = curves.value[rows, result._metric_place(metric.name), :]
    good, _ = _usable(result)
    first, last = usable_ends(good, zero)
    write, write_change = _writers(metric.kind, value)
    lines: list[Influence] = []
    for row, curve in zip(rows, value, strict=True):
        a, b = int(first[row]), int(last[row])
        stretch = f"{number(float(taus[a]))} … {number(float(taus[b]))}" if a < b else NONE
        change = signed(write_change(float(curve[b] - curve[a]))) if a < b else NONE
        low, unstressed, high = (write(float(curve[t])) for t in (0, zero, -1))
        lines.append(Influence(result.feature_names[row], low, unstressed, high, change, stretch))
    return tuple(lines)


def heads(result: CurveNumbers) -> tuple[str, ...]:
    """Name the columns of `influences`."""
    low, high = (number(float(result.taus[t])) for t in (0, -1))
    _, level = _usable(result)
    change = "reliable change" if level == "reliable" else "change"
    return ("feature", f"τ = {low}", at_zero(result.hold), f"τ = {high}", change, "over τ")


def at_zero(hold: str | None) -> str:
    """Name the population of τ = 0: the rows as tested, unless features are made uncorrelated there too."""
    return "τ = 0, uncorrelated" if hold == "uncorrelated" else "as tested"


def dashed(hold: str | None) -> str:
    """Say what the dashed line of a figure is."""
    return "Dashed: the mean of the lines at τ = 0." if hold == "uncorrelated" else "Dashed: as tested."


def order(result: CurveNumbers) -> str:
    """Say in which order the features of a summary are: by what they change where the metric is reliable."""
    return ORDERS[_usable(result)[1]]


def _usable(result: CurveNumbers) -> tuple[NDArray[np.bool_], Level]:
    place = result._metric_place(result._leading_metric.name)
    return usable(_levels(result, place), int(result.taus.searchsorted(0.0)))


def _levels(result: CurveNumbers, place: int) -> NDArray[np.int8]:
    return counted_levels(result._curves.reason[:, place], result._curves.amount[:, place])


def _reason(result: CurveNumbers) -> list[str]:
    """Say why the leading metric is nowhere reliable, at the τ nearest to 0 whose level counts; else nothing."""
    level, metric = LEVELS.index(_usable(result)[1]), result._leading_metric
    if level == 0:
        return []
    place, curves = result._metric_place(metric.name), result._curves
    cells = np.argwhere(_levels(result, place) == level)
    row, t = min(cells.tolist(), key=lambda cell: abs(float(result.taus[cell[1]])))
    words = sentence(int(curves.reason[row, place, t]), float(curves.amount[row, place, t]), metric.events)
    return [f"{result.features[row].name} at τ = {number(float(result.taus[t]))}: {words}"]


def _writers(kind: str, values: NDArray[np.float64]) -> tuple[Writer, Writer]:
    """Return how values and their differences are written, to decimals that do for the span of all values."""
    seen = values[np.isfinite(values)]
    span = float(np.ptp(seen)) if seen.size else 0.0
    if kind == "share":
        n = min(3, max(1, decimals(100 * span)))
        return (lambda value: _unit(fixed(100 * value, n), "%")), (lambda value: _unit(fixed(100 * value, n), "pt"))
    n = decimals(span)
    if n > MOST_DECIMALS or span > 1e9:
        return number, number
    return (lambda value: fixed(value, n)), (lambda value: fixed(value, n))


def _unit(text: str, unit: str) -> str:
    return text if text == NONE else f"{text} {unit}"


def title(result: CurveNumbers) -> str:
    """Name the curves: "Stress curves of LogisticRegression, other means held"."""
    suffix = {None: "", "means": ", other means held", "uncorrelated": ", other features held and uncorrelated"}
    return f"Stress curves of {result.model_name}{suffix[result.hold]}"


def extent(result: CurveNumbers) -> str:
    """Say how much there is: "569 rows, 30 features, 21 τ, 6 metrics"."""
    of = count(result.n_rows, "row"), count(len(result.features), "feature"), count(len(result.taus), "τ", "τ")
    return ", ".join((*of, count(len(result.metric_names), "metric")))


def left_out(result: CurveNumbers) -> str:
    """Name what was left out and why, or ""."""
    if not result.skipped:
        return ""
    named = ", ".join(f"{name} ({reason})" for name, reason in result.skipped[:SHOWN])
    more = len(result.skipped) - SHOWN
    return f"left out: {named}" + (f" and {more} more" if more > 0 else "")


def stress_summary(result: CurveNumbers) -> str:
    """Write the title, the extent, and the features that move the leading metric most."""
    lines = influences(result)
    table = [("", *heads(result)[1:]), *(line.cells for line in lines)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    text = [f"{title(result)}: {extent(result)}", f"{result._leading_metric.label}, {order(result)}:"]
    for name, *cells in table:
        right = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        text.append(f"  {name:<{widths[0]}}  {'  '.join(right)}")
    text += [f"  {reason}" for reason in _reason(result)]
    if len(result.features) > len(lines):
        text.append(f"  and {count(len(result.features) - len(lines), 'more feature')} in .rank() and .frame")
    if result.skipped:
        text.append(left_out(result))
    return "\n".join(text)
