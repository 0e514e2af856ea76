"""Effects from derivatives: closed forms, the caller's own gradient, and what has no derivative."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import tauscope as ts
from results.effects import samples
from tauscope.effects import accumulated_effect, derivative_effect, numeric_grid
from tauscope.errors import InputError, InputTypeError

RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(300, 3)), columns=list("abc")).assign(whole=RANDOM.integers(0, 9, 300))
Y = (X["a"] + X["b"] > 0).astype(int)


def wave(rows):
    return np.sin(rows["a"]) * rows["b"] + rows["c"]


def slope(rows):
    return np.cos(rows["a"]) * rows["b"]


def test_a_line_has_its_slope():
    model, rows, y = samples.line()
    study = ts.Study(model, rows, y)
    effect = study.effect("a", kind="dale", grid=12)
    frame = effect.frame
    expected = 2 * frame["value"]
    np.testing.assert_allclose(np.diff(frame["effect"]), np.diff(expected), atol=1e-8)
    assert effect.n_model_rows <= 2 * len(rows)
    assert repr(effect).startswith("Accumulated derivative effect of prediction on a")
    assert (frame["lower"] <= frame["effect"]).all()


@pytest.mark.parametrize("given", [slope, slope(X), slope(X).to_numpy(), slope(X).to_numpy()[:, None]])
def test_the_callers_gradient_asks_the_model_nothing(given):
    weight = np.linspace(0.5, 1.5, len(X))
    study = ts.Study(wave, X, sample_weight=weight)
    before = study.n_model_rows
    found = study.effect("a", kind="dale", grid=10, gradient=given)
    assert study.n_model_rows == before
    grid = numeric_grid(X["a"].to_numpy(), 10)
    expected = derivative_effect(X.to_numpy(), 0, grid, gradient=slope(X).to_numpy(), sample_weight=weight)
    np.testing.assert_allclose(found._computed.effect, expected.effect, atol=1e-12)
    assert found.method == "derivatives given; the model was not called"


def test_differences_are_the_gradient_where_the_model_is_smooth():
    study = ts.Study(wave, X)
    given = study.effect("a", kind="dale", gradient=slope)._computed.effect
    taken = study.effect("a", kind="dale")
    np.testing.assert_allclose(taken._computed.effect, given, atol=1e-6)
    assert "called on 600 rows" in taken.method
    wide = study.effect("a", kind="dale", step=0.5)
    assert np.abs(wide._computed.effect - given).max() > 1e-4
    across = accumulated_effect(lambda rows: np.sin(rows[:, 0]) * rows[:, 1] + rows[:, 2], X.to_numpy()[:, :3], 0,
                                numeric_grid(X["a"].to_numpy(), 50))  # fmt: skip
    assert np.abs(across.effect - given)[:, 1:-1].max() < 0.01


@pytest.mark.slow
def test_bounds_breakdown_and_stress_as_of_any_accumulated_effect():
    study = ts.Study(LogisticRegression().fit(X, Y), X, Y)
    effect = study.effect("a", kind="dale", grid=10)
    bounds = effect.bounds(0.05)
    assert (bounds.frame["certified_upper"] >= bounds.frame["effect"] - 1e-12).all()
    assert effect.breakdown().epsilon > 0
    moved = effect.under(ts.Mean("b", tau=0.5))
    assert moved.inside
    same = study.under(ts.Mean("b", tau=0.5)).effect("a", kind="dale", grid=10)
    np.testing.assert_allclose(moved.after._computed.effect, same._computed.effect, atol=1e-12)
    effect.chart().to_dict()


def test_classes_each_have_a_gradient():
    model, rows, y = samples.grades()
    study = ts.Study(model, rows, y)
    scores = model.predict_proba(rows)
    mean = scores @ model.coef_[:, :1]
    gradient = scores * (model.coef_[:, 0] - mean)
    given = study.effect("a", kind="dale", gradient=gradient)
    np.testing.assert_allclose(study.effect("a", kind="dale")._computed.effect, given._computed.effect, atol=1e-6)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_depth=3),
        make_pipeline(StandardScaler(), RandomForestClassifier(3, random_state=0)),
        GridSearchCV(DecisionTreeClassifier(), {"max_depth": [2]}, cv=2),
    ],
)
def test_trees_have_no_derivative_and_are_not_asked(model):
    study = ts.Study(model.fit(X, Y), X, Y)
    before = study.n_model_rows
    with pytest.raises(InputError, match=r"answers by trees, flat between jumps. Use kind='ale'"):
        study.effect("a", kind="dale")
    assert study.n_model_rows == before


def test_a_function_that_jumps_is_found_out():
    with pytest.raises(
        InputError, match=r"^Derivatives need a smooth model.*Use kind='ale', which takes differences across bins\.$"
    ):
        ts.Study(lambda rows: np.floor(2 * rows["a"]), X).effect("a", kind="dale")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"feature": ["a", "b"]}, InputError, "of one feature; got two"),
        ({"step": 0}, InputError, "step must be a positive number"),
        ({"step": "wide"}, InputError, "step must be a positive number"),
        ({"gradient": np.ones(300), "step": 0.1}, InputError, "got both"),
        ({"gradient": np.ones(7)}, InputError, "300"),
        ({"gradient": np.ones((300, 2))}, InputError, r"one derivative per row; got shape \(300, 2\)"),
        ({"gradient": np.array(["steep"] * 300)}, InputTypeError, "gradient must be numbers"),
        ({"gradient": np.full(300, np.nan)}, InputError, "finite"),
        ({"kind": "ale", "step": 0.1}, InputError, "gradient and step are of kind='dale'"),
        ({"response_method": "predict"}, InputError, "answers by labels"),
    ],
)
@pytest.mark.slow
def test_what_is_refused(options, error, words):
    study = ts.Study(LogisticRegression().fit(X, Y), X, Y)
    feature = options.pop("feature", "a")
    with pytest.raises(error, match=words):
        study.effect(feature, **{"kind": "dale", **options})


def test_dates_take_no_small_steps():
    rows = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=300)}).assign(a=X["a"])
    with pytest.raises(InputError, match="'day' holds dates"):
        ts.Study(lambda rows: rows["a"], rows).effect("day", kind="dale")


def test_levels_have_no_derivative():
    with pytest.raises(InputError, match="'sex' holds levels"):
        samples.study().effect("sex", kind="dale")
    assert ts.Study(LinearRegression().fit(X, X["a"]), X, X["a"]).effect("whole", kind="dale", gradient=np.ones(300))


@pytest.mark.parametrize("container", ["pandas", "polars", "array"])
def test_whole_numbers_take_small_steps(container):
    rows = pd.DataFrame({"whole": RANDOM.integers(0, 9, 200), "other": RANDOM.integers(0, 5, 200)})
    y = 3.0 * rows["whole"] - rows["other"]
    model = make_pipeline(StandardScaler(), LinearRegression()).fit(rows.to_numpy(), y)
    given = {"pandas": rows, "polars": pl.from_pandas(rows), "array": rows.to_numpy()}[container]
    study = ts.Study(lambda X: model.predict(np.asarray(X)), given, y, feature_names=["whole", "other"])
    frame = study.effect("whole", kind="dale", grid=5).frame
    np.testing.assert_allclose(np.diff(frame["effect"]), 3.0 * np.diff(frame["value"]), atol=1e-8)
