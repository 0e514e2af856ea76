"""Rows that come in chunks: what a chunk is, how it is read, and how it is read again."""

# Chunks are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from tauscope.data import validation
from tauscope.data.columns import Column
from tauscope.data.frames import Table, read_table, read_vector
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.model.model import Model
from tauscope.model.output import ModelOutput
from tauscope.study.inputs import read_given
from tauscope.weights.checks import check_weight_range, check_weight_values

HOW_TO_GIVE_CHUNKS = "Give frames with target='…', or pairs (X, y); or a function that returns an iterator of them."


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some rows as the passes over them read them.

    Attributes
    ----------
    columns : tuple of Column
    y : ndarray of shape (n_rows,) or None
        True labels or values as given.
    answers : callable
        Gives the raw answers of the model, asking it, or the predictions that came with the rows.
    n_rows : int
    rows : object
        The inputs in their own container; None where these were not kept.
    weight : ndarray of shape (n_rows,) or None
        Sample weights as given, non-negative.
    """

    columns: tuple[Column, ...]
    y: NDArray[Any] | None
    answers: Callable[[], ModelOutput]
    n_rows: int
    rows: Any = None
    weight: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Reader:
    """How chunks are read.

    Attributes
    ----------
    model : Model or None
        None where predictions come with the rows.
    target, prediction, score : str or None
        Columns of a frame that are not inputs: the truth, and what a model said of each row.
    categorical_features
        As in `Study`.
    sample_weight : str or None
        The column of a frame that weights its rows.
    names : tuple of str or None
        Of the columns, from the first chunk; None before it is there.
    """

    model: Model | None
    target: str | None = None
    prediction: str | None = None
    score: str | None = None
    categorical_features: Any = field(default="infer")
    sample_weight: str | None = None
    names: tuple[str, ...] | None = None

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
        try:
            return self._read(raw)
        except (InputError, InputTypeError) as error:
            raise type(error)(f"In {where}: {error}") from error

    def inputs(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns of a frame that are inputs."""
        return tuple(name for name in names if name not in self._beside)

    @property
    def _beside(self) -> tuple[str | None, ...]:
        return self.target, self.prediction, self.score, self.sample_weight

    def _read(self, raw: Any) -> Chunk | None:
        raw, weight = self._weighed(raw)
        X, *beside = raw if isinstance(raw, tuple) else self._split(raw)
        if len(beside) > 3 or (self.model is not None and len(beside) > 1):
            expected = "(X, y)" if self.model is not None else "(X, y, y_pred, y_score)"
            raise InputError(f"A chunk is a frame, or {expected}; got a tuple of {len(beside) + 1}.")
        y, y_pred, y_score = (*beside, None, None, None)[:3]
        table = read_table(X)
        if table.n_rows == 0:
            return None
        table = self._ordered(table)
        given = read_given(
            table.native, y, feature_names=self._named(table), categorical_features=self.categorical_features
        )
        if self.model is not None:
            model = self.model
            return Chunk(given.columns, given.y, lambda: model.ask(given.table), table.n_rows, table.native, weight)
        validation.check_some_prediction(y_pred, y_score)
        answers = _given_answers(y_pred, y_score, table.n_rows)
        return Chunk(given.columns, given.y, lambda: answers, table.n_rows, table.native, weight)

    def _weighed(self, raw: Any) -> tuple[Any, NDArray[np.float64] | None]:
        """Take the weights out of a frame, or of the first of a tuple."""
        if self.sample_weight is None:
            return raw, None
        native, *rest = raw if isinstance(raw, tuple) else (raw,)
        if not nw.dependencies.is_into_dataframe(native):
            raise InputTypeError(
                f"sample_weight names a column of every chunk's frame; got a {type(native).__name__}. Give frames."
            )
        frame = nw.from_native(native, eager_only=True)
        if self.sample_weight not in frame.columns:
            raise UnknownName.among("sample_weight column", self.sample_weight, list(frame.columns))
        weight = read_vector(frame[self.sample_weight].to_native(), "sample_weight")
        check_weight_values(weight)
        check_weight_range(weight)
        bare = frame.drop(self.sample_weight).to_native()
        return (bare, *rest) if isinstance(raw, tuple) else bare, weight.astype(np.float64)

    def _split(self, raw: Any) -> tuple[Any, ...]:
        """Take the columns that are not inputs out of a frame."""
        roles = {"target": self.target, "prediction": self.prediction, "score": self.score}
        if not nw.dependencies.is_into_dataframe(raw):
            if any(roles.values()) or self.model is None:
                raise InputTypeError(
                    f"A chunk must be a frame or a tuple; got a {type(raw).__name__}. {HOW_TO_GIVE_CHUNKS}"
                )
            return (raw,)
        frame = nw.from_native(raw, eager_only=True)
        for role, name in roles.items():
            if name is not None and name not in frame.columns:
                raise UnknownName.among(f"{role} column", name, list(frame.columns))
        parts = [None if name is None else frame[name].to_native() for name in roles.values()]
        inputs = frame.drop(*[name for name in roles.values() if name is not None]).to_native()
        if self.model is not None:
            return inputs, parts[0]
        return inputs, *parts

    def _ordered(self, table: Table) -> Table:
        """Put a frame's columns in the order of the first chunk, and refuse other ones."""
        if self.names is None or table.kind == "array":
            if self.names is not None and table.n_columns != len(self.names):
                raise InputError(
                    f"Every chunk must have the columns of the first, {len(self.names)}; got {table.n_columns}."
                )
            return table
        assert table.names is not None
        if table.names == self.names:
            return table
        lacking = [name for name in self.names if name not in table.names]
        more = [name for name in table.names if name not in self.names]
        if lacking or more:
            said = [f"it lacks {lacking}"] if lacking else []
            said += [f"it has {more} besides"] if more else []
            raise InputError(f"Every chunk must have the columns of the first; {' and '.join(said)}.")
        frame = nw.from_native(table.native, eager_only=True)
        return read_table(frame.select(list(self.names)).to_native())

    def _named(self, table: Table) -> tuple[str, ...]:
        if self.names is not None:
            return self.names
        if table.names is not None:
            return table.names
        fitted = None if self.model is None else getattr(self.model.model, "feature_names_in_", None)
        if fitted is not None and len(fitted) == table.n_columns:
            return tuple(str(name) for name in fitted)
        return tuple(f"x{j}" for j in range(table.n_columns))


