"""Maps of pixels as the message and the buffers of their view, word for word as TypeScript reads them."""

from typing import Literal, NamedTuple, TypedDict

import numpy as np

from tauscope.results.stress.image import StressImage
from tauscope.views.wire import MetricMessage, float32, metric_messages

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
    shape: list[int]
    taus: list[float]
    confidence: float
    metrics: list[MetricMessage]
    intervals: bool
    notes: list[str]


class StressImageWire(NamedTuple):
    """JSON, and two buffers of little-endian float32 in C order.

    Attributes
    ----------
    message : StressImageMessage
    answers : bytes
        [metric][tau][value, lower, upper][pixel], or [metric][tau][value][pixel] without intervals; NaN for pixels that
        have one value only.
    population : bytes
        [tau][target, ess, pareto_k][pixel]
    """

    message: StressImageMessage
    answers: bytes
    population: bytes


def stress_image_wire(result: StressImage) -> StressImageWire:
    """Encode maps on as fine a grid of τ as fits 4 MB, at least the result's own; intervals too where they fit."""
    p, n_metrics, n_taus = result.curves.value.shape
    finer = [n for n in N_TAUS if n > n_taus and 4 * p * n * (3 * n_metrics + 3) <= BUDGET]
    fine = result.at(np.union1d(np.linspace(-1, 1, finer[0]), result.taus)) if finer else result
    curves = fine.curves
    intervals = 4 * p * len(fine.taus) * (3 * n_metrics + 3) <= BUDGET
    parts = (curves.value, curves.lower, curves.upper) if intervals else (curves.value,)
    answers = np.stack(parts, axis=-1).transpose(1, 2, 3, 0)
    population = np.stack([curves.target, curves.ess, curves.pareto_k], axis=-1).transpose(1, 2, 0)
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
    }
    return StressImageWire(message, float32(answers), float32(population))
