"""Groups of rows, however they are named."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import tauscope as ts
from tauscope.data.frames import read_table
from tauscope.data.groups import MOST_GROUPS, group_columns, read_groups
from tauscope.data.reading import read_columns

SEX = ["F", "M", "F", "M", None, "F"]
X = pd.DataFrame(
    {
        "sex": SEX,
        "kids": [0.0, 1, 2, 0, np.nan, 1],
        "works": [True, True, False, True, False, True],
        "race": pd.Categorical(["b", "a", "a", "b", "a", "b"], categories=["b", "a", "c"]),
        "age": [20.0, 30, 40, 50, 60, 70],
    }
)
COLUMNS = read_columns(read_table(X), list(X.columns))


def read(by, X=X):
    return read_groups(by, COLUMNS, X, len(X))


def members(by):
    found = read(by)
    return found.name, {label: np.flatnonzero(found.codes == k).tolist() for k, label in enumerate(found.labels)}


@pytest.mark.parametrize(
    ("by", "name", "expected"),
    [
        ("sex", "sex", {"F": [0, 2, 5], "M": [1, 3], "missing": [4]}),
        ("kids", "kids", {"0": [0, 3], "1": [1, 5], "2": [2], "missing": [4]}),
        ("works", "works", {"False": [2, 4], "True": [0, 1, 3, 5]}),
        ("race", "race", {"b": [0, 3, 5], "a": [1, 2, 4]}),
        (["sex", "works"], "sex, works",
         {"F, False": [2], "F, True": [0, 5], "M, True": [1, 3], "missing, False": [4]}),
        (X["age"] > 45, "age", {"False": [0, 1, 2], "True": [3, 4, 5]}),
        (np.array([1, 1, 2, 2, 2, 1]), "group", {"1": [0, 1, 5], "2": [2, 3, 4]}),
        (np.array(["u", "v"] * 3), "group", {"u": [0, 2, 4], "v": [1, 3, 5]}),
        (SEX, "group", {"F": [0, 2, 5], "M": [1, 3], "missing": [4]}),
        (["p"] * 6, "group", {"p": [0, 1, 2, 3, 4, 5]}),
        (pl.Series("s", SEX), "s", {"F": [0, 2, 5], "M": [1, 3], "missing": [4]}),
        (pd.cut(X["age"], [0, 30, 100]), "age", {"(0, 30]": [0, 1], "(30, 100]": [2, 3, 4, 5]}),
        (pd.cut(X["age"], [5, 30, 100, 200]), "age", {"(5, 30]": [0, 1], "(30, 100]": [2, 3, 4, 5]}),
        (pd.Series(["missing", None] * 3), "group", {"missing": [0, 2, 4], "no value": [1, 3, 5]}),
    ],
)  # fmt: skip
def test_who_is_in_which_group(by, name, expected):
    assert members(by) == (name, expected)


def test_a_column_of_a_sparse_matrix():
    study = ts.Study.from_predictions(sparse.csr_matrix(np.eye(4)), [0, 1, 0, 1], [0, 1, 1, 1])
    found = read_groups(study.feature_names[1], study._columns, study.X, 4)
    assert (found.labels, found.codes.tolist()) == (("0", "1"), [0, 1, 0, 0])


@pytest.mark.parametrize(
    ("by", "error", "words"),
    [
        ("sexx", ts.UnknownName, "no column 'sexx'. Nearest: 'sex'"),
        (["sex", "rase"], ts.UnknownName, "no column 'rase'. Nearest: 'race'"),
        ([True, False], ts.InputError, "by must have one entry per row of X; got 2 for 6 rows"),
        (
            X[["sex", "race"]],
            ts.InputError,
            "by must hold one label for each row; got shape (6, 2). Name several",
        ),
        (7.5, ts.InputTypeError, "by must name groups of rows; got 7.5. Give the name of a column"),
        (7, ts.UnknownName, "Columns are numbered 0 to "),
        ([], ts.InputTypeError, "by must name groups of rows; got"),
        (None, ts.InputTypeError, "by must name groups of rows; got None"),
        (X["sex"][::-1], ts.InputError, "by must be in the order of X"),
    ],
)
def test_what_names_no_groups_is_refused(by, error, words):
    with pytest.raises(error) as caught:
        read(by)
    assert words in str(caught.value)


def test_numbers_are_to_be_cut_first_and_many_labels_put_together():
    many = pd.DataFrame({"age": np.arange(300.0)})
    columns = read_columns(read_table(many), ["age"])
    with pytest.raises(ts.InputError, match=r"at most 10 values; got 300 in 'age'\. .* by=pd\.cut\(X\['age'\], 4\)"):
        read_groups("age", columns, many, 300)
    with pytest.raises(ts.InputError, match=f"at most {MOST_GROUPS} groups; got 300"):
        read_groups(many["age"].astype(str), columns, many, 300)


def test_columns_that_tell_rows_apart():
    def offered(frame):
        answers = np.arange(frame.shape[0]) % 2
        return group_columns(ts.Study.from_predictions(frame, answers, answers)._columns)

    columns = X[["sex", "kids", "works", "race"]]
    assert offered(columns.assign(same=1.0, one="x")) == ["sex", "kids", "works", "race"]
    assert offered(pd.DataFrame({"income": np.arange(50.0), "late": np.repeat([0.0, 1], 25)})) == ["late"]
    assert offered(sparse.csr_matrix(np.eye(4))) == []
