"""Some rows of the chunks with their columns read, drawn at random: to look new rows up in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.sample import row_keys
from tauscope.data.columns import Column
from tauscope.rows.passes import Passes
from tauscope.rows.schema import AlignedChunk, Schema, over_chunks
from tauscope.stress.towards.unlike import MOST
from tauscope.weights.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


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
        return SampledColumns(self.key[kept], tuple(_taken(column, kept) for column in self._columns), self.n)

    def as_study(self) -> StudyBase:
        """Return it in the place of a study, of which nothing but columns and number of rows is asked."""
        return cast("StudyBase", self)


def sample_columns(passes: Passes, schema: Schema, seed: int = 0) -> StudyBase:
    """Draw twice as many rows as are compared with others; all where there are no more."""
    found: SampledColumns = over_chunks(passes, schema)(_sample, 2 * MOST, seed, plus=SampledColumns.__add__)
    return found.as_study()


def _sample(chunk: AlignedChunk, n: int, seed: int) -> SampledColumns:
    return SampledColumns(row_keys(chunk.chunk, seed), chunk.columns, n).least()


def _joined(a: Column, b: Column) -> Column:
    if a.codes is None or b.codes is None:
        return _column(a, numbers=np.concatenate([_numbers(a), _numbers(b)]))
    return _column(a, codes=np.concatenate([a.codes, b.codes]))


def _taken(column: Column, kept: Bools) -> Column:
    if column.codes is None:
        return _column(column, numbers=_numbers(column)[kept])
    return _column(column, codes=column.codes[kept])


def _numbers(column: Column) -> Floats:
    assert column.values is not None
    return column.values


def _column(column: Column, *, numbers: Floats | None = None, codes: NDArray[np.int32] | None = None) -> Column:
    return Column(
        column.name,
        column.kind,
        numbers=numbers,
        codes=codes,
        levels=column.levels,
        n_missing=column.n_missing,
        unit=column.unit,
    )
