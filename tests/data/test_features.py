import re

import numpy as np
import pandas as pd
import pytest

from passengers import passengers
from tauscope.data.features import default_features, expand, select_features
from tauscope.data.frames import read_table
from tauscope.data.reading import read_columns
from tauscope.errors import InputError, InputTypeError, UnknownName

FRAME = pd.DataFrame(
    {
        "age": [20.0, 30.0, np.nan, 50.0],
        "sex": ["F", "M", "F", None],
        "flag": [True, False, True, True],
        "visits": [1, 2, 3, 4],
    }
)
NAMES = ["age", "age = missing", "sex = F", "sex = M", "sex = missing", "flag = True", "visits"]


def columns(frame, **options):
    table = read_table(frame)
    return read_columns(table, table.names, **options)


def named(features):
    return [feature.name for feature in features]


def test_columns_expand_in_order():
    features = list(expand(columns(FRAME)))
    assert named(features) == NAMES
    assert [feature.kind for feature in features] == ["numeric", *["share"] * 5, "numeric"]
    assert [feature.level for feature in features] == [None, "missing", "F", "M", "missing", "True", None]
    assert [feature.column for feature in features] == ["age"] * 2 + ["sex"] * 3 + ["flag", "visits"]
    assert [feature.integer for feature in features] == [True, *[False] * 5, True]


def test_values_are_the_columns_or_zeros_and_ones():
    features = {feature.name: feature.values() for feature in expand(columns(FRAME))}
    assert np.array_equal(features["age"], FRAME["age"], equal_nan=True)
    assert features["age = missing"].tolist() == [0, 0, 1, 0]
    assert features["sex = F"].tolist() == [1, 0, 1, 0]
    assert features["sex = M"].tolist() == [0, 1, 0, 0]
    assert features["sex = missing"].tolist() == [0, 0, 0, 1]
    assert features["flag = True"].tolist() == [1, 0, 1, 1]
    assert all(values.dtype == np.float64 for values in features.values())


def test_missing_booleans_are_a_share_of_their_own():
    held = columns(pd.DataFrame({"flag": pd.Series([True, None, False], dtype="boolean")}))
    features = {feature.name: feature.values().tolist() for feature in expand(held)}
    assert features == {"flag = True": [1, 0, 0], "flag = missing": [0, 1, 0]}


def test_a_level_called_missing_is_told_from_no_value():
    held = columns(pd.DataFrame({"a": ["missing", None, "x"]}))
    assert named(expand(held)) == ["a = missing", "a = x", "a = missing (no value)"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (None, NAMES),
        ("age", ["age"]),
        ("age = missing", ["age = missing"]),
        ("sex", ["sex = F", "sex = M", "sex = missing"]),
        (["visits", "sex = M"], ["visits", "sex = M"]),
        (["sex = M", "sex"], ["sex = M", "sex = F", "sex = missing"]),
        ("flag", ["flag = True"]),
        (0, ["age", "age = missing"]),
        ([np.int64(3), "age"], ["visits", "age"]),
        (("visits",), ["visits"]),
        ({"visits": 1}.keys(), ["visits"]),
    ],
)
def test_features_are_asked_for_by_name_or_position(asked, expected):
    assert named(select_features(columns(FRAME), asked)) == expected


def test_features_are_asked_for_by_themselves():
    held = columns(FRAME)
    sex = select_features(held, "sex")
    assert select_features(held, sex[1]) == (sex[1],)
    assert select_features(held, iter(sex)) == sex


@pytest.mark.parametrize(
    ("asked", "kind", "message"),
    [
        ("agee", UnknownName, "There is no feature 'agee'. Nearest: 'age', 'flag'."),
        ("sex = m", UnknownName, "Nearest: 'sex = "),
        (["age", 7], UnknownName, "Columns are numbered 0 to 3; got 7"),
        (-1, UnknownName, "Columns are numbered 0 to 3; got -1"),
        ([], InputError, "At least one feature is needed"),
        ([1.5], InputTypeError, "by name or position; got 1.5. Try 'age'"),
        (1.5, InputTypeError, "by name or position, or a list of them; got 1.5. Try 'age' or ['age']."),
        ({"age": 1}, InputTypeError, "or a list of them; got {'age': 1}."),
        (b"age", InputTypeError, "got b'age'"),
        (["age", None], InputTypeError, "by name or position; got None"),
        ([["age"]], InputTypeError, "by name or position; got ['age']"),
        ([True], InputTypeError, "by name or position; got True"),
    ],
)
def test_features_that_are_not_there(asked, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        select_features(columns(FRAME), asked)


def test_two_features_of_one_name_are_refused():
    held = columns(pd.DataFrame({"sex": ["F", "M"], "sex = F": [1, 2]}))
    with pytest.raises(InputError, match="both a column and a level give 'sex = F'"):
        select_features(held)


def test_features_no_stress_can_move_say_why():
    frame = pd.DataFrame(
        {
            "one": [3, 3, 3],
            "half": [2.5, np.nan, 2.5],
            "none": [np.nan] * 3,
            "level": pd.Categorical(["a"] * 3, categories=["a", "b"]),
            "flag": [False] * 3,
            "moves": [1, 2, 3],
        }
    )
    kept, skipped = default_features(columns(frame))
    assert named(kept) == ["half = missing", "moves"]
    assert skipped == (
        ("one", "every observed value is 3"),
        ("half", "every observed value is 2.5"),
        ("none", "every value is missing"),
        ("none = missing", "every row has it"),
        ("level = a", "every row has it"),
        ("level = b", "no row has this level"),
        ("flag = True", "no row has this level"),
    )


def test_rows_of_no_weight_do_not_count():
    held = columns(FRAME)
    reasons = {one.name: one.constant_reason(np.array([2.0, 0.0, 2.0, 0.0])) for one in expand(held)}
    assert reasons["age"] == "every observed value is 20"
    assert reasons["sex = F"] == "every row has it"
    assert reasons["sex = M"] == "no row has this level"
    assert reasons["visits"] is None
    assert all(one.constant_reason(np.ones(4)) is None for one in expand(held))
    only_missing = {one.name: one.constant_reason(np.array([0.0, 0.0, 4.0, 0.0])) for one in expand(held)}
    assert only_missing["age"] == "every value is missing"


def test_many_levels_are_left_out_until_asked_for():
    titanic = columns(passengers())
    kept, skipped = default_features(titanic)
    assert named(kept) == [
        "PassengerId", "Survived", "Pclass", "Sex = female", "Sex = male", "Age", "Age = missing", "SibSp", "Parch",
        "Fare", "Cabin = missing", "Embarked = C", "Embarked = Q", "Embarked = S", "Embarked = missing",
    ]  # fmt: skip
    assert [name for name, _ in skipped] == ["Name", "Ticket", "Cabin"]
    assert skipped[0][1] == "891 levels; ask for it, or for some levels, by name"
    assert len(select_features(titanic, "Cabin")) == 148
    age = next(feature for feature in kept if feature.name == "Age = missing")
    assert age.values().sum() == 177
