"""Which rows a person looks for, in which order, and what they weigh: the rule of the page, for rows past its budget.

Values are looked at as they are written to the page, so that both answer alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from tauscope.data.dates import to_dates
from tauscope.results.workspace.table import NEAR
from tauscope.weights.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    from tauscope.results.workspace.row_column import RowColumn
    from tauscope.results.workspace.table import RowTable

RowFilter = Literal["all", "errors", "near", "selected", "inside"]
FILTERS: tuple[RowFilter, ...] = ("all", "errors", "near", "selected", "inside")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
ROW = re.compile(r"#?\d+", re.ASCII)
OWN_ROW = re.compile(r"#\d+", re.ASCII)
LARGEST_F4 = float(np.finfo(np.float32).max)


class Query(NamedTuple):
    """What is looked for; `sort` names a column or a weight, "" leaves the study's order."""

    search: str = ""
    filter: RowFilter = "all"
    sort: str = ""
    descending: bool = False


class RowGroupMessage(TypedDict):
    """Some rows: how many, their share of all weight and of it the misclassified, as tested and under the stress.

    None where there is no stress, no row, or nothing is misclassified because nothing is labelled.
    """

    n: int
    share: float
    share_after: float | None
    errors: float | None
    errors_after: float | None


def written(column: RowColumn) -> NDArray[Any]:
    """Return a column as the page has it: codes in as few bytes as hold them, the largest for missing; else floats.

    Numbers are float32 but where that would lose a whole one, or infinity; dates are days since 1970.
    """
    values = column.values
    if column.kind == "levels":
        kind = "u1" if len(column.levels) < 255 else "<u2" if len(column.levels) < 65_535 else "<u4"
        missing = np.iinfo(kind).max
        return np.where(values < 0, missing, values).astype(kind)
    numbers = _days(values) if column.kind == "date" else values.astype("<f8")
    finite = numbers[np.isfinite(numbers)]
    exact = column.whole or column.kind == "date"
    with np.errstate(over="ignore"):
        narrow = numbers.astype("<f4")
    fits = not finite.size or np.abs(finite).max() < LARGEST_F4
    if fits and (not exact or np.array_equal(narrow.astype("<f8"), numbers, equal_nan=True)):
        return narrow
    return numbers


def _days(years: NDArray[Any]) -> Floats:
    seconds = to_dates(years.astype(np.float64))
    days = seconds.astype(np.int64) / 86_400
    return np.where(np.isnat(seconds), np.nan, days)


