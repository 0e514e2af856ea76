"""One column of the rows under study: numbers, or codes of levels, with missing values kept."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, SupportsInt, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputTypeError, UnknownName, place_of
from tauscope.stress.joint.terms import Reading

ColumnKind = Literal["numeric", "boolean", "categorical"]


@dataclass(frozen=True, eq=False)
class Column:
    """A column as the engines can read it.

    Attributes
    ----------
    name : str
    kind : {"numeric", "boolean", "categorical"}
    numbers : ndarray of shape (n_rows,) or None
        Numeric columns: the numbers in the type they came in, often a view of the user's data; NaN is missing.
    codes : ndarray of int32, shape (n_rows,), or None
        Boolean and categorical columns: position in `levels`; -1 is missing.
    levels : tuple of str
        Names of the levels in code order, ("False", "True") for a boolean column; a level may have no row.
    lower, upper : float
        Numeric columns: least and greatest observed number, NaN where every value is missing.
    n_missing : int
        Rows without a value.
    unit : str
        "year" for a date read as a decimal year, "days" for a duration, else "".
    """

    name: str
    kind: ColumnKind
    numbers: NDArray[Any] | None = None
    codes: NDArray[np.int32] | None = None
    levels: tuple[str, ...] = ()
    lower: float = np.nan
    upper: float = np.nan
    n_missing: int = 0
    unit: str = ""

    @property
    def values(self) -> NDArray[np.float64] | None:
        """Numbers as float64, NaN where missing; None for levels. Converted anew at each call unless float64."""
        return None if self.numbers is None else np.ascontiguousarray(self.numbers, dtype=np.float64)

    @property
    def n_rows(self) -> int:
        """Number of rows, missing ones included."""
        array = self.codes if self.numbers is None else self.numbers
        return 0 if array is None else len(array)

    @property
    def reading(self) -> Reading:
        """How a mean is to be read: of dates, of days, of zeros and ones as a share, or as a number."""
        zeros_and_ones = self.unit == "" and self.lower >= 0 and self.upper <= 1 and self.integer
        return "0/1" if zeros_and_ones else cast(Reading, self.unit)

    @cached_property
    def integer(self) -> bool:
        """Whether every observed number is whole; False for levels and where all is missing."""
        if self.numbers is None or np.isnan(self.lower):
            return False
        if self.numbers.dtype.kind in "iu":
            return True
        return _whole(self.numbers[:4096]) and _whole(self.numbers)

    def taken(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> "Column":
        """Return some of the rows, what is said of all of them unchanged."""
        numbers, codes = (None if values is None else values[rows] for values in (self.numbers, self.codes))
        return replace(self, numbers=numbers, codes=codes)

    def level_counts(self, sample_weight: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Return the rows of each level, or their weight, as shape (n_levels,); missing rows in none."""
        if self.codes is None:
            return np.zeros(0)
        counted = np.bincount(self.codes + 1, sample_weight, minlength=len(self.levels) + 1)
        return counted[1:].astype(np.float64)


def numbered_place(number: SupportsInt, names: Sequence[str]) -> int:
    """Return the position of the column that a whole number means: by name where one is named so, else by position.

    Raises
    ------
    UnknownName
        For a position that is not there; and for a name, where whole numbers name all columns, so that a position
        would be a guess.
    """
    name = str(int(number))
    if name in names or all(one.removeprefix("-").isdecimal() for one in names):
        return place_of("column", name, names)
    if not 0 <= int(number) < len(names):
        raise UnknownName(f"Columns are numbered 0 to {len(names) - 1}; got {name}. Use a name or position.")
    return int(number)


def is_name(value: object) -> TypeGuard[str | int]:
    """Whether something can name one column."""
    return isinstance(value, str | int | np.integer) and not isinstance(value, bool)


def name_of(name: object, names: Sequence[str]) -> str:
    """Return the name of the column that a name or whole number means; a name as it is.

    Raises
    ------
    InputTypeError
        For what is neither.
    """
    if not is_name(name):
        raise InputTypeError(f"A feature is given by name or position; got {name!r:.80}. Try {names[0]!r}.")
    return name if isinstance(name, str) else names[numbered_place(name, names)]


def list_names(given: object, names: Sequence[str]) -> list[str]:
    """Return the names of the columns that a name, a whole number or several mean."""
    return [name_of(one, names) for one in ([given] if is_name(given) else [*cast(Iterable[Any], given)])]


def _whole(numbers: NDArray[Any]) -> bool:
    observed = numbers[~np.isnan(numbers)]
    return bool(np.all(observed == np.floor(observed)))
