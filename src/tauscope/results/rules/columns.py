"""One column as rules speak of it: ends of numbers, dates and durations, and sets of levels, in a person's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from tauscope.data.dates import to_dates
from tauscope.data.one_hot import one_hot_codes
from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats
from tauscope.words import MISSING, isolated, listed, quoted_level

Kind = Literal["number", "levels", "date", "duration"]
MOST_LEVELS = 5
"""Levels listed in a condition; of more, the others are."""


@dataclass(frozen=True, eq=False)
class RuleColumn:
    """A column as the forest holds it.

    Attributes
    ----------
    name : str
    kind : {"number", "levels", "date", "duration"}
        Levels are held as codes, in the order of the mean decision of their rows: neighbours are alike.
    levels : tuple of str
        Names in that order; empty for numbers.
    integer : bool
        Whether every observed number is whole.
    one_hot : tuple of str
        Of a group of one-hot columns: the column of each level, "" of the level of rows that are 0 in all of them.
    """

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()
    integer: bool = False
    one_hot: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The study's columns it is made of: itself, or those of a group."""
        return tuple(name for name in self.one_hot if name) or (self.name,)

    def read_group(self, values: Floats, unknown: float | None = None) -> Floats:
        """Return the entries of rows (n, g) of a group's columns, in the order of `names`; NaN where missing.

        Parameters
        ----------
        values : ndarray of shape (n, g)
        unknown : float, optional
            The entry of rows of which none is 1 where that is no level; by default an error.

        Raises
        ------
        InputError
            For rows that are not one-hot, or of which none is 1 where that is no level.
        """
        codes = one_hot_codes(self.name, values)
        none = codes == values.shape[1]
        if "" not in self.one_hot:
            if unknown is not None:
                return np.where(none, unknown, codes)
            if none.any():
                raise InputError(
                    f"One of the columns of {self.name!r} is 1 in every row of the study; none is in row "
                    f"{int(none.argmax())}. Give one of {list(self.levels)}."
                )
            return codes
        place = self.one_hot.index("")
        return np.where(none, place, codes + (codes >= place))

    def value(self, entry: float) -> Any:
        """Return an entry as a person's value: a level's name, a date, a number; None if missing."""
        if np.isnan(entry):
            return None
        if self.kind == "levels":
            return self.levels[int(entry)]
        if self.kind == "date":
            return pd.Timestamp(to_dates(np.array([entry]))[0])
        return int(entry) if self.integer and entry == int(entry) else float(entry)

    def label(self, entry: float) -> str:
        """Write an entry."""
        if np.isnan(entry):
            return MISSING
        if self.kind == "levels":
            return quoted_level(self.levels[int(entry)])
        if self.kind == "date":
            return f"{self.value(entry):%Y-%m-%d}"
        return exact(entry) + (" days" if self.kind == "duration" else "")


@dataclass(frozen=True, eq=False)
class Condition:
    """What a rule asks of one column.

    Attributes
    ----------
    column : RuleColumn
    lower, upper : float
        Values above the one, and up to the other; ±∞ where a side is open. lower ≥ upper: missing values only.
    missing : bool
        Whether a missing value meets it.
    can_miss : bool
        Whether any row's value is missing.
    entry : float
        The row's own.
    lowest, highest : float
        Least and greatest value of any row.
    """

    column: RuleColumn
    lower: float
    upper: float
    missing: bool
    can_miss: bool
    entry: float
    lowest: float = np.nan
    highest: float = np.nan

    @property
    def levels(self) -> tuple[str, ...]:
        """Names of the levels that meet it; empty for numbers."""
        return tuple(name for code, name in enumerate(self.column.levels) if self.lower < code <= self.upper)

    @property
    def missing_only(self) -> bool:
        """Whether no value meets it but a missing one."""
        # trees that part missing values from all others do so at infinity
        return not self.levels if self.column.kind == "levels" else self.lower >= self.upper

    @property
    def open(self) -> bool:
        """Whether every value meets it."""
        if self.can_miss and not self.missing:
            return False
        if self.column.kind == "levels":
            return len(self.levels) == len(self.column.levels)
        return bool(np.isneginf(self.lower) and np.isposinf(self.upper))

    def holds(self, entries: Floats) -> Bools:
        """Tell which values of the column meet it, as the forest holds them: shape (n,)."""
        return np.where(np.isnan(entries), self.missing, (entries > self.lower) & (entries <= self.upper))

    @property
    def bounds(self) -> Any:
        """Return the lower end, above which, and the upper end, up to which; of levels their names."""
        return self.levels if self.column.kind == "levels" else (self.lower, self.upper)

    def __str__(self) -> str:
        return isolated(self._words())

    def _words(self) -> str:
        name = self.column.name
        if self.missing_only:
            return f"{name} is missing"
        present = self._levels() if self.column.kind == "levels" else self._range()
        if not self.can_miss:
            return present or f"any {name}"
        if not present:
            return f"any {name}" if self.missing else f"{name} is not missing"
        return f"{present}, or missing" if self.missing else present

    def _levels(self) -> str:
        name, own, every = self.column.name, self.levels, self.column.levels
        if len(own) == len(every):
            return ""
        others = [level for level in every if level not in own]
        if len(own) > MOST_LEVELS and len(others) < len(own):
            return f"{name} is not {listed(list(map(quoted_level, others)), 'or')}"
        return f"{name} is {listed(list(map(quoted_level, own)), 'or')}"

    def _range(self) -> str:
        name, low, high = self.column.name, self.lower, self.upper
        whole = self.column.integer and self.column.kind == "number"
        if whole:
            low, high = whole_above(low), np.floor(high)
        if np.isneginf(low):
            return "" if np.isposinf(high) else f"{name} ≤ {self.column.label(high)}"
        if np.isposinf(high):
            return f"{name} {'≥' if whole else '>'} {self.column.label(low)}"
        if low == high:
            return f"{name} is {self.column.label(low)}"
        if whole:
            return f"{name} from {self.column.label(low)} to {self.column.label(high)}"
        return f"{self.column.label(low)} < {name} ≤ {self.column.label(high)}"


def whole_above(value: float) -> float:
    """Return the least whole number above a number, the next one that a float can hold; an infinity is itself."""
    # beyond 2⁵³ a number plus 1 may be itself
    return float(max(np.floor(value) + 1, np.nextafter(value, np.inf))) if np.isfinite(value) else value


def exact(value: float) -> str:
    """Write a finite number with all of its digits: "5,095.5", "−0.1234"."""
    value += 0.0  # of both zeros the one without a sign
    text = f"{value:,.0f}" if value == int(value) and abs(value) < 1e15 else np.format_float_positional(value, trim="-")
    if "," not in text and abs(value) >= 1000:
        whole, _, digits = text.partition(".")
        text = f"{int(whole):,}.{digits}" if digits else f"{int(whole):,}"
    return text.replace("-", "−")
