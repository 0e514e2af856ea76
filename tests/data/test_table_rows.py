"""Rows of every container: one column changed in its own type, all else as it was."""

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tauscope.data.table_rows import TableRows
from tauscope.effects import Rows
from tauscope.errors import InputError
from tauscope.study.inputs import read_inputs

FRAME = pd.DataFrame(
    {
        "real": [1.5, np.nan, 2.0, 3.0],
        "small": np.array([1, 2, 3, 4], dtype="f4"),
        "whole": [1, 2, 3, 4],
        "byte": np.array([1, 2, 3, 200], dtype="u1"),
        "flag": [True, False, True, True],
        "text": ["a", None, "b", "a"],
        "level": pd.Categorical(["x", "y", "x", "x"], categories=["y", "x", "z"], ordered=True),
        "nullable": pd.array([1, None, 3, 4], dtype="Int64"),
        "nullable_real": pd.array([1.5, None, 3, 4], dtype="Float64"),
        "nullable_flag": pd.array([True, None, False, True], dtype="boolean"),
        "day": pd.to_datetime(["2020-01-01", "2021-01-02", None, "2022-03-03"]),
        "lasting": pd.to_timedelta([1, 2, None, 3], unit="D"),
    },
    index=[5, 5, 6, 7],
)
FLAT = FRAME.reset_index(drop=True)
CONTAINERS = {
    "pandas": FRAME,
    "pandas of arrow": FLAT.convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.from_pandas(FLAT),
    "arrow": pa.Table.from_pandas(FLAT),
    "array": FRAME[["real", "small"]].to_numpy(),
    "array of ints": FRAME[["whole"]].to_numpy(),
    "array of objects": FRAME[["whole", "flag", "text", "real"]].to_numpy(),
}


def rows_of(native):
    inputs = read_inputs(native)
    return TableRows(inputs.table, inputs.columns), inputs


@pytest.mark.parametrize("name", CONTAINERS)
def test_values_come_back_as_they_went_in(name):
    native = CONTAINERS[name]
    rows, inputs = rows_of(native)
    assert isinstance(rows, Rows)
    for j, column in enumerate(inputs.columns):
        new = rows.column(j)[[3, 0, 2, 1]]
        copies = rows.substituted(np.array([0, 0, 1, 3]), (j,), new[:, None])
        assert type(copies) is type(native)
        if isinstance(native, np.ndarray):
            assert copies.dtype == native.dtype
            pd.testing.assert_frame_equal(pd.DataFrame(copies[:, [j]]), pd.DataFrame(native[[3, 0, 2, 1]][:, [j]]))
            continue
        before = nw.from_native(native, eager_only=True)
        after = nw.from_native(copies, eager_only=True)
        assert after.schema == before.schema, column.name
        assert str(after[:, j].to_list()) == str(before[:, j][[3, 0, 2, 1]].to_list()), column.name
        others = [k for k in range(len(inputs.columns)) if k != j]
        kept = before[np.array([0, 0, 1, 3])]
        assert all(str(after[:, k].to_list()) == str(kept[:, k].to_list()) for k in others)


@pytest.mark.parametrize("name", CONTAINERS)
def test_all_columns_at_once_are_rows_of_the_same_types(name):
    rows, inputs = rows_of(CONTAINERS[name])
    order = np.array([3, 0, 2, 1])
    values = np.column_stack([rows.column(j)[order] for j in range(rows.n_columns)])
    copies, _ = rows_of(rows.substituted(np.array([0, 0, 1, 3]), tuple(range(rows.n_columns)), values))
    for j in range(rows.n_columns):
        np.testing.assert_array_equal(copies.column(j), values[:, j])
    same, taken = copies.table.native, inputs.table.native
    if isinstance(taken, pd.DataFrame):
        pd.testing.assert_series_equal(same.dtypes, taken.dtypes)
        assert isinstance(same.index, pd.RangeIndex)


