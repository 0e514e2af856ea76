"""Rows of every container: one column changed in its own type, all else as it was."""

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tauscope as ts
from tauscope.data.table_rows import TableRows
from tauscope.effects import Rows
from tauscope.errors import InputError
from tauscope.rows.inputs import read_inputs

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
@pytest.mark.slow
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
@pytest.mark.slow
def test_what_a_type_cannot_hold_is_refused(name, column, value, words):
    if column == "level" and name != "pandas":
        return  # elsewhere a level without rows is not known
    rows, inputs = rows_of(CONTAINERS[name])
    position = [one.name for one in inputs.columns].index(column)
    if column == "byte" and name == "pandas of arrow":
        value = 1e30
    with pytest.raises(InputError, match=words):
        rows.check_values(position, np.array([value]))


ODD = {
    "sparse whole numbers of pandas": lambda: pd.DataFrame({"a": pd.arrays.SparseArray(np.arange(60) % 3)}),
    "128 bits of polars": lambda: pl.DataFrame({"a": pl.Series(list(range(60)), dtype=pl.Int128)}),
    "beyond 2⁵³ in Arrow": lambda: pa.table({"a": pa.array([2**53 + 8 * i for i in range(60)], pa.int64())}),
}


@pytest.mark.parametrize("name", ODD)
def test_whole_numbers_of_odd_types_are_moved(name):
    def model(rows):
        return np.asarray(rows["a"].to_list() if isinstance(rows, pl.DataFrame) else rows["a"].to_numpy(), dtype=float)

    study = ts.Study(model, ODD[name](), task="regression", progress=False)
    values = study._columns[0].numbers
    effect = study.effect("a", grid=[values.min(), values.max()])
    np.testing.assert_allclose(effect.frame["effect"], [values.min(), values.max()])
    np.testing.assert_array_equal(study._table_rows.with_reals(0).column(0), values)


def test_levels_that_are_all_missing_are_read():
    empty = pa.DictionaryArray.from_arrays(pa.array([None] * 60, pa.int32()), pa.array([], pa.string()))
    rows = pa.table({"a": empty, "b": np.arange(60.0)})
    study = ts.Study(lambda rows: rows["b"].to_numpy(), rows, task="regression", progress=False)
    assert study._columns[0].n_missing == 60
    assert study.stress_curves(taus=3).frame["feature"].unique().tolist() == ["b"]


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64", "UInt64"])
@pytest.mark.parametrize("container", ["pandas", "array", "polars", "arrow"])
def test_the_greatest_whole_number_comes_back_though_no_float_is_it(container, dtype):
    greatest = int(np.iinfo(dtype.lower()).max)
    whole = np.array([[1, 2], [greatest, 3], [5, 4]], dtype=dtype.lower())
    frame = pd.DataFrame(whole, columns=["a", "b"]).astype(dtype)
    native = {
        "pandas": lambda: frame,
        "array": lambda: whole,
        "polars": lambda: pl.from_pandas(frame),
        "arrow": lambda: pa.Table.from_pandas(frame),
    }[container]()
    rows, _ = rows_of(native)
    values = np.column_stack([rows.column(0), rows.column(1)])
    for columns in ((0,), (0, 1)):
        copies = rows.substituted(np.arange(3), columns, values[:, : len(columns)])
        column = copies[:, 0] if container == "array" else nw.from_native(copies, eager_only=True)["a"].to_list()
        assert [int(value) for value in column] == [1, greatest, 5]


def test_the_greatest_whole_number_beside_missing_ones():
    greatest = 2**63 - 1
    for native in (
        pd.DataFrame({"a": pd.array([1, greatest, None], dtype="Int64")}),
        pl.DataFrame({"a": [1, greatest, None]}),
    ):
        rows, _ = rows_of(native)
        copies = nw.from_native(rows.substituted(np.arange(3), (0,), rows.column(0)[:, None]), eager_only=True)
        found = copies["a"].to_list()
        assert found[:2] == [1, greatest]
        assert pd.isna(found[2])
