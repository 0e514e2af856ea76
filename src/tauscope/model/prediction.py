"""From a model's raw outputs to predictions: the rule that is inferred once and then applied to every output."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels, validation
from tauscope.errors import InputError, InputTypeError
from tauscope.model import class_columns
from tauscope.model.output import ModelOutput
from tauscope.stress.outcomes import Task
from tauscope.words import count

AnswerLayout = Literal["labels", "columns", "score", "values"]
Classes = tuple[Hashable, ...]


@dataclass(frozen=True, eq=False)
class Prediction:
    """Answers in the study's own terms, one entry per row.

    Attributes
    ----------
    predicted : ndarray of shape (n_rows,)
        Class codes, signed integers of any size, or values of a regression (float64).
    score : ndarray of float64, shape (n_rows,), or None
        Binary tasks: score of the positive class.
    scores : ndarray of float64, shape (n_rows, n_classes), or None
        Multiclass tasks: score of each class, in code order.
    """

    predicted: NDArray[np.signedinteger] | NDArray[np.float64]
    score: NDArray[np.float64] | None = None
    scores: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class OutputSpec:
    """The rule, found once, that turns every later answer into a prediction.

    Attributes
    ----------
    task : {"binary", "multiclass", "regression"}
    classes : tuple
        Labels in code order, the positive class last of two; empty for a regression.
    source : {"labels", "columns", "score", "values"}
        What the first answer is: labels; one score per class, the largest of which names the label; one score,
        which names the positive class above `threshold`; values.
    columns : tuple of int
        For each code, the position of its class among columns of scores; a frame's, named by classes, are put there.
    threshold : float
    flip : bool
        Whether a lone score beside labels speaks for the class that is not the positive one.
    """

    task: Task
    classes: Classes = ()
    source: AnswerLayout = "values"
    columns: tuple[int, ...] = ()
    threshold: float = 0.5
    flip: bool = False

    def __call__(self, answers: ModelOutput, what: str = "The model's answers") -> Prediction:
        """Read answers.

        Raises
        ------
        UnknownName
            For a label that is not among the classes.
        InputError, InputTypeError
            For scores of another number of classes, or text where numbers are needed.
        """
        first = answers.first
        if self.source == "values":
            return Prediction(real_numbers(what, first))
        if self.source in ("columns", "score"):
            first = self.arrange(first, answers.names)
        if self.source == "columns":
            score, scores = self.scores(what, first)
            best = np.argmax(first, axis=1)
            codes = np.argsort(np.array(self.columns)).astype(labels.code_type(len(self.classes)))
            return Prediction(codes[best], score, scores)
        if self.source == "score":
            score = real_numbers(what, first)
            return Prediction((score > self.threshold).astype(np.int8), score)
        raw = None if answers.scores is None else self.arrange(answers.scores, answers.names)
        score, scores = self.scores(f"{what} as scores", raw)
        return Prediction(self.codes(what, first), score, scores)

    def arrange(self, raw: NDArray[Any], names: Classes | None) -> NDArray[Any]:
        """Put columns of scores that are named by their classes where `columns` expects each.

        Raises
        ------
        InputError
            For names of which some are classes and others not, and a lone score named by the other class.
        """
        if names is None or len(self.classes) < 2:
            return raw
        by_place = tuple(self.classes[code] for code in np.argsort(np.array(self.columns)))
        if raw.ndim == 1:
            class_columns.check_lone_score(names[0], self.classes, self.flip and self.source == "labels")
            return raw
        places = class_columns.find_columns(names, by_place)
        return raw if places is None else raw[:, places]

    def codes(self, what: str, array: NDArray[Any]) -> NDArray[np.signedinteger]:
        """Return the code of each label; refuse strangers."""
        codes, strangers = labels.encode(array, self.classes)
        validation.check_no_stranger(what, strangers, self.classes)
        return codes

    def truth(self, y: NDArray[Any]) -> NDArray[np.signedinteger] | NDArray[np.float64]:
        """Return the true labels as codes, or the true values, in memory of their own."""
        return real_numbers("y", y).copy() if self.task == "regression" else self.codes("y", y)

    def scores(
        self, what: str, raw: NDArray[Any] | None
    ) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
        """Return a binary task's score of the positive class, or a multiclass task's scores in code order.

        Parameters
        ----------
        what : str
            Where they come from, for messages.
        raw : ndarray of shape (n_rows,) or (n_rows, n_classes), or None
            As the model gives them.
        """
        if raw is None:
            return None, None
        if raw.dtype.kind not in "biuf":
            raise InputTypeError(f"{what} must be numbers; got {raw.dtype} such as {raw.flat[0]!r}.")
        scores = raw.astype(np.float64, copy=False)
        if scores.ndim == 1 and len(self.classes) == 2:
            scores = -scores if self.flip else scores
            return (scores, None) if self.task == "binary" else (None, np.column_stack([-scores, scores]))
        if scores.ndim == 1 or scores.shape[1] != len(self.classes):
            raise InputError(
                f"{what} must have one column for each of the {count(len(self.classes), 'class', 'classes')} "
                f"{list(self.classes)!r}; got shape {scores.shape}. Use response_method='predict' to do without scores."
            )
        if self.task == "binary":
            return np.ascontiguousarray(scores[:, self.columns[1]]), None
        return None, scores[:, list(self.columns)]


def real_numbers(what: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """Return one column of numbers as float64; refuse text and several columns."""
    if array.dtype.kind not in "biuf":
        first = labels.plain(array.flat[0])
        kind = "text" if isinstance(first, str) else array.dtype
        raise InputTypeError(
            f"{what} must be numbers, as the task is a regression; got {kind} such as {first!r}. Give numbers, or "
            "task='binary' or 'multiclass' where labels are meant."
        )
    validation.check_one_dimension(what, array)
    return np.ascontiguousarray(array, dtype=np.float64)
