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
        ({"y": Y, "pos_label": "Yes"}, ts.UnknownName, "pos_label must be one of ['no', 'yes']; got 'Yes'"),
        ({"y": Y, "task": "binry"}, ts.InputError, "task must be one of auto, binary, multiclass, regression"),
        ({"y": Y, "task": "regression"}, ts.InputTypeError, "must be numbers for this task"),
        (
            {"task": "regression", "response_method": "predict_proba"},
            ts.InputError,
            "response_method='predict_proba' would give scores",
        ),
        ({"y": Y, "response_method": "proba"}, ts.InputError, "response_method must be one of auto"),
        ({"y": Y, "classes": ["yes", "no"]}, ts.InputError, "the model's own, ['no', 'yes'], where it has any"),
        ({"y": Y, "batch_rows": 0}, ts.InputError, "batch_rows must be at least 1"),
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
    with pytest.raises(ts.InputError, match=re.escape("2 in a frame: ['a', 'b']; got 1 in a frame: ['a']")):
        study.predict(X[["a"]])
    with pytest.raises(ts.InputError, match="got 2 in an array"):
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
