import re
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import tauscope as ts
from tauscope.data.frames import read_table
from tauscope.errors import InputError, InputTypeError
from tauscope.model import progress_bar
from tauscope.model.calls import Model, model_name

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + 0.3 * RNG.normal(size=60) > 0).astype(int)
LOGISTIC = LogisticRegression().fit(X, Y)


class Duck:
    """Fitted by nobody's rules: `predict` and nothing else."""

    def predict(self, rows):
        return rows[:, 0] > 0


def head(rows):
    return rows[:, 0]


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (LOGISTIC, "classifier"),
        (make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y), "classifier"),
        (GridSearchCV(LogisticRegression(), {"C": [1, 2]}, cv=2).fit(X, Y), "classifier"),
        (LinearRegression().fit(X, Y), "regressor"),
        (make_pipeline(StandardScaler(), LinearRegression()).fit(X, Y), "regressor"),
        (IsolationForest(n_estimators=5, random_state=0).fit(X), "function"),
        (KMeans(2, n_init=1, random_state=0).fit(X), "function"),
        (Duck(), "function"),
        (head, "function"),
    ],
)
def test_kind_is_what_scikit_learn_says(model, kind):
    assert Model(model).kind == kind


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (LOGISTIC, "LogisticRegression"),
        (make_pipeline(StandardScaler(), LogisticRegression()), "Pipeline[LogisticRegression]"),
        (head, "head"),
        (lambda rows: rows, "a function"),
        (partial(head), "head"),
        (Duck(), "Duck"),
        (LOGISTIC.predict_proba, "LogisticRegression.predict_proba"),
    ],
)
def test_names_are_for_people(model, name):
    assert model_name(model) == name


@pytest.mark.parametrize(
    ("model", "method", "scores"),
    [
        (LOGISTIC, "auto", "predict_proba"),
        (LOGISTIC, "decision_function", "decision_function"),
        (LOGISTIC, "predict_proba", "predict_proba"),
        (LOGISTIC, "predict", None),
        (RidgeClassifier().fit(X, Y), "auto", "decision_function"),
        (SVC().fit(X, Y), "auto", "decision_function"),
        (LinearRegression().fit(X, Y), "auto", None),
        (LinearRegression().fit(X, Y), "predict", None),
        (IsolationForest(n_estimators=5, random_state=0).fit(X), "decision_function", "decision_function"),
        (IsolationForest(n_estimators=5, random_state=0).fit(X), "auto", None),
    ],
)
def test_scores_come_from_the_method_asked_for(model, method, scores):
    asked = Model(model, method)
    answers = asked.ask(read_table(X))
    assert np.array_equal(answers.first, model.predict(X))
    if scores is None:
        assert answers.scores is None
        assert asked.n_model_rows == 60
    else:
        assert np.allclose(answers.scores, getattr(model, scores)(X))
        assert asked.n_model_rows == 120


def test_labels_are_those_of_predict_where_the_threshold_is_another():
    model = FixedThresholdClassifier(LOGISTIC, threshold=0.9).fit(X, Y)
    answers = Model(model).ask(read_table(X))
    assert np.array_equal(answers.first, model.predict(X))
    assert not np.array_equal(answers.first, answers.scores.argmax(1))


@pytest.mark.parametrize("batch_rows", [1, 7, 60, 1000, None])
def test_batches_change_nothing(batch_rows):
    asked = Model(LOGISTIC, batch_rows=batch_rows, progress=False)
    answers = asked.ask(read_table(X))
    assert np.allclose(answers.scores, LOGISTIC.predict_proba(X), rtol=1e-12)
    assert asked.n_model_rows == 120


@pytest.mark.slow
def test_batches_have_the_size_asked_for():
    sizes = []

    def model(rows):
        sizes.append(len(rows))
        return rows[:, 0]

    Model(model, batch_rows=25, progress=False).ask(read_table(X))
    assert sizes == [25, 25, 10]
    sizes.clear()
    Model(model).ask(read_table(np.zeros((100_000, 50))))
    assert sizes == [65_536, 34_464]
    sizes.clear()
    Model(model).ask(read_table(np.zeros((3, 4_000_000), dtype=np.uint8)))
    assert sizes == [1, 1, 1]


@pytest.mark.parametrize("progress", [True, False])
def test_a_bar_only_for_several_batches_and_after_a_while(monkeypatch, capfd, progress):
    Model(head, batch_rows=20, progress=progress).ask(read_table(X))
    assert capfd.readouterr() == ("", "")
    monkeypatch.setattr(progress_bar, "DELAY", 0)
    Model(head, progress=progress).ask(read_table(X))
    assert capfd.readouterr() == ("", "")
    Model(head, batch_rows=20, progress=progress).ask(read_table(X))
    assert ("Asking" in capfd.readouterr().err) is progress


