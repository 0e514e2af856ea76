"""Stress curves in a few lines of text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tauscope.results.numbers import number, points, share, signed

if TYPE_CHECKING:
    from tauscope.results.stress_curves import StressCurves

SHOWN = 8


@dataclass(frozen=True)
class Influence:
    """One feature's line of a summary: an index at τ low, at 0 and at τ high, and the difference of the ends."""

    feature: str
    low: str
    unstressed: str
    high: str
    change: str


def influences(result: StressCurves, n_features: int = SHOWN) -> tuple[Influence, ...]:
    """Return the features that move the leading index most where it can be trusted, values as text."""
    index = result.leading_index
    write = share if index.kind == "share" else number
    ranked = result.influence(index.name)
    value = result.curves.value[:, result.index_place(index.name), :]
    zero = int(result.taus.searchsorted(0.0))
    lines: list[Influence] = []
    for feature in map(str, ranked.index[:n_features]):
        curve = value[result.feature_place(feature)]
        low, unstressed, high = (float(curve[t]) for t in (0, zero, -1))
        change = signed(points(high - low) if index.kind == "share" else number(high - low))
        lines.append(Influence(feature, write(low), write(unstressed), write(high), change))
    return tuple(lines)


def title(result: StressCurves) -> str:
    """Name the curves: "Stress curves of LogisticRegression, other means held"."""
    held = {None: "", "means": ", other means held", "uncorrelated": ", other features held and uncorrelated"}
    return f"Stress curves of {result.model_name}{held[result.hold]}"


def extent(result: StressCurves) -> str:
    """Say how much there is: "569 rows, 30 features, 21 τ, 6 indices"."""
    counts = (
        (result.n_rows, "row", "rows"),
        (len(result.features), "feature", "features"),
        (len(result.taus), "τ", "τ"),
        (len(result.index_names), "index", "indices"),
    )
    return ", ".join(f"{n:,} {one if n == 1 else many}" for n, one, many in counts)


def left_out(result: StressCurves) -> str:
    """Name what was left out and why, or ""."""
    if not result.skipped:
        return ""
    named = ", ".join(f"{name} ({reason})" for name, reason in result.skipped[:SHOWN])
    more = len(result.skipped) - SHOWN
    return f"left out: {named}" + (f" and {more} more" if more > 0 else "")


def stress_summary(result: StressCurves) -> str:
    """Write the title, the extent, and the features that move the leading index most."""
    lines = influences(result)
    low, high = (number(float(result.taus[t])) for t in (0, -1))
    width = max((len(line.feature) for line in lines), default=0)
    text = [f"{title(result)}: {extent(result)}"]
    text.append(f"{result.leading_index.label}, from τ = {low} over 0 to {high}, largest trusted change first:")
    text += [
        f"  {line.feature:<{width}}  {line.low:>8} {line.unstressed:>8} {line.high:>8}  {line.change:>8}"
        for line in lines
    ]
    if len(result.features) > len(lines):
        text.append(f"  and {len(result.features) - len(lines):,} more features in .rank() and .frame")
    if result.skipped:
        text.append(left_out(result))
    return "\n".join(text)
