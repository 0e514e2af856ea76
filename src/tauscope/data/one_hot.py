"""Groups of one-hot columns: which they are, the levels they stand for, and each row's."""

from collections.abc import Callable, Mapping

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats

BETWEEN = " _=:.-/|"
"""What stands between the name of a group and that of a level: "colour_red", "colour=red"."""
NO_LEVEL = "none of these"
"""The level of rows with 0 in every column of a group, such as that of the column dropped in encoding."""

FLAG_STEMS = {"can", "did", "does", "had", "has", "is", "no", "not", "was"}
"""What names of yes and no begin with: "has_car" and "has_house" are no levels of "has"."""


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
