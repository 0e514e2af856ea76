"""Groups of one-hot columns: names of their levels, and each row's."""

import numpy as np
import pytest

from tauscope.data.one_hot import level_names, one_hot_codes
from tauscope.errors import InputError


@pytest.mark.parametrize(
    ("group", "columns", "levels"),
    [
        ("colour", ("colour_red", "colour=blue"), ("red", "blue")),
        ("colour", ("is_red", "colour_blue"), ("is_red", "blue")),
        ("colour", ("colour", "colour_blue"), ("colour", "colour_blue")),
        ("c", ("c_a", "c.a"), ("c_a", "c.a")),
    ],
)
def test_levels_are_what_follows_the_name_of_the_group(group, columns, levels) -> None:
    assert level_names(group, columns) == levels


def test_codes_are_places_of_ones() -> None:
    rows = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0], [np.nan] * 3])
    np.testing.assert_array_equal(one_hot_codes("g", rows), [1, 0, 3, np.nan])


@pytest.mark.parametrize("row", [[1, 1], [0, 2], [0.5, 0.5], [np.nan, 1], [-1, 1]])
def test_rows_that_are_not_one_hot(row) -> None:
    with pytest.raises(InputError, match=r"those of 'g' are .+ in row 1"):
        one_hot_codes("g", np.array([[0.0, 1.0], row]))
