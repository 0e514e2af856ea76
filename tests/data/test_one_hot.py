"""Groups of one-hot columns: names of their levels, and each row's."""

import itertools

import numpy as np
import pytest

from tauscope.data.one_hot import (
    LevelCounts,
    OneHotGroup,
    groups_by_name,
    groups_of_rows,
    level_names,
    one_hot_codes,
)
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


def coded(random: np.random.Generator, n: int) -> np.ndarray:
    """Rows of 0/1 columns: groups with and without a level dropped, flags, and missing values together or apart."""
    parts = []
    for _ in range(random.integers(1, 4)):
        levels, dropped = int(random.integers(2, 5)), int(random.integers(2))
        part = np.eye(levels)[random.integers(levels, size=n)][:, dropped * (levels > 2) :]
        if random.random() < 0.3:
            part[random.random(n) < 0.1] = np.nan
        parts.append(part)
    parts.append(random.integers(0, 2, (n, int(random.integers(1, 3)))).astype(float))
    whole = np.column_stack(parts)
    if random.random() < 0.2:
        whole[0, 0] = np.nan
    return whole


@pytest.mark.parametrize("seed", range(60))
def test_groups_counted_in_chunks_are_those_of_all_rows(seed) -> None:
    random = np.random.default_rng(seed)
    rows = coded(random, 40)
    names = [random.choice(["a_", "b=", "c d "]) + str(k) for k in range(rows.shape[1])]
    names = names if seed % 2 else [f"x{k}" for k in range(rows.shape[1])]
    columns = range(rows.shape[1])
    cut = int(random.integers(1, 39))
    added = LevelCounts.of(columns, rows[:cut]) + LevelCounts.of(columns, rows[cut:])
    found = groups_of_rows(names, dict(enumerate(rows.T)))
    assert added.groups(names) == found == LevelCounts.of(columns, rows).groups(names)
    for group in found:
        levels = rows[:, group.columns]
        assert np.nansum(levels, axis=1).max() <= 1
        present = levels[~np.isnan(levels).any(axis=1)]
        assert group.may_be_none == bool((present.sum(axis=1) == 0).any())
        counts = present.sum(axis=0)[list(group.by_frequency)]
        assert (np.diff(counts) <= 0).all()


@pytest.mark.parametrize("may_be_none", [True, False])
@pytest.mark.parametrize("put", [[0], [2], [1, 0], [2, 1], [0, 1, 2, 3]])
def test_a_level_put_in_switches_the_others_off(put, may_be_none) -> None:
    group = OneHotGroup((5, 6, 7, 8), (3, 1, 0, 2), may_be_none)
    starts = np.vstack([np.eye(4), np.zeros((int(may_be_none), 4))])
    for values in itertools.product([0.0, 1.0], repeat=len(put)):
        rows = starts.copy()
        rows[:, put] = values
        kept = group.with_put(rows, put)
        assert set(kept.sum(axis=1)) <= ({0, 1} if may_be_none else {1})
        if any(values):
            assert (kept.argmax(axis=1) == put[values.index(1.0)]).all()
            continue
        for start, row in zip(starts, kept, strict=True):
            own = np.flatnonzero(start)
            if len(own) and own[0] not in put:
                np.testing.assert_array_equal(row, start)
            elif may_be_none:
                assert not row.any()
            else:
                assert row[put[0]] == 0
                assert row.argmax() == next(
                    (k for k in group.by_frequency if k not in put), next(k for k in group.by_frequency if k != put[0])
                )


def test_a_missing_value_put_in_leaves_all_missing_and_a_level_none() -> None:
    group = OneHotGroup((0, 1), (0, 1), False)
    np.testing.assert_array_equal(group.with_put(np.array([[np.nan, 1.0]]), [0]), [[np.nan, np.nan]])
    np.testing.assert_array_equal(group.with_put(np.array([[1.0, np.nan]]), [0]), [[1.0, 0.0]])
    np.testing.assert_array_equal(group.with_put(np.array([[0.0, np.nan]]), [0]), [[0.0, 1.0]])


def test_numbers_are_brought_to_the_nearest_level() -> None:
    rows = np.array([[[0.6, 0.9], [0.2, 0.4]], [[1.0, 0.0], [np.nan, np.nan]]])
    np.testing.assert_array_equal(
        OneHotGroup((0, 1), (0, 1), True).nearest(rows), [[[0, 1], [0, 0]], [[1, 0], [np.nan, np.nan]]]
    )
    np.testing.assert_array_equal(OneHotGroup((0, 1), (0, 1), False).nearest(rows)[0], [[0, 1], [0, 1]])
