"""Memory that is kept between batches of columns."""

from math import prod

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class BufferPool:
    """Places for large arrays, one a name, written anew by each batch.

    Arrays of a megabyte are given back to the system when they are freed; fetching them again for every batch took a
    fifth of the time of all curves.
    """

    def __init__(self) -> None:
        self._buffers: dict[str, Array] = {}

    def empty(self, name: str, shape: tuple[int, ...]) -> Array:
        """Return an uninitialised array; the next request for the same name reuses its memory."""
        size = prod(shape)
        buffer = self._buffers.get(name)
        if buffer is None or buffer.size < size:
            buffer = self._buffers[name] = np.empty(size)
        return buffer[:size].reshape(shape)
