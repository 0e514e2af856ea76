import datetime
import itertools
import re

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from tauscope.data.frames import join_rows, n_other_rows, read_table, read_vector, same_order
from tauscope.errors import InputError, InputTypeError

NUMBERS = {"a": [1.0, np.nan, 3.0, 4.0], "b": ["x", None, "y", "z"]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_stay_what_they_are(make):
    X = make(NUMBERS)
    table = read_table(X)
    assert (table.kind, table.names, table.n_rows, table.n_columns) == ("frame", ("a", "b"), 4, 2)
    part = table.rows(1, 3)
    assert type(part) is type(X)
    assert len(part) == 2
    assert table.same(part, 1, 3)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_other_rows_are_not_the_same(make):
    table = read_table(make(NUMBERS))
    assert not table.same(table.rows(0, 2), 1, 3)


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1.0, np.nan], [3.0, 4.0]]),
        np.array([[1, 2], [3, 4]]),
        np.array([["a", "b"], ["c", "d"]]),
        np.array([["a", 1.0], [None, np.nan]], dtype=object),
        np.array([[True], [False]]),
    ],
)
def test_arrays_stay_arrays_and_are_copied_for_the_model(X):
    table = read_table(X)
    assert (table.kind, table.names) == ("array", None)
    part = table.rows(0, 2)
    assert not np.shares_memory(part, X)
    assert part.dtype == X.dtype
    assert table.same(part, 0, 2)
    part[0, 0] = X[1, -1]
    assert not table.same(part, 0, 2)


def test_change_of_a_frame_is_seen():
    X = pd.DataFrame({"a": [1.0, np.nan], "b": ["x", None]})
    table = read_table(X)
    part = table.rows(0, 2)
    part["c"] = 1
    assert not table.same(part, 0, 2)
    part = table.rows(0, 2)
    part.loc[0, "a"] = 5.0
    assert not table.same(part, 0, 2)
    assert X.loc[0, "a"] == 1.0


def test_nested_lists_are_arrays():
    assert read_table([[1, 2], [3, 4]]).kind == "array"