class Source:
    """Chunks that can be read several times.

    Parameters
    ----------
    chunks : callable or iterable
        A function that returns a new iterator at each call, or a collection.
    reader : Reader
    """

    def __init__(self, chunks: Callable[[], Iterable[Any]] | Iterable[Any], reader: Reader) -> None:
        self._chunks, self.reader = chunks, reader
        self._names: tuple[str, ...] | None = reader.names

    def __iter__(self) -> Iterator[Chunk]:
        """Read the chunks that have rows, one at a time."""
        given = self._chunks
        for number, raw in enumerate(given() if callable(given) else given, 1):
            reader = self.reader if self._names is None else replace(self.reader, names=self._names)
            chunk = reader(raw, f"chunk {number}")
            if chunk is not None:
                self._names = tuple(column.name for column in chunk.columns)
                yield chunk


def check_chunks(chunks: object) -> None:
    """Ask for a function or an iterable of chunks."""
    frame = nw.dependencies.is_into_dataframe(chunks)
    if (
        frame
        or isinstance(chunks, str | bytes | dict | np.ndarray)
        or not (callable(chunks) or isinstance(chunks, Iterable))
    ):
        raise InputTypeError(f"Chunks must be an iterable; got a {type(chunks).__name__}. {HOW_TO_GIVE_CHUNKS}")


def _given_answers(y_pred: Any, y_score: Any, n_rows: int) -> ModelOutput:
    """Predictions made elsewhere as if a model had answered with them."""
    arrays: list[NDArray[Any] | None] = []
    for what, values in (("y_pred", y_pred), ("y_score", y_score)):
        array = None if values is None else read_vector(values, what)
        if array is not None:
            validation.check_length(what, array, n_rows)
            validation.check_no_missing(what, array, "Drop those rows from all that is given.")
        arrays.append(array)
    predicted, score = arrays
    if score is not None:
        validation.check_numbers("y_score", score)
    if predicted is None:
        assert score is not None
        return ModelOutput(score)
    validation.check_one_dimension("y_pred", predicted)
    return ModelOutput(predicted, score)
