"""What the messages of several views have in common, word for word as TypeScript reads it.

Numbers go to the page as float32 in buffers, and as null in JSON where there is none.
"""

from collections.abc import Iterable
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.metrics import Metric


class SkippedMessage(TypedDict):
    """One feature left out."""

    name: str
    reason: str


class MetricMessage(TypedDict):
    """One metric: its name in code, its words on screen, and whether it lies in [0, 1]."""

    name: str
    label: str
    kind: Literal["share", "value"]


def metric_messages(metrics: Iterable[Metric]) -> list[MetricMessage]:
    """Name metrics, in order."""
    return [{"name": metric.name, "label": metric.label, "kind": metric.kind} for metric in metrics]


def skipped_messages(skipped: Iterable[tuple[str, str]]) -> list[SkippedMessage]:
    """Name the features left out, each with its reason."""
    return [{"name": name, "reason": reason} for name, reason in skipped]


def interval_words(confidence: float, fixed: str, made: str = "") -> str:
    """Say what an interval covers and what it does not.

    Parameters
    ----------
    confidence : float
        Level, in (0, 1).
    fixed : str
        What stays the same whichever rows are drawn.
    made : str
        How the interval was made, where not from the influence function.
    """
    how = f" ({made})" if made else ""
    return f"{100 * confidence:g} %{how}, for the chance in drawing these rows; {fixed} stay fixed"


def float32(values: NDArray[np.float64]) -> bytes:
    """Return an array as little-endian float32 in C order; what is too large becomes infinite."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, dtype="<f4").tobytes()


def finite(value: float) -> float | None:
    """Return a number, or None where it is not finite, which JSON cannot have."""
    return float(value) if np.isfinite(value) else None
