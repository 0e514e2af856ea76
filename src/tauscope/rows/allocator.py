"""Memory of a Dask worker while it sums over a partition.

Dask's nanny has glibc return every freed block to the system (`MALLOC_TRIM_THRESHOLD_`), so that a worker's memory is
what it holds. Sums over a partition free thousands of large arrays, and each new one then costs as many page faults as
it has pages: more than twice the processor time in all. While a partition is summed freed blocks are kept.
"""

import ctypes
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

VARIABLE = "MALLOC_TRIM_THRESHOLD_"
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Of mallopt: from how many free bytes the end of the heap, and from what size a block, goes back to the system."""
KEPT, LARGEST = 2**30, 2**25
"""Set for a partition; the second is the most that glibc takes."""
MMAP_DEFAULT = 2**17

_lock = Lock()
_n_inside = 0


@contextmanager
def freed_blocks_kept() -> Generator[None]:
    """Keep freed blocks for the arrays to come, in a worker that was told to return them; then return them."""
    library, returned = _glibc(), os.environ.get(VARIABLE, "")
    if library is None or not returned.isdigit():
        yield
        return
    _enter(library)
    try:
        yield
    finally:
        _leave(library, int(returned))


def _enter(library: Any) -> None:
    global _n_inside
    with _lock:
        _n_inside += 1
        library.mallopt(MMAP_THRESHOLD, LARGEST)
        library.mallopt(TRIM_THRESHOLD, KEPT)


def _leave(library: Any, returned: int) -> None:
    """Put back what was set, once the last thread is done."""
    global _n_inside
    with _lock:
        _n_inside -= 1
        if _n_inside:
            return
        library.mallopt(MMAP_THRESHOLD, MMAP_DEFAULT)
        library.mallopt(TRIM_THRESHOLD, min(returned, 2**31 - 1))
        library.malloc_trim(0)


@cache
def _glibc() -> Any:
    """Return the C library, where it is one with these functions; None elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        library: Any = ctypes.CDLL(None)
        return library if library.mallopt and library.malloc_trim else None
    except (OSError, AttributeError):
        return None
