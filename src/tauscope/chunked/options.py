"""What is asked of rows in parts: the model or its answers, how the rows are read, what is known of the task."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, cast

from tauscope.chunked.chunks import Reader
from tauscope.chunked.stress.sketch_plan import TaskOptions
from tauscope.data import validation
from tauscope.errors import InputError, InputTypeError
from tauscope.model.model import Model, Predictor, ResponseMethod

if TYPE_CHECKING:
    from tauscope.study.study import TaskChoice

Fitted = Predictor | Callable[[Any], Any] | None


def asking(
    model: Fitted,
    target: str | None,
    prediction: str | None,
    score: str | None,
    sample_weight: str | None,
    response_method: ResponseMethod,
    pos_label: Hashable,
    categorical_features: Any,
    task: TaskChoice,
    classes: Sequence[Hashable] | None,
    batch_rows: int | None,
) -> tuple[Reader, TaskOptions]:
    """Return how chunks are read and what is known of the task; parameters as in `StressSketch.from_chunks`."""
    validation.check_task(task)
    roles = {"target": target, "prediction": prediction, "score": score, "sample_weight": sample_weight}
    for role, name in roles.items():
        if name is not None and not isinstance(cast(object, name), str):
            raise InputTypeError(
                f"{role} names a column of the rows; got a {type(name).__name__}. Rows of two collections cannot be "
                "matched safely: put it into the frame first, frame.assign(y=…), and give its name."
            )
    if model is None:
        reader = Reader(None, target, prediction, score, categorical_features, sample_weight)
        known = validation.check_same_classes(None, classes)
        return reader, TaskOptions("function", known, "auto", pos_label, task, sample_weight=sample_weight)
    if prediction is not None or score is not None:
        raise InputError("Predictions come from the model or from the rows; got both. Give model=None, or no columns.")
    asked = Model(model, validation.check_scores_wanted(response_method, task), batch_rows, progress=False)
    known = validation.check_same_classes(asked.classes, classes)
    reader = Reader(asked, target, None, None, categorical_features, sample_weight)
    return reader, TaskOptions(asked.kind, known, response_method, pos_label, task, asked.name, sample_weight)
