"""The message of what was found for one row, word for word as the page reads it."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from tauscope.results.boundary.reliability import Level
from tauscope.views.boundary.pictures import BoundaryPicturesMessage
from tauscope.views.boundary.words import BoundaryWordsMessage
from tauscope.views.wire import Each, Layout

Ends = tuple[float | None, float | None]


class BoundaryFeatureMessage(TypedDict):
    """One feature: its values at the row, the point and the rival; None for missing ones, and without such a row.

    `scale` is one unit of the distance, in the feature's own. `levels` are names by code, of levels alone. `held` says
    why it can change in no row, "" where it can. `direction` is its part of the unit direction, 0 where it stays;
    `effect` is how far that takes the feature, in its own unit, along the way in `effect_words`; 0 of levels, of which
    `leads_to` is the code of the one that the direction leads to: None where they have no order and none changes.
    """

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
    leads_to: int | None


class BoundaryPathMessage(TypedDict):
    """The answers along the direction, of the class that the row has now.

    `length` is what is walked from the row, in units of the distance, 0 first; `label` are places in `labels`;
    `flipped` is 1 where the decision is another, or the class searched. `moving` are places among the features of
    those that change on the way, whose values stand in the buffer as `layout` says.
    """

    length: Annotated[list[float], Each("step")]
    answer: Annotated[list[float | None], Each("step")]
    label: Annotated[list[int], Each("step")]
    flipped: Annotated[list[int], Each("step")]
    labels: list[str]
    crossing: float | None
    returns: bool
    moving: list[int]
    layout: Layout


class BoundaryProjectionMessage(TypedDict):
    """The sample on two components, some of its points; 1 where another class is decided."""

    first: Annotated[list[float], Each("point")]
    second: Annotated[list[float], Each("point")]
    flipped: Annotated[list[int], Each("point")]
    words: str


class ExplanationMessage(TypedDict):
    """How far the explanation can be relied on."""

    level: Level
    words: str
    reasons: list[str]


class BoundaryDiagnosticMessage(TypedDict):
    """One figure behind that."""

    label: str
    value: str
    words: str


class BoundaryLabelsMessage(TypedDict):
    """What the row, the point and the rival are decided as; "" for none."""

    start: str
    point: str
    rival: str


class UnsentMessage(TypedDict):
    """How many features were not sent, and of those, how many change and how many are 0 throughout."""

    n_more: int
    n_more_changed: int
    n_more_zero: int


class BoundaryAnswerMessage(UnsentMessage):
    """One answer: the nearest flip, or one of several.

    `row` is −1 for new values. `target` is the class searched, "" for the nearest of any; `name` what it is of several:
    "nearest", "stretch 2". `certificate` says how the lower bound was found, "" for none; `status` what was tried where
    nothing was found. `labels` are what the row and the point are decided as, and the training row beyond it.
    `threshold` is where the decision turns, where one value of the answer tells.
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
    reliability: ExplanationMessage
    notes: list[str]
    labels: BoundaryLabelsMessage
    rival_row: int | None
    unit: str
    response: str
    response_kind: Literal["share", "value"]
    threshold: float | None
    features: list[BoundaryFeatureMessage]
    effect_words: str
    mostly_zero: bool
    path: BoundaryPathMessage | None
    diagnostics: list[BoundaryDiagnosticMessage]
    projection: BoundaryProjectionMessage | None
    pictures: BoundaryPicturesMessage | None
    words: BoundaryWordsMessage | None
    n_model_rows: int
    fixed: list[str]
    bounds: dict[str, Ends]


class BoundaryAnswersMessage(TypedDict):
    """All that was found for a row, the nearest first."""

    answers: list[BoundaryAnswerMessage]
