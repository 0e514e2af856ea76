"""What of a model's answer an effect follows: a probability, a score, a share of labels, or a value."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.data.labels import plain
from tauscope.errors import InputError, UnknownName
from tauscope.model.calls import Model, ModelMethod, ResponseMethod
from tauscope.model.prediction import OutputSpec, Prediction

Floats = NDArray[np.float64]
ResponseKind = Literal["probability", "score", "predicted label", "value"]
"""What is followed: a probability, any other score, whether a class is predicted, or the value of a regression."""
SUBJECTS = {"probability": "probability of {}", "score": "score of {}", "predicted label": "share predicted {}"}


def response_names(quantity: ResponseKind, classes: tuple[str, ...]) -> tuple[str, ...]:
    """Name what is followed for each class, "probability of yes"; "prediction" alone for a regression."""
    return ("prediction",) if quantity == "value" else tuple(SUBJECTS[quantity].format(name) for name in classes)


def response_name(quantity: ResponseKind, classes: tuple[str, ...]) -> str:
    """Name what is followed, "probability of yes", or "probability of each class" where there are several."""
    names = response_names(quantity, classes)
    return names[0] if len(names) == 1 else SUBJECTS[quantity].format("each class")


@dataclass(frozen=True, eq=False)
class Response:
    """A quantity of the model's answer, one per row or one per class and row.

    Attributes
    ----------
    quantity : {"probability", "score", "predicted label", "value"}
    classes : tuple of str
        The classes it is given for, by name; one entry for a single quantity of a classifier, none for a regression.
    label : str
        What is called: "LogisticRegression.predict_proba".
    method : str
        The method's own name, "predict_proba"; a function's where the model is one.
    predictions : ndarray of shape (n_rows,) or (n_rows, n_classes), or None
        The answers for the study's rows, where it has them already.
    predict : callable
        Rows in the study's container → as `predictions`. Counts the rows asked about.
    batch_rows : int or None
        Most rows per call, as the user set it.
    columns : tuple of int or None
        Where `predict` returns columns of that method as they are: which, in order; () where the method has but one.
        None where it returns something else, such as indicators of labels.
    """

    quantity: ResponseKind
    classes: tuple[str, ...]
    label: str
    method: str
    predictions: Floats | None
    predict: Callable[[Any], Floats]
    batch_rows: int | None
    columns: tuple[int, ...] | None = None

    @property
    def name(self) -> str:
        """What is followed: "probability of yes", "prediction"."""
        return response_name(self.quantity, self.classes)


def find_response(
    model: Model,
    output_spec: OutputSpec,
    prediction: Prediction,
    response_method: ResponseMethod,
    target_class: Hashable | None,
) -> Response:
    """Find the requested quantity.

    Parameters
    ----------
    model, output_spec, prediction
        The study's.
    response_method : {"auto", "predict_proba", "decision_function", "predict"}
        "auto": the study's scores where it has any, else labels or values. "predict" of a classifier: 1 where the
        class is predicted, else 0.
    target_class : label or None
        None: the positive class of two; every class of several.

    Returns
    -------
    Response

    Raises
    ------
    UnknownName
        For a class that is not there.
    InputError
        For a method that the model lacks, or a class of a regression.
    """
    method = model.method(response_method)
    codes = _codes(output_spec, target_class)
    if output_spec.task == "regression":
        return _values(model, method, output_spec, prediction)
    scored = prediction.score is not None or prediction.scores is not None
    of_labels = response_method == "predict" or (response_method == "auto" and not scored)
    names = labels.names(output_spec.classes)
    classes = tuple(names[code] for code in codes)

    def response(
        quantity: ResponseKind,
        predictions: Floats | None,
        predict: Callable[[Any], Floats],
        columns: tuple[int, ...] | None,
    ) -> Response:
        return Response(quantity, classes, method.label, method.name, predictions, predict, model.batch_rows, columns)

    if of_labels:

        def indicate(rows: Any) -> Floats:
            return _indicators(output_spec(model.answer(method, rows, len(rows))).predicted, codes)

        return response("predicted label", _indicators(prediction.predicted, codes), indicate, None)

    is_default = method == model.method()
    probable = method.name == "predict_proba"
    if is_default and method.name != "decision_function":
        scores = prediction.score if prediction.scores is None else prediction.scores
        assert scores is not None
        probable = bool(scores.min() >= 0 and scores.max() <= 1)

    def score(rows: Any) -> Floats:
        output = model.answer(method, rows, len(rows))
        if output_spec.source in ("columns", "score"):
            return _scores(output_spec(output), codes, probable)
        raw = output_spec.arrange(output.first, output.names)
        read = Prediction(raw, *output_spec.scores(method.label, raw))
        return _scores(read, codes, probable)

    return response(
        "probability" if probable else "score",
        _scores(prediction, codes, probable) if is_default else None,
        score,
        _columns(output_spec, codes, method.name),
    )


def _values(model: Model, method: ModelMethod, output_spec: OutputSpec, prediction: Prediction) -> Response:
    def value(rows: Any) -> Floats:
        return output_spec(model.answer(method, rows, len(rows))).predicted.astype(np.float64)

    predictions = prediction.predicted.astype(np.float64)
    return Response("value", (), method.label, method.name, predictions, value, model.batch_rows, ())


def _columns(output_spec: OutputSpec, codes: tuple[int, ...], method: str) -> tuple[int, ...] | None:
    """Which columns of a method the scores of some classes are."""
    if output_spec.source == "values":
        return None
    if output_spec.source == "score" or (method == "decision_function" and len(output_spec.classes) == 2):
        return () if codes == (1,) and not output_spec.flip and output_spec.task == "binary" else None
    return tuple(output_spec.columns[code] for code in codes)


def _codes(output_spec: OutputSpec, target_class: Hashable | None) -> tuple[int, ...]:
    if output_spec.task == "regression":
        if target_class is not None:
            raise InputError(f"A regression has no classes; got target_class={target_class!r}. Leave it out.")
        return ()
    if target_class is None:
        return (1,) if output_spec.task == "binary" else tuple(range(len(output_spec.classes)))
    label = plain(target_class)
    if label not in output_spec.classes:
        raise UnknownName.among("class", label, [str(name) for name in output_spec.classes])
    return (output_spec.classes.index(label),)


def _scores(prediction: Prediction, codes: tuple[int, ...], probable: bool) -> Floats:
    """Scores of some classes: (n_rows,) for one, else (n_rows, n_classes)."""
    if prediction.scores is not None:
        return prediction.scores[:, codes[0]] if len(codes) == 1 else prediction.scores[:, list(codes)]
    assert prediction.score is not None
    if codes == (1,):
        return prediction.score
    return 1 - prediction.score if probable else -prediction.score


def _indicators(predicted: NDArray[Any], codes: tuple[int, ...]) -> Floats:
    hits = (predicted[:, None] == np.array(codes)).astype(np.float64)
    return hits[:, 0] if len(codes) == 1 else hits
