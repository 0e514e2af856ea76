"""The widget of two models side by side, under the stress that views share."""

from __future__ import annotations

from typing import Any, cast

import traitlets

from tauscope.results.stress.comparison import ModelComparison
from tauscope.views.base import check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.following import FollowingView
from tauscope.views.shared_stress import StressState
from tauscope.views.stress.comparison_message import ComparedMessage, compared_message, comparison_message, own_message

STATE = ("stress",)


class ModelComparisonView(FollowingView):
    """Every metric of two models and their paired difference; a stress set in a linked view is followed.

    Parameters
    ----------
    result : ModelComparison
        What is shown.
    **traits
        First value of the trait below.

    Attributes
    ----------
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none" | "means" | "uncorrelated"} on the first model's rows. While nothing is
        moved, the default, the population that the models were compared in: that of the stress given to `ts.compare`,
        in its own words, else the rows as tested. The kernel compares anew under each stress; the page says where one
        cannot be met.
    message, compared : dict
        What is shown, as `tauscope.views.stress.comparison_message` has it; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument (with the nearest), or a stress that is none.
    """

    _esm, _css = bundle("stress/comparison")
    result: ModelComparison

    message = traitlets.Dict(help="both models as tested, as ModelComparisonMessage").tag(sync=True)
    compared = traitlets.Dict(help="both models under the stress, as ComparedMessage").tag(sync=True)

    def __init__(self, result: ModelComparison, **traits: Any) -> None:
        check_arguments(traits, STATE)
        message = comparison_message(result, kernel=not self._offline)
        super().__init__(result, message=message, compared=own_message(result), **traits)

    def _answer(self, result: ModelComparison, stress: StressState) -> ComparedMessage:
        return compared_message(result, stress)

    def _rest(self) -> None:
        self.compared = cast(dict[str, Any], own_message(self.result))

    def _show(self, answer: Any) -> None:
        self.compared = answer

    def _problem(self) -> str:
        return self.compared.get("error", "")
