"""The image widget: a map of pixels for each class and rate, with a slider for τ."""

from typing import Any

import traitlets

from tauscope.results.stress.image import StressImage
from tauscope.views.base import ResultView, check_arguments, tau_in_range
from tauscope.views.bundle import bundle
from tauscope.views.stress.image_message import stress_image_wire
from tauscope.views.trait_errors import Choice

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
        What is shown, as `tauscope.views.stress.image_message.StressImageMessage`; not meant to be set.
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