@pytest.mark.parametrize(
    "rows",
    [
        X,
        X.astype(np.float32),
        pd.DataFrame(X, columns=list("abc"), index=np.arange(60) + 5),
        pl.DataFrame(X, schema=list("abc")),
        np.array([["a"], ["b"]]),
    ],
)
def test_the_model_gets_the_container_of_the_user(rows):
    seen = []

    def model(batch):
        seen.append(batch)
        return np.zeros(len(batch))

    Model(model, batch_rows=40, progress=False).ask(read_table(rows))
    assert all(type(batch) is type(rows) for batch in seen)
    whole = pd.concat([pd.DataFrame(np.asarray(batch)) for batch in seen], ignore_index=True)
    assert whole.equals(pd.DataFrame(np.asarray(rows)))
    if isinstance(rows, pd.DataFrame):
        assert seen[0].index.equals(rows.index[:40])
        assert seen[0].dtypes.equals(rows.dtypes)


def spoil_array(rows):
    rows[0, 0] = 99.0
    return rows[:, 0]


def spoil_frame(rows):
    rows["new"] = 1
    return rows["a"]


def spoil_polars(rows):
    rows.insert_column(0, pl.Series("new", [1] * len(rows)))
    return rows["a"]


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        (spoil_array, X),
        (spoil_frame, pd.DataFrame(X, columns=list("abc"))),
        (spoil_polars, pl.DataFrame(X, schema=list("abc"))),
        (make_pipeline(StandardScaler(copy=False), LogisticRegression()).fit(X.copy(), Y), X),
    ],
)
def test_a_model_that_writes_into_its_rows_is_told_so(model, rows):
    before = rows.copy() if not isinstance(rows, pl.DataFrame) else rows.clone()
    with pytest.raises(InputError, match="changed rows 0 to 59 in place"):
        Model(model).ask(read_table(rows))
    assert pd.DataFrame(np.asarray(rows)).equals(pd.DataFrame(np.asarray(before)))


def test_a_models_own_error_says_which_rows():
    def model(rows):
        if rows[0, 0] == X[40, 0]:
            raise RuntimeError("no luck")
        return rows[:, 0]

    with pytest.raises(RuntimeError, match="no luck") as caught:
        Model(model, batch_rows=20, progress=False).ask(read_table(X))
    assert caught.value.__notes__ == ["model raised this when asked about rows 40 to 59."]


@pytest.mark.parametrize(
    ("model", "options", "kind", "message"),
    [
        (LogisticRegression(), {}, InputError, "must be fitted; this LogisticRegression is not"),
        (make_pipeline(StandardScaler(), LogisticRegression()), {}, InputError, "must be fitted; this Pipeline is not"),
        (LogisticRegression, {}, InputTypeError, "got the class LogisticRegression"),
        (StandardScaler().fit(X), {}, InputTypeError, "must have predict, or be a function of rows; got a Standard"),
        ("model.bin", {}, InputTypeError, "got a str"),
        (LOGISTIC, {"response_method": "proba"}, InputError, "one of auto, predict_proba"),
        (SVC().fit(X, Y), {"response_method": "predict_proba"}, InputError, "SVC has no predict_proba"),
        (LinearRegression().fit(X, Y), {"response_method": "predict_proba"}, InputError, "is a regressor"),
        (LOGISTIC, {"batch_rows": 0}, InputError, "batch_rows must be at least 1; got 0"),
        (LOGISTIC, {"batch_rows": 2.5}, InputTypeError, "batch_rows must be an int or None; got 2.5"),
        (LOGISTIC, {"batch_rows": True}, InputTypeError, "batch_rows must be an int or None; got True"),
    ],
)
def test_what_is_no_model(model, options, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        Model(model, **options)


class Several(ClassifierMixin, BaseEstimator):
    """Two outputs, or one class, as its `classes_` say."""

    def __init__(self, classes=None):
        self.classes = classes

    def fit(self, X, y):
        self.classes_ = self.classes
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        ([np.array([0, 1]), np.array([0, 1])], "must have one output; Several has 2"),
        (np.array([0]), "Several was fitted on one only, (0,)"),
    ],
)
def test_classes_a_study_cannot_take(classes, message):
    with pytest.raises(InputError, match=re.escape(message)):
        Model(Several(classes).fit(X, Y))


def test_width_and_names_are_those_of_the_fit():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    named = LogisticRegression().fit(frame, Y)
    with pytest.raises(InputError, match=re.escape("LogisticRegression was fitted on, 3; got 2")):
        Model(LOGISTIC).ask(read_table(X[:, :2]))
    with pytest.raises(InputError) as caught:
        Model(named).ask(read_table(frame.rename(columns={"b": "B"})))
    assert str(caught.value).startswith(
        "X must have the columns LogisticRegression was fitted on; it lacks 'b' and also has 'B'. Rename or add "
        "the missing columns, then take X[list(model.feature_names_in_)]. The model says: The feature names should"
    )
    with pytest.raises(InputError, match=r"it lacks 'c'. Add the missing columns, then take X"):
        Model(named).ask(read_table(frame[["a", "b"]]))
    with pytest.raises(InputError, match=r"fitted on in their order; got the same in another order. Use X"):
        Model(named).ask(read_table(frame[["c", "b", "a"]]))
    with pytest.raises(InputError, match=r"it also has 'd'. Use X"):
        Model(named).ask(read_table(frame.assign(d=1.0)))
    assert len(Model(named).ask(read_table(frame)).first) == 60


