"""What the workspace says once: what is studied, and the views there can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

from tauscope.data import labels

if TYPE_CHECKING:
    from tauscope.results.base import Source

VIEWS = {
    "curves": "Curves",
    "metrics": "Metrics",
    "effect": "Effect",
    "boundary": "Row",
    "rules": "Rules",
    "table": "Rows",
}
"""Views to choose from, with the words on their tabs; curves stand beside the others where there is room."""


Opened = Literal["working", "open", "failed", "cancelled"]


class ViewMessage(TypedDict):
    """A view, and why it cannot be opened, "" where it can."""

    name: str
    label: str
    refused: str


class WorkspaceMessage(TypedDict):
    """What `Workspace` carries besides its views.

    `title` says what is predicted, `model` by what.
    """

    version: Literal[1]
    title: str
    model: str
    n_rows: int
    n_columns: int
    views: list[ViewMessage]


class OpenedMessage(TypedDict):
    """How far a view is: being computed, there, or not to be had.

    `words` say what is being computed, or why there is none; `done` of `total` rows of the model have been predicted,
    where `total` is above 0. `again` tells whether it can be asked for once more.
    """

    state: Opened
    words: str
    done: int
    total: int
    again: bool


def workspace_message(study: Source) -> WorkspaceMessage:
    """Say what is studied."""
    return {
        "version": 1,
        "title": _predicted(study),
        "model": study.model_name,
        "n_rows": study.n_rows,
        "n_columns": len(study.feature_names),
        "views": [{"name": name, "label": label, "refused": _refused(name, study)} for name, label in VIEWS.items()],
    }


def _predicted(study: Any) -> str:
    if study.task == "regression":
        return "Predicted value"
    names = labels.names(study.classes)
    return f"Predicted {names[1]}" if study.task == "binary" else f"Predicted class, of {len(names)}"


def _refused(name: str, study: Any) -> str:
    if name in ("effect", "boundary") and not study.has_model:
        return "This needs a model to ask; the study is of predictions alone."
    if name == "boundary" and study.task == "regression":
        return "A boundary lies between classes; this model predicts a number."
    return ""
