"""The first pass over rows in chunks: which columns, levels and labels there are, and where numbers lie."""

# Labels are of any type.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.data.columns import Column, ColumnKind
from tauscope.data.validation import check_spread
from tauscope.errors import InputError
from tauscope.model.task import MAX_WHOLE_LABELS
from tauscope.rows.passes import Passes
from tauscope.rows.reading import Chunk
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.joint.terms import Reading
from tauscope.weights.checks import check_some_weight
from tauscope.words import count

Array = NDArray[np.float64]

MOST_LABELS = 1000


@dataclass(frozen=True)
class ColumnSummary:
    """Summary of a column after one pass.

    Attributes
    ----------
    name : str
    kind : {"numeric", "boolean", "categorical"}
    unit : str
    levels : tuple of str
    ranks : QuantileSketch
        Of numbers; of levels it counts the rows without one.
    masses : QuantileSketch or None
        Of numbers of weighted rows, each cell with its weight; rows of weight zero are left out.
    reading : {"", "year", "days", "0/1"}
        How means are to be read.
    """

    name: str
    kind: ColumnKind
    unit: str
    levels: tuple[str, ...]
    ranks: QuantileSketch
    masses: QuantileSketch | None = None
    reading: Reading = ""

    @classmethod
    def of(cls, column: Column, ordered: bool = True, weight: Array | None = None) -> "ColumnSummary":
        """Read one chunk's column; where order is not wanted, its numbers' range and gaps alone."""
        values = column.values if ordered else None
        masses = None
        if values is not None and weight is not None:
            masses = QuantileSketch.of(values[weight > 0], weight[weight > 0])
        if values is None:
            ends = [] if column.numbers is None or np.isnan(column.lower) else [column.lower, column.upper]
            values = np.array([*ends, *[np.nan] * column.n_missing])
        return cls(
            column.name, column.kind, column.unit, column.levels, QuantileSketch.of(values), masses, column.reading
        )

    @property
    def empty(self) -> bool:
        """Whether no row has a value, so that a column of numbers may turn out to hold something else."""
        return self.kind == "numeric" and self.ranks.n == 0

    def __add__(self, other: "ColumnSummary") -> "ColumnSummary":
        """Return the summary of both row sets.

        Raises
        ------
        InputError
            For a column that holds numbers here and levels there.
        """
        if self.empty or other.empty:
            filled, empty = (other, self) if self.empty else (self, other)
            ranks = _with_missing(filled.ranks, empty.ranks)
            return replace(filled, ranks=ranks)
        if self.kind != other.kind:
            raise InputError(
                f"A column must be of one kind in all chunks; {self.name!r} is {self.kind} in one and {other.kind} in "
                "another. Convert it first, or name it in categorical_features."
            )
        if self.unit != other.unit:
            held = [{"year": "dates", "days": "durations"}.get(unit, "numbers") for unit in (self.unit, other.unit)]
            raise InputError(
                f"A column must be of one kind in all chunks; {self.name!r} holds {held[0]} in one and {held[1]} in "
                "another. Convert it first."
            )
        levels = merge_levels(self.levels, other.levels)
        masses = None if self.masses is None or other.masses is None else self.masses + other.masses
        reading = self.reading if self.reading == other.reading else ""
        return ColumnSummary(self.name, self.kind, self.unit, levels, self.ranks + other.ranks, masses, reading)


