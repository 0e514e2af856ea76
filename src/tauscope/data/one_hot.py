"""Groups of one-hot columns: which they are, the levels they stand for, and each row's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats, Ints

BETWEEN = " _=:.-/|"
"""What stands between the name of a group and that of a level: "colour_red", "colour=red"."""
NO_LEVEL = "none of these"
"""The level of rows with 0 in every column of a group, such as that of the column dropped in encoding."""

FLAG_STEMS = {"can", "did", "does", "had", "has", "is", "no", "not", "was"}
"""What names of yes and no begin with: "has_car" and "has_house" are no levels of "has"."""


@dataclass(frozen=True)
class OneHotGroup:
    """Columns of 0 and 1 that are levels of one column: at most one is 1 in a row, and they are missing together.

    Attributes
    ----------
    columns : tuple of int
    by_frequency : tuple of int
        Places among them, that of most rows first.
    may_be_none : bool
        Whether some row has 0 in all of them, as where a level was dropped in encoding.
    """

    columns: tuple[int, ...]
    by_frequency: tuple[int, ...]
    may_be_none: bool

    @classmethod
    def counted(cls, columns: Sequence[int], n_ones: Sequence[float], n_present: float) -> "OneHotGroup":
        """Make a group of columns, the number of rows with 1 in each, and that of rows that are not missing."""
        order = np.argsort(-np.asarray(n_ones, dtype=np.float64), kind="stable")
        return cls(tuple(columns), tuple(order.tolist()), bool(sum(n_ones) < n_present))

    def without(self, places: Sequence[int]) -> int | None:
        """Return what a row gets whose level is put to 0: the place of the most frequent other one, None for none."""
        others = [place for place in self.by_frequency if place not in places]
        others = others or [place for place in self.by_frequency if place != places[0]]
        return None if self.may_be_none else others[0]

    def note(self, place: int, names: Sequence[str]) -> str:
        """Say what the other columns do where one is put in; `names` are those of all columns."""
        own, others = names[self.columns[place]], [j for k, j in enumerate(self.columns) if k != place]
        rest = " and ".join(repr(names[j]) for j in others) if len(others) < 4 else f"its {len(others)} other levels"
        other = self.without([place])
        instead = "none of them" if other is None else f"{names[self.columns[other]]!r}, the most frequent other level"
        return (
            f"one-hot columns change together: where {own!r} is set to 1, {rest} become 0; where it is set to 0, rows "
            f"that had it get {instead}"
        )

    def with_put(self, values: Floats, put: Sequence[int]) -> Floats:
        """Return levels of rows some of which were just put in, the others as these ask for.

        Parameters
        ----------
        values : ndarray of shape (m, g)
            The group's columns after that.
        put : sequence of int
            Places put in; where several are 1 the first is.

        Returns
        -------
        ndarray of shape (m, g)
            A level put in switches the others off. A row whose own level was put to 0 gets what `without` says.
        """
        known, places = np.where(np.isnan(values), 0.0, values), np.array(put)
        on = known[:, places] != 0
        is_level: Bools = np.equal(np.arange(len(self.columns)), places[on.argmax(axis=1)][:, None])
        kept = np.where(is_level | ~on.any(axis=1)[:, None], known, 0.0)
        other = self.without(put)
        if other is not None:
            kept[~known.any(axis=1), other] = 1.0
        return np.where(np.isnan(values[:, places[:1]]), np.nan, kept)

    def nearest(self, values: Floats) -> Floats:
        """Return the rows with at most one level that numbers (…, g) are nearest to; missing where any is."""
        level = np.argmax(np.nan_to_num(values, nan=-np.inf), axis=-1)[..., None]
        on: Bools = np.equal(np.arange(len(self.columns)), level)
        if self.may_be_none:
            on &= np.take_along_axis(values, level, axis=-1) >= 0.5
        return np.where(np.isnan(values).any(axis=-1, keepdims=True), np.nan, on.astype(np.float64))


@dataclass(frozen=True, eq=False)
class LevelCounts:
    """Columns of 0 and 1 of some rows: how often each is 1, and which two cannot be levels of one column.

    Attributes
    ----------
    columns : tuple of int
    n_ones, n_missing : ndarray of int, shape (k,)
    apart : ndarray of bool, shape (k, k)
        Whether some row has 1 in both, or misses one of the two alone.
    n_rows : int
    """

    columns: tuple[int, ...]
    n_ones: Ints
    n_missing: Ints
    apart: Bools
    n_rows: int

    @classmethod
    def of(cls, columns: Sequence[int], values: Floats) -> "LevelCounts":
        """Count in rows (n, k) of 0, 1 and NaN; columns of anything else are left out."""
        binary = [k for k in range(len(columns)) if np.isin(values[~np.isnan(values[:, k]), k], (0.0, 1.0)).all()]
        values = values[:, binary]
        ones, gaps = (values == 1).astype(np.float32), np.isnan(values).astype(np.float32)
        apart = (ones.T @ ones > 0) & ~np.eye(len(binary), dtype=np.bool_)
        alone = gaps.T @ (1 - gaps) > 0
        n_ones, n_missing = (part.sum(axis=0, dtype=np.float64).astype(np.int64) for part in (ones, gaps))
        return cls(tuple(columns[k] for k in binary), n_ones, n_missing, apart | alone | alone.T, len(values))

    def __add__(self, other: "LevelCounts") -> "LevelCounts":
        """Return the counts over both row sets, of the columns of 0 and 1 in both."""
        columns = tuple(column for column in self.columns if column in other.columns)
        a, b = ([of.columns.index(column) for column in columns] for of in (self, other))
        return LevelCounts(
            columns,
            self.n_ones[a] + other.n_ones[b],
            self.n_missing[a] + other.n_missing[b],
            self.apart[np.ix_(a, a)] | other.apart[np.ix_(b, b)],
            self.n_rows + other.n_rows,
        )

    def groups(self, names: Sequence[str]) -> tuple[OneHotGroup, ...]:
        """Find groups among the columns; `names` are those of all."""
        place = {column: k for k, column in enumerate(self.columns)}

        def are_levels(group: Sequence[int]) -> bool:
            places = [place[column] for column in group]
            return not self.apart[np.ix_(places, places)].any()

        n_ones, n_missing = (dict(zip(self.columns, n.tolist(), strict=True)) for n in (self.n_ones, self.n_missing))
        return find_groups(names, n_ones, n_missing, self.n_rows, are_levels)


def groups_of_rows(names: Sequence[str], values: Mapping[int, Floats]) -> tuple[OneHotGroup, ...]:
    """Find groups among columns of 0 and 1, by position, NaN where missing; `names` are those of all."""
    n_missing = {j: int(np.isnan(column).sum()) for j, column in values.items()}
    n_ones = {j: int(np.nansum(column)) for j, column in values.items()}
    n_rows = max(map(len, values.values()), default=0)
    return find_groups(names, n_ones, n_missing, n_rows, lambda group: are_levels(values, group))


def find_groups(
    names: Sequence[str],
    n_ones: Mapping[int, int],
    n_missing: Mapping[int, int],
    n_rows: int,
    are_levels: Callable[[Sequence[int]], bool],
) -> tuple[OneHotGroup, ...]:
    """Find groups of columns of 0 and 1 of which each row has at most one at 1: by names, or as each row has one.

    Parameters
    ----------
    names : sequence of str
        Of all columns.
    n_ones, n_missing : mapping of int to int
        Rows with 1 and without a value in each column of 0 and 1, by position.
    n_rows : int
    are_levels : callable
        Whether of some columns at most one is 1 in every row, and all are missing together.
    """
    by_name = groups_by_name(
        {j: names[j] for j in n_ones},
        lambda group: any(0 < n_ones[j] < n_rows - n_missing[j] for j in group) and are_levels(group),
    )
    taken = {j for group in by_name for j in group}
    rest = {j: n for j, n in n_ones.items() if j not in taken and not n_missing[j]}
    groups = sorted([*by_name, *_adjacent_groups(rest, n_rows, are_levels)])
    return tuple(
        OneHotGroup.counted(group, [n_ones[j] for j in group], n_rows - n_missing[group[0]]) for group in groups
    )


def switched_off(
    groups: Sequence[OneHotGroup], names: Sequence[str], own: Mapping[str, Any], values: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the columns that become 0 where a row is given other values of some: a row has one level of a group.

    Parameters
    ----------
    groups : sequence of OneHotGroup
    names : sequence of str
        Of all columns.
    own : mapping of str to number or bool
        The row's own values; those left out are not 1.
    values : mapping of str to number or bool
        The other values, by name.

    Raises
    ------
    InputError
        For two levels of one group, or where no row is left without one.
    """
    off: list[str] = []
    for group in groups:
        columns = [names[j] for j in group.columns]
        put = [name for name in columns if name in values]
        on = [name for name in put if values[name] == 1]
        had = [name for name in columns if own.get(name) == 1]
        if len(on) > 1:
            raise InputError(f"A row has one level of a one-hot column; got 1 for {on[0]!r} and {on[1]!r}. Keep one.")
        if on:
            off += [name for name in had if name not in put]
        elif had and set(had) <= set(put) and not group.may_be_none and all(values[name] == 0 for name in put):
            others = ", ".join(repr(name) for name in columns if name not in put)
            raise InputError(
                f"Every row has a level of these one-hot columns; got 0 for {had[0]!r}, which is this row's. Set "
                f"another of them to 1: {others or 'none is left'}."
            )
    return tuple(off)


