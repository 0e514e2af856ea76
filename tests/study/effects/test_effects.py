"""Many features at once: each the effect it would be by itself, trees in one traversal."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestClassifier

import tauscope as ts
from results.effects import samples
from tauscope.errors import InputError, UnknownName

RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(300, 4)), columns=list("abcd")).assign(flat=1.0)
X.loc[::11, "b"] = np.nan
Y = (X["a"] + X["c"] ** 2 > 0.5).astype(int)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_each_is_the_effect_by_itself(kind):
    study = samples.study()
    found = study.effects(kind=kind, grid=8)
    assert found.feature_names == study.feature_names
    assert len(found) == 7
    for effect in found:
        alone = samples.study().effect(effect.feature_names[0], kind=kind, grid=8)
        np.testing.assert_allclose(effect._computed.effect, alone._computed.effect, atol=1e-12)
        np.testing.assert_allclose(effect._computed.lower, alone._computed.lower, atol=1e-12)
    assert found["age"].bounds(0.1).frame.shape[0] == len(found["age"].frame)
    assert found.frame.shape[0] == sum(len(effect.frame) for effect in found)
    assert list(found.frame.columns[:2]) == ["feature", "value"]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "model", [RandomForestClassifier(8, random_state=0), HistGradientBoostingRegressor(max_iter=9)]
)
@pytest.mark.slow
def test_sums_of_trees_are_read_in_one_traversal(model, weighted):
    weight = RANDOM.uniform(0.2, 2, len(X)) if weighted else None
    study = ts.Study(model.fit(X, Y), X, Y, sample_weight=weight)
    before = study.n_model_rows
    found = study.effects(grid=10)
    assert study.n_model_rows - before == found.n_model_rows < 1000
    assert found.skipped == (("flat", "one value only"),)
    for effect in found:
        alone = study.effect(effect.feature_names[0], grid=10, method="brute")
        np.testing.assert_allclose(effect._computed.effect, alone._computed.effect, atol=1e-10)
        assert np.isnan(effect._computed.lower).all()
        assert "no interval and no bounds" in effect.notes[-1]
    with pytest.raises(InputError, match="compute this effect alone"):
        found["a"].bounds(0.1)
    followed = study.effects(grid=10, individual=True)
    assert np.isfinite(followed["a"]._computed.lower).all()
    np.testing.assert_allclose(followed["a"]._computed.effect, found["a"]._computed.effect, atol=1e-10)
    drawn = study.effects(["a"], grid=5, interval="bootstrap", random_state=0)
    assert np.isfinite(drawn["a"]._computed.lower).all()
    asked = study.effects(["a"], grid=5, method="brute")
    assert "row by row" not in asked["a"].method


def test_a_boosted_probability_is_no_sum_and_is_followed():
    study = ts.Study(HistGradientBoostingClassifier(max_iter=5).fit(X, Y), X, Y)
    found = study.effects(["a", "b"], grid=6)
    assert np.isfinite(found["a"]._computed.lower).all()
    margin = study.effects(["a", "b"], grid=6, response_method="decision_function")
    assert np.isnan(margin["a"]._computed.lower).all()


@pytest.mark.slow
def test_rank_is_the_spread_of_the_curve_over_the_rows():
    study = ts.Study(lambda rows: 2 * rows["a"] + rows["c"] + 0.0 * rows["d"], X[["a", "c", "d"]])
    rank = study.effects(grid=400).rank()
    assert rank["feature"].tolist() == ["a", "c", "d"]
    np.testing.assert_allclose(rank["importance"], [2 * X["a"].std(ddof=0), X["c"].std(ddof=0), 0], atol=1e-9)
    by_class = ts.Study(*samples.grades()).effects(grid=5)
    with pytest.raises(InputError, match="One class is needed"):
        by_class.rank()
    assert by_class.rank("z")["feature"][0] == "a"
    assert "x" in by_class.frame["class"].unique()
    assert samples.study().effects(grid=5).rank()["importance"].notna().all()


def test_columns_that_have_none():
    derivatives = ts.Study(lambda rows: rows["a"] ** 2 + rows["level"].eq("u"), X.assign(level="u").assign(
        level=RANDOM.choice(["u", "v"], len(X))))  # fmt: skip
    found = derivatives.effects(kind="dale", grid=5)
    assert ("level", "derivatives are along numbers") in found.skipped
    with pytest.raises(InputError, match="No column has an effect to show: 'flat': one value only"):
        ts.Study(lambda rows: rows["flat"], X[["flat"]], task="regression").effects()
    with pytest.raises(InputError, match="every value is missing"):
        ts.Study(lambda rows: np.zeros(len(rows)), pd.DataFrame({"gone": [np.nan] * 4}), task="regression").effects()


def test_stopping():
    study = samples.study()
    found = study.effects(grid=5, callback=lambda done, total: done == 2)
    assert len(found) == 2
    assert (found.status, found.message) == ("stopped", "stopped after 2 of 7 features: run it again for all")
    assert found.message in repr(found)
    left = [5]

    def asked(rows):
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return rows["a"] * rows["c"]

    interrupted = ts.Study(asked, X[["a", "c", "d"]])
    left[0] = 2
    assert len(interrupted.effects(grid=5)) == 1
    left[0] = 1
    with pytest.raises(KeyboardInterrupt):
        interrupted.effects(["d"], grid=7)


@pytest.mark.slow
def test_words_charts_and_files(tmp_path):
    found = samples.study().effects(grid=5)
    assert "the model was called on" in repr(found)
    assert len(found.chart(columns=2).to_dict()["concat"]) == 7
    found.save(tmp_path / "effects.csv")
    found.save(tmp_path / "effects.json")
    document = json.loads((tmp_path / "effects.json").read_text())["summary"]
    assert document["features"] == list(found.feature_names)
    trees = ts.Study(RandomForestClassifier(3, random_state=0).fit(X, Y), X, Y).effects(grid=4)
    assert repr(trees).splitlines()[-2].startswith("  exact, by traversal of 3 trees; the model was called on")
    trees.chart().to_dict()
    trees["a"].chart().to_dict()
    many = pd.DataFrame(RANDOM.normal(size=(40, 12)))
    assert "and 2 more" in repr(ts.Study(lambda rows: rows.sum(axis=1), many).effects(grid=3))


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"grid": [1, 2]}, InputError, "grid of many features is a number"),
        ({"features": ["fair"]}, UnknownName, "fare"),
        ({"features": []}, InputError, "each once and at least one"),
        ({"kind": "shap"}, InputError, "kind must be one of"),
    ],
)
def test_what_is_refused(options, error, words):
    with pytest.raises(error, match=words):
        samples.study().effects(**options)


def test_names_and_columns_of_panels():
    found = samples.study().effects(["age", "sex"], grid=4)
    with pytest.raises(UnknownName, match="age"):
        found["aeg"]
    with pytest.raises(InputError, match="columns must be a number of panels"):
        found.chart(columns=0)