@dataclass(frozen=True, eq=False)
class Listing:
    """The rows of a table as the page has them, to be looked through.

    Attributes
    ----------
    table : RowTable
    columns : tuple of ndarray of shape (n_rows,)
        See `written`.
    weight_names : tuple of str
        What `sort` calls the weights as tested and under the stress.
    near : float or None
        Distance from the threshold within which the rows nearest to it lie.
    """

    table: RowTable
    columns: tuple[NDArray[Any], ...]
    weight_names: tuple[str, str]
    near: float | None

    def errors(self) -> Bools | None:
        """Tell which rows are misclassified; None where nothing is labelled, and of a regression."""
        truth, predicted = self.table._column("truth"), self.table._column("predicted")
        if truth is None or predicted is None or truth.kind != "levels":
            return None
        return truth.values != predicted.values

    def find(
        self, query: Query, selection: Sequence[int], after: Floats | None, inside: Sequence[int] | Ints = ()
    ) -> Ints:
        """Return positions of the rows looked for, in the order wanted; missing values come last.

        `inside` are the rows of the filter of that name.
        """
        keep = self._kept(query.filter, inside if query.filter == "inside" else selection) & self._holds(
            query.search.strip().lower()
        )
        found = np.flatnonzero(keep)
        key = self._key(query.sort, after)
        if key is None:
            return found[::-1] if query.descending else found
        key = key[found]
        return found[np.argsort(-key if query.descending else key, kind="stable")]

    def _kept(self, row_filter: RowFilter, selection: Sequence[int] | Ints) -> Bools:
        n = self.table.n_rows
        match row_filter:
            case "errors":
                errors = self.errors()
                return np.zeros(n, dtype=np.bool_) if errors is None else errors
            case "near":
                return self._near()
            case "selected" | "inside":
                chosen = np.zeros(n, dtype=np.bool_)
                chosen[np.asarray(selection, dtype=np.intp)] = True
                return chosen
            case "all":
                return np.ones(n, dtype=np.bool_)

    def _near(self) -> Bools:
        threshold = self.table.threshold
        if threshold is None or self.near is None:
            return np.zeros(self.table.n_rows, dtype=np.bool_)
        return _distances(self.columns[self._place("score")], threshold) <= self.near

    def _place(self, role: str) -> int:
        return [column.role for column in self.table.columns].index(role)

    def _holds(self, text: str) -> Bools:
        """Tell which rows hold a text: in a level's name, as the beginning of a date, as a number or the row's own.

        A number is sought as a whole, in names too; "#17" is row 17 alone.
        """
        n = self.table.n_rows
        if not text:
            return np.ones(n, dtype=np.bool_)
        found = np.zeros(n, dtype=np.bool_)
        if ROW.fullmatch(text):
            row = int(text.removeprefix("#"))
            if row < n:
                found[row] = True
        if OWN_ROW.fullmatch(text):
            return found
        plain = text.replace("−", "-").replace(",", "")
        number = float(plain) if NUMBER.fullmatch(plain) else None
        for column, values in zip(self.table.columns, self.columns, strict=True):
            if column.kind == "levels":
                names = [level.lower() for level in column.levels]
                codes = [k for k, name in enumerate(names) if (text in name if number is None else text == name)]
                found |= np.isin(values, codes)
            elif column.kind == "date":
                found |= np.char.startswith(_iso(values), text)
            elif number is not None:
                found |= values == values.dtype.type(number)
        return found

    def _key(self, sort: str, after: Floats | None) -> Floats | None:
        if sort == "":
            return None
        if sort in self.weight_names:
            weight = after if sort == self.weight_names[1] else self.table.weight
            return None if weight is None else weight.astype("<f4").astype(np.float64)
        place = [column.name for column in self.table.columns].index(sort)
        values = self.columns[place]
        missing = values == np.iinfo(values.dtype).max if values.dtype.kind == "u" else np.isnan(values)
        return np.where(missing, np.nan, values.astype(np.float64))

    def group(self, rows: Ints | list[int], after: Floats | None) -> RowGroupMessage:
        """Weigh some rows."""
        before = np.ones(self.table.n_rows) if self.table.weight is None else self.table.weight
        share, errors = self._weigh(rows, before)
        share_after, errors_after = (None, None) if after is None else self._weigh(rows, after)
        return {
            "n": len(rows),
            "share": float(share or 0.0),
            "share_after": share_after,
            "errors": errors,
            "errors_after": errors_after,
        }

    def _weigh(self, rows: Ints | list[int], weight: Floats) -> tuple[float, float | None]:
        errors, inside = self.errors(), weight[rows]
        total = float(inside.sum())
        wrong = None if errors is None or total == 0 else float(inside[errors[rows]].sum() / total)
        return total / float(weight.sum()), wrong


def listing_of(table: RowTable) -> Listing:
    """Write the columns of a table as the page has them."""
    columns = tuple(written(column) for column in table.columns)
    taken = ["row", *(column.name for column in table.columns)]
    names = ("weight", next(name for name in (AFTER, f"{AFTER} (2)") if name not in taken))
    near = None
    if table.threshold is not None:
        place = [column.role for column in table.columns].index("score")
        near = float(np.quantile(_distances(columns[place], table.threshold), NEAR, method="lower"))
    return Listing(table, columns, names, near)


AFTER = "weight under the stress"


def _distances(score: NDArray[Any], threshold: float) -> Floats:
    return np.abs(score.astype(np.float64) - threshold)


def _iso(days: NDArray[Any]) -> NDArray[np.str_]:
    missing = np.isnan(days)
    whole = np.floor(np.where(missing, 0, days)).astype("datetime64[D]")
    return np.where(missing, "", whole.astype(np.str_))
