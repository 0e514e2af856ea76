"""What a constraint can name, on studies of each task."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.errors import InputError, UnknownName
from tauscope.rows.values import quantities

N = 60


def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": np.where(np.arange(N) % 7 == 0, np.nan, rng.normal(40, 9, N)),
            "sex": rng.choice(["F", "M"], N),
            "flag": rng.random(N) < 0.4,
            "height": rng.normal(170, 9, N),
        }
    )


def binary(y=True, score=True):
    rng = np.random.default_rng(1)
    truth, p = rng.choice(["no", "yes"], N), rng.random(N)
    given = np.where(p > 0.5, "yes", "no")
    return (
        ts.Study.from_predictions(frame(), truth if y else None, given, p if score else None, classes=["no", "yes"]),
        truth,
        given,
        p,
    )


def multiclass():
    rng = np.random.default_rng(1)
    truth, given = rng.integers(0, 3, N), rng.integers(0, 3, N)
    return ts.Study.from_predictions(frame(), truth, given), truth, given


def regression():
    rng = np.random.default_rng(1)
    truth, given = rng.normal(size=N), rng.normal(size=N)
    return ts.Study.from_predictions(frame(), truth, given), truth, given


def look_up_of(study):
    return quantities(study._columns, lambda: study._outcomes)


def test_features_by_their_names():
    look_up, X = look_up_of(binary()[0]), frame()
    np.testing.assert_array_equal(look_up("age"), X["age"])
    np.testing.assert_array_equal(look_up("age = missing"), X["age"].isna())
    np.testing.assert_array_equal(look_up("sex = F"), X["sex"] == "F")
    np.testing.assert_array_equal(look_up("flag = True"), X["flag"])
    np.testing.assert_array_equal(look_up("flag = False"), ~X["flag"])


def test_a_binary_task():
    study, truth, given, p = binary()
    look_up = look_up_of(study)
    np.testing.assert_array_equal(look_up("prediction"), given == "yes")
    np.testing.assert_array_equal(look_up("prediction = no"), given == "no")
    np.testing.assert_array_equal(look_up("label"), truth == "yes")
    np.testing.assert_array_equal(look_up("label = yes"), truth == "yes")
    np.testing.assert_array_equal(look_up("error"), given != truth)
    np.testing.assert_array_equal(look_up("score"), p)


def test_several_classes():
    study, truth, given = multiclass()
    look_up = look_up_of(study)
    np.testing.assert_array_equal(look_up("prediction = 2"), given == 2)
    np.testing.assert_array_equal(look_up("label = 0"), truth == 0)
    np.testing.assert_array_equal(look_up("error"), given != truth)


def test_a_regression():
    study, truth, given = regression()
    look_up = look_up_of(study)
    np.testing.assert_array_equal(look_up("prediction"), given)
    np.testing.assert_array_equal(look_up("label"), truth)
    np.testing.assert_allclose(look_up("residual"), truth - given)
    np.testing.assert_allclose(look_up("squared_error"), (truth - given) ** 2)


def test_a_column_of_that_name_comes_first():
    X = frame().assign(score=np.arange(N) * 1.0)
    study = ts.Study.from_predictions(X, None, binary()[2], binary()[3])
    np.testing.assert_array_equal(look_up_of(study)("score"), X["score"])


@pytest.mark.parametrize(
    ("study", "name", "error", "words"),
    [
        (binary, "agee", UnknownName, "There is no feature 'agee'. Nearest: 'age'"),
        (binary, "sex", InputError, r"'sex' has levels, not a mean. Use ts.Share\('sex', 'F'"),
        (binary, "sex = G", UnknownName, "There is no sex level 'G'"),
        (binary, "height = missing", InputError, "'height' is a column of numbers"),
        (binary, "prediction = maybe", UnknownName, "There is no class 'maybe'"),
        (binary, "squared_error", InputError, "no 'squared_error' in a binary task. Use 'error'"),
        (multiclass, "prediction", InputError, "several classes has no mean. Use ts.Share"),
        (multiclass, "score", InputError, "no score of a positive class"),
        (regression, "error", InputError, "no 'error' in a regression task. Use 'residual' or"),
        (regression, "prediction = 1", InputError, "a regression has no classes"),
        (lambda: binary(y=False), "error", InputError, "needs the truth"),
        (lambda: binary(y=False), "label = yes", InputError, "needs the truth"),
        (lambda: binary(score=False), "score", InputError, "no score"),
    ],
)
def test_what_cannot_be_named_is_refused_in_words(study, name, error, words):
    with pytest.raises(error, match=words):
        look_up_of(study()[0])(name)
