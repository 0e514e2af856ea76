"""The rules that a whole study meets; those of rows, models and answers are tested beside these."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(40, 2)), columns=["a", "b"])
Y = np.where(X["a"] > 0, "yes", "no")
MODEL = LogisticRegression().fit(X, Y)
FIRST = np.arange(40) < 20
ONLY_YES = (X["a"] > 0).to_numpy()


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"y": np.where(Y == "yes", "Yes", "no")}, ts.UnknownName, "['no', 'yes']; it also holds ['Yes']"),
        ({"y": (Y == "yes").astype(int)}, ts.UnknownName, "it also holds ["),
        ({"y": np.full(40, "yes")}, ts.InputError, "y must hold both classes, ['no', 'yes']; every row of non-zero"),
        ({"y": Y, "sample_weight": ONLY_YES}, ts.InputError, "every row of non-zero weight is 'yes'"),
        ({"y": Y, "pos_label": "Yes"}, ts.UnknownName, "['no', 'yes']; got 'Yes'. Try pos_label='yes'; left"),
        ({"y": Y, "pos_label": 1}, ts.UnknownName, "got 1. Try pos_label='yes'; left out, it is 'yes'."),
        ({"y": Y, "pos_label": "No"}, ts.UnknownName, "Try pos_label='no'; left out, it is 'yes'."),
        ({"y": Y, "task": "binry"}, ts.InputError, "task must be one of auto, binary, multiclass, regression"),
        ({"y": Y, "task": "regression"}, ts.InputTypeError, "numbers, as the task is a regression; got text such as"),
        (
            {"task": "regression", "response_method": "predict_proba"},
            ts.InputError,
            "response_method='predict_proba' would give scores",
        ),
        ({"y": Y, "response_method": "proba"}, ts.InputError, "response_method must be one of auto"),
        ({"y": Y, "classes": ["yes", "no"]}, ts.InputError, "the model's own, ['no', 'yes'], where it has any"),
        ({"y": Y, "batch_rows": 0}, ts.InputError, "batch_rows must be at least 1"),
        (
            {"y": np.where(FIRST, None, Y)},
            ts.InputError,
            "y must have a value in every row; 20 of 40 are missing, first",
        ),
        ({"y": Y[FIRST]}, ts.InputError, "got 20 for 40 rows"),
    ],
)
def test_what_a_study_refuses(options, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        ts.Study(MODEL, X, **options)


def test_one_class_may_be_studied_without_y():
    assert ts.Study(MODEL, X[ONLY_YES]).n_rows == ONLY_YES.sum()
    assert ts.Study(MODEL, X, Y, classes=("no", "yes")).classes == ("no", "yes")


def test_other_rows_must_have_the_columns():
    study = ts.Study(MODEL, X, Y)
    with pytest.raises(ts.InputError, match=re.escape("it lacks 'b'. Add the missing columns, then take X[list(study")):
        study.predict(X[["a"]])
    with pytest.raises(ts.InputError, match=re.escape("it also has 'c'. Use X[list(study.X.columns)].")):
        study.predict(X.assign(c=1))
    with pytest.raises(ts.InputError, match="the same in another order"):
        study.predict(X[["b", "a"]])
    with pytest.raises(ts.InputError, match=r"2 columns in a frame; got 2 in an array. Give them in a frame"):
        study.predict(X.to_numpy())
    with pytest.raises(ts.InputError, match="at least one row"):
        study.predict(X[:0])


def test_errors_are_value_and_type_errors():
    with pytest.raises(ValueError, match="got neither"):
        ts.Study.from_predictions(X)
    with pytest.raises(TypeError, match="got a str"):
        ts.Study("model", X)
    with pytest.raises(ts.TauscopeError):
        ts.Study(MODEL, X, Y[:3])
