"""One column of a boundary's points: how its numbers and codes read to a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from tauscope.data.dates import to_dates
from tauscope.results.formatting import number, signed
from tauscope.words import MISSING, quoted_level

HeldWhy = Literal["", "fixed", "constant", "type", "bounds"]
"""Why a column cannot change: it can; it was named; it has one value; its type takes only values that some row has;
its bounds leave one value."""


@dataclass(frozen=True, eq=False)
class BoundaryColumn:
    """A column as a boundary's points hold it.

    Attributes
    ----------
    name : str
    kind : {"number", "levels", "date", "duration"}
        Levels are in the points as codes; ordered ones too.
    levels : tuple of str
        Names in code order; empty for numbers.
    scale : float
        One unit of distance in the column's own unit; of levels 1.
    integer : bool
        Whether only whole numbers are searched.
    ordered : bool
        Whether codes of levels are numbers of a scale, gone through one by one.
    block : int
        Number of the group of columns that change together from level to level; −1 for none.
    held : {"", "fixed", "constant", "type", "bounds"}
        Why it cannot change in any row; "" where it can.
    """

    name: str
    kind: Literal["number", "levels", "date", "duration"]
    levels: tuple[str, ...] = ()
    scale: float = 1.0
    integer: bool = False
    ordered: bool = False
    block: int = -1
    held: HeldWhy = ""

    @property
    def boolean(self) -> bool:
        """Whether the levels are False and True."""
        return self.levels == ("False", "True")

    def value(self, entry: float) -> Any:
        """Return an entry of the points as a person's value: a level's name, a bool, a date; None if missing."""
        if np.isnan(entry):
            return None
        if self.kind == "levels":
            return bool(entry) if self.boolean else self.levels[int(entry)]
        if self.kind == "date":
            return pd.Timestamp(to_dates(np.array([entry]))[0])
        return int(entry) if self.integer and entry == int(entry) else float(entry)

    def label(self, value: float) -> str:
        """Write a number or code of the points."""
        plain = self.value(value)
        if plain is None:
            return MISSING
        if self.kind == "levels":
            return quoted_level(str(plain))
        return number(value) if isinstance(plain, int | float) else str(plain)

    def label_from(self, start: float, value: float) -> str:
        """Write an entry that was another: "41"; where both read alike, by how much it moved: "21.1 (+3e−10)"."""
        label = self.label(value)
        alike = abs(value - start) > 0 and label == self.label(start)
        return f"{label} ({signed(number(value - start))})" if alike else label

    def change(self, start: float, value: float) -> str:
        """Write an entry before and after: "38 → 41"."""
        return f"{self.label(start)} → {self.label_from(start, value)}"
