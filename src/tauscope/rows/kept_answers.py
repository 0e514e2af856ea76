"""What a model answered to chunks, in a temporary file: it is asked once about each row, whatever is asked of them."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from tauscope.model.output import ModelOutput
from tauscope.rows.array_file import ArrayFile, StoredArray
from tauscope.rows.reading import Chunk

MOST_BYTES = 2**32
"""Of answers kept, 8 bytes a number; the model is asked again about chunks beyond."""


class AnsweredChunks:
    """Chunks that the model is asked about the first time that one's answers are looked at, and not again.

    Parameters
    ----------
    chunks : iterable of Chunk
        The same at each reading, as the passes over them see to.
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._chunks = chunks
        self._file = ArrayFile()
        self._answers: dict[int, tuple[StoredArray, StoredArray | None, tuple[Hashable, ...] | None]] = {}

    def __iter__(self) -> Iterator[Chunk]:
        """Read the chunks."""
        for place, chunk in enumerate(self._chunks):
            yield replace(chunk, predict=partial(self._answer, place, chunk.predict))

    def _answer(self, place: int, predict: Callable[[], ModelOutput]) -> ModelOutput:
        if place in self._answers:
            first, scores, names = self._answers[place]
            return ModelOutput(self._file.read(first), None if scores is None else self._file.read(scores), names)
        output = predict()
        if self._file.n_bytes >= MOST_BYTES:
            return output
        scores = None if output.scores is None else self._file.write(output.scores)
        self._answers[place] = self._file.write(output.first), scores, output.names
        return output
