"""Effects of derived studies ask nothing that is known, and give the numbers that asking would."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor

import tauscope as ts
from results.effects import samples
from tauscope.effects import Interval, custom_grid, partial_dependence
from tauscope.model.cache import PredictionCache

RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(250, 3)), columns=list("abc"))
X["few"] = RANDOM.integers(0, 6, 250)
X["level"] = RANDOM.choice(["u", "v", "w"], 250)
STRESS = ts.Mean("b", tau=0.4)

ASKED = {
    "pd": {"feature": "a"},
    "levels": {"feature": "level"},
    "cd": {"feature": "a", "kind": "cd"},
    "nearest": {"feature": "a", "kind": "cd", "n_neighbors": 20},
    "ale": {"feature": "a", "kind": "ale"},
    "ale of levels": {"feature": "level", "kind": "ale"},
    "dale": {"feature": "a", "kind": "dale"},
    "two": {"feature": ["a", "few"], "grid": 5},
    "interaction": {"feature": ["a", "b"], "kind": "ale", "grid": 5},
    "bootstrap": {"feature": "a", "interval": "bootstrap", "random_state": 1},
}


def model(rows):
    return np.sin(rows["a"]) * rows["b"] + 0.1 * rows["few"] + (rows["level"] == "v")


def same(one, two):
    for name in ("effect", "lower", "upper", "mass"):
        np.testing.assert_allclose(getattr(one._computed, name), getattr(two._computed, name), rtol=1e-9, atol=1e-12)
    assert np.array_equal(one._computed.n, two._computed.n)
    assert one.notes == two.notes
    assert [axis.labels for axis in one._axes] == [axis.labels for axis in two._axes]


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_under_a_stress_nothing_is_asked(name):
    study = ts.Study(model, X)
    study.effect(**ASKED[name])
    before = study.n_model_rows
    moved = study.under(STRESS)
    found = moved.effect(**ASKED[name])
    assert found.n_model_rows == 0
    assert study.n_model_rows == before
    assert found.method == "cached answers of model"
    same(found, ts.Study(model, X).under(STRESS).effect(**ASKED[name]))


def test_the_derived_study_knows_first_and_the_first_gains():
    study = ts.Study(model, X)
    study.under(STRESS).effect("a")
    before = study.n_model_rows
    same(study.effect("a"), ts.Study(model, X).effect("a"))
    assert study.n_model_rows == before


def test_conditional_dependence_from_the_curves_of_partial():
    study = ts.Study(model, X)
    study.effect("a")
    before = study.n_model_rows
    for options in ({}, {"window": 0.3}, {"n_neighbors": 15}):
        same(study.effect("a", kind="cd", **options), ts.Study(model, X).effect("a", kind="cd", **options))
    assert study.n_model_rows == before


def test_a_subgroup_at_known_points():
    study = ts.Study(model, X)
    study.effect("few")
    before = study.n_model_rows
    part = study.where(X["few"] > 2)
    found = part.effect("few")
    assert found.frame["value"].tolist() == [3, 4, 5]
    same(found, ts.Study(model, X[X["few"] > 2]).effect("few"))
    smaller = part.where((X["b"] > 0)[X["few"] > 2])
    same(
        smaller.under(STRESS).effect("few"),
        ts.Study(model, X[(X["few"] > 2) & (X["b"] > 0)]).under(STRESS).effect("few"),
    )
    assert study.n_model_rows == before


def test_what_is_not_known_is_asked():
    study = ts.Study(model, X)
    study.where(X["b"] > 0).effect("few")
    asked = study.n_model_rows
    study.effect("few")  # more rows than the subgroup's
    assert study.n_model_rows > asked
    for options in ({"kind": "ale"}, {"grid": [0.5]}, {"ice_bytes": 0}):
        asked = study.n_model_rows
        study.effect("a", **options)
        assert study.n_model_rows > asked
    asked = study.n_model_rows
    study.where(X["b"] > 0).effect("few", kind="ale")
    assert study.n_model_rows > asked


def test_another_class_or_response_is_another_question():
    fitted, rows, y = samples.grades()
    study = ts.Study(fitted, rows, y)
    study.effect("a", target_class="x")
    for options in ({"target_class": "y"}, {"response_method": "predict", "target_class": "x"}, {}):
        asked = study.n_model_rows
        study.effect("a", **options)
        assert study.n_model_rows > asked


def test_trees_are_read_once_and_brute_force_always_asks():
    rows = X[["a", "b", "c"]]
    fitted = HistGradientBoostingRegressor(max_iter=5).fit(rows, rows["a"])
    study = ts.Study(fitted, rows)
    first = study.effect("a")
    asked = study.n_model_rows
    same(study.under(STRESS).effect("a"), first.under(STRESS).after)
    assert study.n_model_rows == asked
    study.effect("a", method="brute")
    assert study.n_model_rows > asked + 1000


def test_a_stopped_effect_is_not_kept():
    study = ts.Study(model, X, batch_rows=500)
    stopped = study.effect("a", callback=lambda done, total: True)
    assert stopped.status.startswith("stopped")
    assert study.effect("a").status == "complete"


def test_memory_is_bounded_and_the_least_used_goes():
    values = X[["a", "b"]].to_numpy()

    def effect(column):
        grid = custom_grid([0.0, 1.0], values[:, column])
        return (grid,), partial_dependence(lambda rows: rows.sum(axis=1), values, (column,), (grid,))

    kept = PredictionCache(most_bytes=2 * 250 * 2 * 8)
    for number in range(2):
        grids, found = effect(number)
        kept.keep(number, grids, None, found)
    interval = Interval()
    assert kept.find(0, effect(0)[0], None, None, interval, 250) is not None
    grids, found = effect(0)
    kept.keep("third", grids, None, found)
    assert kept.n_bytes == 2 * 250 * 2 * 8
    assert kept.find(1, effect(1)[0], None, None, interval, 250) is None
    assert kept.find(0, effect(0)[0], None, None, interval, 250) is not None
    small = PredictionCache(most_bytes=10)
    small.keep("large", grids, None, found)
    assert small.n_bytes == 0
