"""Trees read from XGBoost answer as it does: to its single precision, on thresholds, for what is missing and unseen."""

import numpy as np
import pytest
from xgboost import XGBRegressor, XGBRFClassifier, XGBRFRegressor

from tauscope.trees.adapters import read_trees
from tauscope.trees.tree_model import UnreadableModel, check_trees
from trees.libraries import (
    COUNTS,
    GAPS,
    SCORE,
    THREE,
    TWO,
    XGBOOST,
    X,
    answers_of,
    computed_of,
    hostile_rows,
    xgboost,
)

CODED = {"feature_types": ["q", "q", "q", "c"], "enable_categorical": True}
CASES = {
    "two classes": (xgboost(2), X, TWO),
    "three classes": (xgboost(3), X, THREE),
    "values": (xgboost(), X, SCORE),
    "large values": (xgboost(), X, 1e6 + 1e3 * SCORE),
    "small values": (xgboost(), X, 1e-6 * SCORE),
    "gaps, two classes": (xgboost(2), GAPS, TWO),
    "gaps, three classes": (xgboost(3), GAPS, THREE),
    "gaps, values": (xgboost(), GAPS, SCORE),
    "base score": (xgboost(2, base_score=0.3), X, TWO),
    "dart": (xgboost(booster="dart", rate_drop=0.4), GAPS, SCORE),
    "forest of values": (XGBRFRegressor(**XGBOOST), GAPS, SCORE),
    "forest of classes": (XGBRFClassifier(**XGBOOST), GAPS, THREE),
    "several trees a round": (xgboost(num_parallel_tree=3, subsample=0.5), GAPS, SCORE),
    "pruned": (xgboost(2, gamma=2.0, tree_method="exact"), X, TWO),
    "by leaves": (xgboost(2, grow_policy="lossguide", max_leaves=9), GAPS, TWO),
    "counts": (xgboost(objective="count:poisson"), GAPS, COUNTS),
    "gamma": (xgboost(objective="reg:gamma"), GAPS, COUNTS + 1),
    "shares": (xgboost(objective="reg:logistic"), GAPS, 0.9 * TWO),
    "absolute error": (xgboost(objective="reg:absoluteerror"), GAPS, SCORE),
    "levels": (xgboost(**CODED), GAPS, SCORE),
    "levels one by one": (xgboost(2, max_cat_to_onehot=99, **CODED), GAPS, TWO),
    "levels in sets": (xgboost(2, max_cat_to_onehot=1, **CODED), GAPS, TWO),
}
REFUSED = {
    "linear": (XGBRegressor(booster="gblinear", n_estimators=2), SCORE, "predict", "linear model"),
    "hinge": (xgboost(objective="binary:hinge"), TWO, "predict", "binary:hinge"),
    "missing": (xgboost(missing=-1), SCORE, "predict", "-1 for a missing value"),
    "several values": (xgboost(multi_strategy="multi_output_tree"), np.c_[SCORE, -SCORE], "predict", "several values"),
    "labels": (xgboost(2), TWO, "predict", "a class label is no sum"),
}


def response_of(model):
    return "predict_proba" if hasattr(model, "classes_") else "predict"


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_answers_are_the_model_s(name):
    model, rows, y = CASES[name]
    response = response_of(model.fit(rows, y))
    read = read_trees(model, response)
    hostile = hostile_rows(read, rows, levels=(3,) if "levels" in name else ())
    answers = answers_of(model, response, hostile)
    size = max(abs(answers).max(), 0 if response == "predict" else 1)
    np.testing.assert_allclose(computed_of(read, hostile), answers, rtol=0, atol=2e-6 * size)
    check_trees(read, hostile, answers)


@pytest.mark.slow
def test_a_threshold_is_met_in_single_precision_and_goes_right():
    model = xgboost(n_estimators=1, max_depth=1, base_score=0.0).fit(X[:, :1], X[:, 0] > 0.3)
    read = read_trees(model, "predict")
    last_left = np.float32(read.trees.threshold[0])
    threshold = np.nextafter(last_left, np.float32(np.inf))
    halfway = (float(last_left) + float(threshold)) / 2
    # of two doubles that differ in no single-precision digit the one is rounded down, the other up
    rows = np.array([[last_left], [threshold], [halfway * (1 - 1e-12)], [halfway * (1 + 1e-12)]], dtype=float)
    answers = model.predict(rows)
    assert answers[0] == answers[2] != answers[1] == answers[3]
    np.testing.assert_allclose(computed_of(read, rows)[0], answers, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_sum_of_leaves_is_refused(name):
    model, y, response, words = REFUSED[name]
    with pytest.raises(UnreadableModel, match=words):
        read_trees(model.fit(X, y), response)


@pytest.mark.slow
def test_trees_up_to_the_best_iteration():
    model = xgboost(3, n_estimators=200, learning_rate=0.9, early_stopping_rounds=3)
    model.fit(X, THREE, eval_set=[(X[:100], np.roll(THREE[:100], 7))], verbose=False)
    read = read_trees(model, "predict_proba")
    assert read.trees.n_trees == 3 * (model.best_iteration + 1) < 600
    np.testing.assert_allclose(computed_of(read, X), answers_of(model, "predict_proba", X), atol=1e-6)


@pytest.mark.slow
def test_rounding_of_many_trees_is_allowed_for_and_a_wrong_leaf_is_not():
    model = xgboost(n_estimators=400, max_depth=2).fit(X, 1e4 + SCORE)
    read = read_trees(model, "predict")
    answers = answers_of(model, "predict", X)
    check_trees(read, X, answers)
    leaf = read.trees.leaves(X)[0, 0]
    read.trees.value[leaf] += 0.5
    with pytest.raises(UnreadableModel, match="not those of the trees"):
        check_trees(read, X, answers)
