"""Groups of one-hot columns: names of their levels, and each row's."""

import numpy as np
import pytest

from tauscope.data.one_hot import groups_by_name, level_names, one_hot_codes
from tauscope.errors import InputError
from tauscope.weights.arrays import Floats


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


def exclusive(rows: Floats, columns: list[int]) -> bool:
    return bool((rows[:, columns].sum(axis=1) <= 1).all())


@pytest.mark.parametrize("sign", ["_", "=", " ", "__", ": ", ".", "-"])
@pytest.mark.parametrize("drop_first", [True, False])
def test_levels_are_found_by_their_names_in_any_order(sign: str, drop_first: bool) -> None:
    rng = np.random.default_rng(0)
    levels = {
        "city": ["a b", "c_d", "e"],
        "job type": [1, 2, 3, 4],
        "job status": [-1.5, 0.0, 2.5],
        "y": ["", "x", "z"],
    }
    coded: dict[str, Floats] = {}
    for name, found in levels.items():
        which = rng.integers(len(found), size=40)
        which[: len(found)] = range(len(found))
        coded |= {f"{name}{sign}{level}": (which == place).astype(float) for place, level in enumerate(found)}
        if drop_first:
            del coded[f"{name}{sign}{found[0]}"]
    names = list(rng.permutation(list(coded)))
    rows = np.column_stack([coded[name] for name in names])
    groups = groups_by_name(dict(enumerate(names)), lambda columns: exclusive(rows, columns))
    found_names = {frozenset(names[j] for j in group) for group in groups}
    assert found_names == {frozenset(n for n in names if n.startswith(f"{name}{sign}")) for name in levels}


@pytest.mark.parametrize(
    "names",
    [
        ("vip", "fraud"),
        ("has_car", "has_house"),
        ("is_new", "is_old"),
        ("x1", "x2"),
        ("car_", "_car"),
    ],
)
def test_rare_flags_without_a_beginning_in_common_are_no_levels(names: tuple[str, ...]) -> None:
    assert groups_by_name(dict(enumerate(names)), lambda _: True) == ()


def test_a_flag_that_shares_the_beginning_leaves_the_levels_together() -> None:
    names = ("job_type_a", "job_type_b", "job_x", "job_y", "job_flag_on", "job_flag_off")
    rows = np.array([[1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1], [0, 1, 1, 0, 1, 0]], dtype=float)
    assert groups_by_name(dict(enumerate(names)), lambda columns: exclusive(rows, columns)) == ((0, 1), (2, 3), (4, 5))
