"""What the messages of several views have in common, word for word as TypeScript reads it."""

from collections.abc import Iterable
from typing import Literal, TypedDict

from tauscope.stress.metrics import Index


class SkippedMessage(TypedDict):
    """One feature left out."""

    name: str
    reason: str


class IndexMessage(TypedDict):
    """One index: its name in code, its words on screen, and whether it lies in [0, 1]."""

    name: str
    label: str
    kind: Literal["share", "value"]


def index_messages(indices: Iterable[Index]) -> list[IndexMessage]:
    """Name indices, in order."""
    return [{"name": index.name, "label": index.label, "kind": index.kind} for index in indices]


def skipped_messages(skipped: Iterable[tuple[str, str]]) -> list[SkippedMessage]:
    """Name the features left out, each with its reason."""
    return [{"name": name, "reason": reason} for name, reason in skipped]


def interval_words(confidence: float, fixed: str, made: str = "") -> str:
    """Say what an interval covers and what it does not.

    Parameters
    ----------
    confidence : float
        Level, in (0, 1).
    fixed : str
        What stays the same whichever rows are drawn.
    made : str
        How the interval was made, where not from the influence function.
    """
    how = f" ({made})" if made else ""
    return f"{100 * confidence:g} %{how}, for the chance in drawing these rows; {fixed} stay fixed"
