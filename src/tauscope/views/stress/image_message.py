"""Maps of pixels as the message and the buffers of their view, word for word as TypeScript reads them."""

from typing import Annotated, Literal, NamedTuple, TypedDict

import numpy as np

from tauscope.results.stress.image import StressImage
from tauscope.views.wire import (
    Ascending,
    Exactly,
    Metrics,
    Reasons,
    float32,
    metric_messages,
    reason_bytes,
    reason_messages,
)

BUDGET = 4_000_000
N_TAUS = (21, 11, 5)


class StressImageMessage(TypedDict):
    """What `StressImageView` carries beside its buffers.

    `shape` is height, width, channels; `taus` ascends and contains 0; `intervals` says whether the ends of the
    intervals came along.
    """

    version: Literal[1]
    title: str
    n_rows: int
    shape: Annotated[list[int], Exactly(3)]
    taus: Ascending
    confidence: float
    metrics: Metrics
    intervals: bool
    notes: list[str]
    reliability: Reasons


class StressImageWire(NamedTuple):
    """JSON, two buffers of little-endian float32 and one of bytes, in C order.

    Attributes
    ----------
    message : StressImageMessage
    answers : bytes
        [metric][tau][value, lower, upper][pixel], or [metric][tau][value][pixel] without intervals; NaN for pixels that
        have one value only.
    population : bytes
        [tau][target, ess, pareto_k][pixel]
    reasons : bytes
        [metric][tau][reason, amount][pixel]; see `tauscope.views.wire.reason_bytes`.
    """

    message: StressImageMessage
    answers: bytes
    population: bytes
    reasons: bytes


def stress_image_wire(result: StressImage) -> StressImageWire:
    """Encode maps on as fine a grid of τ as fits 4 MB, at least the result's own; intervals too where they fit."""
    p, n_metrics, n_taus = result.curves.value.shape
    answers_more = result.counts is not None or result.source is not None
    finer = [n for n in N_TAUS if answers_more and n > n_taus and p * n * _bytes_per_pixel(n_metrics) <= BUDGET]
    fine = result.at(np.union1d(np.linspace(-1, 1, finer[0]), result.taus)) if finer else result
    curves = fine.curves
    intervals = p * len(fine.taus) * _bytes_per_pixel(n_metrics) <= BUDGET
    parts = (curves.value, curves.lower, curves.upper) if intervals else (curves.value,)
    answers = np.stack(parts, axis=-1).transpose(1, 2, 3, 0)
    population = np.stack([curves.target, curves.ess, curves.pareto_k], axis=-1).transpose(1, 2, 0)
    reasons = reason_bytes(curves.reason, curves.amount).transpose(1, 2, 3, 0)
    message: StressImageMessage = {
        "version": 1,
        "title": result.title,
        "n_rows": result.n_rows,
        "shape": list((*result.shape, 1)[:3]),
        "taus": curves.taus.tolist(),
        "confidence": result.confidence,
        "metrics": metric_messages(curves.metrics),
        "intervals": intervals,
        "notes": list(result.notes),
        "reliability": reason_messages(),
    }
    return StressImageWire(message, float32(answers), float32(population), np.ascontiguousarray(reasons).tobytes())


def _bytes_per_pixel(n_metrics: int) -> int:
    """Return the size of one τ with intervals: floats of every metric and of the population, and the reasons."""
    return 4 * (3 * n_metrics + 3) + 2 * n_metrics
