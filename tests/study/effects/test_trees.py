"""Partial dependence read from trees: the numbers of asking, hardly a model row, and a word where it cannot be."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from lightgbm import Dataset, LGBMClassifier, train
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

import tauscope as ts
from stores import study_in
from tauscope.errors import InputError
from trees.catboost_models import kept_model
from trees.libraries import GAPS

CLASSIFIERS = (
    DecisionTreeClassifier(max_depth=4, random_state=0),
    RandomForestClassifier(8, random_state=0),
    GradientBoostingClassifier(n_estimators=8, random_state=0),
    HistGradientBoostingClassifier(max_iter=4, random_state=0),
)
REGRESSORS = (ExtraTreesRegressor(8, random_state=0), HistGradientBoostingRegressor(max_iter=4, random_state=0))


def both(study, *arguments, **options):
    """The exact effect and the one by asking, checked to be the same."""
    options.setdefault("grid", 12)
    exact, asked = (study.effect(*arguments, method=method, **options) for method in ("auto", "brute"))
    np.testing.assert_allclose(exact._computed.effect, asked._computed.effect, rtol=0, atol=1e-10)
    np.testing.assert_allclose(exact._computed.lower, asked._computed.lower, rtol=0, atol=1e-8)
    np.testing.assert_allclose(exact._computed.ice, asked._computed.ice, rtol=0, atol=1e-10)
    assert "exact, by traversal of" in exact.method
    assert "as a check" in exact.method
    assert exact.n_model_rows <= 290 + 16 * len(exact.feature_names)
    assert "exact" not in asked.method
    assert (exact.status, asked.status) == ("complete", "complete")
    return exact


def cancer(model, **options):
    data = load_breast_cancer(as_frame=True)
    X = data.data.iloc[:, :6].copy()
    if isinstance(model, HistGradientBoostingClassifier):
        X.iloc[::11, 2] = np.nan
    y = np.where(data.target == 1, "benign", "malignant")
    return ts.Study(model.fit(X, y), X, y, **options)


@pytest.mark.slow
@pytest.mark.parametrize("model", CLASSIFIERS)
@pytest.mark.parametrize("options", [{}, {"pos_label": "benign"}])
def test_two_classes(model, options):
    study = cancer(model, **options)
    exact = both(study, 2)
    other = "benign" if study._pos_label == "malignant" else "malignant"
    flipped = both(study, 2, target_class=other)
    both(study, (2, 0), grid=4)
    np.testing.assert_allclose(flipped.frame["effect"], 1 - exact.frame["effect"], atol=1e-10)


def test_weights_bounds_and_breakdown():
    study = cancer(CLASSIFIERS[3]).under(ts.Mean("mean area", tau=0.4))
    exact = both(study, "mean area")
    assert exact.bounds(0.05).frame["certified_upper"].notna().all()
    assert exact.breakdown().epsilon > 0
    assert exact._weighted


@pytest.mark.slow
def test_margins():
    both(cancer(CLASSIFIERS[3]), 2, response_method="decision_function")
    both(cancer(CLASSIFIERS[2]), 2, response_method="decision_function")
    flipped = cancer(CLASSIFIERS[2], pos_label="benign").effect(2, response_method="decision_function")
    assert "exact" not in flipped.method
    assert "exact" not in cancer(CLASSIFIERS[2]).effect(2, response_method="predict").method


@pytest.mark.parametrize("model", CLASSIFIERS)
@pytest.mark.slow
def test_several_classes(model):
    data = load_iris(as_frame=True)
    y = np.array(["u", "v", "w"])[data.target]
    study = ts.Study(model.fit(data.data, y), data.data, y)
    exact = both(study, "petal width (cm)")
    assert exact._classes == ("u", "v", "w")
    one = both(study, "petal width (cm)", target_class="w")
    np.testing.assert_allclose(one._computed.effect[0], exact._computed.effect[2], atol=1e-12)


@pytest.mark.parametrize("model", REGRESSORS)
@pytest.mark.parametrize("container", ["pandas", "array", "polars"])
@pytest.mark.slow
def test_values_in_every_container(model, container):
    data = load_diabetes(as_frame=True)
    X = {"pandas": data.data, "array": data.data.to_numpy(), "polars": pl.from_pandas(data.data)}[container]
    both(ts.Study(model.fit(X, data.target), X, data.target), 2)


@pytest.mark.parametrize("objective", ["binary", "multiclass"])
def test_boosters_are_read_as_their_estimators_are(objective):
    data = load_iris(as_frame=True)
    y = data.target if objective == "multiclass" else (data.target == 1).astype(int)
    options = {"objective": objective, "num_class": 3 if objective == "multiclass" else 1, "verbose": -1}
    study = ts.Study(train(options, Dataset(data.data, y), 6), data.data, y, progress=False)
    both(study, "petal width (cm)")
    other = study.effect("petal width (cm)", target_class=0, grid=5)  # of two, one less what the booster answers
    assert ("exact" in other.method) == (objective == "multiclass")


def test_bools_are_numbers_to_trees():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"flag": random.random(90) < 0.5, "a": random.normal(size=90)})
    y = X["flag"] * 2 + X["a"]
    study = ts.Study(ExtraTreesRegressor(4, random_state=0).fit(X, y), X, y)
    exact, asked = (study.effect("flag", method=method) for method in ("auto", "brute"))
    np.testing.assert_allclose(exact.frame["effect"], asked.frame["effect"], atol=1e-12)
    assert "exact" in exact.method


def test_levels_are_read_in_frames_of_pandas_and_asked_about_in_others():
    X = pd.DataFrame({"c": pd.Categorical(["u", "v"] * 40), "a": np.arange(80.0)})
    model = HistGradientBoostingRegressor(max_iter=5, categorical_features="from_dtype", min_samples_leaf=2)
    model.fit(X, X["a"] + (X["c"] == "u"))
    both(ts.Study(model, X, X["a"]), "a")
    other = pl.DataFrame({"c": X["c"].astype(str), "a": X["a"]}).with_columns(pl.col("c").cast(pl.Categorical))
    rows = lambda rows: model.predict(rows.to_pandas())  # noqa: E731
    assert "exact" not in ts.Study(rows, other, X["a"], task="regression").effect("a").method
    assert ts.Study(model, X.assign(c=X["c"].cat.add_categories(["w"])), X["a"]).effect("a")._computed_from == "trees"


def test_trees_that_do_not_answer_as_the_model_does_are_asked_and_it_is_said():
    class Sharpened(RandomForestClassifier):
        def predict_proba(self, X):
            return super().predict_proba(X) ** 2 / (super().predict_proba(X) ** 2).sum(axis=1, keepdims=True)

    study = cancer(Sharpened(6, random_state=0))
    effect = study.effect(2, grid=9)
    np.testing.assert_allclose(effect.frame["effect"], study.effect(2, grid=9, method="brute").frame["effect"])
    assert "as its answers are not those of the trees read from it" in effect.method
    assert effect.status == "complete"


def test_other_kinds_are_asked_about():
    study = cancer(CLASSIFIERS[1])
    for effect in (study.effect(2, kind="ale"), study.effect(2, kind="cd"), study.effect((1, 2), kind="ale", grid=3)):
        assert "exact" not in effect.method


def test_method_is_one_of_two():
    with pytest.raises(InputError, match="auto, brute; got 'recursion'"):
        cancer(CLASSIFIERS[0]).effect(2, method="recursion")


def with_levels():
    rng = np.random.default_rng(0)
    n = 300
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["a number", "b"])
    X["colour"] = pd.Categorical(rng.choice(["red", "green", "blue"], n), ["blue", "never", "red", "green"])
    X["whole"] = pd.array(rng.integers(0, 5, n), dtype="Int64")
    X["flag"] = rng.random(n) < 0.5
    y = X["a number"] * X["flag"] + (X["colour"] == "green") * X["b"] + X["whole"].astype(float)
    X.loc[::11, "colour"] = None
    X.loc[::7, "b"] = np.nan
    X.loc[::9, "whole"] = pd.NA
    return X, y > 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "tolerance"),
    [
        (LGBMClassifier(n_estimators=6, min_child_samples=5, verbose=-1, n_jobs=1), 1e-10),
        (XGBClassifier(n_estimators=6, max_depth=3, enable_categorical=True, n_jobs=1), 1e-6),
        (HistGradientBoostingClassifier(max_iter=6), 1e-10),
    ],
    ids=lambda value: type(value).__name__,
)
def test_levels_and_missing_values_as_each_library_has_them(model, tolerance):
    X, y = with_levels()
    study = ts.Study(model.fit(X, y), X, y).under(ts.Mean("a number", tau=0.3))
    for column in X.columns:
        exact, asked = (study.effect(column, grid=5, method=method) for method in ("auto", "brute"))
        assert (exact._computed_from, asked._computed_from) == ("trees", "model")
        assert exact.n_model_rows <= 320
        np.testing.assert_allclose(exact._computed.ice, asked._computed.ice, rtol=0, atol=tolerance)
        np.testing.assert_allclose(exact._computed.effect, asked._computed.effect, rtol=0, atol=tolerance)
    assert len(study.effects(grid=5).frame)


def assert_close(got, want, tolerance):
    for name in ("effect", "lower", "upper"):
        np.testing.assert_allclose(getattr(got._computed, name), getattr(want._computed, name), rtol=0, atol=tolerance)


def numbers(X, y):
    return X[["a number", "b"]], y


KEPT = pd.DataFrame(GAPS[:90, :3], columns=["a number", "b", "c"])
IN_CHUNKS = {
    "lightgbm": (LGBMClassifier(n_estimators=6, min_child_samples=5, verbose=-1, n_jobs=1), 1e-9, None),
    "xgboost": (XGBClassifier(n_estimators=6, max_depth=3, enable_categorical=True, n_jobs=1), 1e-5, None),
    "histogram": (HistGradientBoostingClassifier(max_iter=6), 1e-9, None),
    "catboost": (kept_model("two-classes")[0], 1e-9, lambda X, y: (KEPT, None)),
    "forest": (RandomForestClassifier(5, random_state=0), 1e-9, numbers),
    "boosting": (GradientBoostingClassifier(n_estimators=5), 1e-9, lambda X, y: numbers(X.fillna({"b": 0.5}), y)),
    "tree": (DecisionTreeClassifier(max_depth=4), 1e-9, numbers),
    "extra trees": (ExtraTreesRegressor(5, random_state=0), 1e-9, lambda X, y: numbers(X, y + X["a number"])),
    "histogram of values": (HistGradientBoostingRegressor(max_iter=5), 1e-9, lambda X, y: numbers(X, y * 2.5)),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("store", ["chunks", "dask"])
@pytest.mark.parametrize("name", IN_CHUNKS)
def test_chunks_are_followed_through_the_trees_of_every_library(name, store):
    model, tolerance, part = IN_CHUNKS[name]
    X, y = with_levels() if part is None else part(*with_levels())
    X = X.sort_values("a number", ignore_index=True)  # values that other chunks lack
    weight = np.random.default_rng(0).gamma(1, size=len(X))
    if y is None:
        y = model.predict(X)
    else:
        X["group"] = np.where(np.arange(len(X)) % 3 > 0, 1.0, 2.0)
        model.fit(X, y)
    memory, chunked = (study_in(one, model, X, y, weight, (0.2, 0.9)) for one in ("memory", store))
    for feature in (*X.columns, ("a number", "b"), tuple(X.columns[[-1, 1]])):
        exact, asked = (chunked.effect(feature, grid=5, method=method) for method in ("auto", "brute"))
        assert (exact._computed_from, asked._computed_from) == ("trees", "model")
        assert exact.n_model_rows <= 3 * 64 + 256
        assert_close(exact, asked, tolerance)
        assert_close(exact, memory.effect(feature, grid=5), 1e-9)
        assert "exact, by traversal of" in exact.method
        if isinstance(feature, str) and "group" in X:
            stress = ts.Mean("a number", tau=0.2)
            by, want = (study.effect(feature, grid=5).by("group", stress) for study in (chunked, memory))
            assert by.n_model_rows <= 3 * 64 + 256
            np.testing.assert_allclose(by.curves.effect, want.curves.effect, rtol=0, atol=1e-8)


class Clipped(HistGradientBoostingClassifier):
    def predict_proba(self, X):
        found = super().predict_proba(X)
        found[np.asarray(X["b"] > 1)] = [0.25, 0.75]
        return found


@pytest.mark.slow
@pytest.mark.parametrize("store", ["chunks", "dask"])
def test_trees_that_answer_otherwise_in_one_chunk_are_asked_in_all(store):
    X, y = numbers(*with_levels())
    X["b"] = X["b"].sort_values(ignore_index=True, na_position="first")
    clipped = Clipped(max_iter=4).fit(X, y)  # in the last chunk alone
    effect = study_in(store, clipped, X, y).effect("a number", grid=4)
    want = study_in("memory", clipped, X, y).effect("a number", grid=4, method="brute")
    assert_close(effect, want, 1e-9)
    assert effect._computed_from == "model"
    assert "as its answers are not those of the trees read from it" in effect.method


@pytest.mark.slow
@pytest.mark.parametrize("library", [LGBMClassifier, XGBClassifier])
def test_levels_in_another_order_are_the_same_levels(library):
    options = {LGBMClassifier: {"verbose": -1, "min_child_samples": 5}, XGBClassifier: {"enable_categorical": True}}
    X, y = with_levels()
    model = library(n_estimators=6, n_jobs=1, **options[library]).fit(X, y)
    other = X.assign(colour=X["colour"].cat.reorder_categories(["green", "red", "blue", "never"]))
    effects = [ts.Study(model, rows, y).effect("colour").frame.set_index("value")["effect"] for rows in (X, other)]
    assert set(effects[0].index) == set(effects[1].index)
    np.testing.assert_allclose(effects[1][effects[0].index], effects[0], rtol=0, atol=1e-6)
