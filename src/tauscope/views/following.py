"""Views whose numbers under the stress the kernel computes, on a worker, as the stress moves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from tauscope.errors import InputError
from tauscope.views.shared_stress import StressState
from tauscope.views.worker import Work
from tauscope.views.working import WorkingView


class FollowingView(WorkingView):
    """A view that is answered anew under each stress; one that has been left is given up.

    Parameters
    ----------
    result : object
        What is shown.
    **state
        First values of the traits.
    """

    def __init__(self, result: Any, **state: Any) -> None:
        super().__init__(result, **state)
        self.observe(self._follow_stress, "stress")
        if self.stress["taus"]:
            self._follow_stress()

    @abstractmethod
    def _answer(self, result: Any, stress: StressState) -> Any:
        """Compute what is shown of a result under a stress that moves something; what keeps from it is in the answer.

        Parameters
        ----------
        result : object
            That of the view, or one that is about to be.
        stress : StressState
        """

    @abstractmethod
    def _show(self, answer: Any) -> None:
        """Set the traits of an answer."""

    @abstractmethod
    def _problem(self) -> str:
        """Say why the last stress is not shown; "" where it is."""

    def _rest(self) -> None:
        """Show the result's own population again."""

    def check_offline(self) -> None:
        """Refuse a stress that a saved page could not show."""
        problem = self._problem()
        if problem:
            raise InputError(f"A saved page cannot open on this stress: {problem}")

    def _follow_stress(self, change: object = None) -> None:
        self._worker.stop()
        state = cast(StressState, self.stress)
        if state["taus"]:
            self._begin(partial(self._work, state))
        else:
            self._rest()

    def _begin(self, work: Work) -> None:
        """Have the worker do this instead of what it does; a page without a kernel waits for it."""
        if self._offline:
            work(lambda: False)
        else:
            self._worker.begin(work)

    def _work(self, state: StressState, stopped: Callable[[], bool]) -> None:
        answer = self._answer(self.result, state)
        if not stopped():
            self._show(answer)
