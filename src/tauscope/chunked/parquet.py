"""Parquet files in chunks of rows."""

# pyarrow ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingImports=false

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tauscope.errors import InputError, UnknownName


def parquet_chunks(path: Path, columns: Sequence[str] | None, chunk_rows: int) -> Callable[[], Iterator[Any]]:
    """Return a function that reads a Parquet file, or the files of a folder, as pandas frames from the start.

    Parameters
    ----------
    path : Path
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
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"The folder {path.name!r} holds no .parquet file.")
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
