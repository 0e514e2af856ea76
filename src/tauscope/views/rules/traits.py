"""The state of the view of rules: traits, and what they may be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import numpy as np
import traitlets

from tauscope.errors import InputError
from tauscope.views.base import LinkedView, check_selection
from tauscope.views.rules.answer_message import RulesAnswerMessage
from tauscope.views.rules.stressed import StressedMessage, stressed_wire
from tauscope.views.shared_stress import StressState
from tauscope.views.worker import Worker
from tauscope.words import count

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


OF_CLASSES = "of classes the same class counts as the same, and there is no t"
OF_INTERVAL = "the values that count as the same were given as an interval, and there is no t"


class RulesProgressMessage(TypedDict):
    """What the kernel is `doing` for a row and a π, or an `error`."""

    row: int
    pi: float
    doing: str
    error: str


class Tolerance(traitlets.TraitType[float | None, Any]):
    """A number or None; where None is allowed, traitlets lets it past every other check."""

    default_value = None


class RulesTraits(FollowingTraits):
    """Traits of `RulesView`, each refused where it cannot be searched; see there."""

    row = traitlets.Int(help="position of the row explained").tag(sync=True, echo_update=False)
    pi = traitlets.Float(help="least same-decision probability").tag(sync=True, echo_update=False)
    t = Tolerance(help="largest squared difference that counts as the same").tag(sync=True, echo_update=False)
    rule = traitlets.Int(0, help="which minimal set is shown").tag(sync=True, echo_update=False)
    message = traitlets.Dict(help="what is shown, as RulesMessage").tag(sync=True)
    answer = traitlets.Dict(help="what was found, as RulesAnswerMessage").tag(sync=True)
    cells = traitlets.Bytes(help="uint8 [rule][axis][row]").tag(sync=True)
    sdp = traitlets.Bytes(help="float32 [rule][row of the forest]").tag(sync=True)
    agrees = traitlets.Bytes(help="uint8 [row]").tag(sync=True)
    weights = traitlets.Bytes(help="float32 [row]; empty where all count alike").tag(sync=True)
    progress = traitlets.Dict(help="what the kernel is at, as RulesProgressMessage").tag(sync=True)

    @property
    def _message(self) -> RulesMessage:
        return cast(RulesMessage, self.message)

    @property
    def _answer(self) -> RulesAnswerMessage:
        return cast(RulesAnswerMessage, self.answer)

    @traitlets.validate("row")
    def _known_row(self, proposal: dict[str, Any]) -> int:
        row, n_rows = int(proposal["value"]), self._message["n_rows"]
        there = self._answer["row"]
        if row != there and not 0 <= row < n_rows:
            last = f"lie between 0 and {n_rows - 1:,}" if n_rows else f"stay {there}, for there is no study"
            raise traitlets.TraitError(f"row must {last}; got {row}.")
        return row

    @traitlets.validate("pi")
    def _share(self, proposal: dict[str, Any]) -> float:
        pi = float(proposal["value"])
        if not 0 < pi <= 1:
            raise traitlets.TraitError(f"pi must lie in (0, 1]; got {pi:g}.")
        return pi

    @traitlets.validate("t")
    def _squared_difference(self, proposal: dict[str, Any]) -> float | None:
        t, same = proposal["value"], self._answer["same"]
        if same is None or same["t"] is None:
            if t is not None:
                said = OF_CLASSES if same is None else OF_INTERVAL
                raise traitlets.TraitError(f"t must stay None: {said}; got {t!r}. Search anew: study.rules(row, t=…).")
            return None
        if not _is_above_0(t):
            raise traitlets.TraitError(
                f"t must be a finite number above 0, the largest squared difference that counts as the same; got {t!r}."
            )
        return float(t)

    @traitlets.validate("rule")
    def _known_rule(self, proposal: dict[str, Any]) -> int:
        rule = int(proposal["value"])
        if rule < 0:
            raise traitlets.TraitError(f"rule must be at least 0, the first; got {rule}.")
        return rule


def _is_above_0(value: Any) -> bool:
    number = float(value) if isinstance(value, Real) else np.nan
    return bool(0 < number < np.inf)


NO_KERNEL = "This page has no kernel: {needs} need one."
NO_STUDY = "These rules have left their study: {needs} need it."


class RulesMessage(TypedDict):
    """What `RulesView` carries besides its answer; `offline` says why no kernel can be asked, "" where one can."""

    version: Literal[1]
    title: str
    model: str
    n_rows: int
    live: bool
    offline: str


def rules_message(result: Rules, *, kernel: bool) -> RulesMessage:
    """Fill the message.

    Parameters
    ----------
    result : Rules
    kernel : bool
        Whether the page will have one.

    Returns
    -------
    RulesMessage
    """
    source = result.source
    n_rows = 0 if source is None else source.n_rows
    rows = f", {count(n_rows, 'row')}" if n_rows else ""
    offline = NO_STUDY if source is None else "" if kernel else NO_KERNEL
    spanned = not np.isnan(result.distributions[0].t)
    needs = "another row, π and span of values" if spanned else "another row and another π"
    return {
        "version": 1,
        "title": "Rules of one row",
        "model": f"{result.explanation.model_name}{rows}",
        "n_rows": n_rows,
        "live": not offline,
        "offline": offline.format(needs=needs),
    }
