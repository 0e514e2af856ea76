"""The user's model: which of its methods are called, on which rows, and how many rows it has predicted."""

# scikit-learn ships no types.
# pyright: reportUnknownVariableType=false

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, Protocol

from sklearn.base import BaseEstimator, is_classifier, is_regressor

from tauscope.data import validation
from tauscope.data.frames import Table
from tauscope.model.output import ModelOutput, column_names, read_answer
from tauscope.model.progress_bar import bars_shown, progress
from tauscope.words import count

ModelKind = Literal["classifier", "regressor", "function"]
ResponseMethod = Literal["auto", "predict_proba", "decision_function", "predict"]
Call = Callable[[Any], Any]

MAX_BATCH_ROWS = 65_536
BATCH_CELLS = 4_000_000
RAISED = " raised this when asked about "


class Predictor(Protocol):
    """Anything with a `predict`: rows in the container given to the study, one answer per row."""

    def predict(self, X: Any, /) -> Any:
        """Return one label or value per row."""
        ...


class ModelMethod(NamedTuple):
    """One of a model's methods, or the function that is the model: its name for people, its own name, the call."""

    label: str
    name: str
    call: Call


class Model:
    """A model as the study calls it.

    Parameters
    ----------
    model : Predictor or callable
        Fitted estimator or Pipeline, object with `predict`, or function of rows.
    response_method : {"auto", "predict_proba", "decision_function", "predict"}
        What gives the scores. "auto": the first of `predict_proba` and `decision_function` that is there.
    batch_rows : int or None
        Most rows per call; None for as many as fill four million cells, at most 65,536.
    progress : bool
        Whether a bar shows once the work has taken two seconds.

    Attributes
    ----------
    kind : {"classifier", "regressor", "function"}
        "function" where only the shape of the answers tells.
    name : str
    classes : tuple or None
        The model's own `classes_`.
    n_model_rows : int
        Rows in all calls so far: a batch asked for labels and for scores counts twice.
    """

    def __init__(
        self,
        model: Predictor | Call,
        response_method: ResponseMethod = "auto",
        batch_rows: int | None = None,
        progress: bool = True,
    ) -> None:
        validation.check_model(model)
        validation.check_response_method(response_method)
        validation.check_batch_rows(batch_rows)
        self.model: Any = model
        self.kind: ModelKind = _kind(model)
        self.name = model_name(model)
        self.classes = validation.check_classes(self.model, self.name) if self.kind != "regressor" else None
        self.n_model_rows = 0
        self._response_method: ResponseMethod = response_method
        self._batch_rows = batch_rows
        self.shows_progress = progress
        self._answer, self._scores = self._methods(response_method)

    def ask(self, table: Table) -> ModelOutput:
        """Call the model on every row, in batches.

        Parameters
        ----------
        table : Table
            Rows as the model wants them; it gets copies.

        Returns
        -------
        ModelOutput

        Raises
        ------
        InputError
            When the answers have a wrong shape or are not numbers, the columns are not those the model was fitted
            on, or the model writes into its rows.
        """
        validation.check_width(self.model, self.name, table)
        with bars_shown(self.shows_progress):
            parts = [self._ask_batch(table, start, stop) for start, stop in self._batches(table)]
        return ModelOutput.join(parts, (self._scores or self._answer).label)

    def other(self, model: Predictor | Call) -> "Model":
        """Return another model, called as this one is, without a progress bar."""
        return Model(model, self._response_method, self._batch_rows, progress=False)

    @property
    def batch_rows(self) -> int | None:
        """Most rows per call as the user set it; None where it is left to the work."""
        return self._batch_rows

    def method(self, response_method: ResponseMethod = "auto") -> ModelMethod:
        """Return one of the model's methods.

        Parameters
        ----------
        response_method : {"auto", "predict_proba", "decision_function", "predict"}
            "auto": what gives the study's scores where there are any, else its labels or values.

        Raises
        ------
        InputError
            For a method that the model lacks.
        """
        validation.check_response_method(response_method)
        if response_method == "auto" and self._scores is not None:
            return self._scores
        if response_method in ("auto", "predict"):
            return self._answer
        if self.kind == "regressor":
            validation.check_regressor_response(self.name, response_method)
        if not hasattr(self.model, response_method):
            validation.check_has_response(self.name, response_method)
        return self._bound_method(response_method)

    def answer(self, method: ModelMethod, rows: Any, n_rows: int) -> ModelOutput:
        """Call one method on rows made for it, which it may keep or spoil, and count them; `first` is what it gives.

        Raises
        ------
        InputError
            Where an answer is missing, not finite, or of a wrong shape.
        """
        try:
            answer = method.call(rows)
        except Exception as error:
            error.add_note(f"{method.label}{RAISED}{count(n_rows, 'row')} with values put in.")
            raise
        self.n_model_rows += n_rows
        return ModelOutput(read_answer(answer, n_rows, method.label), None, column_names(answer))

    def _bound_method(self, name: str) -> ModelMethod:
        return ModelMethod(f"{self.name}.{name}", name, getattr(self.model, name))

    def _methods(self, response_method: ResponseMethod) -> tuple[ModelMethod, ModelMethod | None]:
        """Return the method for labels or values, and the one for scores."""
        if not callable(getattr(self.model, "predict", None)):
            return ModelMethod(self.name, _function_name(self.model), self.model), None
        answer = self._bound_method("predict")
        if self.kind == "regressor":
            validation.check_regressor_response(self.name, response_method)
        if self.kind == "regressor" or response_method == "predict":
            return answer, None
        names: tuple[str, ...] = (response_method,)
        if response_method == "auto":
            signed = self.kind == "classifier" or self.classes is not None
            names = ("predict_proba", "decision_function") if signed else ("predict_proba",)
        available = [name for name in names if hasattr(self.model, name)]
        if available:
            return answer, self._bound_method(available[0])
        if self.kind == "classifier":
            validation.check_has_response(self.name, response_method)
        return answer, None

    def _batches(self, table: Table) -> Any:
        step = self._batch_rows or min(MAX_BATCH_ROWS, max(1, BATCH_CELLS // max(1, table.n_columns)))
        batches = [(start, min(start + step, table.n_rows)) for start in range(0, table.n_rows, step)]
        return progress(batches, f"Asking {self.name}", len(batches), "batch", shown=len(batches) > 1)

    def _ask_batch(self, table: Table, start: int, stop: int) -> ModelOutput:
        first = self._call(self._answer, table, start, stop)
        if self._scores is None:
            return first
        scores = self._call(self._scores, table, start, stop)
        return ModelOutput(first.first, scores.first, scores.names)

    def _call(self, method: ModelMethod, table: Table, start: int, stop: int) -> ModelOutput:
        rows = table.rows(start, stop)
        try:
            answer = method.call(rows)
        except Exception as error:
            validation.check_fitted_columns(self.model, self.name, table, error)
            validation.check_takes_rows(self.model, self.name, error)
            error.add_note(f"{method.label}{RAISED}rows {start} to {stop - 1}.")
            raise
        self.n_model_rows += stop - start
        validation.check_rows_unchanged(table, rows, start, stop, method.label)
        return ModelOutput(read_answer(answer, stop - start, method.label), None, column_names(answer))


def raised_by_model(error: BaseException) -> bool:
    """Whether the model itself raised an error; its notes say so, also after a way through another process."""
    return any(RAISED in note for note in getattr(error, "__notes__", ()))


def model_name(model: object) -> str:
    """Name a model for people: its class, a pipeline's last step, or a function's own name."""
    if isinstance(model, partial):
        return model_name(model.func)
    if steps := getattr(model, "steps", None):
        return f"{type(model).__name__}[{type(steps[-1][1]).__name__}]"
    if isinstance(bound := getattr(model, "__self__", None), BaseEstimator):
        return f"{model_name(bound)}.{getattr(model, '__name__', 'method')}"
    name = getattr(model, "__name__", type(model).__name__)
    return "a function" if name == "<lambda>" else str(name)


def _function_name(function: object) -> str:
    """Name a function by itself, "predict_proba" also where it is a model's method."""
    while isinstance(function, partial):
        function = function.func
    return str(getattr(function, "__name__", ""))


def _kind(model: object) -> ModelKind:
    if isinstance(model, BaseEstimator) or hasattr(model, "__sklearn_tags__"):
        if is_classifier(model):
            return "classifier"
        if is_regressor(model):
            return "regressor"
    return "function"
