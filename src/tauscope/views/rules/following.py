"""The rows selected, and the stress that views share: followed by the view of rules, never set by it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import traitlets

from tauscope.errors import InputError
from tauscope.views.base import LinkedView, check_selection
from tauscope.views.rules.stressed import StressedMessage, stressed_wire
from tauscope.views.shared_stress import StressState
from tauscope.views.worker import Worker

if TYPE_CHECKING:
    from tauscope.results.rules.rules import Rules


class FollowingTraits(LinkedView):
    """A view of rules that recounts them under each stress, in the kernel; see `RulesView`."""

    result: Rules

    selection = traitlets.List(traitlets.Int(), help="positions of the rows selected, in the study").tag(
        sync=True, echo_update=False
    )
    stressed = traitlets.Dict(help="what becomes of the rules under the stress, as StressedMessage").tag(sync=True)
    stressed_weights = traitlets.Bytes(help="float32 [row], under the stress").tag(sync=True)
    listed = traitlets.Dict(help="the rows listed, as RulesListedMessage").tag(sync=True)
    places = traitlets.Bytes(help="uint32 [row], positions in the study").tag(sync=True)
    decided = traitlets.Bytes(help="float32 [row], what is decided of each").tag(sync=True)
    scores = traitlets.Bytes(help="float32 [row]; empty where there are none").tag(sync=True)
    entries = traitlets.Bytes(help="float32 [column][row], values of the rules' features").tag(sync=True)

    def __init__(self, result: Rules, **traits: Any) -> None:
        self._stress_worker = Worker()
        super().__init__(result, **traits)
        self.observe(self._follow_stress, "stress")

    @traitlets.validate("selection")
    def _known_selection(self, proposal: dict[str, Any]) -> list[int]:
        n_rows = cast(dict[str, Any], self.message)["n_rows"] or len(self.result.rows.agrees)  # pyright: ignore
        return check_selection(proposal["value"], n_rows)

    def _follow_stress(self, change: object = None) -> None:
        """Count the rules shown under the present stress; one that has been left is given up."""
        self._stress_worker.stop()
        state = cast(StressState, self.stress)
        if not state["taus"]:
            return
        work = partial(self._recount, self.result, state)
        if self._offline:
            work(lambda: False)
        else:
            self._stress_worker.begin(work)

    def _recount(self, result: Rules, state: StressState, stopped: Callable[[], bool]) -> None:
        message, weights = stressed_wire(result, state)
        if not stopped() and result is self.result:
            with self.hold_sync():
                self.stressed_weights, self.stressed = weights, cast(dict[str, Any], message)

    def _forget_stressed(self) -> None:
        """Drop what was counted of other rules."""
        self._stress_worker.stop()
        self.stressed_weights, self.stressed = b"", {}

    def _check_stressed(self) -> None:
        """Refuse a stress that a saved page could not show."""
        error = cast(StressedMessage, self.stressed).get("error")
        if error:
            raise InputError(f"A saved page cannot open on this stress: {error}")

    def close(self) -> None:
        """Stop what is under way and close the view."""
        worker = getattr(self, "_stress_worker", None)
        if worker is not None:
            worker.stop()
        super().close()
