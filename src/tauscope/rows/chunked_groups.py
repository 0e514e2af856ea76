"""Groups of rows in chunks: by a column or several, found by a pass of their own, and read in each chunk after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.arguments import describe
from tauscope.data.columns import name_of
from tauscope.data.groups import HOW, check_few_groups, check_few_values, named_by
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.rows.schema import AlignedChunk, Schema
from tauscope.words import label_of_missing

if TYPE_CHECKING:
    from tauscope.rows.passes import Passes
    from tauscope.rows.reading import Chunk
    from tauscope.stress.sums.chunk import RowChunk

MOST_KEPT = 100_000
"""Different numbers of a column, or levels crossed, that are counted before they are too many to count."""
MOST_KEYS = 2**62
CUT = "Cut it in the rows of each chunk, or use a sample, whose rows any labels tell apart."


@dataclass(frozen=True)
class GroupedColumn:
    """A column that tells groups apart.

    Attributes
    ----------
    place : int
        Among the columns.
    labels : tuple of str
        Its levels or numbers in order; last what rows without a value are called.
    numbers : ndarray of shape (n_labels - 1,) or None
        Ascending; None of levels.
    """

    place: int
    labels: tuple[str, ...]
    numbers: NDArray[np.float64] | None

    def codes(self, chunk: AlignedChunk) -> NDArray[np.intp]:
        """Return each row's position among the labels."""
        column, missing = chunk.columns[self.place], len(self.labels) - 1
        if self.numbers is None:
            assert column.codes is not None
            return np.where(column.codes < 0, missing, column.codes).astype(np.intp)
        values = column.values
        assert values is not None
        return np.where(np.isnan(values), missing, np.searchsorted(self.numbers, values)).astype(np.intp)


@dataclass(frozen=True)
class CrossedColumns:
    """Columns whose levels are crossed: a key tells which of each a row has."""

    columns: tuple[GroupedColumn, ...]

    def keys(self, chunk: AlignedChunk) -> NDArray[np.int64]:
        """Return one number for each row, in the order of the first column's labels, then of the second's."""
        keys = np.zeros(chunk.n_rows, np.int64)
        for column in self.columns:
            keys = keys * len(column.labels) + column.codes(chunk)
        return keys

    def labels(self, keys: NDArray[np.int64]) -> list[str]:
        """Return what the groups of some keys are called."""
        parts: list[list[str]] = []
        for column in reversed(self.columns):
            keys, codes = np.divmod(keys, len(column.labels))
            parts.insert(0, [column.labels[code] for code in codes.tolist()])
        return [", ".join(words) for words in zip(*parts, strict=True)]

    def count_levels(self, keys: NDArray[np.int64]) -> list[int]:
        """Return how many labels of each column have a row."""
        counts: list[int] = []
        for column in reversed(self.columns):
            keys, codes = np.divmod(keys, len(column.labels))
            counts.insert(0, len(np.unique(codes)))
        return counts


@dataclass(frozen=True)
class ChunkedGroups:
    """Rows in chunks in disjoint groups; see `tauscope.rows.rows.RowGroups`.

    Attributes
    ----------
    crossed : CrossedColumns
    keys : ndarray of shape (n_groups,)
        Ascending.
    """

    name: str
    labels: tuple[str, ...]
    n_rows: tuple[int, ...]
    n_counted: tuple[int, ...]
    weight: tuple[float, ...]
    columns: tuple[str, ...]
    crossed: CrossedColumns
    keys: NDArray[np.int64]

    of_rows = None

    def codes(self, chunk: RowChunk) -> NDArray[np.intp]:
        """See `tauscope.stress.sums.groups.GroupReader`."""
        return np.searchsorted(self.keys, self.crossed.keys(cast(AlignedChunk, chunk)))


@dataclass(frozen=True)
class KeyCounts:
    """How many rows have each key: `counts` of shape (n_keys, 3) has rows, those of weight above zero, and weight."""

    keys: NDArray[np.int64]
    counts: NDArray[np.float64]

    def __add__(self, other: KeyCounts) -> KeyCounts:
        """Return the counts over both row sets, or of the first keys where they are too many."""
        keys, place = np.unique(np.concatenate([self.keys, other.keys]), return_inverse=True)
        counts = np.zeros((len(keys), 3))
        np.add.at(counts, place, np.concatenate([self.counts, other.counts]))
        return KeyCounts(keys[: MOST_KEPT + 1], counts[: MOST_KEPT + 1])


