"""The message of the rules of one row, word for word as the page reads it."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from tauscope.views.rules.distribution_message import DistributionMessage, SameMessage
from tauscope.views.rules.subsets_message import SubsetsMessage
from tauscope.views.wire import Each


class RuleAxisMessage(TypedDict):
    """What a rule asks of one feature, and where its edges can be put.

    `cuts` are the ends of cells, ascending: cell c reaches from above cut c − 1 up to cut c; `over` and `up_to` are
    each in words as a lower and as an upper end. `inside` has an entry for each cell, of levels for each level: whether
    the rule as grown holds it. `movable` is false for more levels than can be toggled. `value` is the row's own, None
    for a missing one.
    """

    name: str
    kind: Literal["number", "levels"]
    whole: bool
    movable: bool
    words: str
    cuts: Annotated[list[float], Each("cut")]
    over: Annotated[list[str], Each("cut")]
    up_to: Annotated[list[str], Each("cut")]
    levels: list[str]
    inside: list[bool]
    missing: bool
    can_miss: bool
    value: float | None
    value_words: str
    lowest: float
    highest: float
    lowest_words: str
    highest_words: str


class RuleShareMessage(TypedDict):
    """Rows that were counted; `precision` and the ends of its interval are None where there is none."""

    n_rows: int
    n_inside: int
    coverage: float
    precision: float | None
    lower: float | None
    upper: float | None


class RuleMessage(TypedDict):
    """One rule; `condition` is what it asks, in words."""

    name: str
    condition: str
    axes: list[RuleAxisMessage]
    sdp: float
    sdp_min: float
    training: RuleShareMessage
    held_out: RuleShareMessage | None
    sentence: str
    proof: str
    proved: Literal["proved", "refuted", "open", "none"]


class ImportanceMessage(TypedDict):
    """Share of the sufficient sets that a feature is in."""

    name: str
    share: float


class RulesAnswerMessage(TypedDict):
    """The rules of a row; −1 for values given.

    `n_rows` and `n_training` are of the rows in the buffers, `sampled` says that they are not all. `more` says how many
    minimal sets have no rule. `same` is None for classes; `distributions` are of the rules' sets, and where there is no
    rule of the nearest.
    """

    row: int
    pi: float
    answer: str
    reached: bool
    status: str
    rules: list[RuleMessage]
    more: str
    importance: list[ImportanceMessage]
    subsets: SubsetsMessage
    same: SameMessage | None
    distributions: list[DistributionMessage]
    notes: list[str]
    n_rows: int
    n_training: int
    weighted: bool
    sampled: str
