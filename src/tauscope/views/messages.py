"""The JSON part of every view's wire, word for word as TypeScript reads it."""

from typing import Literal, TypedDict


class FeatureMessage(TypedDict):
    """One feature: how it reads, what its slider says, and the edges of its histogram.

    `edges` is ascending, in the feature's unit; empty for a share, which has no histogram. `note_low` and
    `note_high` say what is unusual about τ < 0 and τ > 0, "" when nothing.
    """

    name: str
    column: str
    level: str | None
    kind: Literal["numeric", "share"]
    integer: bool
    mean: float
    n_missing: int
    note_low: str
    note_high: str
    edges: list[float]


class SkippedMessage(TypedDict):
    """One feature left out."""

    name: str
    reason: str


class IndexMessage(TypedDict):
    """One index: its name in code, its words on screen, and whether it lies in [0, 1]."""

    name: str
    label: str
    kind: Literal["share", "value"]


class StressCurvesMessage(TypedDict):
    """What `StressCurvesView` carries beside its buffers. `taus` ascends and contains 0; `hold` is what stays."""

    version: Literal[1]
    title: str
    n_rows: int
    task: str
    taus: list[float]
    confidence: float
    interval: str
    hold: Literal["none", "means", "uncorrelated"]
    features: list[FeatureMessage]
    skipped: list[SkippedMessage]
    indices: list[IndexMessage]