@dataclass(frozen=True)
class FirstPass:
    """Summary of all rows after one pass.

    Attributes
    ----------
    columns : tuple of ColumnSummary
    n_rows : int
    labels : tuple or None
        Labels or values in y: all of them where they are few or text, else some; None without y.
    n_counted : int
        Rows of weight above zero.
    weight, squares : float or None
        Weights and squared weights of all rows together; None where they are not weighted.
    """

    columns: tuple[ColumnSummary, ...]
    n_rows: int
    labels: tuple[Hashable, ...] | None
    n_counted: int
    weight: float | None = None
    squares: float | None = None

    @classmethod
    def of(cls, chunk: Chunk, ordered: bool = True) -> "FirstPass":
        """Read one chunk; `ordered` also tells where its numbers lie, which only a sketch needs and which costs."""
        seen = None if chunk.y is None else _labels(chunk.y)
        columns = tuple(ColumnSummary.of(column, ordered, chunk.weight) for column in chunk.columns)
        n = chunk.n_rows
        if chunk.weight is None:
            return cls(columns, n, seen, n)
        n_counted = int(np.count_nonzero(chunk.weight))
        return cls(columns, n, seen, n_counted, float(chunk.weight.sum()), float((chunk.weight**2).sum()))

    def __add__(self, other: "FirstPass") -> "FirstPass":
        """Return the first pass over both row sets."""
        if (self.labels is None) != (other.labels is None):
            raise InputError("Every chunk must come with y, or none; some have it and some have not.")
        columns = tuple(a + b for a, b in zip(self.columns, other.columns, strict=True))
        both = None
        if self.labels is not None and other.labels is not None:
            both = _few(labels.distinct(self.labels, other.labels))
        n_rows, n_counted = self.n_rows + other.n_rows, self.n_counted + other.n_counted
        weight = None if self.weight is None or other.weight is None else self.weight + other.weight
        squares = None if self.squares is None or other.squares is None else self.squares + other.squares
        return FirstPass(columns, n_rows, both, n_counted, weight, squares)

    @property
    def ess(self) -> float:
        """Effective sample size (Σw)²/Σw² of the rows' weights, rows."""
        if self.weight is None or self.squares is None:
            return float(self.n_rows)
        return self.weight**2 / self.squares

    def check_spreads(self) -> None:
        """Ask for numbers that differ by enough, over all chunks, for their powers to be numbers."""
        for column in self.columns:
            if column.kind == "numeric" and not column.empty:
                check_spread(column.name, float(column.ranks.low[0]), float(column.ranks.high[-1]))

    def check_weight(self) -> None:
        """Ask for a weight above zero in some row, where rows are weighted."""
        if self.weight is not None:
            check_some_weight(self.weight > 0)

    @property
    def y(self) -> NDArray[Any] | None:
        """Labels and values that occur, as `infer_output_spec` takes them."""
        if self.labels is None:
            return None
        numbers = all(isinstance(label, int | float) and not isinstance(label, bool) for label in self.labels)
        return np.array(self.labels) if numbers else np.array(self.labels, dtype=object)


def first_pass(passes: Passes, ordered: bool) -> FirstPass:
    """Read all rows once.

    Parameters
    ----------
    passes : Passes
    ordered : bool
        Whether to tell where the numbers of each column lie.

    Raises
    ------
    InputError
        For no rows, chunks that do not go together, weights that are all zero, or numbers that hardly differ.
    """
    total: FirstPass | None = passes.total(FirstPass.of, ordered, plus=FirstPass.__add__)
    if total is None:
        raise InputError("A study needs at least one row; there are none. See what filtered them.")
    total.check_weight()
    total.check_spreads()
    return total


def merge_levels(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    """Return the levels of two chunks: as they are where they agree, else together in sorted order."""
    if a == b:
        return a
    both = set(a) | set(b)
    try:
        return tuple(sorted(both, key=float))
    except ValueError:
        return tuple(sorted(both))


def _labels(y: NDArray[Any]) -> tuple[Hashable, ...]:
    if y.dtype.kind in "bO":
        distinct = labels.distinct(y)
        if len(distinct) > MOST_LABELS and any(isinstance(label, str) for label in distinct):
            raise InputError(
                f"y must hold labels or numbers; got {count(len(distinct), 'different text')} in one chunk."
            )
        return distinct
    return _few(tuple(np.unique(y).tolist()))


def _few(values: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Keep all labels of text, and as many numbers as tell that there are many."""
    if any(isinstance(value, str) for value in values) or len(values) <= 10 * MAX_WHOLE_LABELS:
        return tuple(values)
    return tuple(values[: 10 * MAX_WHOLE_LABELS])


def _with_missing(ranks: QuantileSketch, empty: QuantileSketch) -> QuantileSketch:
    if ranks.n or empty.n:
        return ranks + empty
    return QuantileSketch.of(np.full(ranks.n_missing + empty.n_missing, np.nan))