def is_binary(values: Floats) -> bool:
    """Whether a column holds 0 and 1 alone."""
    present = values[~np.isnan(values)]
    return bool(np.isin(present, (0.0, 1.0)).all()) and len(present) > 0


def are_levels(values: Mapping[int, Floats], group: Sequence[int]) -> bool:
    """Whether of 0/1 columns at most one is 1 in every row, and all are missing together."""
    first = values[group[0]]
    total, missing = np.zeros(len(first)), np.isnan(first)
    for j in group:
        total += values[j]  # missing once it is missing in any
        if (total > 1).any() or not np.array_equal(np.isnan(values[j]), missing):
            return False
    return True


def _adjacent_groups(
    n_ones: Mapping[int, int], n_rows: int, are_levels: Callable[[Sequence[int]], bool]
) -> list[tuple[int, ...]]:
    """Find runs of adjacent 0/1 columns that sum to 1 in every row, the shortest from each place on."""
    groups: list[tuple[int, ...]] = []
    taken = -1
    for first in n_ones:
        if first <= taken:
            continue
        total, last = n_ones[first], first
        while last + 1 in n_ones and (total < n_rows or last == first):
            last += 1
            total += n_ones[last]
        run = tuple(range(first, last + 1))
        if total == n_rows and len(run) > 1 and are_levels(run):
            groups.append(run)
            taken = last
    return groups


