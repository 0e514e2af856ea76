import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeCV
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tauscope as ts
from passengers import passengers
from tauscope.stress.metrics import available

NUMERIC = ["Age", "Fare", "SibSp", "Parch"]
LEVELS = ["Sex", "Embarked", "Pclass"]


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[::2], y[::2])
    return model, X[1::2], y[1::2]


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    return make_pipeline(StandardScaler(), RidgeCV()).fit(X[::2], y[::2]), X[1::2], y[1::2]


@pytest.fixture(scope="module")
def titanic():
    frame = passengers()
    y = frame.pop("Survived").map({0: "died", 1: "survived"})
    return frame.drop(columns=["PassengerId", "Name", "Ticket", "Cabin"]), y


def raw_pipeline():
    """Numbers imputed, levels imputed and one-hot: the model sees raw columns with their missing values."""
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    columns = ColumnTransformer([("numbers", numbers, NUMERIC), ("levels", OneHotEncoder(), LEVELS)])
    return make_pipeline(columns, LogisticRegression(max_iter=1000))


def test_a_pipeline_on_breast_cancer(cancer):
    model, X, y = cancer
    study = ts.Study(model, X, y)
    assert (study._task, study.classes, study._pos_label) == ("binary", (0, 1), 1)
    assert (study.n_rows, study.n_model_rows) == (284, 2 * (284 + 8))
    assert study.feature_names == tuple(X.columns)
    assert np.array_equal(study.predicted, model.predict(X))
    assert np.array_equal(study._true_values, y)
    assert np.allclose(study.score, model.predict_proba(X)[:, 1], rtol=1e-12)
    assert study.score.ndim == 1
    assert study.sample_weight is None
    assert study._random_state is None
    assert study.X is X


def test_a_regression_on_diabetes(diabetes):
    model, X, y = diabetes
    study = ts.Study(model, X, y)
    assert (study._task, study.classes, study._pos_label) == ("regression", (), None)
    assert np.allclose(study.predicted, model.predict(X), rtol=1e-12)
    assert np.array_equal(study._true_values, y)
    assert study.n_model_rows == len(X) + 8
    assert ts.Study(model.predict, X, y)._task == "regression"
    assert [metric.name for metric in available(study._outcomes)] == ["mean", "variance", "rmse"]


def test_many_classes_on_iris():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = RandomForestClassifier(5, random_state=0).fit(X, names)
    study = ts.Study(model, X, names)
    assert (study._task, study.classes) == ("multiclass", ("setosa", "versicolor", "virginica"))
    assert np.allclose(study.score, model.predict_proba(X))
    assert study._outcomes.class_names == study.classes
    assert np.array_equal(names, np.array(study.classes)[study._true_values])


def test_a_raw_pipeline_answers_alike_in_pandas_and_polars(titanic):
    X, y = titanic
    pandas = ts.Study(raw_pipeline().fit(X, y), X, y)
    other = pl.from_pandas(X)
    polars = ts.Study(raw_pipeline().fit(other, y), other, pl.Series(y.to_list()))
    assert isinstance(polars.X, pl.DataFrame)
    assert np.allclose(pandas.score, polars.score, rtol=1e-9)
    assert np.array_equal(pandas.predicted, polars.predicted)
    assert pandas.classes == polars.classes == ("died", "survived")
    assert [column.kind for column in pandas._columns] == [column.kind for column in polars._columns]
    for one, two in zip(pandas._columns, polars._columns, strict=True):
        assert (one.name, one.levels, one.n_missing) == (two.name, two.levels, two.n_missing)
        if one.values is None:
            assert np.array_equal(one.codes, two.codes)
        else:
            assert np.array_equal(one.values, two.values, equal_nan=True)
    assert {column.name: column.n_missing for column in pandas._columns if column.n_missing} == {
        "Age": 177,
        "Embarked": 2,
    }


def test_titanic_class_as_levels(titanic):
    X, y = titanic
    study = ts.Study(raw_pipeline().fit(X, y), X, y, categorical_features=["Pclass"])
    column = study._columns[study.feature_names.index("Pclass")]
    assert (column.kind, column.levels) == ("categorical", ("1", "2", "3"))


@pytest.mark.slow
def test_pandas_categories_and_missing_reach_the_model_untouched(titanic):
    X, y = titanic
    X = X.astype({"Sex": "category", "Embarked": "category", "SibSp": "Int64"})
    model = HistGradientBoostingClassifier(max_iter=5, categorical_features="from_dtype").fit(X, y)
    study = ts.Study(model, X, y, batch_rows=100, progress=False)
    assert np.allclose(study.score, model.predict_proba(X)[:, 1])


