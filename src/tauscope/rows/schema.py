"""What every chunk must know of all rows, and a chunk that knows it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column, ColumnKind
from tauscope.errors import InputError
from tauscope.model.prediction import OutputSpec, Prediction
from tauscope.rows.first_pass import ColumnSummary, FirstPass
from tauscope.rows.judged import JudgedRows, ask_moment, score_range
from tauscope.rows.outputs import OutputStart, no_outcomes, read_outcomes
from tauscope.rows.passes import Passes
from tauscope.rows.reading import Chunk
from tauscope.rows.values import quantities as named_quantities
from tauscope.stress.bins.outer_values import OuterValues
from tauscope.stress.joint.constraints import Moment
from tauscope.stress.joint.terms import Reading
from tauscope.stress.metrics import Quantities, Units
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.score_steps import ScoreSteps

Array = NDArray[np.float64]
T = TypeVar("T")


@dataclass(frozen=True)
class ColumnSchema:
    """A column as all rows have it.

    Attributes
    ----------
    name : str
    kind : {"numeric", "boolean", "categorical"}
    unit : str
    levels : tuple of str
        Every level there is.
    n_missing : int
        Rows without a value.
    lower, upper : float
        Least and greatest number; NaN for levels, and where every value is missing.
    reading : {"", "year", "days", "0/1"}
        How means are to be read.
    """

    name: str
    kind: ColumnKind
    unit: str
    levels: tuple[str, ...]
    n_missing: int
    lower: float = np.nan
    upper: float = np.nan
    reading: Reading = ""

    @property
    def ends(self) -> tuple[float, float]:
        """Least and greatest number."""
        return self.lower, self.upper

    @classmethod
    def of(cls, summary: ColumnSummary) -> "ColumnSchema":
        """Return what of a summary is no number of rows."""
        low, high = summary.ranks.low, summary.ranks.high
        ends = (float(low[0]), float(high[-1])) if len(low) else (np.nan, np.nan)
        missing, reading = summary.ranks.n_missing, summary.reading
        return cls(summary.name, summary.kind, summary.unit, summary.levels, missing, *ends, reading)

    def align(self, column: Column) -> Column:
        """Return a chunk's column with the levels of all rows, and as many missing rows as all have."""
        if self.kind == "numeric":
            numbers = np.full(column.n_rows, np.nan) if column.numbers is None else column.numbers
            return Column(column.name, "numeric", numbers=numbers, n_missing=self.n_missing, unit=self.unit)
        codes = np.full(column.n_rows, -1, np.int32)
        if column.codes is not None:
            place = {level: code for code, level in enumerate(self.levels)}
            table = np.array([*(place[level] for level in column.levels), -1], np.int32)
            codes = table[column.codes]
        return Column(column.name, self.kind, codes=codes, levels=self.levels, n_missing=self.n_missing)


@dataclass(frozen=True)
class Schema:
    """What every chunk must know of all rows.

    Attributes
    ----------
    columns : tuple of ColumnSchema
    outputs : OutputSpec
        How the model's answers are read.
    units : mapping of str to Unit
    labelled : bool
        Whether there is a truth.
    model_name : str
    scored : bool
        Whether there is a score of the positive class, or of each of several.
    n_rows, n_counted : int
        Rows, and those of weight above zero.
    weight, ess : float
        Of all rows, and the effective sample size of their weights, rows; n_rows where they are not weighted.
    weighted : bool
        Whether rows come with weights.
    example : Prediction
        Of the first rows.
    asked : tuple of str
        Metrics that are summed besides those that always are.
    steps : ScoreSteps or None
        Of all rows, where one of these is of ranks.
    """

    columns: tuple[ColumnSchema, ...]
    outputs: OutputSpec
    units: Units
    labelled: bool
    model_name: str
    scored: bool
    n_rows: int
    n_counted: int
    weight: float
    ess: float
    weighted: bool
    example: Prediction
    asked: tuple[str, ...] = ()
    steps: ScoreSteps | None = None

    @classmethod
    def of(cls, first: FirstPass, start: OutputStart, model_name: str) -> "Schema":
        """Combine the first pass and what the first chunk says of the outputs."""
        columns = tuple(ColumnSchema.of(column) for column in first.columns)
        labelled = first.labels is not None
        weight = float(first.n_rows) if first.weight is None else first.weight
        counts = first.n_rows, first.n_counted, weight, first.ess
        told = first.weight is not None, start.example
        return cls(columns, start.spec, start.units, labelled, model_name, start.scored, *counts, *told)

    @property
    def allowing(self) -> Outcomes:
        """Those of no rows: whether all scores are probabilities is found by the pass that sums them."""
        return self.no_rows(scored=self.scored)

    def no_rows(self, *, scored: bool = True) -> Outcomes:
        """Return outcomes of no rows, for what there would be; `scored` says whether there are scores."""
        return no_outcomes(self.outputs, labelled=self.labelled, scored=scored, steps=self.steps)

    @property
    def features(self) -> Mapping[str, ColumnSchema]:
        """Columns by name."""
        return {column.name: column for column in self.columns}

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)


