"""The message of what was found for one row, word for word as the page reads it."""

from __future__ import annotations

from typing import Literal, TypedDict

from tauscope.results.boundary.reliability import Level
from tauscope.views.boundary.pictures import PicturesMessage
from tauscope.views.boundary.words import WordsMessage

Ends = tuple[float | None, float | None]


class FeatureMessage(TypedDict):
    """One feature: its values at the row, the point and the rival, and how far the direction takes it on the way."""

    name: str
    kind: Literal["number", "levels", "date", "duration"]
    integer: bool
    scale: float
    levels: list[str]
    start: float | None
    point: float | None
    rival: float | None
    changed: bool
    held: str
    direction: float
    effect: float


class PathMessage(TypedDict):
    """The answers along the direction; `moving` are places among the features, whose values stand in the buffer."""

    length: list[float]
    answer: list[float | None]
    label: list[int]
    flipped: list[int]
    labels: list[str]
    crossing: float | None
    returns: bool
    moving: list[int]


class ProjectionMessage(TypedDict):
    """The sample on two components, some of its points; 1 where another class is decided."""

    first: list[float]
    second: list[float]
    flipped: list[int]
    words: str


class ReliabilityMessage(TypedDict):
    """How far the explanation can be relied on."""

    level: Level
    words: str
    reasons: list[str]


class DiagnosticMessage(TypedDict):
    """One figure behind that."""

    label: str
    value: str
    words: str


class LabelsMessage(TypedDict):
    """What the row, the point and the rival are decided as; "" for none."""

    start: str
    point: str
    rival: str


class UnsentMessage(TypedDict):
    """How many features were not sent, and of those, how many change and how many are 0 throughout."""

    n_more: int
    n_more_changed: int
    n_more_zero: int


class AnswerMessage(UnsentMessage):
    """One answer: the nearest flip, or one of several.

    `row` is −1 for new values. `values` are start and size in the buffer of the path's float32 [moving][step].
    `mostly_zero` says that most of the row is 0, as of words counted, so that features that are 0 throughout need no
    line.
    """

    row: int
    target: str
    name: str
    found: bool
    headline: str
    certificate: str
    status: str
    reliability: ReliabilityMessage
    notes: list[str]
    labels: LabelsMessage
    rival_row: int | None
    unit: str
    response: str
    response_kind: Literal["share", "value"]
    threshold: float | None
    features: list[FeatureMessage]
    effect_words: str
    mostly_zero: bool
    path: PathMessage | None
    diagnostics: list[DiagnosticMessage]
    projection: ProjectionMessage | None
    pictures: PicturesMessage | None
    words: WordsMessage | None
    n_model_rows: int
    fixed: list[str]
    bounds: dict[str, Ends]
    values: list[int]


class AnswersMessage(TypedDict):
    """All that was found for a row, the nearest first."""

    answers: list[AnswerMessage]