def test_a_handful_of_columns_is_named():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 30)), columns=[f"x{j}" for j in range(30)])
    named = LogisticRegression().fit(frame, Y)
    with pytest.raises(InputError, match=r"it lacks 'x0', 'x1', 'x2', 'x3', 'x4' and 25 more and also has 'X0', .* 25"):
        Model(named).ask(read_table(frame.rename(columns=str.upper)))


def test_a_complaint_about_values_is_left_alone():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    columns = ColumnTransformer([("kept", "passthrough", ["a", "b"])])
    model = make_pipeline(columns, LogisticRegression()).fit(frame, Y)
    assert len(Model(model).ask(read_table(frame[["b", "a"]])).first) == 60
    with pytest.raises(ValueError, match="Input X contains NaN") as caught:
        Model(model).ask(read_table(frame[["a", "b"]].where(frame["a"] > 0)))
    assert not isinstance(caught.value, InputError)
    with pytest.raises(InputError, match=r"it lacks 'b', 'c'. Add the missing"):
        Model(model).ask(read_table(frame[["a"]]))
    with pytest.raises(InputError, match="it lacks 'a'"):
        Model(model).ask(read_table(frame[["b"]]))


class RenamesSpaces:
    """A model that writes the names of its columns with underscores, as LightGBM does."""

    feature_names_in_ = np.array(["mean_radius", "b", "c"])

    def predict(self, X):
        """Return whether the first column is positive."""
        return (X["mean radius"] > 0).to_numpy()


def test_a_model_that_renames_columns_is_asked():
    frame = pd.DataFrame(X, columns=["mean radius", "b", "c"])
    assert len(Model(RenamesSpaces()).ask(read_table(frame)).first) == 60
    with pytest.raises(InputError, match=r"it lacks 'mean_radius' and also has 'radius'\.") as caught:
        Model(RenamesSpaces()).ask(read_table(frame.rename(columns={"mean radius": "radius"})))
    assert "np.str_" not in str(caught.value)


def fails(self, rows):
    raise TypeError("not these")


@pytest.mark.parametrize(
    ("model", "way"),
    [
        (type("Booster", (), {"__module__": "xgboost.core", "predict": fails})(), "booster.inplace_predict"),
        (type("Net", (), {"state_dict": 1, "parameters": 1, "__call__": fails})(), "net(torch.tensor("),
    ],
)
def test_a_model_that_takes_no_rows_is_given_a_function(model, way):
    with pytest.raises(
        TypeError, match=rf"Give a function: Study\(lambda X: {re.escape(way)}.*The model says: not these"
    ):
        Model(model).ask(read_table(X))


def test_attributes_that_are_none_of_a_model():
    with pytest.raises(TypeError, match="A model must have predict, or be a function of rows"):
        Model(type("Empty", (), {"predict": None})())
    assert Model(type("Odd", (), {"classes_": 5, "predict": lambda self, rows: rows[:, 0]})()).classes is None


@pytest.mark.parametrize("kind", [GridSearchCV, RandomizedSearchCV])
@pytest.mark.parametrize("wrapped", [lambda search: search, lambda search: make_pipeline(StandardScaler(), search)])
def test_a_search_without_a_refit_is_to_be_refitted(kind, wrapped):
    options = {"n_iter": 2} if kind is RandomizedSearchCV else {}
    search = wrapped(kind(LogisticRegression(), {"C": [0.1, 1]}, refit=False, cv=2, **options))
    for model in (search, search.fit(X, X[:, 0] > 0)):
        with pytest.raises(InputError, match=f"this {kind.__name__} has refit=False. Fit it with refit=True"):
            Model(model)


def test_classes_in_a_list_keep_their_types():
    mixed = type("Mixed", (), {"classes_": ["1", 1, 2.5], "predict": fails})()
    assert Model(mixed).classes == ("1", 1, 2.5)


def test_several_outputs_are_studied_one_at_a_time():
    several = type("Several", (), {"classes_": [np.array([0, 1])] * 2, "predict": fails})()
    with pytest.raises(InputError, match=r"one output at a time: Study\(lambda X: model.predict_proba\(X\)\[0\]"):
        Model(several)


class CatBoost:
    """CatBoost's generic class: `predict` gives raw scores, `classes_` is empty for a regression."""

    __module__ = "catboost.core"

    def __init__(self, *classes):
        self.classes_ = np.array(classes)

    def fit(self, X, y):
        """Do nothing."""
        return self

    def predict(self, X, prediction_type="RawFormulaVal"):
        """Return raw scores, or values."""
        return np.asarray(X)[:, 0]


def test_catboosts_generic_class_is_asked_how_to_read_its_scores():
    y = (X[:, 0] > 0).astype(int)
    with pytest.raises(InputError, match=r"the return goes from -.* Use response_method='decision_function'"):
        ts.Study(CatBoost(0, 1), X, y)
    study = ts.Study(CatBoost(0, 1), X, y, response_method="decision_function")
    assert study._task == "binary"
    assert np.array_equal(study.predicted, y)
    assert ts.Study(CatBoost(), X, X[:, 0])._task == "regression"
