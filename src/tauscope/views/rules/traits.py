"""The state of the view of rules: traits, and what they may be."""

from __future__ import annotations

from typing import Any, TypedDict, cast

import traitlets

from tauscope.views.rules.answer_message import AnswerMessage
from tauscope.views.rules.following import FollowingTraits
from tauscope.views.rules.message import RulesMessage


class ProgressMessage(TypedDict):
    """What the kernel is `doing` for a row and a π, or an `error`."""

    row: int
    pi: float
    doing: str
    error: str


class RulesTraits(FollowingTraits):
    """Traits of `RulesView`, each refused where it cannot be searched; see there."""

    row = traitlets.Int(help="position of the row explained").tag(sync=True, echo_update=False)
    pi = traitlets.Float(help="least same-decision probability").tag(sync=True, echo_update=False)
    rule = traitlets.Int(0, help="which minimal set is shown").tag(sync=True, echo_update=False)
    message = traitlets.Dict(help="what is shown, as RulesMessage").tag(sync=True)
    answer = traitlets.Dict(help="what was found, as AnswerMessage").tag(sync=True)
    cells = traitlets.Bytes(help="uint8 [rule][axis][row]").tag(sync=True)
    sdp = traitlets.Bytes(help="float32 [rule][row of the forest]").tag(sync=True)
    agrees = traitlets.Bytes(help="uint8 [row]").tag(sync=True)
    weights = traitlets.Bytes(help="float32 [row]; empty where all count alike").tag(sync=True)
    progress = traitlets.Dict(help="what the kernel is at, as ProgressMessage").tag(sync=True)

    @property
    def _message(self) -> RulesMessage:
        return cast(RulesMessage, self.message)

    @property
    def _answer(self) -> AnswerMessage:
        return cast(AnswerMessage, self.answer)

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

    @traitlets.validate("rule")
    def _known_rule(self, proposal: dict[str, Any]) -> int:
        rule = int(proposal["value"])
        if rule < 0:
            raise traitlets.TraitError(f"rule must be at least 0, the first; got {rule}.")
        return rule
