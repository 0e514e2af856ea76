"""The model's decision at points near some rows: labels, answers, every row counted, a budget kept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.outputs import Predict, as_outputs
from tauscope.prediction.rows import ArrayRows, Rows
from tauscope.weights.arrays import Floats, Ints


@dataclass(frozen=True)
class Decision:
    """What a model decides, and how sure it is.

    Attributes
    ----------
    labels : callable
        Rows to codes of classes 0 … n_classes − 1, shape (m,). Of a regression: 1 above the threshold, else 0.
    answers : callable or None
        Rows to probabilities or scores, shape (m, n_classes); None for a model of labels only.
    label_of : callable or None
        Answers (m, n_classes) to codes, where they tell the labels, so that one call does for both.
    n_classes : int
    """

    labels: Predict
    answers: Predict | None
    label_of: Callable[[Floats], Ints] | None
    n_classes: int


@dataclass(eq=False)
class Question:
    """Points to be asked about.

    Attributes
    ----------
    base : ndarray of shape (m,)
    points : ndarray of shape (m, p)
    answers : ndarray of shape (m, n_classes) or None
        None until they are there.
    """

    base: Ints
    points: Floats
    answers: Floats | None = None


class DecisionPredictor:
    """The calls of one run: points in, decisions back.

    Parameters
    ----------
    decision : Decision
    rows : Rows
        In whose container the model is asked.
    batches : BatchOptions, optional
    budget : int, optional
        Most rows asked about; what is beyond is not asked, and `spent` tells.

    Attributes
    ----------
    n_model_rows : int
        Rows in all calls so far; a row asked for label and for answer counts twice.
    spent : bool
        Whether the budget, the progress hook or an interrupt ended the run: no more questions are answered.
    """

    def __init__(
        self, decision: Decision, rows: Rows, batches: BatchOptions | None = None, budget: int | None = None
    ) -> None:
        if budget is not None and budget < 0:
            raise InputError(f"max_model_rows must be 0 or more, got {budget}.")
        self.decision = decision
        self.rows = rows
        self.n_model_rows = 0
        self.spent = False
        self._batches = batches or BatchOptions()
        self._batch_rows = self._batches.rows_per_batch(rows.n_columns)
        self._budget = budget
        self._columns = tuple(range(rows.n_columns))
        self._waiting: list[Question] = []

    @property
    def left(self) -> float:
        """Rows that may still be asked about."""
        if self.spent:
            return 0
        return np.inf if self._budget is None else self._budget - self.n_model_rows

    def affords(self, n_rows: int) -> bool:
        """Tell whether so many rows may still be asked about; once they may not, the run is over."""
        if n_rows > self.left:
            self.spent = True
        return not self.spent

    def ask_with_next(self, base: Ints, points: Floats) -> Question:
        """Have points asked about in the call that comes next, where answers tell labels and no budget is kept."""
        question = Question(base, points)
        if self.answers_are_free and self._budget is None:
            self._waiting.append(question)
        return question

    def settle(self, question: Question) -> tuple[Ints, Floats] | None:
        """Return codes (m,) and answers (m, n_classes) to a question; None where the budget has ended before it."""
        if question.answers is None:
            if not self.affords(len(question.points) * self.rows_per_answer):
                return None
            self._waiting = [other for other in self._waiting if other is not question]
            return self.labels_and_answers(question.base, question.points)
        assert self.decision.label_of is not None
        return self.decision.label_of(question.answers), question.answers

    def labels(self, base: Ints, points: Floats) -> Ints:
        """Return codes of classes at points (m, p), each a copy of row `base` with every column set: shape (m,)."""
        if self.decision.label_of is not None:
            return self.decision.label_of(self._answers(base, points))
        codes = self._call(self.decision.labels, base, points)
        return codes[0].astype(np.int64)

    @property
    def answers_are_free(self) -> bool:
        """Whether answers tell the labels, so that one call gives both."""
        return self.decision.label_of is not None

    def labels_and_free_answers(self, base: Ints, points: Floats) -> tuple[Ints, Floats | None]:
        """Return codes (m,), and the answers (m, n_classes) where they tell the labels and so cost nothing."""
        if self.decision.label_of is None:
            return self.labels(base, points), None
        answers = self._answers(base, points)
        return self.decision.label_of(answers), answers

    def labels_and_answers(self, base: Ints, points: Floats) -> tuple[Ints, Floats]:
        """Return codes (m,) and answers (m, n_classes); of a model of labels 1 for the class named, else 0."""
        if self.decision.answers is None:
            codes = self.labels(base, points)
            return codes, np.eye(self.decision.n_classes)[codes]
        answers = self._answers(base, points)
        if self.decision.label_of is not None:
            return self.decision.label_of(answers), answers
        return self.labels(base, points), answers

    @property
    def rows_per_answer(self) -> int:
        """Rows that `labels_and_answers` counts for a point."""
        return 2 if self.decision.answers is not None and self.decision.label_of is None else 1

    def _answers(self, base: Ints, points: Floats) -> Floats:
        assert self.decision.answers is not None
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return self._call(self.decision.answers, base, points).T
        every = [Question(base, points), *waiting]
        bases, all_points = (np.concatenate([getattr(one, name) for one in every]) for name in ("base", "points"))
        answers = self._call(self.decision.answers, bases, all_points).T
        ends = np.cumsum([len(one.points) for one in every])
        for one, part in zip(every, np.split(answers, ends[:-1]), strict=True):
            one.answers = part
        return answers[: len(points)]

    def _call(self, predict: Predict, base: Ints, points: Floats) -> Floats:
        parts: list[Floats] = []
        for first in range(0, len(points), self._batch_rows):
            stop = first + self._batch_rows
            rows = self._as_rows(base[first:stop], points[first:stop])
            parts.append(as_outputs(predict(rows), len(points[first:stop])))
        self.n_model_rows += len(points)
        self._report()
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    def _as_rows(self, base: Ints, points: Floats) -> Any:
        if isinstance(self.rows, ArrayRows):
            return points.astype(self.rows.data.dtype)
        return self.rows.substituted(base, self._columns, points)

    def _report(self) -> None:
        hook = self._batches.progress
        if hook is not None and hook(self.n_model_rows, self._budget or self.n_model_rows):
            self.spent = True