@pytest.mark.parametrize("pos_label", [None, 0, 1])
@pytest.mark.parametrize("method", ["auto", "predict_proba", "decision_function", "predict"])
@pytest.mark.slow
def test_positive_class_and_scores(cancer, pos_label, method):
    model, X, y = cancer
    study = ts.Study(model, X, y, pos_label=pos_label, response_method=method)
    positive = 1 if pos_label is None else pos_label
    assert study._pos_label == positive
    assert np.array_equal(study._true_values == 1, y == positive)
    assert np.array_equal(study.predicted == 1, model.predict(X) == positive)
    expected = {
        "predict": None,
        "decision_function": model.decision_function(X) * (1 if positive == 1 else -1),
    }.get(method, model.predict_proba(X)[:, positive])
    assert study.score is None if expected is None else np.allclose(study.score, expected, rtol=1e-12)
    assert study.n_model_rows == (284 + 8) * (1 if method == "predict" else 2)


@pytest.mark.parametrize(
    "coding", [{0: "bad", 1: "good"}, {0: -1, 1: 1}, {0: False, 1: True}, {0: 2.0, 1: 3.0}], ids=str
)
@pytest.mark.slow
def test_labels_of_every_kind(cancer, coding):
    _, X, y = cancer
    y = y.map(coding)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    study = ts.Study(model, X, y)
    assert study.classes == tuple(coding.values())
    assert np.array_equal(study._true_values, y == coding[1])
    assert np.array_equal(study.predicted == 1, model.predict(X) == coding[1])
    for function in (model.predict, model.predict_proba, lambda rows: model.predict_proba(rows)[:, 1]):
        other = ts.Study(function, X, y)
        assert other.classes == study.classes
        assert np.array_equal(other.predicted, study.predicted)
        assert other.n_model_rows == 284 + 8


def test_labels_are_those_of_predict(cancer):
    model, X, y = cancer
    strict = FixedThresholdClassifier(model, threshold=0.99).fit(X, y)
    study = ts.Study(strict, X, y)
    assert np.array_equal(study.predicted, strict.predict(X))
    assert not np.array_equal(study.predicted, study.score > 0.5)


@pytest.mark.parametrize("container", ["pandas", "polars", "array"])
def test_functions_on_any_container(cancer, container):
    _, X, y = cancer
    rows = {"pandas": X, "polars": pl.from_pandas(X), "array": X.to_numpy()}[container]
    column = 0 if container == "array" else "mean radius"

    def large(batch):
        radius = batch[:, column] if container == "array" else batch[column]
        return radius < 15

    study = ts.Study(large, rows, y)
    assert (study._task, study._model_name) == ("binary", "large")
    assert np.array_equal(study.predicted == 1, X["mean radius"] < 15)


def test_names_of_an_array_come_from_the_fit(cancer):
    _, X, y = cancer
    model = RandomForestClassifier(3, random_state=0).fit(X.to_numpy(), y)
    assert ts.Study(model, X.to_numpy(), y).feature_names[:2] == ("x0", "x1")
    assert ts.Study(model, X.to_numpy(), y, feature_names=list(X)).feature_names == tuple(X)
    model.feature_names_in_ = np.array(X.columns, dtype=object)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        assert ts.Study(model, X.to_numpy(), y).feature_names == tuple(X)


def test_without_labels(cancer):
    model, X, _ = cancer
    study = ts.Study(model, X)
    assert study._true_values is None
    names = [metric.name for metric in available(study._outcomes)]
    assert names == ["portion_0", "portion_1", "mean_score"]


def test_task_may_be_said(cancer):
    model, X, y = cancer
    graded = ts.Study(model, X, y, task="regression")
    assert graded.predicted.dtype == np.float64
    assert graded.n_model_rows == 284 + 8
    many = ts.Study(model, X, y, task="multiclass")
    assert (many._task, many.score.shape, many._pos_label) == ("multiclass", (284, 2), None)
    line = LinearRegression().fit(X, y)
    assert ts.Study(line, X, y)._task == "regression"
    share = ts.Study(lambda rows: np.clip(line.predict(rows), 0, 1), X, task="binary")
    assert share.classes == (0, 1)
    named = ts.Study(lambda rows: np.clip(line.predict(rows), 0, 1), X, task="binary", classes=("no", "yes"))
    assert named._outcomes.class_names == ("no", "yes")


