"""The axis of an effect, its grid points in the user's terms, and tables along it: one row per point and class."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.errors import InputError, UnknownName
from tauscope.results.formatting import number
from tauscope.words import MISSING, quoted_level


@dataclass(frozen=True, eq=False)
class Axis:
    """The points of one feature at which an effect is known.

    Attributes
    ----------
    name : str
        Of the column.
    kind : {"numeric", "date", "levels"}
    points : ndarray of float64, shape (G,)
        As the engine has them: numbers (dates as decimal years), or codes of levels; NaN for missing.
    values : ndarray of shape (G,)
        In the user's terms: numbers (integers where all are), dates, or names of levels, "missing" among them.
    data : ndarray of float64, shape (n_rows,)
        The feature itself, as `points`; for rows in chunks a thousand values with their distribution.
    integer : bool
        Whether every value of a numeric feature is whole.
    unit : str
        "days" for a duration, else "".
    """

    name: str
    kind: Literal["numeric", "date", "levels"]
    points: NDArray[np.float64]
    values: NDArray[Any]
    data: NDArray[np.float64]
    integer: bool = False
    unit: str = ""

    def __len__(self) -> int:
        return len(self.points)

    @property
    def labels(self) -> tuple[str, ...]:
        """Each point in words: "38.8", "2021-03-01", "Female", "missing"."""
        return tuple(self.label(place) for place in range(len(self)))

    def label(self, place: int) -> str:
        """One point in words."""
        point = float(self.points[place])
        if self.kind == "levels":
            level = str(self.values[place])
            return level if np.isnan(point) else quoted_level(level)
        if np.isnan(point):
            return MISSING
        if self.kind == "date":
            return str(pd.Timestamp(self.values[place]).date())
        text = (
            f"{point:.0f}".replace("-", "−")
            if self.integer and point.is_integer() and abs(point) < 1e4
            else number(point)
        )
        return f"{text} {self.unit}".rstrip()

    def place(self, value: object) -> int:
        """Find the point that a person means: the level of that name, or the point nearest to a number or date.

        Raises
        ------
        UnknownName
            For a level that is not there.
        InputError
            For anything that is no number or date on such an axis.
        """
        if self.kind == "levels" or value == MISSING:
            name = str(value)
            names = [str(each) for each in self.values] if self.kind == "levels" else list(self.labels)
            if name not in names:
                raise UnknownName.among(f"level of {self.name}", name, names)
            return names.index(name)
        try:
            if self.kind == "date":
                moment = pd.Timestamp(value).to_datetime64()  # pyright: ignore[reportArgumentType]
                away = np.abs((self.values - moment) / np.timedelta64(1, "D"))
            else:
                away = np.abs(self.points - float(value))  # pyright: ignore[reportArgumentType]
        except (TypeError, ValueError):
            what = "date" if self.kind == "date" else "number"
            raise InputError(f"A point of {self.name!r} is a {what}; got {value!r}. Try {self.label(0)}.") from None
        if np.isnan(away).all():
            raise InputError(f"A point of {self.name!r} must be a number; got {value!r}. Try {self.label(0)}.")
        return int(np.nanargmin(away))


def tidy(axes: tuple[Axis, ...], classes: tuple[str, ...], columns: Mapping[str, NDArray[np.generic]]) -> pd.DataFrame:
    """Lay arrays over a grid out as rows.

    Parameters
    ----------
    axes : tuple of Axis
        One or two.
    classes : tuple of str
        A column `class` comes first where there are several.
    columns : mapping of str to ndarray of shape (q, *G) or (*G,)
        q responses; without that dimension the same for each.

    Returns
    -------
    pandas.DataFrame
        `value` (of two features `value_1` and `value_2`, the last fastest) and the columns given.
    """
    shape = tuple(len(axis) for axis in axes)
    q = max((len(values) for values in columns.values() if values.ndim > len(shape)), default=1)
    places = np.indices(shape).reshape(len(shape), -1)
    names = ("value",) if len(axes) == 1 else ("value_1", "value_2")
    data: dict[str, NDArray[np.generic]] = {}
    if q > 1:
        data["class"] = np.repeat(np.array(classes, dtype=object), places.shape[1])
    for name, axis, place in zip(names, axes, places, strict=True):
        data[name] = np.tile(axis.values[place], q)
    for name, values in columns.items():
        data[name] = np.broadcast_to(values, (q, *shape)).reshape(-1).copy()
    return pd.DataFrame(data)
