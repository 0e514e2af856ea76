"""Chunks of two studies side by side: the same rows, as far as that can be seen."""

# Decided in docs/decisions/0038-two-studies-in-chunks-are-read-side-by-side.md.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, cast

from tauscope.errors import InputError
from tauscope.rows.in_chunks import InChunks
from tauscope.rows.passes import ChunkPasses
from tauscope.rows.reading import Chunk
from tauscope.rows.rows import Pair, Rows
from tauscope.rows.schema import AlignedChunk, Schema
from tauscope.study.stress.compare import check_alike, check_columns, same_values
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.stress.sums.chunk import RowChunk

ADVICE = "Make both studies of the same chunks: ts.ChunkedStudy(other_model, chunks)."


@dataclass(frozen=True, eq=False)
class PairedChunk(Chunk):
    """A chunk of one study with that of the same rows of another.

    Attributes
    ----------
    second : Chunk or None
    """

    second: Chunk | None = None


@dataclass(frozen=True)
class SecondModel:
    """Reads the second study's chunk; see `tauscope.stress.sums.paired.SecondReader`.

    Attributes
    ----------
    schema : Schema
        Of the second study.
    """

    schema: Schema

    def __call__(self, chunk: RowChunk) -> RowChunk:
        """Return the chunk that the second model answered."""
        second = cast(PairedChunk, cast(AlignedChunk, chunk).chunk).second
        assert second is not None
        return AlignedChunk(second, self.schema)


class PairedChunks:
    """Chunks of two studies, which are compared as they are first read.

    Parameters
    ----------
    first, second : iterable of Chunk
    """

    def __init__(self, first: Iterable[Chunk], second: Iterable[Chunk]) -> None:
        self._first, self._second = first, second
        self._n_compared = 0

    def __iter__(self) -> Iterator[PairedChunk]:
        """Read both.

        Raises
        ------
        InputError
            For other rows, truth, weights or columns, and chunks of other sizes.
        """
        for place, (one, other) in enumerate(zip_longest(self._first, self._second)):
            if one is None or other is None or one.n_rows != other.n_rows:
                sizes = [0 if each is None else each.n_rows for each in (one, other)]
                raise InputError(
                    f"Two models are compared on the same chunks; chunk {place + 1} has {count(sizes[0], 'row')} in "
                    "one study "
                    f"and {sizes[1]:,} in the other. {ADVICE}"
                )
            if place >= self._n_compared:
                _check_same(one, other)
                self._n_compared = place + 1
            yield PairedChunk(**vars(one), second=other)


def pair_with(self: ChunkedBase, second: ChunkedBase) -> Pair:
    """Return the models of two studies of the same chunks.

    Raises
    ------
    InputError
        As `paired_passes`, and for other numbers of rows, tasks or classes.
    """
    passes = paired_passes(self, second)
    alone = self._schema(self._passes()), second._schema(second._passes())
    one, other = ((each.n_rows, each.outputs.task, each.outputs.classes) for each in alone)
    check_alike(one, other, ADVICE)
    answered = replace(alone[1], outputs=replace(alone[1].outputs, classes=alone[0].outputs.classes))
    rows, others = InChunks(passes, alone[0], self._solved), InChunks(passes, answered)
    outcomes = alone[0].no_rows(), answered.no_rows()
    return Pair(rows, others, _read_second, outcomes)


def _read_second(rows: Rows) -> SecondModel:
    return SecondModel(cast(Schema, rows.summed))


def paired_passes(first: ChunkedBase, second: ChunkedBase) -> ChunkPasses:
    """Return passes over the chunks of both studies, each model being asked once about each row.

    Raises
    ------
    InputError
        For Dask's partitions, which are read in other processes, one study at a time.
    """
    both: list[ChunkPasses] = []
    for study in (first, second):
        passes = study._passes()
        if not isinstance(passes, ChunkPasses):
            raise InputError(
                "Two models are compared on chunks that are read side by side, and Dask's workers read one study at a "
                "time. Give functions that yield the partitions, or compare samples: "
                "ts.compare(first.sample(), second.sample())."
            )
        both.append(passes)
    return ChunkPasses(PairedChunks(both[0].chunks, both[1].chunks))


def _check_same(one: Chunk, other: Chunk) -> None:
    where = one.where or "a chunk"
    if not (same_values(one.y, other.y) and same_values(one.weight, other.weight)):
        raise InputError(
            f"Two models are compared on the same rows; y or the weights of these studies differ in {where}. {ADVICE}"
        )
    check_columns(one.columns, other.columns, ADVICE)
