"""The image widget: a map of pixels for each class and rate, with a slider for τ."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import numpy as np
import traitlets

from tauscope.results.stress.image import StressImage
from tauscope.views.base import ResultView, check_arguments, tau_in_range
from tauscope.views.bundle import bundle
from tauscope.views.trait_errors import Choice
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

STATE = ("tau", "against")


class StressImageView(ResultView):
    """Maps of what each pixel's mean does, to move along τ and to read by hovering.

    Parameters
    ----------
    result : StressImage
        What is shown; on a finer grid of τ where that fits 4 MB.
    **traits
        First values of the traits below.

    Attributes
    ----------
    tau : float
        The stress of every pixel, one at a time, in [-1, 1]; default 1.
    against : {"opposite", "unstressed"}
        What the maps are the difference to: the metric at -τ, or unstressed. Default "opposite": at τ = 1 the maps of
        [EVP Fig 3].
    message : dict
        What is shown, as `tauscope.views.stress.image.StressImageMessage`; not meant to be set.
    answers, population, reasons : bytes
        Its numbers; see there.

    Raises
    ------
    traitlets.TraitError
        For τ outside [-1, 1], or another word.
    """

    _esm, _css = bundle("stress/image")
    result: StressImage

    tau = traitlets.Float(1.0, help="stress of each pixel, in [-1, 1]").tag(sync=True, echo_update=False)
    against = Choice(("opposite", "unstressed"), "opposite", help="what the maps are compared with").tag(sync=True)
    message = traitlets.Dict(help="what is shown, as StressImageMessage").tag(sync=True)
    answers = traitlets.Bytes(help="float32 [metric][tau][value, lower, upper][pixel]").tag(sync=True)
    population = traitlets.Bytes(help="float32 [tau][target, ess, pareto_k][pixel]").tag(sync=True)
    reasons = traitlets.Bytes(help="uint8 [metric][tau][reason, amount][pixel]").tag(sync=True)

    def __init__(self, result: StressImage, **traits: Any) -> None:
        check_arguments(traits, STATE)
        super().__init__(result, **stress_image_wire(result)._asdict(), **traits)

    @traitlets.validate("tau")
    def _tau_in_range(self, proposal: dict[str, Any]) -> float:
        return tau_in_range(proposal["value"])


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