@dataclass(eq=False)
class AlignedChunk:
    """A chunk read by the schema of all rows: names find their values, answers their meaning."""

    chunk: Chunk
    schema: Schema
    n_rows: int = field(init=False)

    def __post_init__(self) -> None:
        self.n_rows = self.chunk.n_rows

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The chunk's columns with every level there is in any."""
        return tuple(expected.align(c) for c, expected in zip(self.chunk.columns, self.schema.columns, strict=True))

    @property
    def outcomes(self) -> Outcomes:
        """Answers and truth; the model is called at first use."""
        return self._outcomes

    @cached_property
    def _outcomes(self) -> Outcomes:
        schema = self.schema
        return read_outcomes(schema.outputs, self.chunk.y, self.chunk.predict(), schema.model_name, schema.steps)

    @property
    def weight(self) -> Array | None:
        """Sample weights; None where rows are not weighted."""
        return self.chunk.weight

    @property
    def scores(self) -> tuple[float, float]:
        """Smallest and largest score; (∞, -∞) without."""
        return score_range(self.outcomes)

    @property
    def quantities(self) -> Quantities:
        """What metrics are made of."""
        return self.judged.quantities

    def outer_values(self, size: int) -> dict[str, OuterValues]:
        """Return the outermost values of every quantity whose spread is a metric."""
        return self.judged.outer_values(size)

    @property
    def judged(self) -> JudgedRows:
        """What the model said of them."""
        return JudgedRows(self.outcomes, self.schema.units, self.schema.asked)

    def part(self, rows: NDArray[np.intp]) -> JudgedRows:
        """Return some of these rows, by their places."""
        return self.judged.take(rows)

    def values(self, name: str) -> Array:
        """Return one number per row of a feature or a quantity of the model."""
        return named_quantities(self.columns, lambda: self.outcomes)(name)

    def moment(self, constraint: Moment) -> Array:
        """Return what a moment's function gives for the rows, shape (n_rows, q)."""
        if self.chunk.rows is None:
            raise InputError(
                "A Moment's function needs the rows; an iterator that is read once keeps none. Give a list."
            )
        return ask_moment(constraint, self.chunk.rows, self.n_rows)


def over_chunks(passes: Passes, schema: Schema) -> Callable[..., Any]:
    """Return the `MapReduce` of `tauscope.stress.sums.chunk` over these passes."""

    def total(function: Callable[..., T | None], *args: Any, plus: Callable[[T, T], T]) -> T:
        added = passes.total(_align_and_apply, schema, function, *args, plus=plus)
        assert added is not None
        return added

    return total


def _align_and_apply(chunk: Chunk, schema: Schema, function: Callable[..., T | None], *args: Any) -> T | None:
    if chunk.weight is not None and not (chunk.weight > 0).any():
        return None  # adds nothing
    return function(AlignedChunk(chunk, schema), *args)