@pytest.mark.parametrize(("dtype", "value"), [("i8", 1.5), ("u1", 256.0), ("i4", np.nan), ("bool", np.nan)])
def test_all_columns_of_one_type_are_cast_together_and_refused_as_one_is(dtype, value):
    native = pd.DataFrame(np.eye(4), columns=list("abcd")).astype(dtype)
    rows, _ = rows_of(native)
    values = np.eye(4)[[3, 0, 2, 1]]
    copies = rows.substituted(np.zeros(4, dtype=np.int64), (0, 1, 2, 3), values)
    pd.testing.assert_frame_equal(copies, native.iloc[[3, 0, 2, 1]].reset_index(drop=True))
    values[1, 2] = value
    with pytest.raises(InputError, match="'c'"):
        rows.substituted(np.zeros(4, dtype=np.int64), (0, 1, 2, 3), values)


def test_rows_given_stay_as_they_are():
    for native in (FRAME, CONTAINERS["array"]):
        before = native.copy()
        rows, _ = rows_of(native)
        copies = rows.substituted(np.arange(4), (0,), np.full((4, 1), 9.0))
        copies[:] = 0 if isinstance(native, np.ndarray) else copies
        pd.testing.assert_frame_equal(pd.DataFrame(native), pd.DataFrame(before))


def test_a_pandas_index_starts_anew():
    rows, _ = rows_of(FRAME)
    assert list(rows.substituted(np.array([0, 0, 1]), (2,), np.full((3, 1), 2.0)).index) == [0, 1, 2]


@pytest.mark.parametrize("name", ["pandas", "polars", "arrow"])
def test_two_columns_at_once_and_a_number_no_row_has(name):
    rows, inputs = rows_of(CONTAINERS[name])
    names = [column.name for column in inputs.columns]
    where = (names.index("real"), names.index("text"))
    copies = rows.substituted(np.array([2, 0]), where, np.array([[7.25, 1.0], [np.nan, np.nan]]))
    frame = nw.from_native(copies, eager_only=True)
    assert frame["real"].to_list()[0] == 7.25
    assert frame["text"].to_list()[0] == "b"
    assert pd.isna(frame["real"].to_list()[1])
    assert pd.isna(frame["text"].to_list()[1])


def test_the_limits_of_a_type_are_known():
    rows, inputs = rows_of(FRAME)
    names = [column.name for column in inputs.columns]
    assert rows.number_limits(names.index("byte")) == (0, 255)
    assert rows.number_limits(names.index("real")) == (-np.inf, np.inf)
    low, high = rows.number_limits(names.index("nullable"))
    assert (low, np.float64(high).astype("i8")) == (-(2.0**63), 2**63 - 1024)


def test_levels_are_codes_and_know_their_order():
    rows, inputs = rows_of(FRAME)
    names = [column.name for column in inputs.columns]
    levels = {names[j] for j in rows.categorical}
    assert levels == {"flag", "text", "level", "nullable_flag"}
    assert {name for name in levels if rows.ordered(names.index(name))} == {"flag", "level", "nullable_flag"}
    np.testing.assert_array_equal(rows.column(names.index("text")), [0, np.nan, 1, 0])
    assert not rows_of(CONTAINERS["array of objects"])[0].ordered(2)


@pytest.mark.parametrize("name", ["pandas", "polars", "arrow", "pandas of arrow"])
@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("whole", 1.5, "must fit its type"),
        ("byte", 300.0, "must fit its type"),
        ("nullable", 1.5, "must fit its type"),
        ("whole", np.nan, "no row has a missing value"),
        ("flag", np.nan, "no row has a missing value"),
        ("level", 2.0, "no row has the level 'z'"),
        ("day", 2020.5, "no row has 2020-07-0"),
        ("lasting", 9.0, "no row has 9"),
    ],
)
def test_what_a_type_cannot_hold_is_refused(name, column, value, words):
    if column == "level" and name != "pandas":
        return  # elsewhere a level without rows is not known
    rows, inputs = rows_of(CONTAINERS[name])
    position = [one.name for one in inputs.columns].index(column)
    if column == "byte" and name == "pandas of arrow":
        value = 1e30
    with pytest.raises(InputError, match=words):
        rows.check_values(position, np.array([value]))
