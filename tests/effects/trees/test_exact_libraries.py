"""Exact partial dependence of boosted trees of other libraries: what asking the model gives, row by row."""

import numpy as np
import pytest

from effects.models import brute_ice
from tauscope.effects import custom_grid, exact_dependence, exact_dependences, numeric_grid, partial_dependence
from tauscope.trees.tree_model import classifies
from trees.catboost_models import kept_model
from trees.libraries import GAPS, SCORE, THREE, TWO, lightgbm, xgboost

WEIGHTS = np.random.default_rng(3).exponential(size=len(GAPS))
CODED = {"feature_types": ["q", "q", "q", "c"], "enable_categorical": True}


def lightgbm_of(classes=0):
    y = {0: SCORE, 2: TWO, 3: THREE}[classes]
    return lightgbm(classes).fit(GAPS, y, categorical_feature=[3])


def xgboost_of(classes=0):
    return xgboost(classes, **CODED).fit(GAPS, {0: SCORE, 2: TWO, 3: THREE}[classes])


MODELS = {
    "lightgbm values": (lambda: lightgbm_of(), 1e-10),
    "lightgbm two classes": (lambda: lightgbm_of(2), 1e-10),
    "lightgbm three classes": (lambda: lightgbm_of(3), 1e-10),
    "xgboost values": (lambda: xgboost_of(), 3e-6),
    "xgboost two classes": (lambda: xgboost_of(2), 1e-6),
    "xgboost three classes": (lambda: xgboost_of(3), 1e-6),
    "catboost values": (lambda: kept_model("values")[0], 1e-9),
    "catboost two classes": (lambda: kept_model("two-classes")[0], 1e-10),
    "catboost three classes": (lambda: kept_model("three-classes")[0], 1e-10),
}


def rows_of(name):
    return GAPS[:90, :3] if name.startswith("catboost") else GAPS


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_rows_followed_equal_rows_asked(name):
    make, tolerance = MODELS[name]
    model, rows = make(), rows_of(name)
    weights = WEIGHTS[: len(rows)]
    response = "predict_proba" if classifies(model) else "predict"
    predict = getattr(model, response)
    values = (np.array([0.0, 1, 3, 5, 7, np.nan]), 3) if rows.shape[1] == 4 else (np.array([0.0, np.nan]), 2)
    first, second = numeric_grid(rows[:, 0], 9), custom_grid(values[0], rows[:, values[1]])
    for columns, grids in (((0,), (first,)), ((values[1],), (second,)), ((values[1], 0), (second, first))):
        found = exact_dependence(model, predict, rows, columns, grids, response=response, sample_weight=weights)
        asked = partial_dependence(predict, rows, columns, grids, sample_weight=weights)
        assert found.n_trees > 0
        assert found.unread == ""
        assert found.n_model_rows < 300 + 30 * len(columns)
        for what in ("ice", "effect", "lower", "upper", "mass"):
            np.testing.assert_allclose(getattr(found, what), getattr(asked, what), rtol=0, atol=20 * tolerance)
        np.testing.assert_allclose(found.ice, asked.ice, rtol=0, atol=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lightgbm values", "xgboost values", "catboost values"])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_of_leaves_equal_rows_asked(name, weighted):
    make, tolerance = MODELS[name]
    model, rows = make(), rows_of(name)
    weights = WEIGHTS[: len(rows)] if weighted else None
    columns = range(rows.shape[1])
    grids = [numeric_grid(rows[:, column], 7) for column in columns]
    found = exact_dependences(model, model.predict, rows, columns, grids, response="predict", sample_weight=weights)
    for column, one in enumerate(found):
        expected = np.average(brute_ice(model.predict, rows, column, grids[column].values), axis=1, weights=weights)
        np.testing.assert_allclose(one.effect, expected, rtol=0, atol=tolerance)
        assert one.n_trees > 0


@pytest.mark.slow
def test_a_model_that_answers_otherwise_is_asked():
    model = lightgbm().fit(GAPS, SCORE)
    spoilt = lambda rows: model.predict(rows) + 1e-3 * (rows[:, 1] > 0)  # noqa: E731
    grid = numeric_grid(GAPS[:, 0], 5)
    found = exact_dependence(model, spoilt, GAPS, (0,), (grid,), response="predict")
    assert found.n_trees == 0
    assert found.unread == "its answers are not those of the trees read from it"
    np.testing.assert_allclose(found.effect, partial_dependence(spoilt, GAPS, (0,), (grid,)).effect)


@pytest.mark.slow
def test_zeros_taken_for_missing_values():
    zeros = np.where(np.abs(GAPS) < 0.5, 0.0, GAPS)
    model = lightgbm(zero_as_missing=True).fit(zeros, SCORE)
    grid = custom_grid([-1.0, -1e-40, 0.0, 1e-40, 1.0], zeros[:, 0])
    found = exact_dependence(model, model.predict, zeros, (0,), (grid,), response="predict")
    assert found.n_trees > 0
    np.testing.assert_allclose(found.ice, brute_ice(model.predict, zeros, 0, grid.values), rtol=0, atol=1e-12)
