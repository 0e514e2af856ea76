"""Passes over rows in parts for work that needs more than sums of one feature: parts that know names and metrics."""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.chunks import Chunk, Reader, Source
from tauscope.chunked.first_pass import ColumnSurvey, FirstPass
from tauscope.chunked.partitions import Partitions
from tauscope.chunked.spool import Spool
from tauscope.chunked.stress.sketch_plan import TaskOptions, begin_reading, read_outcomes
from tauscope.data.columns import Column
from tauscope.errors import InputError, InputTypeError
from tauscope.model.prediction import Classes, OutputSpec
from tauscope.model.progress_bar import progress
from tauscope.stress.joint.constraints import Moment
from tauscope.stress.metrics import Quantities, Units, quantities
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.study.stress.quantities import quantities as named_quantities

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Array = NDArray[np.float64]
T = TypeVar("T")


class Passes(Protocol):
    """Something that can be read chunk by chunk, time and again."""

    def total(self, function: Callable[..., T | None], *given: Any, plus: Callable[[T, T], T]) -> T | None:
        """Apply a function to every chunk with rows, as function(chunk, *given), and add what it returns."""
        ...

    def first(self, function: Callable[..., T], *given: Any) -> T:
        """Apply a function to the first chunk with rows."""
        ...


class ChunkPasses:
    """Passes over chunks in this process.

    Parameters
    ----------
    chunks : iterable of Chunk
    shown : bool
        Whether bars show.
    """

    def __init__(self, chunks: Iterable[Chunk], *, shown: bool = False) -> None:
        self._chunks, self._shown, self._n = chunks, shown, 0

    def total(self, function: Callable[..., T | None], *given: Any, plus: Callable[[T, T], T]) -> T | None:
        """See `Passes`."""
        self._n += 1
        found: T | None = None
        for chunk in _bar(self._chunks, f"Reading chunks, pass {self._n}") if self._shown else self._chunks:
            part = function(chunk, *given)
            if part is not None:
                found = part if found is None else plus(found, part)
        return found

    def first(self, function: Callable[..., T], *given: Any) -> T:
        """See `Passes`."""
        return function(next(iter(self._chunks)), *given)


@contextmanager
def chunk_passes(
    chunks: Callable[[], Iterable[Any]] | Iterable[Any], reader: Reader, *, shown: bool
) -> Generator[ChunkPasses]:
    """Give passes over chunks; an iterator that can be read only once is kept in a temporary file meanwhile.

    Parameters
    ----------
    chunks : callable or iterable
        As in `StressSketch.from_chunks`.
    reader : Reader
    shown : bool
        Whether bars show.
    """
    source = Source(chunks, reader)
    if callable(chunks) or iter(chunks) is not chunks:
        yield ChunkPasses(source, shown=shown)
        return
    with Spool(source) as spool:
        yield ChunkPasses(spool, shown=shown)


class PartitionPasses:
    """Passes over the partitions of a Dask DataFrame.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    reader : Reader
    """

    def __init__(self, frame: Any, reader: Reader) -> None:
        self._parts = Partitions(frame)
        self._reader = replace(reader, names=reader.inputs(self._parts.names))

    def total(self, function: Callable[..., T | None], *given: Any, plus: Callable[[T, T], T]) -> T | None:
        """See `Passes`."""
        return self._parts.total(_read_then, self._reader, function, *given, plus=plus)

    def first(self, function: Callable[..., T], *given: Any) -> T:
        """See `Passes`."""
        for number in range(1, len(self._parts) + 1):
            found = self._parts.one(number, _read_then, self._reader, function, *given)
            if found is not None:
                return found
        raise InputError("Partitions must give the same rows each time they are computed; use frame.persist() first.")


@dataclass(frozen=True)
class Schema:
    """What every part must know of all rows.

    Attributes
    ----------
    columns : tuple of ColumnSurvey
        With every level there is, and how many rows lack a value.
    reading : OutputSpec
    units : Units
    labelled : bool
    model_name : str
    n_rows : int
    ess : float
        Effective sample size of their weights, rows; n_rows where they are not weighted.
    """

    columns: tuple[ColumnSurvey, ...]
    reading: OutputSpec
    units: Units
    labelled: bool
    model_name: str
    n_rows: int
    ess: float


