import datetime as dt
import re
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tauscope.data.frames import read_table
from tauscope.data.reading import read_columns
from tauscope.errors import InputTypeError


def read(X, categorical_features="infer"):
    table = read_table(X)
    names = table.names or tuple(f"x{j}" for j in range(table.n_columns))
    return {column.name: column for column in read_columns(table, names, categorical_features)}


def one(values, categorical_features="infer"):
    return read(pd.DataFrame({"a": values}), categorical_features)["a"]


NUMERIC = {
    "int64": pd.Series([1, 2, 3]),
    "float64": pd.Series([1.0, None, 3.0]),
    "float32": pd.Series([1.0, None, 3.0], dtype="float32"),
    "Int64": pd.Series([1, None, 3], dtype="Int64"),
    "UInt8": pd.Series([1, 2, 3], dtype="UInt8"),
    "Float64": pd.Series([1.0, None, 3.0], dtype="Float64"),
    "arrow": pd.Series([1.0, None, 3.0], dtype="float64[pyarrow]"),
    "arrow int": pd.Series([1, None, 3], dtype="int64[pyarrow]"),
    "object": pd.Series([1, None, 3.0], dtype=object),
    "NA": pd.Series([1, pd.NA, 3], dtype=object),
    "decimal": pd.Series([Decimal("1"), None, Decimal("3")], dtype=object),
    "polars int": pl.Series([1, None, 3]),
    "polars float": pl.Series([1.0, None, 3.0]),
    "polars nan": pl.Series([1.0, float("nan"), 3.0]),
    "polars decimal": pl.Series([Decimal("1"), None, Decimal("3")]),
    "array": np.array([1, 2, 3], dtype=np.uint8),
}


@pytest.mark.parametrize("name", NUMERIC)
def test_numbers_keep_their_missing(name):
    held = NUMERIC[name]
    X = held.to_frame("a") if isinstance(held, pl.Series) else pd.DataFrame({"a": held})
    column = read(X)["a"]
    missing = 0 if np.asarray(pd.isna(held.to_list() if isinstance(held, pl.Series) else held)).sum() == 0 else 1
    assert (column.kind, column.n_missing, column.lower, column.upper) == ("numeric", missing, 1.0, 3.0)
    assert column.values.tolist()[::2] == [1.0, 3.0]
    assert np.isnan(column.values[1]) == bool(missing)
    assert column.integer


LEVELS = {
    "str": pd.Series(["b", None, "a"]),
    "object": pd.Series(["b", None, "a"], dtype=object),
    "string": pd.Series(["b", None, "a"], dtype="string"),
    "arrow": pd.Series(["b", None, "a"], dtype="string[pyarrow]"),
    "category": pd.Series(["b", None, "a"], dtype="category"),
    "polars": pl.Series(["b", None, "a"]),
    "polars category": pl.Series(["b", None, "a"], dtype=pl.Categorical),
    "polars enum": pl.Series(["b", None, "a"], dtype=pl.Enum(["a", "b"])),
}


@pytest.mark.parametrize("categorical_features", ["infer", None, ["a"]])
@pytest.mark.parametrize("name", LEVELS)
def test_text_is_levels_whatever_is_said(name, categorical_features):
    held = LEVELS[name]
    X = held.to_frame("a") if isinstance(held, pl.Series) else pd.DataFrame({"a": held})
    column = read(X, categorical_features)["a"]
    assert (column.kind, column.levels, column.codes.tolist()) == ("categorical", ("a", "b"), [1, -1, 0])
    assert column.codes.dtype == np.int32
    assert column.n_missing == 1


@pytest.mark.parametrize(
    "held",
    [
        pd.Series([True, None, False], dtype="boolean"),
        pd.Series([True, None, False], dtype=object),
        pd.Series([True, None, False], dtype="bool[pyarrow]"),
        pl.Series([True, None, False]),
    ],
)
def test_bools_are_boolean(held):
    X = held.to_frame("a") if isinstance(held, pl.Series) else pd.DataFrame({"a": held})
    column = read(X)["a"]
    assert (column.kind, column.levels) == ("boolean", ("False", "True"))
    assert column.codes.tolist() == [1, -1, 0]
    column = read(X, ["a"])["a"]
    assert (column.kind, column.levels, column.codes.tolist()) == ("categorical", ("False", "True"), [1, -1, 0])


def test_plain_bools_in_frames_and_arrays():
    assert one([True, False]).codes.tolist() == [1, 0]
    assert read(np.array([[True], [False]]))["x0"].kind == "boolean"


def test_levels_keep_the_order_and_the_unused_of_their_categories():
    ordered = pd.Categorical(["low", "high", None], categories=["low", "mid", "high"], ordered=True)
    column = one(ordered)
    assert (column.levels, column.codes.tolist()) == (("low", "mid", "high"), [0, 2, -1])
    enum = pl.DataFrame({"a": pl.Series(["low", "high", None], dtype=pl.Enum(["low", "mid", "high"]))})
    column = read(enum)["a"]
    assert (column.levels, column.codes.tolist()) == (("low", "mid", "high"), [0, 2, -1])


def test_categories_that_are_numbers_follow_the_argument():
    held = pd.Categorical([3, 1, None])
    assert (one(held).kind, one(held).levels) == ("categorical", ("1", "3"))
    assert one(held, ["a"]).kind == "categorical"
    column = one(held, None)
    assert column.kind == "numeric"
    assert column.values[:2].tolist() == [3.0, 1.0]
    assert column.n_missing == 1


