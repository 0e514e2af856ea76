"""The widget of two models side by side, under the stress that views share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import traitlets

from tauscope.errors import InputError
from tauscope.results.stress.comparison import ModelComparison
from tauscope.views.base import LinkedView, check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.shared_stress import StressState
from tauscope.views.stress.comparison_message import compared_message, comparison_message
from tauscope.views.worker import Worker

STATE = ("stress",)


class ModelComparisonView(LinkedView):
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
        {"taus": {feature: τ, …}, "hold": "none" | "means" | "uncorrelated"} on the first model's rows. Default
        unstressed. The kernel compares anew under each; the page says where one cannot be met.
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
        self._worker = Worker()
        super().__init__(result, message=comparison_message(result, kernel=not self._offline), **traits)
        self.observe(self._follow_stress, "stress")
        self._follow_stress()

    @property
    def busy(self) -> bool:
        """Whether the kernel is at work for this view."""
        return self._worker.busy

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the kernel has compared the models, or some seconds have passed."""
        self._worker.wait(seconds)

    def check_offline(self) -> None:
        """Refuse a stress that a saved page could not show."""
        error = self.compared.get("error")
        if error:
            raise InputError(f"A saved page cannot open on this stress: {error}")

    def close(self) -> None:
        """Stop what is under way and close the view."""
        worker = getattr(self, "_worker", None)
        if worker is not None:
            worker.stop()
        super().close()

    def _follow_stress(self, change: object = None) -> None:
        """Compare under the present stress; one that has been left is given up."""
        self._worker.stop()
        state = cast(StressState, self.stress)
        if not state["taus"]:
            return
        work = partial(self._compare, state)
        if self._offline:
            work(lambda: False)
        else:
            self._worker.begin(work)

    def _compare(self, state: StressState, stopped: Callable[[], bool]) -> None:
        answer = compared_message(self.result, state)
        if not stopped():
            self.compared = cast(dict[str, Any], answer)
