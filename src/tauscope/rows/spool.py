"""Chunks that can be read only once, stored in a temporary file to be read again."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace

from tauscope.data.columns import Column
from tauscope.model.consistency import SecondAnswers
from tauscope.model.output import ModelOutput
from tauscope.rows.kept import ArrayFile, StoredArray
from tauscope.rows.reading import Chunk


@dataclass(frozen=True)
class _Stored:
    """What of a chunk stays in memory: everything but its arrays.

    Attributes
    ----------
    columns : tuple of Column
    arrays : tuple of StoredArray
        Of the columns.
    answers : tuple of (StoredArray or None)
        Of y, what was predicted, scores and weights; None for what is not there.
    names : tuple or None
        Of the columns of scores.
    n_rows : int
    """

    columns: tuple[Column, ...]
    arrays: tuple[StoredArray, ...]
    answers: tuple[StoredArray | None, ...]
    names: tuple[Hashable, ...] | None
    n_rows: int


class Spool:
    """Chunks in a temporary file, which goes when this does; the model is called once, as they are written.

    Parameters
    ----------
    chunks : iterable of Chunk
        Read once, here.
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._file = ArrayFile()
        self._stored: list[_Stored] = []
        self._again: SecondAnswers | None = None
        self._fill(chunks)

    def _fill(self, chunks: Iterable[Chunk]) -> None:
        for chunk in chunks:
            output = chunk.predict()
            if not self._stored and chunk.again is not None:
                self._again = chunk.again()
            arrays: list[StoredArray] = []
            for column in chunk.columns:
                array = column.codes if column.numbers is None else column.numbers
                assert array is not None
                arrays.append(self._file.write(array))
            answers = tuple(
                None if array is None else self._file.write(array)
                for array in (chunk.y, output.first, output.scores, chunk.weight)
            )
            bare = tuple(replace(column, numbers=None, codes=None) for column in chunk.columns)
            self._stored.append(_Stored(bare, tuple(arrays), answers, output.names, chunk.n_rows))

    def __iter__(self) -> Iterator[Chunk]:
        """Read the chunks again."""
        for stored in self._stored:
            columns = tuple(
                replace(column, **{"numbers" if column.kind == "numeric" else "codes": self._file.read(array)})
                for column, array in zip(stored.columns, stored.arrays, strict=True)
            )
            y, first, scores, weight = (None if each is None else self._file.read(each) for each in stored.answers)
            assert first is not None
            output = ModelOutput(first, scores, stored.names)
            again = None if self._again is None or stored is not self._stored[0] else self._repeat
            yield Chunk(columns, y, lambda output=output: output, stored.n_rows, weight=weight, again=again)

    def _repeat(self) -> SecondAnswers:
        assert self._again is not None
        return self._again
