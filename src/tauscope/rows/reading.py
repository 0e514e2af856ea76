"""How the rows of chunks are read: what is said of them once, and one chunk at a time."""

# Chunks are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from tauscope.data import validation
from tauscope.data.columns import Column
from tauscope.data.frames import Table, read_table, read_vector
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.model.calls import Model, Predictor, ResponseMethod
from tauscope.model.consistency import SecondAnswers, ask_again
from tauscope.model.output import ModelOutput, column_names
from tauscope.model.task import TaskHints
from tauscope.rows.inputs import read_inputs
from tauscope.weights.checks import check_weight_range, check_weight_values

TaskChoice = Literal["auto", "binary", "multiclass", "regression"]

Fitted = Predictor | Callable[[Any], Any] | None
"""A model as `Study` takes it; None where predictions come with the rows."""

HOW_TO_GIVE_CHUNKS = "Give frames with target='…', or pairs (X, y); or a function that returns an iterator of them."


@dataclass(frozen=True)
class ReadingOptions:
    """What is said of the rows and of the model's answers; each as `tauscope.ChunkedStudy` takes it.

    Attributes
    ----------
    target, prediction, score, sample_weight : str or None
        Columns of a frame that are not inputs: the truth, what a model said of each row, and the rows' weights.
    response_method, pos_label, categorical_features, task, classes, batch_rows
        As in `Study`.
    """

    target: str | None = None
    prediction: str | None = None
    score: str | None = None
    sample_weight: str | None = None
    response_method: ResponseMethod = "auto"
    pos_label: Hashable = None
    categorical_features: Any = "infer"
    task: TaskChoice = "auto"
    classes: Sequence[Hashable] | None = None
    batch_rows: int | None = None

    def __post_init__(self) -> None:
        """Check what can be checked without rows."""
        validation.check_task(self.task)
        for role in ("target", "prediction", "score", "sample_weight"):
            name: object = getattr(self, role)
            if name is not None and not isinstance(name, str):
                raise InputTypeError(
                    f"{role} names a column of the rows; got a {type(name).__name__}. Rows of two collections cannot "
                    "be matched safely: put it into the frame first, frame.assign(y=…), and give its name."
                )

    @property
    def role_columns(self) -> dict[str, str]:
        """Columns that are not inputs, by their role."""
        roles = ("target", "prediction", "score", "sample_weight")
        return {role: getattr(self, role) for role in roles if getattr(self, role) is not None}


