"""The columns of rows in chunks as few rows: those that show every range and level there is, or drawn at random."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tauscope.data.columns import Column
from tauscope.data.features import expand
from tauscope.rows.passes import Passes
from tauscope.rows.reading import Chunk
from tauscope.rows.schema import AlignedChunk, ColumnSchema, Schema, over_chunks
from tauscope.stress.sums.margins import FeatureSums, sum_features, weight_of
from tauscope.stress.towards.unlike import MOST
from tauscope.weights.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Outline:
    """Columns in the place of those of a study, and what one pass over the rows tells of their features.

    Attributes
    ----------
    columns : tuple of Column
        Of the least and the greatest number, or of each level, and of a missing value where there is one; rows of
        weight 0 left out.
    names : tuple of str
        Of every feature.
    sums : FeatureSums
        Of all rows, in the order of the names.
    """

    _columns: tuple[Column, ...]
    names: tuple[str, ...]
    sums: FeatureSums
    sample_weight: None = None

    @classmethod
    def read(cls, passes: Passes, schema: Schema) -> Outline:
        """Read the rows once."""
        whole = [_column(column, range(len(column.levels)), [0.0], missing=True) for column in schema.columns]
        names = tuple(feature.name for feature in expand(whole))
        found: _Seen = over_chunks(passes, schema)(_see, names, plus=_Seen.__add__)
        columns: list[Column] = []
        for column, seen in zip(schema.columns, found.seen, strict=True):
            place = names.index(column.name) if column.kind == "numeric" else None
            ends = [] if place is None else [float(found.sums.low[place]), float(found.sums.high[place])]
            ends = ends if np.isfinite(ends).all() else []
            columns.append(_column(column, np.flatnonzero(seen[:-1]).tolist(), ends, missing=bool(seen[-1])))
        return cls(tuple(columns), names, found.sums)

    def means(self, names: Iterable[str]) -> Floats:
        """Return the present mean of some features."""
        every = self.sums.means
        return np.array([every[self.names.index(name)] for name in names])


@dataclass(frozen=True)
class _Seen:
    """What some rows have.

    Attributes
    ----------
    sums : FeatureSums
    seen : tuple of ndarray of bool
        Of each column, which levels a row of weight above 0 has, and last whether one has no value.
    """

    sums: FeatureSums
    seen: tuple[Bools, ...]

    def __add__(self, other: _Seen) -> _Seen:
        both = tuple(a | b for a, b in zip(self.seen, other.seen, strict=True))
        return _Seen(self.sums + other.sums, both)


def _see(chunk: AlignedChunk, names: Sequence[str]) -> _Seen:
    counted = weight_of(chunk) > 0
    seen: list[Bools] = []
    for column in chunk.columns:
        if column.codes is None:
            assert column.numbers is not None
            seen.append(np.array([np.isnan(column.numbers[counted]).any()]))
        else:  # a missing value has the code -1, and counts last
            seen.append(
                np.bincount(column.codes[counted] % (len(column.levels) + 1), minlength=len(column.levels) + 1) > 0
            )
    return _Seen(sum_features(chunk, names), tuple(seen))


def _column(column: ColumnSchema, codes: Sequence[int], ends: Sequence[float], *, missing: bool) -> Column:
    if column.kind == "numeric":
        numbers = np.array([*ends, *([np.nan] if missing or not ends else [])])
        low, high = (ends[0], ends[-1]) if ends else (np.nan, np.nan)
        return Column(
            column.name, "numeric", numbers=numbers, lower=low, upper=high, n_missing=column.n_missing, unit=column.unit
        )
    every = np.array([*codes, *([-1] if missing else [])], np.int32)
    return Column(column.name, column.kind, codes=every, levels=column.levels, n_missing=column.n_missing)


def row_keys(chunk: Chunk, seed: int) -> Ints:
    """Draw a random number for each row of a chunk: the same at each reading."""
    random = np.random.default_rng([seed, *chunk.where.encode()])
    return random.integers(2**63, size=chunk.n_rows, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class SampledColumns:
    """Columns of the rows with the least keys, in the order of the chunks.

    Attributes
    ----------
    key : ndarray of int of shape (n_rows,)
    columns : tuple of Column
    n : int
        Most rows that are kept.
    """

    key: Ints
    _columns: tuple[Column, ...]
    n: int

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.key)

    def __add__(self, other: SampledColumns) -> SampledColumns:
        """Return the sample of both sets of rows."""
        columns = tuple(_joined(a, b) for a, b in zip(self._columns, other._columns, strict=True))
        return SampledColumns(np.concatenate([self.key, other.key]), columns, self.n).least()

    def least(self) -> SampledColumns:
        """Keep as many rows as are wanted."""
        if len(self.key) <= self.n:
            return self
        kept = self.key <= np.partition(self.key, self.n - 1)[self.n - 1]
        return SampledColumns(self.key[kept], tuple(column.taken(kept) for column in self._columns), self.n)


def sample_columns(passes: Passes, schema: Schema, seed: int = 0) -> SampledColumns:
    """Draw twice as many rows as are compared with others; all where there are no more."""
    found: SampledColumns = over_chunks(passes, schema)(_sample, 2 * MOST, seed, plus=SampledColumns.__add__)
    return found


def _sample(chunk: AlignedChunk, n: int, seed: int) -> SampledColumns:
    return SampledColumns(row_keys(chunk.chunk, seed), chunk.columns, n).least()


def _joined(a: Column, b: Column) -> Column:
    numbers = None if a.numbers is None or b.numbers is None else np.concatenate([a.numbers, b.numbers])
    codes = None if a.codes is None or b.codes is None else np.concatenate([a.codes, b.codes])
    return replace(a, numbers=numbers, codes=codes)
