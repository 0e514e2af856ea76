"""The widget of shifts of one size: a bar for each, which moves the population there, and whatever is linked to it."""

from typing import Any

import traitlets

from tauscope.figures.stress.harm_picture import draw_table
from tauscope.results.stress.harm import StressHarm
from tauscope.views.base import LinkedView, check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.stress.harm_message import stress_harm_message

STATE = ("stress",)


class StressHarmView(LinkedView):
    """Shifts of one size to choose from: click a bar, or use the arrow keys.

    Parameters
    ----------
    result : StressHarm
        What is shown.
    **traits
        First value of the trait below.

    Attributes
    ----------
    stress : dict
        The shift that is chosen, as views share it: {"taus": {feature: τ}, "hold": …}, of the curves' own hold.
        Default unstressed, with no bar chosen. The widget says where a stress set elsewhere is none of its shifts.
    message : dict
        What is shown, as `tauscope.views.stress.harm_message.StressHarmMessage`; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument (with the nearest), or τ outside [-1, 1].
    """

    _esm, _css = bundle("stress/harm")
    result: StressHarm

    message = traitlets.Dict(help="what is shown, as StressHarmMessage").tag(sync=True)

    def __init__(self, result: StressHarm, **traits: Any) -> None:
        check_arguments(traits, STATE)
        super().__init__(result, message=stress_harm_message(result), **traits)

    def fallback(self) -> dict[str, str]:
        """Say the first ten in text, a table and a picture."""
        return self._with_table(draw_table(self.result))
