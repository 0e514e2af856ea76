"""Groups of one-hot columns: the levels they stand for, and each row's."""

import numpy as np

from tauscope.errors import InputError
from tauscope.weights.arrays import Bools, Floats

BETWEEN = " _=:.-/|"
"""What stands between the name of a group and that of a level: "colour_red", "colour=red"."""
NO_LEVEL = "none of these"
"""The level of rows with 0 in every column of a group, such as that of the column dropped in encoding."""


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
