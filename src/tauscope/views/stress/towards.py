"""The widget of the way to another population: every metric there, on a slider of how much of the way is gone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import traitlets

from tauscope.errors import TauscopeError
from tauscope.results.stress.towards import AMOUNTS, TargetPopulation
from tauscope.results.stress.towards_stress import OF_CHUNKS, SliderStress, slider_stress
from tauscope.views.base import check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.stress.towards_message import (
    NO_STUDY,
    TowardsPathMessage,
    encode_step,
    step_layout,
    target_population_message,
)
from tauscope.views.study_columns import columns_of
from tauscope.views.working import WorkingView

STATE = ("amount", "stress")
PATIENCE = 1.0
"""Seconds that making a view waits for the way; what takes longer follows."""


class TargetPopulationView(WorkingView):
    """Every metric on the way to another population: before, expected there, and observed where labels were given.

    Parameters
    ----------
    result : TargetPopulation
        What is shown.
    **traits
        First values of the traits below.

    Attributes
    ----------
    amount : float
        How much of the way is gone, in [0, 1]: the nearest of 0, 0.1, … 1 and the result's own, at which it opens. The
        numbers at each are computed beforehand, so that the page moves without a kernel.
    stress : dict
        The amount as views share it, {"taus": {feature: τ}, "hold": "none"}, where sliders can say it: then either
        follows the other. Where they cannot, the view says why, and neither sets the stress nor follows it.
    message, path, numbers : dict, dict, bytes
        What is shown, as `tauscope.views.stress.towards_message` has it; not meant to be set.

    Raises
    ------
    traitlets.TraitError
        For another argument (with the nearest), or an amount out of range, or a stress that is none.
    """

    _esm, _css = bundle("stress/towards")
    result: TargetPopulation

    amount = traitlets.Float(help="how much of the way is gone").tag(sync=True)
    message = traitlets.Dict(help="what stays while the amount moves, as TargetPopulationMessage").tag(sync=True)
    path = traitlets.Dict(help="the amounts that are there, as TowardsPathMessage").tag(sync=True)
    numbers = traitlets.Bytes(help="[amount, number] float32; see Step").tag(sync=True)

    def __init__(self, result: TargetPopulation, **traits: Any) -> None:
        check_arguments(traits, STATE)
        self.result = result
        alone = result.source is None
        self._amounts = (result.amount,) if alone else tuple(sorted({*AMOUNTS, result.amount}))
        self._sliders = SliderStress({}, "the result has left its study") if alone else _sliders(result)
        message = target_population_message(result, self._amounts, self._sliders)
        self._features = [feature["name"] for feature in message["features"]]
        self._layout = partial(step_layout, message=message)
        self._steps = {result.amount: encode_step(result, self._features)}
        complete = self._compute(lambda: self._offline)
        first = self._on_the_way(self._amounts if complete else [result.amount], NO_STUDY if alone else "")
        super().__init__(result, message=message, **first, **{"amount": result.amount, **traits})
        if "stress" in traits:
            self._follow_stress()
        else:
            self._share_stress()
        self.observe(self._share_stress, "amount")
        self.observe(self._follow_stress, "stress")
        if not complete:
            self._worker.begin(self._go_on)
            self._worker.wait(PATIENCE)

    @traitlets.validate("amount")
    def _check_amount(self, proposal: dict[str, Any]) -> float:
        amount = proposal["value"]
        if not 0 <= amount <= 1:
            raise traitlets.TraitError(f"amount must lie between 0 and 1; got {amount:g}. 1 is all of the way.")
        return min(self._amounts, key=lambda one: abs(one - amount))

    def _share_stress(self, change: object = None) -> None:
        """Say the amount to linked views, where sliders can."""
        if not self._sliders.reason:
            self.stress = self._sliders.at(self.amount)

    def _follow_stress(self, change: object = None) -> None:
        """Go where a linked view has set the stress, if that is on the way; else the page says that it is not."""
        if not self._sliders.reason:
            stress = self.stress
            self.amount = next((one for one in self._amounts if self._sliders.at(one) == stress), self.amount)

    def _compute(self, goes_on: Callable[[], bool]) -> bool:
        """Encode the amounts that are missing, the farthest first; return whether all are there."""
        for amount in self._amounts[::-1]:
            if amount not in self._steps:
                if not goes_on():
                    return False
                self._steps[amount] = encode_step(self.result.at(amount, self.result.price), self._features)
        return True

    def _go_on(self, stopped: Callable[[], bool]) -> None:
        """Compute what is missing beside the kernel's own work, and tell the page how far that is."""

        def goes_on() -> bool:
            if stopped():
                return False
            self.path = {**self.path, "done": len(self._steps)}
            return True

        try:
            complete = self._compute(goes_on)
        except TauscopeError as error:
            self.path = {**self.path, "problem": str(error)}
            return
        if complete:
            with self.hold_sync():
                for name, value in self._on_the_way(self._amounts).items():
                    self.set_trait(name, value)

    def _on_the_way(self, amounts: Sequence[float], problem: str = "") -> dict[str, Any]:
        """Return the traits that say some amounts."""
        steps = [self._steps[amount] for amount in amounts]
        path: TowardsPathMessage = {
            "steps": [step.words for step in steps],
            "done": len(self._steps),
            "total": len(self._amounts),
            "problem": problem,
            "layout": self._layout(len(steps)),
        }
        return {"path": path, "numbers": b"".join(step.numbers for step in steps)}


def _sliders(result: TargetPopulation) -> SliderStress:
    """Say all of the way in τ, by the columns that the study's other views have."""
    if result.weights is None:
        return OF_CHUNKS
    there = result if result.amount == 1 else result.at(1.0, result.price)
    return slider_stress(there, columns_of(result._require_source()))
