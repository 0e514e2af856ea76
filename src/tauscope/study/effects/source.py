"""What the verbs of effects are handed of a study: its rows, its model, and how answers are read."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data.table_rows import TableRows
from tauscope.errors import InputError
from tauscope.model.model import Model, ResponseMethod
from tauscope.model.response import Response, find_response
from tauscope.model.task import TaskHints, infer_output_spec

if TYPE_CHECKING:
    from tauscope.model.cache import PredictionCache
    from tauscope.model.prediction import OutputSpec, Prediction
    from tauscope.study.base import StudyBase
    from tauscope.study.inputs import Inputs


@dataclass(frozen=True, eq=False)
class EffectSource:
    """A study as the verbs of effects take it.

    Attributes
    ----------
    study : Study
    given, reading, prediction
        What it holds.
    asked : Model or None
        None for a study of predictions.
    kept : PredictionCache
        Answers known from earlier effects.
    kept_rows : ndarray or None
        The study's rows among those `kept` is of; None: all.
    like : callable
        A reading, a prediction and a model → the same rows studied by that model.
    """

    study: StudyBase
    given: Inputs
    reading: OutputSpec
    prediction: Prediction
    asked: Model | None
    kept: PredictionCache
    kept_rows: NDArray[np.int64] | None
    like: Callable[[OutputSpec, Prediction, Model], EffectSource]

    @property
    def model(self) -> Model:
        """The model.

        Raises
        ------
        InputError
            Where there is none.
        """
        return self.study.require_model("has effects")

    @cached_property
    def rows(self) -> TableRows:
        """The rows as the engine takes them."""
        return TableRows(self.given.table, self.given.columns)

    def response(self, response_method: ResponseMethod, target_class: Hashable | None) -> Response:
        """Find the quantity that an effect follows; see `find_response`."""
        return find_response(self.model, self.reading, self.prediction, response_method, target_class)

    def of_model(self, model: Any) -> EffectSource:
        """Ask another model about the same rows.

        Raises
        ------
        InputError
            Where it answers another question: a task or classes of its own.
        """
        asked = self.model.other(model)
        answers = asked.ask(self.given.table)
        own = self.reading
        known = TaskHints(
            asked.kind,
            asked.classes or own.classes or None,
            self.study.y,
            "regression" if own.task == "regression" else own.task,
            pos_label=self.study.pos_label,
        )
        reading = infer_output_spec(answers, known)
        if set(reading.classes) != set(own.classes):
            raise InputError(
                f"The other model must answer for the same classes, {list(own.classes)!r}; it has "
                f"{list(reading.classes)!r}."
            )
        return self.like(reading, reading(answers, asked.name), asked)
