"""Groups of rows: by a column, several columns crossed, a mask, or a label for every row."""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.arguments import describe
from tauscope.data.columns import Column, is_name, name_of
from tauscope.data.features import features_by_name
from tauscope.data.frames import read_vector
from tauscope.data.sparse import are_sparse
from tauscope.data.validation import check_length, check_order
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.words import label_of_missing

MOST_VALUES = 10
"""Of a column of numbers; more are no groups before someone cuts them."""
MOST_GROUPS = 200
SAMPLE = 1000
"""Numbers looked at before all of a column."""
HOW = "Give the name of a column, several names, a mask, or a label for each row."


class Groups(NamedTuple):
    """Rows in disjoint groups.

    Attributes
    ----------
    name : str
        What they are groups by: "sex", "sex, race".
    labels : tuple of str
        Distinct; each has a row.
    codes : ndarray of shape (n_rows,)
        Position in `labels`.
    """

    name: str
    labels: tuple[str, ...]
    codes: NDArray[np.intp]


def read_groups(by: Any, columns: Sequence[Column], X: Any, n_rows: int) -> Groups:
    """Read who belongs to which group.

    Parameters
    ----------
    by : str, sequence of str, or column of shape (n_rows,)
        A column's name; several, whose levels are crossed; a mask; or labels. Rows without a value are a group of their
        own, "missing".
    columns : sequence of Column
    X : rows as given
        By whose index a pandas series is checked.
    n_rows : int

    Raises
    ------
    UnknownName
        For a column that is not there.
    InputError, InputTypeError
        For more than 10 distinct numbers or 200 groups, another number of rows, and what is none of these.
    """
    known = _names(columns)
    names = named_by(by)
    # as many as rows are labels, unless they name columns
    if names and (is_name(by) or len(names) != n_rows or set(names) <= set(known)):
        return _crossed(list(dict.fromkeys(name_of(name, known) for name in names)), columns)
    if isinstance(by, bytes) or not hasattr(by, "__len__") or getattr(by, "shape", None) == () or len(by) == 0:
        raise InputTypeError(f"by must name groups of rows; got {describe(by)}. {HOW}")
    values = read_vector(by, "by")
    if values.ndim != 1:
        raise InputError(
            f"by must hold one label for each row; got shape {values.shape}. Name several columns of X, or join "
            "labels: by=one.astype(str) + ', ' + other.astype(str)."
        )
    check_length("by", values, n_rows)
    check_order(X, "by", by)
    name = getattr(by, "name", None)
    dtype = getattr(by, "dtype", None)
    # cut columns keep the order of their bins, as text they would not
    found = _of_categories(by) if isinstance(dtype, pd.CategoricalDtype) else _of_values("by", values)
    return _compact(name if isinstance(name, str) and name else "group", *found)


def group_columns(columns: Sequence[Column]) -> list[str]:
    """Return the names of columns that tell rows apart: of two levels or more, or of a few distinct numbers.

    Sparse columns are read when they are named, and none is offered.
    """
    return [] if are_sparse(columns) else [column.name for column in columns if _tells_apart(column)]


def _tells_apart(column: Column) -> bool:
    if column.codes is not None:
        return len(column.levels) > 1
    numbers = column.numbers
    if numbers is None or len(np.unique(numbers[:SAMPLE])) > MOST_VALUES + 1:
        return False
    distinct = np.unique(numbers)
    return bool(len(distinct) > 1 and np.count_nonzero(~np.isnan(distinct.astype(np.float64))) <= MOST_VALUES)


def named_by(by: object) -> list[str | int]:
    """Return names or whole numbers of columns as a list, of one too; nothing of what names none."""
    given: list[Any] = list(cast(Sequence[Any], by)) if isinstance(by, list | tuple) else [by]
    numbers = [each for each in given if not isinstance(each, str)]
    # numbers that come again are labels
    return given if all(map(is_name, given)) and len(set(numbers)) == len(numbers) else []


def _of_categories(by: Any) -> tuple[list[str], NDArray[np.intp]]:
    values = pd.Categorical(by)
    return [str(level) for level in values.categories], values.codes.astype(np.intp)


def _names(columns: Sequence[Column]) -> tuple[str, ...]:
    return columns.names if are_sparse(columns) else tuple(column.name for column in columns)


def _of_column(name: str, columns: Sequence[Column]) -> tuple[list[str], NDArray[np.intp]]:
    names = _names(columns)
    if name not in names:
        raise UnknownName.among("column", name, names)
    column = columns[names.index(name)]
    if column.codes is not None:
        return [*column.levels], column.codes.astype(np.intp)
    return _of_values(name, features_by_name(columns)[name].values())


def check_few_values(name: str, got: int | str, step: str = "") -> None:
    """Refuse a column of more different numbers than make groups.

    Parameters
    ----------
    name : str
    got : int or str
        How many, or that in words.
    step : str
        What to do instead; by default to cut the column.

    Raises
    ------
    InputError
    """
    if isinstance(got, str) or got > MOST_VALUES:
        found = got if isinstance(got, str) else f"{got:,}"
        raise InputError(
            f"A column of numbers makes groups where it has at most {MOST_VALUES} values; got {found} in {name!r}. "
            + (step or f"Cut it first: by=pd.cut(X[{name!r}], 4).")
        )


def check_few_groups(name: str, got: int | str) -> None:
    """Refuse more groups than are told apart; `got` is how many, or that in words.

    Raises
    ------
    InputError
    """
    if isinstance(got, str) or got > MOST_GROUPS:
        found = got if isinstance(got, str) else f"{got:,}"
        raise InputError(
            f"Rows are told apart by at most {MOST_GROUPS} groups; got {found} by {name!r}. Put rare ones together "
            "first."
        )


def _of_values(name: str, values: NDArray[Any]) -> tuple[list[str], NDArray[np.intp]]:
    codes, distinct = pd.factorize(values)
    if values.dtype.kind in "iufc":
        check_few_values(name, len(distinct))
    labels = [f"{value:g}" if values.dtype.kind in "iuf" else str(value) for value in distinct]
    places = range(len(distinct))
    order = sorted(places, key=lambda k: distinct[k] if values.dtype.kind in "biuf" else labels[k])
    rank = np.empty(len(order) + 1, np.intp)
    rank[order], rank[-1] = np.arange(len(order)), -1
    return [labels[k] for k in order], rank[codes]


def _crossed(names: list[str], columns: Sequence[Column]) -> Groups:
    parts = [_compact(name, *_of_column(name, columns)) for name in names]
    labels, codes = [*parts[0].labels], parts[0].codes
    for part in parts[1:]:
        labels = [f"{one}, {other}" for one in labels for other in part.labels]
        codes = codes * len(part.labels) + part.codes
        labels, codes = _with_rows(labels, codes)
    return _compact(", ".join(names), labels, codes)


def _compact(name: str, labels: list[str], codes: NDArray[np.intp]) -> Groups:
    """Drop groups without a row, and give those without a value a group."""
    missing = codes < 0
    if missing.any():
        labels, codes = [*labels, label_of_missing(labels)], np.where(missing, len(labels), codes)
    labels, codes = _with_rows(labels, codes)
    check_few_groups(name, len(labels))
    return Groups(name, tuple(labels), codes)


def _with_rows(labels: list[str], codes: NDArray[np.intp]) -> tuple[list[str], NDArray[np.intp]]:
    there, codes = np.unique(codes, return_inverse=True)
    return [labels[k] for k in there], codes.ravel()