def read_groups_of_chunks(by: Any, passes: Passes, schema: Schema) -> ChunkedGroups:
    """Find the groups of rows in chunks: a pass, and one before it where a column holds numbers.

    Parameters
    ----------
    by : str or sequence of str
        As in `tauscope.data.groups.read_groups`; a mask or labels for each row are refused.
    passes : Passes
    schema : Schema

    Raises
    ------
    UnknownName
        For a column that is not there.
    InputError, InputTypeError
        For more than 10 distinct numbers or 200 groups, and what names no columns.
    """
    known = schema.feature_names
    names = list(dict.fromkeys(name_of(name, known) for name in _names(by)))
    for name in names:
        if name not in known:
            raise UnknownName.among("column", name, known)
    places = tuple(known.index(name) for name in names)
    numeric = tuple(place for place in places if schema.columns[place].kind == "numeric")
    numbers: dict[int, NDArray[np.float64]] = {}
    if numeric:
        found = passes.total(_distinct, schema, numeric, plus=_join_distinct)
        assert found is not None
        numbers = found
        for place, values in numbers.items():
            check_few_values(known[place], _in_words(len(values)), CUT)
    crossed = CrossedColumns(tuple(_grouped(schema, place, numbers.get(place)) for place in places))
    if math.prod(len(column.labels) for column in crossed.columns) > MOST_KEYS:
        check_few_groups(", ".join(names), f"columns that cross to more than {MOST_KEYS:,}")
    counted = passes.total(_count_keys, schema, crossed, plus=KeyCounts.__add__)
    assert counted is not None
    for name, n in zip(names, crossed.count_levels(counted.keys), strict=True):
        check_few_groups(name, n)
    together = ", ".join(names)
    check_few_groups(together, _in_words(len(counted.keys)))
    n_rows, n_counted, weight = counted.counts.T.tolist()
    return ChunkedGroups(
        together,
        tuple(crossed.labels(counted.keys)),
        tuple(map(int, n_rows)),
        tuple(map(int, n_counted)),
        tuple(weight),
        tuple(names),
        crossed,
        counted.keys,
    )


def _in_words(n: int) -> int | str:
    return n if n <= MOST_KEPT else f"more than {MOST_KEPT:,}"


def _names(by: Any) -> list[str | int]:
    if names := named_by(by):
        return names
    if isinstance(by, bytes) or not hasattr(by, "__len__") or getattr(by, "shape", None) == () or len(by) == 0:
        raise InputTypeError(f"by must name groups of rows; got {describe(by)}. {HOW}")
    raise InputError(
        f"Rows in chunks are told apart by their columns; got {describe(by)}. Name a column, or several; one that the "
        "model does not take can be put into the rows where the model picks its columns by name."
    )


def _grouped(schema: Schema, place: int, numbers: NDArray[np.float64] | None) -> GroupedColumn:
    labels = schema.columns[place].levels if numbers is None else tuple(f"{value:g}" for value in numbers)
    return GroupedColumn(place, (*labels, label_of_missing(labels)), numbers)


def _distinct(chunk: Chunk, schema: Schema, places: Sequence[int]) -> dict[int, NDArray[np.float64]]:
    columns, out = AlignedChunk(chunk, schema).columns, dict[int, NDArray[np.float64]]()
    for place in places:
        values = columns[place].values
        assert values is not None
        out[place] = np.unique(values[~np.isnan(values)])[: MOST_KEPT + 1]
    return out


def _join_distinct(a: dict[int, NDArray[np.float64]], b: dict[int, NDArray[np.float64]]) -> Any:
    return {place: np.union1d(a[place], b[place])[: MOST_KEPT + 1] for place in a}


def _count_keys(chunk: Chunk, schema: Schema, crossed: CrossedColumns) -> KeyCounts:
    keys, place = np.unique(crossed.keys(AlignedChunk(chunk, schema)), return_inverse=True)
    weight = np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight
    counts = [np.bincount(place, each, minlength=len(keys)) for each in (np.ones(chunk.n_rows), weight > 0, weight)]
    return KeyCounts(keys, np.column_stack(counts).astype(np.float64))
