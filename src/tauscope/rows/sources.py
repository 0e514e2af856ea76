"""What chunks come from: functions, collections, iterators, Arrow batches, lazy frames; and whether twice."""

# Chunks are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportMissingTypeStubs=false, reportMissingImports=false

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from tauscope.errors import InputError, InputTypeError
from tauscope.rows.reading import HOW_TO_GIVE_CHUNKS, Chunk, Reader
from tauscope.words import count

CHUNK_ROWS = 65_536
"""Most rows taken at once from what does not come in chunks of its own."""


class ChunkSource:
    """Chunks as a person gives them.

    Parameters
    ----------
    chunks : callable or iterable
        A function that returns a new iterator at each call; a collection or an iterator; or what gives Arrow batches
        or frames itself: a `pyarrow` dataset, scanner, table or reader, a DuckDB relation, a polars LazyFrame.

    Attributes
    ----------
    once : bool
        Whether they can be read only once: an iterator.

    Raises
    ------
    InputTypeError
        For one frame, or anything else that holds no chunks.
    """

    def __init__(self, chunks: Any) -> None:
        self._is_function = callable(chunks) and not _gives_batches(chunks)
        self._chunks = chunks if self._is_function else _check_chunks(chunks)
        self.once = isinstance(chunks, Iterator)
        self._n_given: int | None = None  # by an iterator, in its one reading
        self._ended = False

    @property
    def n_chunks(self) -> int | None:
        """Number of chunks; None where it is unknown."""
        return len(self._chunks) if isinstance(self._chunks, list | tuple) else None

    def __iter__(self) -> Iterator[Any]:
        """Read the chunks from the start.

        Raises
        ------
        InputError
            For an iterator that was read before, to its end or not.
        """
        if self._n_given is not None:
            raise InputError(self._why_not_again(self._n_given))
        chunks: Any = _check_chunks(self._chunks()) if self._is_function else self._chunks
        given = _batches(chunks) if _gives_batches(chunks) else chunks
        yield from self._counted(given) if self.once else given

    def _counted(self, chunks: Iterable[Any]) -> Iterator[Any]:
        """Yield the chunks of an iterator; count them, to say what became of it."""
        self._n_given = 0
        for chunk in chunks:
            self._n_given += 1
            yield chunk
        self._ended = True

    def _why_not_again(self, n: int) -> str:
        if self._ended:
            return (
                "These chunks came from an iterator, which is read only once, and has been. Give a list, or a "
                "function that returns a new iterator."
            )
        return (
            "These chunks came from an iterator, which is read only once, and that reading was interrupted after "
            f"{count(n, 'chunk')}, by you or by an error: what it had read is lost. Make a new study and give "
            "it a list, or a function that returns a new iterator: these can be asked again after an interrupt."
        )


def left_behind() -> Iterator[Any]:
    """Stand in the place of chunks that did not go along with a pickled result.

    Raises
    ------
    InputError
        Always.
    """
    raise InputError(
        "The chunks were left behind when a result was pickled. Use result.with_source(study) with the study it was "
        "made of."
    )


class ReadChunks:
    """Chunks with rows, read one at a time; each with the columns of the first.

    Parameters
    ----------
    chunks : ChunkSource
    reader : Reader
    """

    def __init__(self, chunks: ChunkSource, reader: Reader) -> None:
        self._chunks, self._reader = chunks, reader

    def __iter__(self) -> Iterator[Chunk]:
        """Read the chunks that have rows."""
        for number, raw in enumerate(self._chunks, 1):
            chunk = self._reader(raw, f"chunk {number}")
            if chunk is not None:
                if self._reader.names is None:
                    self._reader = replace(self._reader, names=tuple(column.name for column in chunk.columns))
                yield chunk


def _gives_batches(chunks: Any) -> bool:
    """Tell whether something gives Arrow batches or frames, and is neither a frame in memory nor an iterator."""
    if isinstance(chunks, Iterator | type):
        return False
    if hasattr(chunks, "to_batches") or hasattr(chunks, "collect_batches"):
        return True
    in_memory = nw.dependencies.is_into_dataframe(chunks) or nw.dependencies.is_into_series(chunks)
    return hasattr(chunks, "__arrow_c_stream__") and not in_memory


def _batches(chunks: Any) -> Iterator[Any]:
    if hasattr(chunks, "collect_batches"):
        yield from chunks.collect_batches(chunk_size=CHUNK_ROWS)
        return
    if hasattr(chunks, "to_batches"):
        batches = chunks.to_batches()
    else:
        from pyarrow import RecordBatchReader

        batches = RecordBatchReader.from_stream(chunks)
    for batch in batches:
        for start in range(0, batch.num_rows, CHUNK_ROWS):
            yield batch.slice(start, CHUNK_ROWS)


def _check_chunks(chunks: Any) -> Any:
    """Ask for an iterable of chunks, and return it."""
    if _gives_batches(chunks):
        return chunks
    if nw.dependencies.is_dask_dataframe(chunks):
        raise InputTypeError("A Dask DataFrame is read by partitions. Use ChunkedStudy.from_dask(model, frame).")
    single = nw.dependencies.is_into_dataframe(chunks) or isinstance(chunks, str | bytes | dict | np.ndarray)
    if single or not isinstance(chunks, Iterable):
        raise InputTypeError(f"Chunks must be an iterable; got a {type(chunks).__name__}. {HOW_TO_GIVE_CHUNKS}")
    return chunks