def test_weights_go_to_mean_one(cancer):
    model, X, y = cancer
    weight = np.arange(284)
    study = ts.Study(model, X, y, sample_weight=weight)
    assert study.sample_weight == pytest.approx(weight / weight.mean())


def test_what_a_study_holds_cannot_be_written(cancer):
    model, X, y = cancer
    study = ts.Study(model, X, y, sample_weight=np.ones(284))
    for held in (study._true_values, study.predicted, study.score, study.sample_weight):
        with pytest.raises(ValueError, match="read-only"):
            held[0] = 0
    with pytest.raises(AttributeError):
        study._task = "regression"
    with pytest.raises(AttributeError):
        study.predicted = None


def test_outcomes_are_what_engines_take(cancer):
    model, X, y = cancer
    outcomes = ts.Study(model, X, y)._outcomes
    assert (outcomes.task, outcomes.class_names, outcomes.n_rows) == ("binary", ("0", "1"), 284)
    assert outcomes.predicted.dtype == np.int8


@pytest.mark.parametrize("container", ["pandas", "polars", "array"])
def test_other_rows_are_read_by_the_same_rule(cancer, container):
    model, X, y = cancer
    asked = make_pipeline(StandardScaler(), LogisticRegression()).fit(X.to_numpy(), y)
    rows = {"pandas": X, "polars": pl.from_pandas(X), "array": X.to_numpy()}[container]
    model = asked if container == "array" else (lambda batch: asked.predict_proba(batch.to_numpy())[:, 1])
    study = ts.Study(model, rows, y)
    before = study.n_model_rows
    prediction = study.predict(rows[:10])
    assert np.array_equal(prediction.predicted, study.predicted[:10])
    assert np.allclose(prediction.score, study.score[:10])
    assert study.n_model_rows == before + (20 if container == "array" else 10)


class TestFromPredictions:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": ["u", "v", "u", None]})
    Y = ("no", "yes", "yes", "no")

    def test_labels(self):
        study = ts.Study.from_predictions(self.X, self.Y, ["no", "no", "yes", "no"])
        assert (study._task, study.classes, study._model_name, study.n_model_rows) == (
            "binary",
            ("no", "yes"),
            "predictions",
            0,
        )
        assert study.predicted.tolist() == [0, 0, 1, 0]
        assert study.score is None

    def test_labels_and_scores(self):
        study = ts.Study.from_predictions(self.X, self.Y, ["no", "no", "yes", "no"], [0.1, 0.6, 0.9, 0.2])
        assert study.predicted.tolist() == [0, 0, 1, 0]
        assert study.score.tolist() == [0.1, 0.6, 0.9, 0.2]
        other = ts.Study.from_predictions(
            self.X, self.Y, ["no", "no", "yes", "no"], [0.1, 0.6, 0.9, 0.2], pos_label="no"
        )
        assert other.score.tolist() == [0.1, 0.6, 0.9, 0.2]
        assert other.predicted.tolist() == [1, 1, 0, 1]

    @pytest.mark.parametrize(
        ("scores", "codes"), [([0.5, 0.6, 0.9, 0.2], [0, 1, 1, 0]), ([-0.5, 0.6, 9.0, 0.0], [0, 1, 1, 0])]
    )
    def test_scores_alone(self, scores, codes):
        study = ts.Study.from_predictions(self.X, self.Y, y_score=scores)
        assert study.predicted.tolist() == codes
        assert study.score.tolist() == scores

    def test_a_column_per_class(self):
        scores = np.array([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.1, 0.1, 0.8]])
        study = ts.Study.from_predictions(self.X, ["a", "b", "c", "c"], y_score=scores)
        assert study.classes == ("a", "b", "c")
        assert study.predicted.tolist() == [2, 0, 1, 2]
        study = ts.Study.from_predictions(self.X, ["a", "b", "c", "c"], y_score=scores, classes=("c", "b", "a"))
        assert np.array(study.classes)[study.predicted].tolist() == ["a", "c", "b", "a"]
        study = ts.Study.from_predictions(self.X, y_pred=["a", "b", "c", "c"], y_score=scores)
        assert study.predicted.tolist() == [0, 1, 2, 2]
        assert np.array_equal(study.score, scores)

    def test_values_and_no_truth(self):
        study = ts.Study.from_predictions(self.X, y_pred=[1.5, 2.5, 3.5, 4.5])
        assert (study._task, study._true_values) == ("regression", None)
        study = ts.Study.from_predictions(self.X, [1, 2, 3, 4], [1, 2, 3, 3], task="regression")
        assert study._true_values.dtype == np.float64

    def test_the_other_options(self):
        study = ts.Study.from_predictions(
            self.X[["a"]],
            self.Y,
            self.Y,
            sample_weight=[1, 1, 2, 0],
            categorical_features=["grade"],
            feature_names=["grade"],
        )
        assert study._columns[0].levels == ("1", "2", "3", "4")
        assert study.sample_weight.tolist() == [1, 1, 2, 0]

    def test_it_cannot_predict(self):
        study = ts.Study.from_predictions(self.X, self.Y, self.Y)
        with pytest.raises(ts.InputError, match=re.escape("Use Study(model, X, y)")):
            study.predict(self.X)

    @pytest.mark.parametrize(
        ("options", "kind", "message"),
        [
            ({}, ts.InputError, "y_pred, y_score or both; got neither"),
            ({"y_pred": [1, 2]}, ts.InputError, "y_pred must have one entry per row of X; got 2 for 4"),
            ({"y_pred": np.zeros((4, 2))}, ts.InputError, "y_pred must be one column; got shape (4, 2)"),
            ({"y_score": list("abcd")}, ts.InputTypeError, "y_score must be numbers"),
            ({"y_score": [0.1, None, 0.2, 0.3]}, ts.InputError, "y_score must have a finite value in every row"),
            ({"y_pred": list("abca"), "task": "two"}, ts.InputError, "task must be one of auto, binary"),
            ({"y_pred": list("abca"), "classes": "abc"}, ts.InputTypeError, "classes must be a sequence"),
            ({"y_pred": list("abca"), "classes": ["a", "a"]}, ts.InputError, "two or more different labels"),
            ({"y_pred": list("abca"), "classes": ["a", "b"]}, ts.UnknownName, "it also holds ['c']"),
        ],
    )
    def test_what_is_refused(self, options, kind, message):
        with pytest.raises(kind, match=re.escape(message)):
            ts.Study.from_predictions(self.X, **options)


