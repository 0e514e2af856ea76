"""The surface widget: a heat map of two features' means that moves both, alone or linked to other views."""

from typing import Any

import traitlets

from tauscope.results.stress.surface import StressSurface
from tauscope.views.base import LinkedView, check_arguments, check_name
from tauscope.views.bundle import bundle
from tauscope.views.stress.surface_message import stress_surface_wire

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
        What is shown, as `tauscope.views.stress.surface_message.StressSurfaceMessage`; not meant to be set.
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
