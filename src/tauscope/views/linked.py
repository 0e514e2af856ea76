"""The views that share a stress: one trait, the same in each and in the page."""

from typing import Any

import traitlets

from tauscope.views.base import ResultView
from tauscope.views.stress.state import StressState, checked_stress, unstressed


class LinkedView(ResultView):
    """A view of a result under the stress that linked views share.

    Attributes
    ----------
    stress : dict
        {"taus": {feature: τ}, "hold": "none" | "means" | "uncorrelated"}; unstressed at first. Its form is checked,
        not its features: a linked view of another study may have others, and the page says what it cannot show.
    """

    stress = traitlets.Dict(help="which features are moved, how far, and what stays").tag(sync=True, echo_update=False)

    @traitlets.default("stress")
    def _unstressed(self) -> StressState:
        return unstressed()

    @traitlets.validate("stress")
    def _check_stress(self, proposal: dict[str, Any]) -> StressState:
        return checked_stress(proposal["value"])
