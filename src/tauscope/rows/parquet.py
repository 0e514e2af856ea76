"""Parquet files in chunks of rows."""

# pyarrow ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingImports=false

from collections.abc import Callable, Iterator, Sequence
from glob import glob
from pathlib import Path
from typing import Any

from tauscope.errors import InputError, UnknownName


def parquet_chunks(
    path: str | Path | Sequence[str | Path], columns: Sequence[str] | None, chunk_rows: int
) -> Callable[[], Iterator[Any]]:
    """Return a function that reads a Parquet file, or the files of a folder, as pandas frames from the start.

    Parameters
    ----------
    path : str, Path, or sequence of them
        A file, a folder, a pattern such as "rows/*.parquet", or several of these.
    columns : sequence of str or None
        Columns to read; all by default.
    chunk_rows : int
        Most rows of a frame.

    Raises
    ------
    ImportError
        Without pyarrow; names the extra to install.
    InputError
        For a folder without Parquet files, a file that is none, or a number of rows below 1.
    UnknownName
        For a column that is not there.
    """
    try:
        from pyarrow import ArrowInvalid
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise ImportError("Reading Parquet needs pyarrow: pip install 'tauscope[parquet]'.") from error
    if chunk_rows < 1:
        raise InputError(f"chunk_rows must be at least 1; got {chunk_rows}.")
    paths = [path] if isinstance(path, str | Path) else list(path)
    files = [file for one in paths for file in _files(Path(one))]
    if not files:
        raise InputError("At least one Parquet file is needed; got an empty list.")
    try:
        with ParquetFile(files[0]) as first:
            names = list(first.schema_arrow.names)
    except ArrowInvalid as error:
        raise InputError(f"{files[0].name!r} is not a Parquet file: {error}") from error
    for name in columns or ():
        if name not in names:
            raise UnknownName.among("column", name, names)

    def read() -> Iterator[Any]:
        for file in files:
            with ParquetFile(file) as opened:
                for batch in opened.iter_batches(
                    batch_size=chunk_rows, columns=None if columns is None else [*columns]
                ):
                    yield batch.to_pandas()

    return read


def _files(path: Path) -> list[Path]:
    """Return a file, the Parquet files of a folder, or those that fit a pattern; by name."""
    if path.is_dir():
        found = sorted(path.glob("*.parquet"))
        if not found:
            raise InputError(f"The folder {path.name!r} holds no .parquet file.")
        return found
    if path.exists() or not any(sign in str(path) for sign in "*?["):
        return [path]
    found = [Path(name) for name in sorted(glob(str(path), recursive=True))]
    if not found:
        raise InputError(f"No file fits {path.name!r}. See what is in its folder.")
    return found
