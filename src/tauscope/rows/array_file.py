"""Arrays in an unnamed temporary file, read back by their places."""

# Labels are of any type.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels


class StoredArray(NamedTuple):
    """What of an array stays in memory.

    Attributes
    ----------
    start : int
        Where in the file it begins.
    names : list or None
        Labels that its numbers stand for.
    """

    start: int
    names: list[Any] | None


class ArrayFile:
    """A temporary file, which goes when this does.

    Attributes
    ----------
    n_bytes : int
        Written so far.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115 - read again as long as this lives
        self.n_bytes = 0
        finalize(self, self._file.close)

    def write(self, array: NDArray[Any]) -> StoredArray:
        """Append an array; one of labels as their places among them."""
        numbers, names = (array, None) if array.dtype.kind in "biuf" else labels.factorize(array)
        start = self._file.seek(self.n_bytes)
        np.save(self._file, numbers, allow_pickle=False)
        self.n_bytes = self._file.tell()
        return StoredArray(start, names)

    def read(self, stored: StoredArray) -> NDArray[Any]:
        """Return an array as it was given."""
        self._file.seek(stored.start)
        numbers = np.load(self._file, allow_pickle=False)
        if stored.names is None:
            return numbers
        table = np.empty(len(stored.names), dtype=object)
        table[:] = stored.names
        return table[numbers]