@dataclass(frozen=True, eq=False)
class RawChunk:
    """A chunk taken apart, nothing read yet.

    Attributes
    ----------
    X : frame or array
        The inputs.
    y, y_pred, y_score : column or None
    weight : column or None
    """

    X: Any
    y: Any = None
    y_pred: Any = None
    y_score: Any = None
    weight: Any = None


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some rows as the passes over them read them.

    Attributes
    ----------
    columns : tuple of Column
    y : ndarray of shape (n_rows,) or None
        True labels or values as given.
    predict : callable
        Gives what the model returns, calling it, or the predictions that came with the rows.
    n_rows : int
    rows : object
        The inputs in their own container; None where these were not kept.
    weight : ndarray of shape (n_rows,) or None
        Sample weights as given, non-negative.
    where : str
        What messages call it; no two chunks of a pass have the same.
    again : callable or None
        Asks the model again about a few rows; None where predictions came with them.
    """

    columns: tuple[Column, ...]
    y: NDArray[Any] | None
    predict: Callable[[], ModelOutput]
    n_rows: int
    rows: Any = None
    weight: NDArray[np.float64] | None = None
    where: str = ""
    again: Callable[[], SecondAnswers] | None = None


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads chunks, one at a time.

    Attributes
    ----------
    model : Model or None
        None where predictions come with the rows.
    options : ReadingOptions
    names : tuple of str or None
        Of the inputs, from the first chunk; None before it is there.
    """

    model: Model | None
    options: ReadingOptions = ReadingOptions()
    names: tuple[str, ...] | None = None

    @classmethod
    def of(cls, model: Fitted, options: ReadingOptions) -> Reader:
        """Return the reader of a person's model and options.

        Raises
        ------
        InputError, InputTypeError
            For a model that `Study` would refuse too, or predictions from both the model and the rows.
        """
        called = None
        if model is not None:
            if options.prediction is not None or options.score is not None:
                raise InputError(
                    "Predictions come from the model or from the rows; got both. Give model=None, or no columns."
                )
            method = validation.check_task_response(options.response_method, options.task)
            called = Model(model, method, options.batch_rows, progress=False)
        validation.check_same_classes(None if called is None else called.classes, options.classes)
        return cls(called, options)

    @property
    def model_name(self) -> str:
        """Name of the model; "predictions" where there is none."""
        return "predictions" if self.model is None else self.model.name

    @property
    def hints(self) -> TaskHints:
        """What is known of the task before a row is read."""
        model, options = self.model, self.options
        return TaskHints(
            "function" if model is None else model.kind,
            validation.check_same_classes(None if model is None else model.classes, options.classes),
            task=options.task,
            response_method="auto" if model is None else options.response_method,
            pos_label=options.pos_label,
            lone_score_is_positive=model is None,
        )

    def __call__(self, raw: Any, where: str) -> Chunk | None:
        """Read one chunk; None where it has no rows.

        Parameters
        ----------
        raw : frame, or tuple (X, y), or (X, y, y_pred, y_score) where there is no model
        where : str
            What messages call it, such as "chunk 3".

        Raises
        ------
        InputError, InputTypeError
            As `Study` does, saying in which chunk.
        """
        with name_chunk_in_errors(where):
            return self._read(raw, where)

    def inputs(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns of a frame that are inputs."""
        return tuple(name for name in names if name not in self.options.role_columns.values())

    def take_apart(self, raw: Any) -> RawChunk:
        """Split a chunk into the inputs and its labels, predictions and weights.

        Raises
        ------
        UnknownName
            For a frame without one of the columns named.
        InputError, InputTypeError
            For a tuple of another length, or anything but a frame, an array or a tuple.
        """
        if isinstance(raw, tuple) and not raw:
            raise InputError(f"A chunk must hold rows; got an empty tuple. {HOW_TO_GIVE_CHUNKS}")
        head, *rest = raw if isinstance(raw, tuple) else (raw,)
        rows, weight = as_frame(head), None
        if (name := self.options.sample_weight) is not None:
            if not nw.dependencies.is_into_dataframe(rows):
                raise InputTypeError(
                    f"sample_weight names a column of every chunk's frame; got a {type(head).__name__}. Give frames."
                )
            weight, rows = _take_column(rows, "sample_weight", name), _drop(rows, [name])
        if not isinstance(raw, tuple):
            return replace(self._split(rows), weight=weight)
        if len(rest) > 3 or (self.model is not None and len(rest) > 1):
            expected = "(X, y)" if self.model is not None else "(X, y, y_pred, y_score)"
            raise InputError(f"A chunk is a frame, or {expected}; got a tuple of {len(rest) + 1}.")
        y, y_pred, y_score = (*rest, None, None, None)[:3]
        return RawChunk(rows, y, y_pred, y_score, weight)

    def _split(self, rows: Any) -> RawChunk:
        """Take the columns that are not inputs out of a frame."""
        roles = {role: name for role, name in self.options.role_columns.items() if role != "sample_weight"}
        if not nw.dependencies.is_into_dataframe(rows):
            if roles or self.model is None:
                raise InputTypeError(
                    f"A chunk must be a frame or a tuple; got a {type(rows).__name__}. {HOW_TO_GIVE_CHUNKS}"
                )
            return RawChunk(rows)
        taken = {role: _take_column(rows, role, name) for role, name in roles.items()}
        return RawChunk(_drop(rows, roles.values()), taken.get("target"), taken.get("prediction"), taken.get("score"))

    def _read(self, raw: Any, where: str) -> Chunk | None:
        parts = self.take_apart(raw)
        weight = None if parts.weight is None else _read_weight(parts.weight)
        table = read_table(parts.X)
        if table.n_rows == 0:
            return None
        table = self.in_order(table)
        names, levels = self._names_of(table), self.options.categorical_features
        inputs = read_inputs(table.native, parts.y, feature_names=names, categorical_features=levels)
        if self.model is None:
            output = read_chunk_predictions(parts, table.n_rows)
            predict, again = lambda: output, None
        else:
            predict, again = partial(self.model.ask, inputs.table), partial(ask_again, self.model, inputs.table)
        return Chunk(tuple(inputs.columns), inputs.y, predict, table.n_rows, table.native, weight, where, again)

    def in_order(self, table: Table) -> Table:
        """Put a frame's columns in the order of the first chunk, and refuse other ones."""
        if self.names is None or table.names == self.names:
            return table
        if table.names is None:
            if table.n_columns != len(self.names):
                raise InputError(
                    f"Every chunk must have the columns of the first, {len(self.names)}; got {table.n_columns}."
                )
            return table
        missing = [name for name in self.names if name not in table.names]
        extra = [name for name in table.names if name not in self.names]
        if missing or extra:
            said = [f"it lacks {missing}"] if missing else []
            said += [f"it also has {extra}"] if extra else []
            raise InputError(f"Every chunk must have the columns of the first; {' and '.join(said)}.")
        frame = nw.from_native(table.native, eager_only=True)
        return read_table(frame.select(list(self.names)).to_native())

    def _names_of(self, table: Table) -> tuple[str, ...]:
        if self.names is not None:
            return self.names
        if table.names is not None:
            return table.names
        fitted = None if self.model is None else getattr(self.model.model, "feature_names_in_", None)
        if fitted is not None and len(fitted) == table.n_columns:
            return tuple(str(name) for name in fitted)
        return tuple(f"x{j}" for j in range(table.n_columns))


@contextmanager
def name_chunk_in_errors(where: str) -> Generator[None]:
    """Put a chunk's name before what is said of its rows: "In chunk 3: …"."""
    try:
        yield
    except (InputError, InputTypeError) as error:
        raise type(error)(f"In {where}: {error}") from error


def as_frame(rows: Any) -> Any:
    """Return an Arrow record batch as a pandas frame, which models know; other rows as they are."""
    pyarrow = nw.dependencies.get_pyarrow()
    if pyarrow is not None and isinstance(rows, pyarrow.RecordBatch):
        return rows.to_pandas()
    return rows


def read_chunk_predictions(raw: RawChunk, n_rows: int) -> ModelOutput:
    """Read predictions made elsewhere as if a model had returned them."""
    validation.check_some_prediction(raw.y_pred, raw.y_score)
    predicted, score = (
        None if values is None else _read_prediction(values, what, n_rows)
        for what, values in (("y_pred", raw.y_pred), ("y_score", raw.y_score))
    )
    if score is not None:
        validation.check_numbers("y_score", score)
    if predicted is None:
        assert score is not None
        return ModelOutput(score, None, column_names(raw.y_score))
    validation.check_one_dimension("y_pred", predicted)
    return ModelOutput(predicted, score, column_names(raw.y_score))


def _read_prediction(values: Any, what: str, n_rows: int) -> NDArray[Any]:
    array = read_vector(values, what)
    validation.check_length(what, array, n_rows)
    validation.check_no_missing(what, array, "Drop those rows from all that is given.")
    return array


def _read_weight(values: Any) -> NDArray[np.float64]:
    weight = read_vector(values, "sample_weight")
    check_weight_values(weight)
    check_weight_range(weight)
    return weight.astype(np.float64)


def _take_column(native: Any, role: str, name: str) -> Any:
    frame = nw.from_native(native, eager_only=True)
    if name not in frame.columns:
        raise UnknownName.among(f"{role} column", name, list(frame.columns))
    return frame[name].to_native()


def _drop(native: Any, names: Collection[str]) -> Any:
    return nw.from_native(native, eager_only=True).drop(*names).to_native() if names else native