@pytest.mark.parametrize("categorical_features", [["x1"], [1], [False, True], np.array([False, True]), np.array([1])])
def test_named_numbers_are_levels(categorical_features):
    columns = read(np.array([[0.5, 2.0], [1.5, 1.0], [0.5, np.nan]]), categorical_features)
    assert columns["x0"].kind == "numeric"
    assert columns["x1"].kind == "categorical"
    assert columns["x1"].levels == ("1", "2")
    assert columns["x1"].codes.tolist() == [1, 0, -1]


def test_intervals_and_periods_are_levels():
    assert one(pd.cut(pd.Series([1, 5]), [0, 2, 6])).levels == ("(0, 2]", "(2, 6]")
    assert one(pd.Series(pd.period_range("2020-01", periods=2, freq="M"))).levels == ("2020-01", "2020-02")


def test_mixed_objects_are_levels():
    column = one(np.array([1, "a", None], dtype=object))
    assert (column.kind, column.levels, column.codes.tolist()) == ("categorical", ("1", "a"), [0, 1, -1])


def test_arrays_of_objects_are_read_column_by_column():
    X = np.array([[1, "a", True], [None, None, False], [2.5, "b", True]], dtype=object)
    columns = read(X)
    assert [column.kind for column in columns.values()] == ["numeric", "categorical", "boolean"]
    assert columns["x0"].n_missing == 1


def test_arrays_of_text_are_levels():
    assert read(np.array([["b"], ["a"]]))["x0"].levels == ("a", "b")


@pytest.mark.parametrize("values", [[None, None], [np.nan, np.nan], pd.array([None, None], dtype="Int64")])
def test_all_missing_is_numeric_without_a_range(values):
    column = one(values)
    assert (column.kind, column.n_missing) == ("numeric", 2)
    assert np.isnan(column.lower)
    assert np.isnan(column.upper)


MIDDAY = [dt.datetime(2001, 1, 1, 12), None, dt.datetime(2003, 1, 1, 12)]


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": pd.to_datetime(MIDDAY)}),
        pd.DataFrame({"a": pd.to_datetime(MIDDAY).tz_localize("UTC").tz_convert("Asia/Tokyo")}),
        pd.DataFrame({"a": pd.Series(MIDDAY, dtype=object)}),
        pl.DataFrame({"a": MIDDAY}),
        pl.DataFrame({"a": pl.Series(MIDDAY).dt.replace_time_zone("UTC")}),
        np.array([[one] for one in MIDDAY], dtype="datetime64[s]"),
    ],
)
def test_dates_are_decimal_years(X):
    (column,) = read(X).values()
    assert (column.kind, column.unit, column.n_missing) == ("numeric", "year", 1)
    days = (dt.datetime(2001, 1, 1, 12) - dt.datetime(1970, 1, 1)) / dt.timedelta(days=1)
    assert column.values[0] == pytest.approx(1970 + days / 365.2425, abs=1e-9)
    assert np.floor(column.values[[0, 2]]).tolist() == [2001, 2003]


def test_date_objects_and_durations():
    column = one(pd.Series([dt.date(1970, 1, 1), None], dtype=object))
    assert (column.values[0], column.unit) == (1970.0, "year")
    column = read(pl.DataFrame({"a": [dt.date(1970, 1, 1)]}))["a"]
    assert column.values[0] == 1970.0
    for held in (pd.to_timedelta([36, None], unit="h"), pd.Series([dt.timedelta(hours=36), None], dtype=object)):
        column = one(held)
        assert (column.values[0], column.unit, column.n_missing) == (1.5, "days", 1)


@pytest.mark.parametrize(
    ("X", "held"),
    [
        (pl.DataFrame({"a": [[1], [2]]}), "List"),
        (pl.DataFrame({"a": [dt.time(1), dt.time(2)]}), "[Tt]ime"),
        (pl.DataFrame({"a": [{"b": 1}]}), "Struct"),
        (pd.DataFrame({"a": [[1], [2]]}), "lists, dicts"),
        (pd.DataFrame({"a": [dt.time(1), dt.time(2)]}), "time"),
        (pd.DataFrame({"a": pd.Series([1j, 2j], dtype=object)}), "complex"),
    ],
)
def test_what_cannot_be_stressed_is_refused_by_name(X, held):
    with pytest.raises(InputTypeError, match=re.escape("column 'a' holds") + ".*" + held):
        read(X)


def test_ranges_agree_with_the_obvious_over_blocks(monkeypatch):
    monkeypatch.setattr("tauscope.data.reading.BLOCK_CELLS", 64)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 7))
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 3] = np.nan
    for j, column in enumerate(read(X).values()):
        observed = X[~np.isnan(X[:, j]), j]
        assert column.n_missing == 500 - observed.size
        if observed.size:
            assert (column.lower, column.upper) == (observed.min(), observed.max())
        else:
            assert np.isnan(column.lower)


def test_numbers_of_an_array_are_not_copied():
    X = np.zeros((4, 3))
    assert all(np.shares_memory(column.numbers, X) for column in read(X).values())


@pytest.mark.parametrize("bins", [[0, 2, 9], [0.0, 1.5, 9.0]])
def test_records_of_a_type_that_narwhals_does_not_know_are_refused(bins):
    intervals = pl.from_pandas(pd.DataFrame({"a": pd.cut([1.0, 2.0, 3.0], bins)}))
    with pytest.raises(InputTypeError, match="column 'a' holds Extension"):
        read(intervals)
