"""What becomes of the rules shown under the stress that views share, as the page reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Required, TypedDict

from tauscope.errors import InputError, TauscopeError
from tauscope.results.reliability import level_of
from tauscope.results.rules.text import below_sentence
from tauscope.results.stress.numbers.population import changes
from tauscope.views.rules.answer import share_message
from tauscope.views.rules.answer_message import RuleShareMessage
from tauscope.views.rules.distribution_message import same_wire
from tauscope.views.rules.listed import sampled_rows
from tauscope.views.shared_stress import StressState
from tauscope.views.solved import solve_stress
from tauscope.views.study_columns import columns_of
from tauscope.views.wire import Absent, AnsweredMessage, DoubtMessage, distance_message, float32

if TYPE_CHECKING:
    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.rules import Rules
    from tauscope.results.stress.reweight import Reweighting

NO_STUDY = "these rules have left their study, and a stress weighs the study's rows"


class StressedRuleMessage(TypedDict):
    """One rule under the stress; `below` says that it stops holding, "" where it holds."""

    sdp: float
    sdp_min: float
    training: RuleShareMessage
    held_out: Annotated[RuleShareMessage | None, Absent(None)]
    below: str


class StressedMessage(AnsweredMessage, total=False):
    """The rules of `row` at `pi` and `t` under one stress.

    `doubt` is what of the weights speaks against any number of this population.
    """

    row: Required[int]
    pi: Required[float]
    t: Required[float | None]
    doubt: Annotated[DoubtMessage, Absent({"level": "reliable", "words": ""})]
    rules: list[StressedRuleMessage]


def stressed_wire(result: Rules, stress: StressState) -> tuple[StressedMessage, bytes]:
    """Count rules under a stress that moves something.

    Parameters
    ----------
    result : Rules
    stress : StressState

    Returns
    -------
    message : StressedMessage
    weights : bytes
        float32 [row] of the rows in the answer's buffers; empty where there is no answer.
    """
    explanation, same = result.explanation, same_wire(result)
    message: StressedMessage = {
        "stress": stress,
        "row": -1 if explanation.row is None else explanation.row,
        "pi": result._spec.pi,
        "t": None if same is None else same["t"],
        "error": "",
    }
    try:
        solved = _solve(result, stress)
        under = result.under(solved)
    except TauscopeError as error:
        return {**message, "error": str(error)}, b""
    judged = solved._judged
    answer: StressedMessage = {
        **message,
        "words": changes(solved._terms, solved.values.tolist()),
        **distance_message(solved),
        "doubt": {"level": level_of(judged.reason), "words": judged.words},
        "rules": [
            _rule(rule, "" if holds else below_sentence(rule, result._spec.pi))
            for rule, holds in zip(under.after, under.holds, strict=True)
        ],
    }
    return answer, float32(under.weight[result.rows.position[sampled_rows(result.rows)]])


def _solve(result: Rules, stress: StressState) -> Reweighting:
    if result.source is None:
        raise InputError(NO_STUDY)
    return solve_stress(result.source, columns_of(result.source), stress)


def _rule(rule: Rule, below: str) -> StressedRuleMessage:
    return {
        "sdp": rule.sdp,
        "sdp_min": rule.sdp_min,
        "training": share_message(rule.training),
        "held_out": None if rule.held_out is None else share_message(rule.held_out),
        "below": below,
    }
