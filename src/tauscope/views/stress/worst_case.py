"""The widget of a worst case: the worst value on a slider of how much is allowed, and the sliders that make it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import traitlets

from tauscope.errors import TauscopeError
from tauscope.results.stress.worst_case import WorstCase
from tauscope.views.base import check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.stress.worst_case_message import NO_STUDY, WorstStepMessage, worst_case_message, worst_step
from tauscope.views.working import WorkingView

STATE = ("amount", "stress")
AMOUNTS = (0.2, 0.4, 0.6, 0.8, 1.0)
"""Parts of what was allowed, each of which is searched anew."""


class WorstCaseView(WorkingView):
    """A metric as tested and in its worst case, within parts of what was allowed, and what that leans on.

    Parameters
    ----------
    result : WorstCase
        What is shown.
    **traits
        First values of the traits below.

    Attributes
    ----------
    amount : float
        How much of what was allowed, the nearest of 0.2, 0.4, … 1. By default 1. Each is searched beforehand, by the
        kernel beside its own work, so that the page moves without one.
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none"}. A button sets it to the sliders that make the worst case shown, so
        that linked views go there; where sliders cannot, the view says why. It is not followed.
    message, path : dict, dict
        What is shown, as `tauscope.views.stress.worst_case_message` has it; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument (with the nearest), an amount out of range, or a stress that is none.
    """

    _esm, _css = bundle("stress/worst_case")
    result: WorstCase

    amount = traitlets.Float(1.0, help="how much of what was allowed").tag(sync=True)
    message = traitlets.Dict(help="what stays while the amount moves, as WorstCaseMessage").tag(sync=True)
    path = traitlets.Dict(help="the amounts that are there, as WorstPathMessage").tag(sync=True)

    def __init__(self, result: WorstCase, **traits: Any) -> None:
        check_arguments(traits, STATE)
        self.result = result
        self._steps: dict[float, WorstStepMessage] = {1.0: worst_step(result, 1.0, result.held_out)}
        problem = NO_STUDY if result.source is None else ""
        if self._offline and not problem:
            for amount in AMOUNTS[-2::-1]:
                self._search(amount)
        super().__init__(result, message=worst_case_message(result), path=self._path(problem), **traits)
        if len(self._steps) < len(AMOUNTS) and not problem:
            self._worker.begin(self._go_on)

    @traitlets.validate("amount")
    def _check_amount(self, proposal: dict[str, Any]) -> float:
        amount = proposal["value"]
        if not 0 < amount <= 1:
            raise traitlets.TraitError(f"amount must be above 0 and at most 1; got {amount:g}. 1 is all of it.")
        return min(AMOUNTS, key=lambda one: abs(one - amount))

    def _search(self, amount: float) -> None:
        if amount not in self._steps:
            self._steps[amount] = worst_step(self.result.at(amount), amount, self.result.held_out)

    def _go_on(self, stopped: Callable[[], bool]) -> None:
        """Search what is missing, the farthest first, and show each as it is found."""
        for amount in AMOUNTS[::-1]:
            if stopped():
                return
            try:
                self._search(amount)
            except TauscopeError as error:
                self.path = self._path(str(error))
                return
            self.path = self._path("")

    def _path(self, problem: str) -> dict[str, Any]:
        steps = [self._steps[amount] for amount in sorted(self._steps)]
        return {"steps": steps, "done": len(steps), "total": len(AMOUNTS), "problem": problem}
