"""Maps of pixels as the message and the buffers of their view, word for word as TypeScript reads them."""

from typing import Annotated, Literal, NamedTuple, TypedDict

import numpy as np

from tauscope.results.stress.image import StressImage
from tauscope.views.wire import (
    REASONED,
    VALUES,
    Ascending,
    Block,
    Exactly,
    Layout,
    Metrics,
    Reasons,
    float32,
    layout_of,
    metric_messages,
    reason_bytes,
    reason_messages,
)

BUDGET = 4_000_000
N_TAUS = (21, 11, 5)
POPULATION = ("target", "ess", "pareto_k")


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
    layout: dict[Literal["answers", "population", "reasons"], Layout]


class StressImageWire(NamedTuple):
    """JSON, two buffers of little-endian float32 and one of bytes, in C order.

    Attributes
    ----------
    message : StressImageMessage
    answers, population : bytes
        As the message's `layout` says; NaN for pixels that have one value only.
    reasons : bytes
        See `tauscope.views.wire.reason_bytes`.
    """

    message: StressImageMessage
    answers: bytes
    population: bytes
    reasons: bytes


def stress_image_wire(result: StressImage) -> StressImageWire:
    """Encode maps on as fine a grid of τ as fits 4 MB, at least the result's own; intervals too where they fit."""
    p, n_metrics, n_taus = result._curves.value.shape
    answers_more = result._counts is not None or result.source is not None
    finer = [n for n in N_TAUS if answers_more and n > n_taus and p * n * _bytes_per_pixel(n_metrics) <= BUDGET]
    fine = result.at(np.union1d(np.linspace(-1, 1, finer[0]), result.taus)) if finer else result
    curves = fine._curves
    intervals = p * len(fine.taus) * _bytes_per_pixel(n_metrics) <= BUDGET
    parts = (curves.value, curves.lower, curves.upper) if intervals else (curves.value,)
    answers = np.stack(parts, axis=-1).transpose(1, 2, 3, 0)
    population = np.stack([getattr(curves, name) for name in POPULATION], axis=-1).transpose(1, 2, 0)
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
        "layout": {
            "answers": layout_of([Block(VALUES[: len(parts)], "metric tau field pixel", answers.shape)]),
            "population": layout_of([Block(POPULATION, "tau field pixel", population.shape)]),
            "reasons": layout_of([Block(REASONED, "metric tau field pixel", reasons.shape)]),
        },
    }
    return StressImageWire(message, float32(answers), float32(population), np.ascontiguousarray(reasons).tobytes())


def _bytes_per_pixel(n_metrics: int) -> int:
    """Return the size of one τ with intervals: floats of every metric and of the population, and the reasons."""
    return 4 * (3 * n_metrics + 3) + 2 * n_metrics