class TestFromRanges:
    def test_a_model_without_data(self, titanic):
        X, y = titanic
        model = raw_pipeline().fit(X, y)
        ranges = {
            "Sex": ["female", "male"],
            "Age": (0.5, 80),
            "Fare": (0, 500),
            "SibSp": (0, 8),
            "Parch": (0, 6),
            "Pclass": [1, 2, 3],
            "Embarked": ["C", "Q", "S"],
        }
        study = ts.Study.from_ranges(model, ranges, n=500, random_state=3)
        assert (study.n_rows, study._random_state, study._true_values) == (500, 3, None)
        assert study.feature_names == tuple(X.columns)
        assert isinstance(study.X, pd.DataFrame)
        again = ts.Study.from_ranges(model, ranges, n=500, random_state=3)
        assert np.array_equal(study.score, again.score)

    def test_default_size_and_a_seed_to_repeat(self):
        def model(rows):
            return rows["a"] > 0.3

        first = ts.Study.from_ranges(model, {"a": (0.0, 1.0)})
        assert first.n_rows == 10_000
        again = ts.Study.from_ranges(model, {"a": (0.0, 1.0)}, random_state=first._random_state)
        assert first.X.equals(again.X)

    def test_arrays_where_the_model_had_them(self):
        X = np.random.default_rng(0).normal(size=(50, 2))
        model = LogisticRegression().fit(X, X[:, 0] > 0)
        study = ts.Study.from_ranges(model, {"a": (-1.0, 1.0), "b": (-1.0, 1.0)}, n=20, random_state=0)
        assert isinstance(study.X, np.ndarray)
        assert study.feature_names == ("a", "b")
        study = ts.Study.from_ranges(
            lambda rows: rows[:, 0] > 0, {"a": (-1.0, 1.0)}, n=20, random_state=0, as_frame=False, feature_names=["u"]
        )
        assert study.feature_names == ("u",)

    def test_there_are_no_labels(self):
        with pytest.raises(ts.InputError, match="have no y; got one"):
            ts.Study.from_ranges(lambda rows: rows["a"], {"a": (0, 1)}, y=[1])
        with pytest.raises(ts.InputError, match="have no sample_weight"):
            ts.Study.from_ranges(lambda rows: rows["a"], {"a": (0, 1)}, sample_weight=[1])
