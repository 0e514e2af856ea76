"""Chunks that can be read only once, stored in an unnamed temporary file to be read again."""

# Chunks are of any type.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from tempfile import TemporaryFile
from typing import IO, Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from tauscope.chunked.reading import Chunk
from tauscope.data import labels
from tauscope.data.columns import Column
from tauscope.model.output import ModelOutput


@dataclass(frozen=True)
class _Stored:
    """What of a chunk stays in memory: everything but its arrays."""

    columns: tuple[Column, ...]
    arrays: tuple[
        tuple[bool, list[Any] | None], ...
    ]  # of y, what was predicted, scores, weights: whether there, and its labels
    n_rows: int


class Spool:
    """Chunks in a temporary file, which goes when this does; the model is called once, as they are written.

    Parameters
    ----------
    chunks : iterable of Chunk
        Read once, here.
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115 - read again as long as this lives
        self._stored: list[_Stored] = []
        finalize(self, self._file.close)
        self._fill(chunks)

    def _fill(self, chunks: Iterable[Chunk]) -> None:
        for chunk in chunks:
            output = chunk.predict()
            for column in chunk.columns:
                array = column.codes if column.numbers is None else column.numbers
                assert array is not None
                self._write(array)
            arrays = tuple(self._keep(array) for array in (chunk.y, output.first, output.scores, chunk.weight))
            bare = tuple(replace(column, numbers=None, codes=None) for column in chunk.columns)
            self._stored.append(_Stored(bare, arrays, chunk.n_rows))

    def __iter__(self) -> Iterator[Chunk]:
        """Read the chunks again."""
        self._file.seek(0)
        for stored in self._stored:
            columns = tuple(
                replace(column, **{"numbers" if column.kind == "numeric" else "codes": self._read()})
                for column in stored.columns
            )
            y, first, scores, weight = (self._restore(*entry) for entry in stored.arrays)
            assert first is not None
            output = ModelOutput(first, scores)
            yield Chunk(columns, y, lambda output=output: output, stored.n_rows, weight=weight)

    def _keep(self, array: NDArray[Any] | None) -> tuple[bool, list[Any] | None]:
        if array is None:
            return False, None
        if array.dtype.kind in "biuf":
            self._write(array)
            return True, None
        codes, names = labels.factorize(array)
        self._write(codes)
        return True, names

    def _restore(self, there: bool, names: list[Any] | None) -> NDArray[Any] | None:
        if not there:
            return None
        array = self._read()
        if names is None:
            return array
        table = np.empty(len(names), dtype=object)
        table[:] = names
        return table[array]

    def _write(self, array: NDArray[Any]) -> None:
        np.save(self._file, array, allow_pickle=False)

    def _read(self) -> NDArray[Any]:
        return np.load(self._file, allow_pickle=False)
