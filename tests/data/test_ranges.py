import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from tauscope.data.ranges import build_rows, sample_ranges
from tauscope.errors import InputError, InputTypeError, UnknownName

RANGES = {"age": (18, 90), "dose": (0.5, 2), "sex": ["F", "M"], "smokes": [False, True], "grade": {1, 2, 3}}


def test_draws_are_uniform_and_independent():
    columns = sample_ranges(RANGES, 40_000, 0)
    age, dose = columns["age"], columns["dose"]
    assert age.dtype.kind == "i"
    assert (age.min(), age.max()) == (18, 90)
    assert np.bincount(age)[18:].min() > 400
    assert 0.5 <= dose.min() < 0.51
    assert 1.99 < dose.max() < 2
    assert dose.mean() == pytest.approx(1.25, abs=0.01)
    assert set(columns["sex"]) == {"F", "M"}
    assert np.mean(columns["sex"] == "F") == pytest.approx(0.5, abs=0.01)
    assert columns["smokes"].dtype == bool
    assert sorted(set(columns["grade"].tolist())) == [1, 2, 3]
    assert abs(np.corrcoef(age, dose)[0, 1]) < 0.02


def test_one_seed_one_draw():
    first, again, other = (sample_ranges(RANGES, 50, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(first[name], again[name]) for name in RANGES)
    assert not np.array_equal(first["age"], other["age"])


@pytest.mark.parametrize(
    ("ranges", "n", "kind", "message"),
    [
        ({}, 10, InputTypeError, "ranges must map column names to ranges; got {}"),
        ([("a", (0, 1))], 10, InputTypeError, "Try {'age': (18, 90)}"),
        ({"a": (0, 1)}, 0, InputError, "n must be a number of rows, at least 1; got 0"),
        ({"a": (0, 1)}, 1.5, InputError, "n must be a number of rows, at least 1; got 1.5"),
        ({"a": (3, 1)}, 10, InputError, "'a' got (3, 1)"),
        ({"a": (0, np.inf)}, 10, InputError, "'a' got (0, inf)"),
        ({"a": "FM"}, 10, InputTypeError, "'a' got 'FM'"),
        ({"a": 3}, 10, InputTypeError, "'a' got 3"),
        ({"a": []}, 10, InputError, "'a' got none"),
    ],
)
def test_ranges_that_are_none(ranges, n, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        sample_ranges(ranges, n, 0)


def test_rows_come_as_the_model_was_fitted():
    columns = {"b": np.array([1, 2]), "a": np.array([3.0, 4.0])}
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1, 5, 9]})
    named = LinearRegression().fit(X, [1, 2, 3])
    bare = LinearRegression().fit(X.to_numpy(), [1, 2, 3])
    assert list(build_rows(columns, named, None)) == ["a", "b"]
    assert isinstance(build_rows(columns, bare, None), np.ndarray)
    assert list(build_rows(columns, lambda rows: rows, None)) == ["b", "a"]
    assert build_rows(columns, lambda rows: rows, False).tolist() == [[1, 3], [2, 4]]
    assert isinstance(build_rows(columns, bare, True), pd.DataFrame)
    mixed = build_rows({**columns, "c": np.array(["x", "y"], dtype=object)}, bare, False)
    assert mixed.tolist() == [[1, 3.0, "x"], [2, 4.0, "y"]]
    with pytest.raises(UnknownName, match="no column 'c'"):
        build_rows({**columns, "c": np.array([1, 2])}, named, None)
