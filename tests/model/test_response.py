"""What of a model's answer an effect follows: named, counted, and read from data, not from the names."""

from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

import tauscope as ts
from tauscope.errors import InputError, UnknownName
from tauscope.model.response import response_name, response_names

X = np.random.default_rng(0).normal(size=(60, 2))
TWO = np.where(X[:, 0] > 0, "yes", "no")
THREE = np.digitize(X[:, 0], [-0.5, 0.5])


def test_names():
    assert response_name("value", ()) == "prediction"
    assert response_names("value", ()) == ("prediction",)
    assert response_name("probability", ("yes",)) == "probability of yes"
    assert response_name("score", ("a", "b")) == "score of each class"
    assert response_names("predicted label", ("a", "b")) == ("share predicted a", "share predicted b")


@pytest.mark.parametrize(
    ("model", "y", "method", "expected"),
    [
        (LogisticRegression(), TWO, "auto", ("probability", ("yes",), "predict_proba")),
        (LogisticRegression(), TWO, "decision_function", ("score", ("yes",), "decision_function")),
        (LogisticRegression(), THREE, "predict", ("predicted label", ("0", "1", "2"), "predict")),
        (LinearSVC(), TWO, "auto", ("score", ("yes",), "decision_function")),
        (LinearRegression(), X[:, 1], "auto", ("value", (), "predict")),
    ],
)
def test_of_estimators(model, y, method, expected):
    study = ts.Study(model.fit(X, y), X, y)
    response = study._response(method)
    assert (response.quantity, response.classes, response.method) == expected
    assert response.label == f"{type(model).__name__}.{response.method}"
    before = study.n_model_rows
    answers = response.predict(X[:7])
    assert study.n_model_rows == before + 7
    if response.predictions is not None:
        np.testing.assert_allclose(answers, response.predictions[:7], atol=1e-12)


def test_of_functions():
    fitted = LogisticRegression().fit(X, TWO)
    for function in (fitted.predict_proba, partial(fitted.predict_proba)):
        response = ts.Study(function, X, TWO)._response()
        assert (response.quantity, response.method) == ("probability", "predict_proba")
        assert response.label == "LogisticRegression.predict_proba"
    assert ts.Study(lambda rows: rows[:, 0] * 2, X, X[:, 1])._response().label == "a function"


def test_what_cannot_be_followed():
    study = ts.Study(LogisticRegression().fit(X, TWO), X, TWO)
    with pytest.raises(UnknownName, match="no class 'maybe'"):
        study._response(target_class="maybe")
    with pytest.raises(InputError, match="A regression has no classes"):
        ts.Study(LinearRegression().fit(X, X[:, 1]), X)._response(target_class="yes")
    with pytest.raises(InputError, match="Only a study of a model has effects"):
        ts.Study.from_predictions(X, TWO, TWO)._response()


def test_another_model_of_the_same_rows():
    study = ts.Study(LogisticRegression().fit(X, TWO), X, TWO)
    other = study.with_model(lambda rows: np.where(rows[:, 1] > 0, "yes", "no"))
    assert other.y.tolist() == TWO.tolist()
    assert other.classes == study.classes
    assert other._table_rows.n_rows == 60
    np.testing.assert_array_equal(other.predicted, X[:, 1] > 0)
    with pytest.raises(InputError, match="must hold labels the model knows"):
        study.with_model(lambda rows: np.where(rows[:, 1] > 0, "a", "b"))