@pytest.mark.parametrize(
    ("X", "kind", "message"),
    [
        (np.zeros(3), InputError, "two dimensions; got shape (3,)"),
        (np.zeros((2, 2, 2)), InputError, "two dimensions; got shape (2, 2, 2)"),
        (np.zeros(2, dtype=[("a", float)]), InputError, "got a structured array"),
        (np.zeros((2, 2), dtype=complex), InputTypeError, "real numbers, text or levels; got dtype complex128"),
        (np.ma.masked_array(np.zeros((2, 2))), InputTypeError, "X.filled(np.nan)"),
        ([[1, 2], [3]], InputError, "same length"),
        (scipy.sparse.csr_array(np.eye(2)), InputTypeError, "X.toarray()"),
        (pd.Series([1, 2]), InputError, "X.to_frame()"),
        (pl.Series([1, 2]), InputError, "X.to_frame()"),
        (pl.DataFrame(NUMBERS, strict=False).lazy(), InputTypeError, "X.collect()"),
        ({"a": [1, 2]}, InputTypeError, "got a dict"),
        (None, InputTypeError, "got None"),
        ("rows.csv", InputTypeError, "got a str"),
        (pd.DataFrame(np.eye(2), columns=["a", "a"]), InputError, "distinct; ['a'] come more than once"),
    ],
)
def test_other_containers_are_refused(X, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        read_table(X)


@pytest.mark.parametrize(
    ("values", "expected", "kind"),
    [
        ([1, 2], [1, 2], "i"),
        (pd.Series([1, 2], dtype="Int64"), [1, 2], "i"),
        (pd.Series([1, None], dtype="Int64"), [1.0, np.nan], "f"),
        (pd.Series([True, False], dtype="boolean"), [True, False], "b"),
        (pd.Series([True, None], dtype="boolean"), [True, pd.NA], "O"),
        (pd.Series(["a", "b"], dtype="category"), ["a", "b"], "O"),
        (pd.Series([0, 1], dtype="category"), [0, 1], "i"),
        (pd.Series(["a", None]), ["a", np.nan], "O"),
        (pl.Series(["a", None]), ["a", None], "O"),
        (pl.Series([1, 2]), [1, 2], "i"),
        (pl.Series([1, None]), [1.0, np.nan], "f"),
        (pl.Series([True, False]), [True, False], "b"),
        (np.array([[1], [2]]), [1, 2], "i"),
        (pd.DataFrame({"y": [1.5, 2.5]}), [1.5, 2.5], "f"),
        (np.array(["a", "b"]), ["a", "b"], "O"),
        (np.array([1, 2], dtype=object), [1, 2], "i"),
        (np.array([1, None], dtype=object), [1.0, np.nan], "f"),
        (np.array([True, False], dtype=object), [True, False], "b"),
        (np.array([[0.2, 0.8]]), [[0.2, 0.8]], "f"),
        (range(3), [0, 1, 2], "i"),
        (["a", np.nan], ["a", np.nan], "O"),
        ([1, "a", 2.5, True], [1, "a", 2.5, True], "O"),
        ([b"a", 1], [b"a", 1], "O"),
    ],
)
def test_vectors_come_from_anything(values, expected, kind):
    array = read_vector(values, "y")
    assert array.dtype.kind == kind
    assert pd.DataFrame(array).equals(pd.DataFrame(np.array(expected, dtype=array.dtype)))


@pytest.mark.parametrize("values", ["yes", {"a": 1}, 3, None, [[1], [1, 2]]])
def test_what_is_no_vector_is_refused(values):
    with pytest.raises(InputTypeError, match="y must hold one value per row; got"):
        read_vector(values, "y")


def test_order_is_compared_where_both_have_an_index():
    X = pd.DataFrame({"a": [1, 2, 3]}, index=[5, 6, 7])
    y = pd.Series([1, 2, 3], index=[5, 6, 7])
    assert same_order(X, y)
    assert not same_order(X, y.iloc[::-1])
    assert same_order(X, y.reset_index(drop=True))
    assert same_order(X, y.to_numpy()[::-1])
    assert same_order(X, y[:2])
    assert same_order(X.to_numpy(), y.iloc[::-1])


def test_rows_that_are_not_those_beside_are_counted():
    X = pd.DataFrame({"a": [1, 2, 3]}, index=[5, 6, 7])
    y = pd.Series([1, 2, 3], index=[5, 8, 9])
    assert n_other_rows(X, y) == 2
    assert n_other_rows(X, y.to_frame()) == 2
    assert n_other_rows(X, y.set_axis(["p", "q", "r"])) == 3
    assert n_other_rows(X, y.set_axis(pd.MultiIndex.from_product([["p"], [5, 6, 7]]))) == 3
    assert n_other_rows(X.set_axis([5, 5, 6]), y) == 2
    assert n_other_rows(X, y.set_axis([7, 6, 5])) == 0
    assert n_other_rows(X, y.reset_index(drop=True)) == 0
    assert n_other_rows(X.reset_index(drop=True), y) == 0
    assert n_other_rows(X.set_axis([0, 1, 2]), y) == 0
    assert n_other_rows(X, y[:2]) == 0
    assert n_other_rows(X, y.to_numpy()) == 0
    assert n_other_rows(X.to_numpy(), y) == 0


def test_objects_of_polars_are_not_said_to_be_changed():
    frame = pl.DataFrame({"a": [1.0, 2.0]}).with_columns(pl.Series("o", [None, "x"], dtype=pl.Object))
    table = read_table(frame)
    assert table.same(table.rows(0, 2), 0, 2)
    assert not table.same(frame.with_columns(a=pl.lit(0.0)), 0, 2)


def test_rows_that_are_elsewhere_are_led_here():
    import dask.dataframe as dd

    with pytest.raises(InputTypeError, match=r"got a Dask DataFrame. Use ChunkedStudy.from_dask"):
        read_table(dd.from_pandas(pd.DataFrame({"a": [1.0, 2.0]}), npartitions=1))
    with pytest.raises(InputTypeError, match=r"got a LazyFrame. Use X.collect\(\)"):
        read_table(nw.from_native(pl.DataFrame({"a": [1.0]}).lazy()))
    with pytest.raises(InputError, match=r"distinct; \['a'\] come more than once"):
        read_table(pa.Table.from_arrays([pa.array([1.0])] * 2, names=["a", "a"]))


def test_lists_are_no_values_and_large_whole_numbers_are():
    with pytest.raises(InputTypeError, match="one value per row; got a list in row 1"):
        read_vector(pd.Series([1, [2]]), "y")
    assert read_vector([2**70, 1], "y").dtype == object


ROWS = {"a": [1, 2], "b": ["x", "y"], "c": [datetime.datetime(2024, 1, 1), datetime.datetime(2024, 1, 2)]}
POLARS = pl.DataFrame(ROWS)
ARROW = pa.table(ROWS)
KINDS = {
    "pandas": pd.DataFrame(ROWS),
    "pandas categories": pd.DataFrame(ROWS).astype({"b": "category"}),
    "pandas nullable": pd.DataFrame(ROWS).astype({"a": "Int64"}),
    "polars": POLARS,
    "polars categories": POLARS.cast({"b": pl.Categorical}),
    "polars enum": POLARS.cast({"b": pl.Enum(["y", "x"])}),
    "polars float32": POLARS.cast({"a": pl.Float32}),
    "polars uint64": POLARS.cast({"a": pl.UInt64}),
    "polars int16": POLARS.cast({"a": pl.Int16}),
    "polars date": POLARS.cast({"c": pl.Date}),
    "polars null": POLARS.with_columns(b=None),
    "arrow": ARROW,
    "arrow dictionary": ARROW.set_column(1, "b", ARROW["b"].dictionary_encode()),
    "arrow float": ARROW.set_column(0, "a", ARROW["a"].cast(pa.float64())),
    "arrow large": ARROW.set_column(1, "b", ARROW["b"].cast(pa.large_string())),
    "arrow seconds": ARROW.set_column(2, "c", ARROW["c"].cast(pa.timestamp("s"))),
}


@pytest.mark.parametrize(("one", "other"), [*itertools.product(KINDS, KINDS)])
def test_rows_of_any_two_types_are_joined(one, other):
    parts = [KINDS[one], KINDS[other]]
    joined = join_rows(parts)
    if type(parts[0]) is type(parts[1]):
        assert type(joined) is type(parts[0])
    values = nw.from_native(joined, eager_only=True)
    assert values["a"].cast(nw.Float64).to_list() == [1, 2, 1, 2]
    texts = [[None, None] if kind == "polars null" else ["x", "y"] for kind in (one, other)]
    assert [None if pd.isna(text) else str(text) for text in values["b"].to_list()] == [*texts[0], *texts[1]]
    assert [str(day)[:10] for day in values["c"].to_list()] == 2 * ["2024-01-01", "2024-01-02"]
