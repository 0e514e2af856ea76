"""What the workspace says once: what is studied, and the views there can be."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Literal, TypedDict

from tauscope.data import labels
from tauscope.results.stress.scenario_file import QUANTILE, SCHEMA, VERSION, DataDocument, data_document
from tauscope.results.versions import package_versions
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.base import Study

VIEWS = {
    "curves": "Curves",
    "metrics": "Metrics",
    "effect": "Effect",
    "boundary": "Row",
    "pooled": "Pooled flips",
    "rules": "Rules",
    "table": "Rows",
    "thresholds": "Threshold",
    "calibration": "Calibration",
    "worst_case": "Worst case",
    "models": "Models",
    "towards": "New data",
}
"""Views to choose from, with the words on their tabs; curves stand beside the others where there is room."""
GIVEN = ("models", "towards")
"""Views that are there only where their result was given: of a second model, of another sample."""
COMPARISONS = ("<", ">", "≤", "≥", "=")
"""Beginnings of a class that needs no sign of equality before it."""
OFFLINE = "A saved page has no kernel to ask. Show the study in a notebook for that."


Opened = Literal["working", "open", "failed", "cancelled", "waiting"]


class WorkspaceViewMessage(TypedDict):
    """A view, and why it cannot be opened, "" where it can."""

    name: str
    label: str
    refused: str


class ScenarioFileMessage(TypedDict):
    """Of which data scenarios are, and with what they are saved, as `tauscope.results.stress.scenario_file` has it."""

    schema: str
    version: int
    data: DataDocument
    seed: int | None
    packages: dict[str, str]
    quantile: float


class WorkspaceMessage(TypedDict):
    """What `Workspace` carries besides its views.

    `title` says what is predicted, `model` by what, `notes` what is unusual about its answers. `live` says
    whether the kernel can be asked, `offline` what to do where it cannot. `file` is what a file of scenarios says
    besides them.
    """

    version: Literal[1]
    title: str
    model: str
    notes: list[str]
    n_rows: int
    n_columns: int
    views: list[WorkspaceViewMessage]
    live: bool
    offline: str
    file: ScenarioFileMessage


class OpenedMessage(TypedDict):
    """How far a view is: being computed, there, not to be had, or waiting for rows to be selected.

    `words` say what is being computed, or why there is none; `done` of `total`, where that is above 0, are done of
    what `unit` counts: rows of the model that were predicted, rules. `again` tells whether it can be asked for once
    more.
    """

    state: Opened
    words: str
    done: int
    total: int
    unit: str
    again: bool


def workspace_message(study: Study, *, kernel: bool, given: Collection[str] = ()) -> WorkspaceMessage:
    """Say what is studied, whether there is a `kernel` to ask about it, and which views there are, some `given`."""
    views = {name: label for name, label in VIEWS.items() if name not in GIVEN or name in given}
    return {
        "version": 1,
        "title": predicted_target(study),
        "model": study._model_name,
        "notes": list(study.notes),
        "n_rows": study.n_rows,
        "n_columns": len(study.feature_names),
        "views": [
            {"name": name, "label": label, "refused": "" if name in given else _refused(name, study)}
            for name, label in views.items()
        ],
        "live": kernel,
        "offline": "" if kernel else OFFLINE,
        "file": {
            "schema": SCHEMA,
            "version": VERSION,
            "data": data_document(study),
            "seed": study._random_state,
            "packages": package_versions(),
            "quantile": QUANTILE,
        },
    }


def predicted_target(study: Study) -> str:
    """Name the target, and of two classes the one that scores are of: "income >50K", "spam = yes"."""
    target = study._target_name
    if study._task == "regression":
        return target or "Predicted value"
    names = labels.names(study.classes)
    if study._task == "multiclass":
        return (
            f"{target}, one of {count(len(names), 'class', 'classes')}"
            if target
            else f"Predicted class, of {len(names)}"
        )
    if not target:
        return f"Predicted {names[1]}"
    return f"{target} {names[1]}" if names[1].startswith(COMPARISONS) else f"{target} = {names[1]}"


def _refused(name: str, study: Study) -> str:
    if name == "thresholds" and (study._task != "binary" or study.score is None):
        return "A threshold is of the score of one of two classes, and this study has none."
    if name in ("calibration", "worst_case") and study._true_values is None:
        return "This compares with true values, and the study has none. Give y: Study(model, X, y)."
    if name == "calibration":
        return _no_probabilities(study)
    if name in ("effect", "boundary", "pooled") and not study._has_model:
        return "This needs a model to ask; the study is of predictions alone."
    if name in ("boundary", "pooled") and study._task == "regression":
        return "A boundary lies between classes; this model predicts a number."
    return ""


def _no_probabilities(study: Study) -> str:
    """Say why probabilities cannot be compared with the truth; "" where they can."""
    if study._task == "multiclass":
        return (
            "Calibration of several classes is of one against the others: study.workspace(results={'calibration': "
            "study.calibration(target_class=…)})."
        )
    if study._task == "regression" or study.score is None or study.score.min() < 0 or study.score.max() > 1:
        return "Calibration is of probabilities of a class, and this study has none."
    return ""