def groups_by_name(names: Mapping[int, str], are_levels: Callable[[list[int]], bool]) -> tuple[tuple[int, ...], ...]:
    """Find columns of 0 and 1 that are levels of one column, by their names.

    Encoders name a column after what it encodes and one of its levels: "colour_red", "colour=red". The rows alone tell
    levels from other columns only where one of them is 1 in every row; with a level dropped in encoding two rare flags
    look alike, so that the names have to agree as well.

    Parameters
    ----------
    names : dict of int to str
        Of the columns of 0 and 1, by position.
    are_levels : callable
        Whether of some columns at most one is 1 in every row.

    Returns
    -------
    tuple of tuple of int
        The most columns that share a beginning and are levels, ascending; by their first column.
    """
    stems = {j: found for j, name in names.items() if (found := _stems(name)) and found[0].lower() not in FLAG_STEMS}
    return tuple(sorted(_split(list(stems), stems, 0, are_levels)))


def _stems(name: str) -> list[str]:
    """Return what a name begins with before each sign that may stand between, the shortest first."""
    ends = [i for i, sign in enumerate(name) if sign in BETWEEN]
    return list(dict.fromkeys(stem for end in ends if (stem := name[:end].rstrip(BETWEEN))))


def _split(
    columns: list[int], stems: dict[int, list[str]], depth: int, are_levels: Callable[[list[int]], bool]
) -> list[tuple[int, ...]]:
    """Find groups among columns that share what they begin with up to a depth, those with more of it in common first.

    Columns that are no group together are parted by a longer beginning; those that have none of it left are tried.
    """
    by_stem: dict[str, list[int]] = {}
    for j in columns:
        by_stem.setdefault(stems[j][depth] if depth < len(stems[j]) else "", []).append(j)
    groups: list[tuple[int, ...]] = []
    rest = by_stem.pop("", [])
    for some in by_stem.values():
        if len(some) == 1 and depth:
            rest += some
        elif len(some) > 1 and are_levels(some):
            groups.append(tuple(some))
        elif len(some) > 1:
            groups += _split(some, stems, depth + 1, are_levels)
    if len(rest) > 1 and len(rest) < len(columns) and are_levels(rest):
        groups.append(tuple(sorted(rest)))
    return groups


def level_names(group: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the columns of a group stand for: of "colour" and "colour_red" it is "red"."""
    short = tuple(one[len(group) :].lstrip(BETWEEN) if one.startswith(group) else one for one in columns)
    return short if all(short) and len(set(short)) == len(short) and NO_LEVEL not in short else columns


def one_hot_codes(group: str, values: Floats) -> Floats:
    """Return the place of the column that is 1 in each row (n, g), g where none is; NaN where missing.

    Raises
    ------
    InputError
        For rows that are not one-hot.
    """
    missing = np.isnan(values)
    one_hot = np.isin(values, (0.0, 1.0)).all(axis=1) & (np.nansum(values, axis=1) <= 1)
    wrong = np.flatnonzero(~one_hot & ~missing.all(axis=1))
    if len(wrong):
        raise InputError(
            f"The columns of a group are 0 or 1, at most one of them 1, and missing together; those of {group!r} are "
            f"{values[wrong[0]].tolist()} in row {wrong[0]}. Leave the group out, or mend the rows."
        )
    ones: Bools = values == 1
    codes: Floats = np.where(np.logical_or.reduce(ones, axis=1), ones.argmax(axis=1), float(values.shape[1]))
    return np.where(missing.any(axis=1), np.nan, codes)
