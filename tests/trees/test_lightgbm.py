"""Trees read from LightGBM answer as it does: to rounding, on thresholds, at zero, for what is missing and unseen."""

import numpy as np
import pytest
from lightgbm import LGBMRegressor

from tauscope.trees.adapters import read_trees
from tauscope.trees.tree_model import UnreadableModel
from trees.libraries import (
    COUNTS,
    GAPS,
    SCORE,
    THREE,
    TWO,
    ZEROS,
    X,
    answers_of,
    computed_of,
    hostile_rows,
    lightgbm,
)

PICKED = {"subsample": 0.7, "subsample_freq": 1}
LABELS, VALUES = ("predict_proba", "decision_function"), ("predict",)
CASES = {
    "two classes": (lightgbm(2), X, TWO, {}),
    "three classes": (lightgbm(3), X, THREE, {}),
    "values": (lightgbm(), X, SCORE, {}),
    "large values": (lightgbm(), X, 1e6 + SCORE, {}),
    "small values": (lightgbm(), X, 1e-6 * SCORE, {}),
    "gaps, two classes": (lightgbm(2), GAPS, TWO, {}),
    "gaps, values": (lightgbm(), GAPS, SCORE, {}),
    "zeros, three classes": (lightgbm(3), ZEROS, THREE, {}),
    "dart": (lightgbm(2, boosting_type="dart"), GAPS, TWO, {}),
    "goss": (lightgbm(data_sample_strategy="goss"), GAPS, SCORE, {}),
    "forest of values": (lightgbm(boosting_type="rf", **PICKED), GAPS, SCORE, {}),
    "forest of classes": (lightgbm(3, boosting_type="rf", **PICKED), GAPS, THREE, {}),
    "sigmoid": (lightgbm(2, sigmoid=2.5), X, TWO, {}),
    "one against all, margins": (lightgbm(3, objective="multiclassova"), X, THREE, {}),
    "counts": (lightgbm(objective="poisson"), X, COUNTS, {}),
    "tweedie": (lightgbm(objective="tweedie"), X, COUNTS, {}),
    "absolute error": (lightgbm(objective="regression_l1"), X, SCORE, {}),
    "cross entropy": (lightgbm(objective="cross_entropy"), X, 0.9 * TWO, {}),
    "zero as missing": (lightgbm(zero_as_missing=True), ZEROS, SCORE, {}),
    "nothing missing": (lightgbm(use_missing=False), GAPS, SCORE, {}),
    "levels": (lightgbm(), GAPS, SCORE, {"categorical_feature": [3]}),
    "levels in sets": (lightgbm(2, max_cat_to_onehot=1), GAPS, TWO, {"categorical_feature": [3]}),
    "no split": (lightgbm(min_child_samples=900), X, SCORE, {}),
}
REFUSED = {
    "sqrt": (lightgbm(reg_sqrt=True), COUNTS, "predict", "regression sqrt"),
    "linear leaves": (lightgbm(linear_tree=True), SCORE, "predict", "linear models"),
    "one against all": (lightgbm(3, objective="multiclassova"), THREE, "predict_proba", "multiclassova"),
    "labels": (lightgbm(2), TWO, "predict", "a class label is no sum"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_answers_are_the_model_s(name):
    model, rows, y, options = CASES[name]
    model.fit(rows, y, **options)
    for response in LABELS if hasattr(model, "classes_") else VALUES:
        if not hasattr(model, response) or (response == "predict_proba" and "all" in name):
            continue
        read = read_trees(model, response)
        hostile = hostile_rows(read, rows, levels=options.get("categorical_feature", ()))
        np.testing.assert_allclose(
            computed_of(read, hostile), answers_of(model, response, hostile), rtol=1e-12, atol=1e-15
        )
        assert read.zero_is_missing == (name == "zero as missing")


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_sum_of_leaves_is_refused(name):
    model, y, response, words = REFUSED[name]
    with pytest.raises(UnreadableModel, match=words):
        read_trees(model.fit(X, y), response)


@pytest.mark.slow
def test_trees_up_to_the_best_iteration():
    model = lightgbm(3).fit(X, THREE)
    model.booster_.best_iteration = 5  # as a fit that is stopped early sets it
    read = read_trees(model, "predict_proba")
    assert read.trees.n_trees == 15
    np.testing.assert_allclose(computed_of(read, X), answers_of(model, "predict_proba", X), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_booster_by_itself(n_classes):
    model = lightgbm(n_classes).fit(X, TWO if n_classes == 2 else THREE)
    read = read_trees(model.booster_, "predict")
    np.testing.assert_allclose(computed_of(read, X), answers_of(model.booster_, "predict", X), rtol=1e-12)


def test_a_file_it_does_not_know_is_refused():
    class Changed(LGBMRegressor):
        booster_ = type("Booster", (), {"model_to_string": lambda self: "tree\nversion=v9\n\nTree=0\nleaves=1\n"})()

    Changed.__module__ = "lightgbm.sklearn"
    with pytest.raises(UnreadableModel, match="stores its trees otherwise"):
        read_trees(Changed(), "predict")
