"""An effect in a few lines of text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tauscope.results.formatting import number, points, share

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect, Kind

KINDS: dict[Kind, str] = {
    "pd": "Partial dependence",
    "cd": "Conditional dependence",
    "ale": "Accumulated local effect",
    "dale": "Accumulated derivative effect",
}


def centred(result: FeatureEffect) -> bool:
    """Tell whether an effect's mean over the rows is 0."""
    return result.kind in ("ale", "dale")


def title(result: FeatureEffect) -> str:
    """Name an effect: "Partial dependence of probability of yes on age"."""
    return f"{KINDS[result.kind]} of {result.response} on {' and '.join(result.feature_names)}"


def extent(result: FeatureEffect) -> str:
    """Say of what and on what: "LogisticRegression, 6,400 rows, 50 points"."""
    points = " × ".join(str(len(axis)) for axis in result.axes)
    return f"{result.model_name}, {result.n_rows:,} rows, {points} points"


def paragraph(text: str, width: int = 84) -> list[str]:
    """Break a sentence into lines of at most `width` letters, as a chart's subtitle takes it."""
    return textwrap.wrap(text, width)


def written(result: FeatureEffect, value: float) -> str:
    """Write a value of an effect; centred effects of a share in points."""
    if result.response_kind == "value":
        return number(value)
    return points(value) if centred(result) else share(value)


def difference(result: FeatureEffect, value: float) -> str:
    """Write a difference of two values of an effect, that of shares in points."""
    return number(value) if result.response_kind == "value" else points(value)


def weighting(result: FeatureEffect) -> str:
    """Say how far the weights are from equal ones, or "" where the rows are not weighted."""
    if not result.weighted:
        return ""
    return f"weighted rows: effective sample {result.ess:,.0f} of {result.n_rows:,}"


def effect_summary(result: FeatureEffect) -> str:
    """Write the title, where the effect is lowest and highest, what the interval is, and what must be known."""
    lines = [f"{title(result)}: {extent(result)}"]
    for output, curve in enumerate(result.computed.effect):
        named = f"{result.classes[output]}: " if len(result.computed.effect) > 1 else ""
        lines.append(f"  {named}{_ends(result, curve)}")
    lines.append(f"  {result.interval}; {result.method}")
    lines += [f"  {words}" for words in (weighting(result), *result.caveats) if words]
    lines += [] if result.status == "complete" else [f"  {result.status}"]
    return "\n".join([*lines, *(f"  {note}" for note in result.notes)])


def _ends(result: FeatureEffect, curve: NDArray[np.float64]) -> str:
    flat = curve.ravel()
    if np.isnan(flat).all():
        return "no value anywhere"
    low, high = int(np.nanargmin(flat)), int(np.nanargmax(flat))

    def where(flat_place: int) -> str:
        places = np.unravel_index(flat_place, curve.shape)
        named = zip(result.axes, places, strict=True)
        return ", ".join(f"{axis.name} {axis.label(int(place))}" for axis, place in named)

    return (
        f"lowest {written(result, float(flat[low]))} at {where(low)}, "
        f"highest {written(result, float(flat[high]))} at {where(high)}"
    )
