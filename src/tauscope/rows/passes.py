"""Passes over rows in chunks: a function applied to each chunk, and what it returns added up."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import numpy as np
import pandas as pd

from tauscope.errors import InputError
from tauscope.model.progress_bar import Bar, progress
from tauscope.rows.allocator import freed_blocks_kept
from tauscope.rows.partitions import Partitions
from tauscope.rows.reading import Chunk, Reader, name_chunk_in_errors

T = TypeVar("T")

READING = "Reading chunks"

CHANGED = "Chunks must be the same at every reading;"
SAME_AGAIN = "Give a function that makes a new iterator over the same rows at each call, or a list."


class Passes(Protocol):
    """Something that can be read chunk by chunk, time and again."""

    def total(
        self,
        function: Callable[..., T | None],
        *args: Any,
        plus: Callable[[T, T], T],
        doing: str = READING,
        at_once: bool = False,
    ) -> T | None:
        """Apply a function to every chunk with rows, as function(chunk, *args), and add what it returns.

        Parameters
        ----------
        function : callable
        *args
        plus : callable
        doing : str
            What the bar of the pass says is done.
        at_once : bool
            Whether it shows before two seconds have gone.
        """
        ...

    def first(self, function: Callable[..., T], *args: Any) -> T:
        """Apply a function to the first chunk with rows."""
        ...

    def expect(self, n_more: int) -> None:
        """Say how many more passes there will be, for what bars show."""
        ...


class ChunkPasses:
    """Passes over chunks in this process.

    Parameters
    ----------
    chunks : iterable of Chunk
    seen : list, optional
        What tells the chunks of an earlier pass again; filled by the first.
    n_chunks : int, optional
        How many there are, where that is known before the first pass.
    """

    def __init__(
        self, chunks: Iterable[Chunk], seen: list[Hashable] | None = None, n_chunks: int | None = None
    ) -> None:
        self.chunks, self._n_passes, self._n_expected, self._n_chunks = chunks, 0, 0, n_chunks
        self._seen: list[Hashable] = [] if seen is None else seen

    def total(
        self,
        function: Callable[..., T | None],
        *args: Any,
        plus: Callable[[T, T], T],
        doing: str = READING,
        at_once: bool = False,
    ) -> T | None:
        """See `Passes`."""
        self._n_passes += 1
        total: T | None = None
        of = f" of {self._n_expected}" if self._n_passes <= self._n_expected else ""
        doing, n_chunks = f"{doing}, pass {self._n_passes}{of}", len(self._seen) or self._n_chunks
        for chunk in self._same(progress(self.chunks, doing, n_chunks, "chunk", at_once=at_once)):
            added = function(chunk, *args)
            if added is not None:
                total = added if total is None else plus(total, added)
        return total

    def expect(self, n_more: int) -> None:
        """See `Passes`."""
        self._n_expected = self._n_passes + n_more

    def _same(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """Yield the chunks of a pass; refuse those that are not what they were in the first that came to its end."""
        seen, found = self._seen, list[Hashable]()
        for chunk in chunks:
            found.append(fingerprint(chunk))
            if seen and found[-1:] != seen[len(found) - 1 : len(found)]:
                raise InputError(f"{CHANGED} {chunk.where or 'a chunk'} is not what it was. {SAME_AGAIN}")
            yield chunk
        if len(found) < len(seen):
            raise InputError(f"{CHANGED} {len(found)} came, {len(seen)} the first time. {SAME_AGAIN}")
        seen[:] = found

    def first(self, function: Callable[..., T], *args: Any) -> T:
        """See `Passes`."""
        chunk = next(iter(self.chunks), None)
        if chunk is None:
            raise InputError(f"{CHANGED} there were none this time. {SAME_AGAIN}")
        return function(chunk, *args)


class PartitionPasses:
    """Passes over the partitions of a Dask DataFrame.

    Parameters
    ----------
    partitions : Partitions
    reader : Reader
    """

    def __init__(self, partitions: Partitions, reader: Reader) -> None:
        self._partitions = partitions
        self._reader = replace(reader, names=reader.inputs(partitions.names))

    def total(
        self,
        function: Callable[..., T | None],
        *args: Any,
        plus: Callable[[T, T], T],
        doing: str = READING,
        at_once: bool = False,
    ) -> T | None:
        """See `Passes`; partitions are not counted as they are done, by others."""
        with Bar(doing, unit="partition", at_once=at_once) as bar:
            bar.update(0, len(self._partitions))
            return self._partitions.total(_read_and_apply, self._reader, function, *args, plus=plus)

    def first(self, function: Callable[..., T], *args: Any) -> T:
        """See `Passes`."""
        for number in range(1, len(self._partitions) + 1):
            answer = self._partitions.compute_partition(number, _read_and_apply, self._reader, function, *args)
            if answer is not None:
                return answer
        raise InputError("Partitions must give the same rows each time they are computed; use frame.persist() first.")

    def expect(self, n_more: int) -> None:
        """See `Passes`; a bar of partitions does not count passes."""


def fingerprint(chunk: Chunk) -> Hashable:
    """Return the number of rows of a chunk with sums over its columns and labels, to know it again by."""
    values: list[Any] = [column.codes if column.numbers is None else column.numbers for column in chunk.columns]
    sums = tuple(float(np.nansum(column)) for column in values)
    levels = tuple(column.levels for column in chunk.columns)
    labels = 0 if chunk.y is None else int(pd.util.hash_array(chunk.y).sum())
    weight = 0.0 if chunk.weight is None else float(chunk.weight.sum())
    return chunk.n_rows, sums, levels, labels, weight


def aligned(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with every number at an address that is a multiple of its size.

    What comes from another worker lies where the message put it, often off by four bytes: sums then take several times
    as long.
    """
    numbers = [j for j, dtype in enumerate(frame.dtypes) if isinstance(dtype, np.dtype) and dtype.kind in "iufb"]
    if all(frame.iloc[:, j].to_numpy().flags.aligned for j in numbers):
        return frame
    return frame.copy()


def _read_and_apply(raw: Any, where: str, reader: Reader, function: Callable[..., T | None], *args: Any) -> T | None:
    with freed_blocks_kept():
        chunk = reader(aligned(raw), where)
        if chunk is None:
            return None
        with name_chunk_in_errors(where):
            return function(chunk, *args)
