"""One short text by which the same data are known again: a hash of the rows as read, the truth and the weights."""

from collections.abc import Hashable, Iterator, Sequence
from hashlib import sha256
from json import dumps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data.columns import Column
from tauscope.data.labels import names
from tauscope.data.sparse import SparseColumns, are_sparse
from tauscope.weights.arrays import Floats

SHOWN = 16
"""Hexadecimal digits that a message shows."""


def hash_data(
    columns: Sequence[Column], truth: NDArray[np.generic] | None, classes: Sequence[Hashable], weight: Floats | None
) -> str:
    """Hash rows as the engines read them, so that the same data are known again.

    Parameters
    ----------
    columns : sequence of Column
    truth : ndarray of shape (n_rows,) or None
        Codes among `classes`, or values where there are none.
    classes : sequence of labels
    weight : ndarray of shape (n_rows,) or None
        Mean 1; all equal to 1 is as None.

    Returns
    -------
    str
        SHA-256, 64 hexadecimal digits.
    """
    digest = sha256()
    for part in _parts(columns, truth, classes, weight):
        digest.update(part)
    return digest.hexdigest()


def _parts(
    columns: Sequence[Column], truth: NDArray[np.generic] | None, classes: Sequence[Hashable], weight: Floats | None
) -> Iterator[bytes]:
    if are_sparse(columns):
        yield from _sparse(columns)
    else:
        for column in columns:
            yield from _column(column)
    if truth is not None:
        yield from _truth(truth, classes)
    if weight is not None and (weight != 1).any():
        yield _head("weights", len(weight))
        yield _numbers(weight)


def _column(column: Column) -> Iterator[bytes]:
    if column.codes is None:
        yield _head("column", column.n_rows, column.name, column.kind, column.unit)
        assert column.numbers is not None
        yield _numbers(column.numbers)
    else:
        yield from _levels(("column", column.name, column.kind), column.codes, column.levels)


def _levels(said: tuple[str, ...], codes: NDArray[np.signedinteger], levels: Sequence[str]) -> Iterator[bytes]:
    """Yield the levels that some row has by name, an order that no container changes, and each row's place."""
    used = np.flatnonzero(np.bincount(codes + 1, minlength=len(levels) + 1)[1:])
    order = sorted(used.tolist(), key=lambda code: levels[code])
    place = np.full(len(levels) + 1, -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    yield _head(*said, len(codes), [levels[code] for code in order])
    yield place[codes].astype("<i4").tobytes()


def _truth(truth: NDArray[np.generic], classes: Sequence[Hashable]) -> Iterator[bytes]:
    """Yield labels that are numbers or bools as numbers, others by their names, whatever the model could answer."""
    if not classes:
        yield _head("truth", len(truth))
        yield _numbers(truth)
        return
    codes = truth.astype(np.int64)
    numbers = [each for each in classes if isinstance(each, int | float)]
    if len(numbers) == len(classes):
        yield _head("truth", len(truth))
        yield _numbers(np.array(numbers, dtype=np.float64)[codes])
    else:
        yield from _levels(("truth",), codes, names(classes))


def _sparse(columns: SparseColumns) -> Iterator[bytes]:
    """Yield what is stored and not 0, row by row."""
    csr: Any = columns.table.csr
    stored = csr.data != 0
    n_stored: NDArray[np.int64] = np.diff(csr.indptr)
    row = np.repeat(np.arange(columns.table.n_rows), n_stored)[stored]
    yield _head("sparse", columns.table.n_rows, list(columns.names))
    yield row.astype("<i8").tobytes()
    yield csr.indices[stored].astype("<i8").tobytes()
    yield _numbers(csr.data[stored])


def _head(*said: object) -> bytes:
    return dumps(said).encode()


def _numbers(values: NDArray[np.generic]) -> bytes:
    """Numbers in eight bytes each, with one NaN and one zero."""
    numbers = values.astype("<f8")
    numbers[np.isnan(numbers)] = np.nan
    return (numbers + 0.0).tobytes()
