"""The surface widget: a heat map of two features' means that moves both, alone or linked to other views."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import numpy as np
import traitlets

from tauscope.results.stress.surface import StressSurface
from tauscope.views.base import LinkedView, check_arguments, check_name
from tauscope.views.bundle import bundle
from tauscope.views.packing import pack, pack_drawn, pack_floats, span_of
from tauscope.views.wire import (
    REASONED,
    VALUES,
    Ascending,
    Block,
    Exactly,
    Layout,
    Metrics,
    Reasons,
    interval_words,
    layout_of,
    metric_messages,
    reason_bytes,
    reason_messages,
)

STATE = ("stress", "metric")


class StressSurfaceView(LinkedView):
    """A stress surface to move about on: click a cell, or use the arrow keys.

    Parameters
    ----------
    result : StressSurface
        What is shown.
    **traits
        First values of the traits below.

    Attributes
    ----------
    stress : dict
        Which features are moved, the state that views share: {"taus": {name: τ}, "hold": "none"}. The map sets τ of
        its own two features and leaves the others as they are, and says which they are. Default unstressed.
    metric : str
        Name of the metric shown. By default the first portion of a class, else the first metric.
    message : dict
        What is shown, as `tauscope.views.stress.surface.StressSurfaceMessage`; not meant to be set.
    answers, population, reasons : bytes
        Its numbers; see there.

    Raises
    ------
    traitlets.TraitError
        For a metric that is not there (with the nearest), or τ outside [-1, 1].
    """

    _esm, _css = bundle("stress/surface")
    result: StressSurface

    metric = traitlets.Unicode(help="name of the metric shown").tag(sync=True)
    message = traitlets.Dict(help="what is shown, as StressSurfaceMessage").tag(sync=True)
    answers = traitlets.Bytes(help="float32 [metric][first τ][second τ][value, lower, upper]").tag(sync=True)
    population = traitlets.Bytes(help="float32 [first τ][second τ][ess, pareto_k, kl, tv, n_carriers, carried]").tag(
        sync=True
    )
    reasons = traitlets.Bytes(help="uint8 [metric][first τ][second τ][reason, amount]").tag(sync=True)

    def __init__(self, result: StressSurface, **traits: Any) -> None:
        check_arguments(traits, STATE)
        traits.setdefault("metric", result._leading_metric.name)
        super().__init__(result, **stress_surface_wire(result)._asdict(), **traits)

    @traitlets.validate("metric")
    def _check_metric(self, proposal: dict[str, Any]) -> str:
        return check_name("metric", proposal["value"], self.result.metric_names)


POPULATION = ("ess", "pareto_k", "kl", "tv", "n_carriers", "carried")
CellStatus = Literal["limit", "infeasible", "unconverged"]
"""Of cells that are not "solved"."""


class SurfaceSideMessage(TypedDict):
    """One of the two features: `targets` are the means that the τ stand for, in its unit."""

    name: str
    kind: Literal["numeric", "share"]
    targets: Ascending
    note_low: str
    note_high: str


class StressSurfaceMessage(TypedDict):
    """What `StressSurfaceView` carries beside its buffers.

    `taus` ascends and contains 0; `status` lists places (first τ × number of τ + second τ) that are not "solved".
    """

    version: Literal[1]
    title: str
    n_rows: int
    taus: Ascending
    confidence: float
    interval: str
    sides: Annotated[list[SurfaceSideMessage], Exactly(2)]
    metrics: Metrics
    reliability: Reasons
    status: dict[CellStatus, list[int]]
    layout: dict[Literal["answers", "population", "reasons"], Layout]


class StressSurfaceWire(NamedTuple):
    """JSON, and packed (`tauscope.views.packing`) floats and bytes in C order.

    Attributes
    ----------
    message : StressSurfaceMessage
    answers, population : bytes
        Float32, as the message's `layout` says.
    reasons : bytes
        See `tauscope.views.wire.reason_bytes`.
    """

    message: StressSurfaceMessage
    answers: bytes
    population: bytes
    reasons: bytes


def stress_surface_wire(result: StressSurface) -> StressSurfaceWire:
    """Encode a surface."""
    surface = result._surface
    answers = np.stack([surface.value, surface.lower, surface.upper], axis=-1)
    population = np.stack([getattr(surface, name) for name in POPULATION], axis=-1)
    status = surface.status.ravel()
    others: tuple[CellStatus, ...] = ("limit", "infeasible", "unconverged")
    sides: list[SurfaceSideMessage] = [
        {
            "name": feature.name,
            "kind": feature.kind,
            "targets": targets.tolist(),
            "note_low": notes.low,
            "note_high": notes.high,
        }
        for feature, targets, notes in zip(result.features, surface.target, result._side_notes, strict=True)
    ]
    message: StressSurfaceMessage = {
        "version": 1,
        "title": result.title,
        "n_rows": result.n_rows,
        "taus": surface.taus.tolist(),
        "confidence": result.confidence,
        "interval": interval_words(result.confidence, "both means that τ stand for"),
        "sides": sides,
        "metrics": metric_messages(surface.metrics),
        "reliability": reason_messages(),
        "status": {word: np.flatnonzero(status == word).tolist() for word in others},
        "layout": {
            "answers": layout_of([Block(VALUES, "metric first second field", answers.shape)]),
            "population": layout_of([Block(POPULATION, "first second field", population.shape)]),
            "reasons": layout_of([Block(REASONED, "metric first second field", (*surface.value.shape, 2))]),
        },
    }
    reasons = pack(reason_bytes(surface.reason, surface.amount), 2)
    return StressSurfaceWire(
        message,
        pack_drawn(answers, answers.shape[-1], span_of(surface.value, (-2, -1))[..., None]),
        pack_floats(population, len(POPULATION)),
        reasons,
    )
