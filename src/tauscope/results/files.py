"""Files that are whole or not there: written beside the one they replace."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from shutil import copymode
from uuid import uuid4


@contextmanager
def replacing(path: str | Path) -> Generator[Path]:
    """Give a file to write, and put it in the place of another once it is written.

    Parameters
    ----------
    path : str or Path
        Where it goes; a link is followed. What is no ordinary file, such as a pipe, is written as it is.

    Yields
    ------
    Path
        Of the same folder and ending. Where the writing fails it is removed, and the file that was there stays.
    """
    path = Path(path).resolve()
    if path.exists() and not path.is_file():
        yield path
        return
    beside = path.with_name(f".{uuid4().hex}{path.suffix}")
    try:
        yield beside
        if path.exists():
            copymode(path, beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
