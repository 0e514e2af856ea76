"""The pooled boundary widget: which features carry many decisions, before and after the stress shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import traitlets

from tauscope.errors import InputError, place_of
from tauscope.results.boundary.pooled import PooledBoundary
from tauscope.views.base import LinkedView, check_arguments, check_name
from tauscope.views.boundary.pooled_message import PooledMessage, pooled_answer, pooled_wire
from tauscope.views.boundary.pooled_table import pooled_table
from tauscope.views.bundle import bundle
from tauscope.views.columns_message import BUDGET
from tauscope.views.shared_stress import StressState
from tauscope.views.worker import Worker

STATE = ("n_features", "order", "stress")
ORDERS = ("before", "now", "change")


class PooledBoundaryView(LinkedView):
    """Pooled weights as bars before and after a stress, rows that have a feature and rows that do not apart.

    Where directions and rows fit the page's budget the page weighs and pools them by itself, without the kernel. Else
    the kernel does, and the page greys its last answer until the one for the present stress is there. Of sparse rows
    the 50 features that weigh most can be stressed.

    Parameters
    ----------
    result : PooledBoundary
    budget : int, optional
        Bytes that rows and directions may take in the page; 4 MB by default.
    **traits
        First values of `stress`, `order` and `n_features`.

    Attributes
    ----------
    stress : dict
        {"taus": {feature: τ, …}, "hold": "none" | "means" | "uncorrelated"}, shared with other views by
        `tauscope.link`. Default unstressed.
    order : {"before", "now", "change"}
        What the bars are sorted by, the largest first: the weight before the stress, under it, or the change.
    n_features : int
        Most features shown. Default 20.
    message, pooled, places, directions, presence, columns_message, columns, row_weights
        What is shown; see `tauscope.views.boundary.pooled_message`. Not meant to be set.
    answer, answer_pooled
        The kernel's answer to a stress, where the page does not pool itself.

    Raises
    ------
    traitlets.TraitError
        For an order that is none, fewer than one feature, or a stress of another form.
    """

    _esm, _css = bundle("boundary/pooled")
    result: PooledBoundary

    order = traitlets.Unicode("before", help="what the bars are sorted by").tag(sync=True)
    n_features = traitlets.Int(20, help="most features shown").tag(sync=True)
    message = traitlets.Dict(help="what is shown, as PooledMessage").tag(sync=True)
    pooled = traitlets.Bytes(help="float32 [part][value, lower, upper][feature]").tag(sync=True)
    places = traitlets.Bytes(help="uint32 [row]").tag(sync=True)
    directions = traitlets.Bytes(help="float32 [row][feature]").tag(sync=True)
    presence = traitlets.Bytes(help="uint8 [row][parted feature]").tag(sync=True)
    columns_message = traitlets.Dict(help="the features, as ColumnsMessage").tag(sync=True)
    columns = traitlets.Bytes(help="float32 [feature][row], standardised").tag(sync=True)
    row_weights = traitlets.Bytes(help="float32 [row]").tag(sync=True)
    answer = traitlets.Dict(help="the kernel's answer, as PooledAnswerMessage").tag(sync=True)
    answer_pooled = traitlets.Bytes(help="as pooled, of the answer").tag(sync=True)

    def __init__(self, result: PooledBoundary, *, budget: int = BUDGET, **traits: Any) -> None:
        check_arguments(traits, (*STATE, "budget"))
        wire = pooled_wire(result, live=not self._offline, budget=budget)
        self._worker = Worker()
        super().__init__(result, **wire._asdict(), **traits)
        if not self.pooled_in_page and not wire.message["unstressable"]:
            self.observe(self._on_stress, "stress")
            self._on_stress(None)

    @property
    def pooled_in_page(self) -> bool:
        """Whether the page has the rows; else the kernel answers."""
        return cast(PooledMessage, self.message)["shipped"]

    @traitlets.validate("order")
    def _known_order(self, proposal: dict[str, Any]) -> str:
        return check_name("order", proposal["value"], ORDERS)

    @traitlets.validate("n_features")
    def _some_features(self, proposal: dict[str, Any]) -> int:
        if proposal["value"] < 1:
            raise traitlets.TraitError(f"n_features must be a number of bars, at least 1; got {proposal['value']}.")
        return proposal["value"]

    def _on_stress(self, _: object) -> None:
        """Answer the present stress beside the kernel's own work; one that has been left is given up."""
        state = cast(StressState, self.stress)

        def work(stopped: Callable[[], bool]) -> None:
            message, pooled = pooled_answer(self.result, state)
            if not stopped():
                with self.hold_sync():
                    self.answer, self.answer_pooled = cast(dict[str, Any], message), pooled

        if state["taus"]:
            self._worker.begin(work)
        else:
            self._worker.stop()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the kernel has answered the present stress, or some seconds have passed."""
        self._worker.wait(seconds)

    def close(self) -> None:
        """Stop what is under way and close the view."""
        worker = getattr(self, "_worker", None)
        if worker is not None:
            worker.stop()
        super().close()

    def check_offline(self) -> None:
        """Refuse a stress that the page could not show."""
        taus: dict[str, float] = cast(StressState, self.stress)["taus"]
        if not taus:
            return
        message = cast(PooledMessage, self.message)
        if message["unstressable"]:
            raise InputError(f"A saved page cannot open on this stress: {message['unstressable']}")
        names = [feature["name"] for feature in cast(Any, self.columns_message)["features"]]
        for name in taus:
            place_of("feature", name, names)
        if not self.pooled_in_page:
            raise InputError(
                f"A page without a kernel carries at most {BUDGET / 1e6:g} MB of rows, and these take more: no stress "
                "can be shown in it. Pool the rows of a subgroup: study.where(…).pooled_boundary(…)."
            )

    def fallback(self) -> dict[str, str]:
        """Add the largest weights as a table."""
        return self._with_table(pooled_table(self.result))
