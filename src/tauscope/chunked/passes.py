"""Passes over rows in chunks: a function applied to each chunk, and what it returns added up."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from tauscope.chunked.partitions import Partitions
from tauscope.chunked.reading import Chunk, Reader, name_chunk_in_errors
from tauscope.errors import InputError
from tauscope.model.progress_bar import progress

T = TypeVar("T")


class Passes(Protocol):
    """Something that can be read chunk by chunk, time and again."""

    def total(self, function: Callable[..., T | None], *args: Any, plus: Callable[[T, T], T]) -> T | None:
        """Apply a function to every chunk with rows, as function(chunk, *args), and add what it returns."""
        ...

    def first(self, function: Callable[..., T], *args: Any) -> T:
        """Apply a function to the first chunk with rows."""
        ...


class ChunkPasses:
    """Passes over chunks in this process.

    Parameters
    ----------
    chunks : iterable of Chunk
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._chunks, self._n_passes = chunks, 0

    def total(self, function: Callable[..., T | None], *args: Any, plus: Callable[[T, T], T]) -> T | None:
        """See `Passes`."""
        self._n_passes += 1
        total: T | None = None
        for chunk in progress(self._chunks, f"Reading chunks, pass {self._n_passes}", None, "chunk"):
            added = function(chunk, *args)
            if added is not None:
                total = added if total is None else plus(total, added)
        return total

    def first(self, function: Callable[..., T], *args: Any) -> T:
        """See `Passes`."""
        return function(next(iter(self._chunks)), *args)


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

    def total(self, function: Callable[..., T | None], *args: Any, plus: Callable[[T, T], T]) -> T | None:
        """See `Passes`."""
        return self._partitions.total(_read_and_apply, self._reader, function, *args, plus=plus)

    def first(self, function: Callable[..., T], *args: Any) -> T:
        """See `Passes`."""
        for number in range(1, len(self._partitions) + 1):
            answer = self._partitions.compute_partition(number, _read_and_apply, self._reader, function, *args)
            if answer is not None:
                return answer
        raise InputError("Partitions must give the same rows each time they are computed; use frame.persist() first.")


def _read_and_apply(raw: Any, where: str, reader: Reader, function: Callable[..., T | None], *args: Any) -> T | None:
    chunk = reader(raw, where)
    if chunk is None:
        return None
    with name_chunk_in_errors(where):
        return function(chunk, *args)