@dataclass(eq=False)
class KnownPart:
    """A chunk with what is known of all rows: names find their values, answers their meaning."""

    chunk: Chunk
    known: Schema
    n_rows: int = field(init=False)

    def __post_init__(self) -> None:
        self.n_rows = self.chunk.n_rows

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The chunk's columns with every level there is in any."""
        return tuple(_unified(c, s) for c, s in zip(self.chunk.columns, self.known.columns, strict=True))

    @cached_property
    def outcomes(self) -> Outcomes:
        """Answers and truth; the model is asked at first use."""
        return read_outcomes(self.known.reading, self.chunk.y, self.chunk.answers(), self.known.model_name)

    @property
    def weight(self) -> Array | None:
        """Sample weights; None where rows are not weighted."""
        return self.chunk.weight

    @property
    def task(self) -> Task:
        """One of "binary", "multiclass", "regression"."""
        return self.known.reading.task

    @property
    def classes(self) -> Classes:
        """Labels in code order."""
        return self.known.reading.classes

    @property
    def score(self) -> Array | None:
        """Binary tasks: score of the positive class."""
        return self.outcomes.score

    @property
    def predicted(self) -> NDArray[Any]:
        """Predicted codes or values."""
        return self.outcomes.predicted

    @property
    def truth(self) -> NDArray[Any] | None:
        """True codes or values."""
        return self.outcomes.truth

    @property
    def scores(self) -> tuple[float, float]:
        """Smallest and largest score; (∞, -∞) without."""
        score = self.outcomes.score
        return (np.inf, -np.inf) if score is None else (float(score.min()), float(score.max()))

    @property
    def quantities(self) -> Quantities:
        """What metrics are made of."""
        return quantities(self.outcomes, self.known.units, True)[0]

    def values(self, name: str) -> Array:
        """Return one number per row of a feature or a quantity of the model."""
        return named_quantities(cast("StudyBase", self))(name)

    def moment(self, constraint: Moment) -> Array:
        """Return what a moment's function gives for the rows, shape (n_rows, q)."""
        if self.chunk.rows is None:
            raise InputError(
                "A Moment's function needs the rows; an iterator that is read once keeps none. Give a list."
            )
        assert callable(constraint.function)
        columns = np.asarray(constraint.function(self.chunk.rows), dtype=np.float64)
        columns = columns[:, None] if columns.ndim == 1 else columns
        if columns.shape != (self.n_rows, len(constraint.targets)):
            raise InputError(
                f"The {constraint.quantity} needs one number per row and target, shape ({self.n_rows}, "
                f"{len(constraint.targets)}); got shape {columns.shape}."
            )
        return columns


def read_schema(passes: Passes, asked: TaskOptions) -> Schema:
    """Read levels and labels in one pass, and how answers are read from the first chunk in another.

    Raises
    ------
    InputError
        For no rows, or chunks that do not go together.
    """
    survey: FirstPass | None = passes.total(FirstPass.of, False, plus=FirstPass.__add__)
    if survey is None:
        raise InputError("At least one row is needed; there are none. See what filtered them.")
    survey.check_weight()
    begun = passes.first(begin_reading, survey.y, asked)
    return Schema(
        survey.columns,
        begun.reading,
        begun.units,
        survey.labels is not None,
        asked.model_name,
        survey.n_rows,
        survey.ess,
    )


def on_parts(passes: Passes, known: Schema) -> Callable[..., Any]:
    """Return the `MapReduce` of `tauscope.stress.chunked.chunk` over these passes."""

    def total(function: Callable[..., T], *given: Any, plus: Callable[[T, T], T]) -> T:
        found = passes.total(_as_part, known, function, *given, plus=plus)
        assert found is not None
        return found

    return total


def _as_part(chunk: Chunk, known: Schema, function: Callable[..., T], *given: Any) -> T | None:
    if chunk.weight is not None and not (chunk.weight > 0).any():
        return None  # adds nothing
    return function(KnownPart(chunk, known), *given)


def _read_then(raw: Any, where: str, reader: Reader, function: Callable[..., T | None], *given: Any) -> T | None:
    chunk = reader(raw, where)
    if chunk is None:
        return None
    try:
        return function(chunk, *given)
    except (InputError, InputTypeError) as error:
        raise type(error)(f"In {where}: {error}") from error


def _unified(column: Column, survey: ColumnSurvey) -> Column:
    """Return a chunk's column with the levels of all, and as many missing rows as all have."""
    n_missing = survey.ranks.n_missing
    if survey.kind == "numeric":
        numbers = np.full(column.n_rows, np.nan) if column.numbers is None else column.numbers
        return Column(column.name, "numeric", numbers=numbers, n_missing=n_missing, unit=survey.unit)
    codes = np.full(column.n_rows, -1, np.int32)
    if column.codes is not None:
        place = {level: code for code, level in enumerate(survey.levels)}
        table = np.array([*(place[level] for level in column.levels), -1], np.int32)
        codes = table[column.codes]
    return Column(column.name, survey.kind, codes=codes, levels=survey.levels, n_missing=n_missing)


def _bar(items: Iterable[T], doing: str) -> Iterable[T]:
    """Count chunks once they take two seconds; nobody knows how many there are."""
    return progress(items, doing, None, "chunk")
