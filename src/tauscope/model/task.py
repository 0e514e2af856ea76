"""Finding the task: how a model's answers are to be read, from its kind, their shape, y and what the user said."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels, validation
from tauscope.errors import InputError
from tauscope.model.calls import ModelKind, ResponseMethod
from tauscope.model.class_columns import find_columns
from tauscope.model.output import ModelOutput
from tauscope.model.prediction import AnswerLayout, Classes, OutputSpec
from tauscope.stress.outcomes import Task
from tauscope.words import count

MAX_WHOLE_LABELS = 20


@dataclass(frozen=True)
class TaskHints:
    """What the model and the user say of the task, before the model is called.

    Attributes
    ----------
    kind : {"classifier", "regressor", "function"}
    classes : tuple or None
        The model's `classes_`, or those the user gave.
    y : ndarray of shape (n_rows,) or None
        True labels or values as given.
    task, response_method, pos_label
        As the user gave them.
    lone_score_is_positive : bool
        Whether one score per row beside labels speaks for `pos_label` (given scores) and not for the second class
        (a model's `decision_function`).
    """

    kind: ModelKind = "function"
    classes: Classes | None = None
    y: NDArray[Any] | None = None
    task: Literal["auto", "binary", "multiclass", "regression"] = "auto"
    response_method: ResponseMethod = "auto"
    pos_label: Hashable = None
    lone_score_is_positive: bool = False


def infer_output_spec(answers: ModelOutput, hints: TaskHints) -> OutputSpec:
    """Find how answers are to be read.

    Parameters
    ----------
    answers : ModelOutput
    hints : TaskHints

    Returns
    -------
    OutputSpec

    Raises
    ------
    InputError
        Where the answers, the labels and what was said do not go together, or do not tell; the message names the
        argument that decides.

    Notes
    -----
    A classifier's `predict` gives labels, a regressor's values. A function's return, or the `predict` of an
    object that is neither, is read by its shape and content:

    - (n_rows, n_classes) numbers: one score per class, by the names of a frame's columns where these are classes
      (`tauscope.model.class_columns`), else in the order of the sorted labels (or of `classes`);
    - text, bools, or numbers that all occur in y: labels;
    - numbers in [0, 1] beside a y of two labels: probability of the positive class, which is predicted above .5;
    - whole numbers beside a y of whole numbers, at most 20 different ones: labels;
    - other numbers: values of a regression.
    """
    first = answers.first
    regression = hints.task == "regression" or (hints.task == "auto" and hints.kind == "regressor")
    if first.ndim == 2 and not regression and hints.kind != "classifier":
        return _with_classes(hints, "columns", hints.classes or _column_labels(answers, hints.y))
    source = "values" if regression else "labels" if hints.kind == "classifier" else _source(answers, hints)
    if source == "values":
        validation.check_one_dimension("Values of a regression", first)
        validation.check_pos_label(hints.pos_label, (), "regression")
        return OutputSpec("regression")
    if source == "score":
        classes = hints.classes or ((0, 1) if hints.y is None else labels.distinct(hints.y))
        if len(classes) != 2:
            raise InputError(
                f"One score per row needs two classes; y has {len(classes)}: {list(classes)[:10]!r}. Return one "
                "column per class, or give classes=(negative, positive)."
            )
        scored = _with_classes(hints, "score", classes)
        return replace(scored, threshold=0.0) if hints.response_method == "decision_function" else scored
    validation.check_one_dimension("Labels", first)
    classes = hints.classes or labels.distinct(*([] if hints.y is None else [hints.y]), first)
    _check_same_vocabulary(first, hints, classes)
    return _with_classes(hints, "labels", classes)


def _with_classes(hints: TaskHints, source: AnswerLayout, classes: Classes) -> OutputSpec:
    if len(classes) < 2:
        raise InputError(
            f"A classification needs two classes at least; only {list(classes)!r} is there. Give rows of both "
            "classes, classes=(...), or task='regression'."
        )
    task: Task = "binary" if len(classes) == 2 else "multiclass"
    if hints.task == "binary" and task != "binary":
        raise InputError(f"task='binary' needs two classes; there are {len(classes)}: {list(classes)[:10]!r}.")
    if hints.task == "multiclass":
        task = "multiclass"
    validation.check_pos_label(hints.pos_label, classes, task)
    columns = tuple(range(len(classes)))
    flip = False
    if hints.pos_label is not None and hints.pos_label == classes[0]:
        classes, columns, flip = classes[::-1], columns[::-1], not hints.lone_score_is_positive
    return OutputSpec(task, classes, source, columns, flip=flip)


def _source(answers: ModelOutput, hints: TaskHints) -> AnswerLayout:
    """Tell what the one-dimensional return of a function is."""
    first = answers.first
    if first.dtype.kind in "bO" or answers.scores is not None:
        return "labels"
    if hints.response_method == "predict_proba":
        validation.check_probabilities("the return", first)
        return "score"
    if hints.response_method == "decision_function":
        return "score"
    named = hints.classes if hints.classes is not None else _labels_of(hints.y)
    returned = _few_distinct(first)
    if hints.task == "multiclass" or (named and returned is not None and set(returned) <= set(named)):
        return "labels"
    if hints.task == "binary" or (named and len(named) == 2):
        if first.min() >= 0 and first.max() <= 1 and hints.response_method == "auto":
            return "score"
        if returned is not None and len(returned) <= 2:
            return "labels"
        raise InputError(
            f"Beside two classes numbers must be labels or probabilities; the return goes from {first.min():g} to "
            f"{first.max():g}. Use response_method='decision_function' for scores with the threshold zero, or "
            "task='regression' for values."
        )
    if named:
        numeric = all(isinstance(label, int | float) for label in named)
        if returned is None and not numeric:
            raise InputError(
                f"The return must go with the labels in y, {list(named)[:10]!r}; got numbers from {first.min():g} to "
                f"{first.max():g}. Return labels, or one column of scores per class."
            )
        return "labels" if returned is not None else "values"
    return "values" if hints.y is not None else _source_alone(first, returned)


def _source_alone(first: NDArray[Any], returned: Classes | None) -> AnswerLayout:
    if returned is not None and (first.dtype.kind in "iu" or len(returned) <= 2):
        return "labels"
    if first.min() >= 0 and first.max() <= 1:
        raise InputError(
            f"Numbers from {first.min():g} to {first.max():g} without y may be probabilities or values. Give y, "
            "task='binary' or task='regression'."
        )
    return "values"


def _labels_of(y: NDArray[Any] | None) -> Classes | None:
    """Return the distinct labels of y, or None where it is absent or holds values."""
    if y is None:
        return None
    return labels.distinct(y) if y.dtype.kind in "bO" else _few_distinct(y)


def _few_distinct(numbers: NDArray[Any]) -> Classes | None:
    """Return the distinct numbers when all are whole and at most 20 differ, else None."""
    if numbers.dtype.kind == "f" and not np.array_equal(numbers, np.floor(numbers)):
        return None
    distinct = np.unique(numbers)
    return tuple(distinct.tolist()) if len(distinct) <= MAX_WHOLE_LABELS else None


def _column_labels(answers: ModelOutput, y: NDArray[Any] | None) -> Classes:
    """Which labels columns of scores stand for, when nobody says: a frame's names only where they can be labels."""
    n_columns, names = answers.first.shape[1], answers.names or ()
    numbered = tuple(range(n_columns))
    if y is None:
        words = bool(names) and all(isinstance(name, str) for name in names)
        return names if words and find_columns(names, numbered) is None else numbered
    distinct = labels.distinct(y)
    if len(distinct) == n_columns:
        return distinct
    if set(distinct) <= set(names):
        return names
    if set(distinct) <= set(numbered):
        return numbered
    raise InputError(
        f"Scores must have one column per class; got {count(n_columns, 'column')} and "
        f"{count(len(distinct), 'label')} in y, "
        f"{list(distinct)[:10]!r}. Give classes=(...) in the order of the columns."
    )


def _check_same_vocabulary(first: NDArray[Any], hints: TaskHints, classes: Sequence[Hashable]) -> None:
    if hints.classes is not None or hints.y is None:
        return
    if not set(labels.distinct(first)) & set(labels.distinct(hints.y)):
        raise InputError(
            f"Labels and predictions must use the same words; y holds {list(labels.distinct(hints.y))[:10]!r}, the "
            f"predictions {list(labels.distinct(first))[:10]!r}. Translate one to the other."
        )
