"""What a study's model decides, as the boundary engine takes it: labels, answers, and how one tells the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.boundary.decision import Decision
from tauscope.data import labels
from tauscope.errors import InputError, InputTypeError
from tauscope.results.boundary.numbers import AnswerKind
from tauscope.results.formatting import number
from tauscope.weights.arrays import Floats, Ints

if TYPE_CHECKING:
    from tauscope.model.calls import Model, ModelMethod
    from tauscope.model.prediction import OutputSpec
    from tauscope.study.base import StudyBase


@dataclass(frozen=True, eq=False)
class StudyDecision:
    """A model's decision, and what is known of it for the study's rows.

    Attributes
    ----------
    decision : Decision
    labels : ndarray of shape (n_rows,)
        Codes decided for the study's rows, known without asking again.
    classes : tuple of str
        What is decided, by code.
    answer : {"probability", "score", "label", "value"}
    inferred : bool
        Whether labels are read from answers because they were the same for all of the study's rows, and not by
        definition.
    """

    decision: Decision
    labels: Ints
    classes: tuple[str, ...]
    answer: AnswerKind
    inferred: bool = False

    @property
    def follows(self) -> bool:
        """Whether labels are those of the largest answer."""
        return self.decision.label_of is not None

    def asking_for_labels(self) -> StudyDecision:
        """Return the same with labels by the model's own predict, at the cost of a row more for each answer."""
        return replace(self, decision=replace(self.decision, label_of=None), inferred=False)


def study_decision(study: StudyBase, threshold: float | None) -> StudyDecision:
    """Find what is decided.

    Labels of a classifier are those of its `predict`. Where the class of the largest answer was the label for every
    row of the study, answers tell both, and the points found are checked by `predict` afterwards.

    Parameters
    ----------
    study : Study
    threshold : float or None
        Of a regression, whose decision is whether its value f lies above. The answers followed are threshold − f and
        f − threshold: of either side that is positive there, and falls on the way to the other.

    Raises
    ------
    InputError, InputTypeError
        For a study without a model, a regression without a threshold, or a threshold for classes.
    """
    model = study._require_model("has boundaries")
    if study._task == "regression":
        return _of_values(study, model, _checked_threshold(study, threshold))
    if threshold is not None:
        raise InputError(
            f"threshold is for a regression; this is a {study._task} task of {list(study.classes)!r}. Leave it out, or "
            "name a class: target=…"
        )
    return _of_classes(study, model)


def _of_values(study: StudyBase, model: Model, threshold: float) -> StudyDecision:
    method, spec = model.method("predict"), study._output_spec

    def answers(rows: Any) -> Floats:
        value = spec(model.answer(method, rows, rows.shape[0])).predicted
        return np.column_stack([threshold - value, value - threshold]).astype(np.float64, copy=False)

    def label_of(answers: Floats) -> Ints:
        return (answers[:, 1] > 0).astype(np.int64)

    def codes(rows: Any) -> Ints:
        return label_of(answers(rows))

    decided = (study.predicted > threshold).astype(np.int64)
    at = number(threshold)
    return StudyDecision(Decision(codes, answers, label_of, 2), decided, (f"up to {at}", f"above {at}"), "value")


def _of_classes(study: StudyBase, model: Model) -> StudyDecision:
    spec, method = study._output_spec, model.method("predict")
    names = labels.names(spec.classes)
    decided = study.predicted.astype(np.int64)
    scores = study._scores if study._scores is not None else study._score

    def codes(rows: Any) -> Ints:
        return spec(model.answer(method, rows, rows.shape[0])).predicted.astype(np.int64)

    if scores is None:
        return StudyDecision(Decision(codes, None, None, len(names)), decided, names, "label")
    scoring = model.method()
    probable = _probable(scoring, scores)

    def answers(rows: Any) -> Floats:
        output = model.answer(scoring, rows, rows.shape[0])
        return _by_class(spec, spec.arrange(output.first, output.names), probable)

    label_of = _largest(spec)
    if spec.source != "labels":  # the score itself is what decides
        decision = Decision(codes, answers, label_of, len(names))
        return StudyDecision(decision, decided, names, "probability" if probable else "score")
    stored = scores if scores.ndim == 2 else _two_sided(scores, probable)
    inferred = bool((label_of(stored) == decided).all())
    decision = Decision(codes, answers, label_of if inferred else None, len(names))
    return StudyDecision(decision, decided, names, "probability" if probable else "score", inferred)


def _probable(scoring: ModelMethod, scores: Floats) -> bool:
    if scoring.name in ("predict_proba", "decision_function"):
        return scoring.name == "predict_proba"
    return bool(scores.min() >= 0 and scores.max() <= 1)


def _by_class(spec: OutputSpec, raw: Floats, probable: bool) -> Floats:
    """Answers as the model gives them, one column a class in code order."""
    if raw.ndim == 2:
        return raw.astype(np.float64, copy=False)[:, list(spec.columns)]
    if spec.source == "score":
        return _two_sided(raw.astype(np.float64, copy=False), spec.threshold != 0)
    score, scores = spec.scores("The model's answers", raw)
    return _two_sided(score, probable) if score is not None else np.asarray(scores)


def _two_sided(score: Floats, probable: bool) -> Floats:
    """Answers of both classes from that of the positive one."""
    return np.column_stack([1 - score if probable else -score, score])


def _largest(spec: OutputSpec) -> Callable[[Floats], Ints]:
    """Read the class of the largest answer; of equal ones the first in the order of the model's own columns."""
    # a lone score that names the positive class above its threshold: a tie is the other one, whatever the order
    order = np.arange(2) if spec.source == "score" else np.argsort(np.array(spec.columns))

    def label_of(answers: Floats) -> Ints:
        return order[np.argmax(answers[:, order], axis=1)]

    return label_of


def _checked_threshold(study: StudyBase, threshold: object) -> float:
    low, high = float(study.predicted.min()), float(study.predicted.max())
    if threshold is None:
        raise InputError(
            "A regression has a boundary where its prediction crosses a threshold; got none. Give threshold= between "
            f"{low:g} and {high:g}, the least and greatest prediction."
        )
    if isinstance(threshold, bool) or not isinstance(threshold, Real):
        raise InputTypeError(f"threshold must be a number; got {threshold!r}.")
    value = float(threshold)
    if not np.isfinite(value):
        raise InputError(f"threshold must be finite; got {threshold}. Try one between {low:g} and {high:g}.")
    return value
